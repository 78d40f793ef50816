"""Triggered abilities: when they triggered, and when they were put on the stack.

| promise | test |
| --- | --- |
| a trigger put on the stack at once does not wait | test_stacked_at_once |
| waiting triggers are put on the stack together, once | test_waiting_and_put_on_the_stack |
| after the turn or game ends, a waiting trigger is never put on the stack | test_expired |
| triggers are sorted by the events that caused them | test_in_the_order_of_events |
| triggers that a ruling undoes are removed, waiting or not | test_forgotten |
| a copy is equal and independent | test_a_copy_is_apart |
"""

from msgspec.structs import replace

from daynight.events.consequences import Triggered
from daynight.events.terms import Designation
from daynight.referee.worlds.triggers import Triggers

DAY, NIGHT = Designation.DAY, Designation.NIGHT


def trigger(event, permanent="v1", stacked=None):
    """Return a permanent's trigger as day became night at `event`; the event `stacked` put it on the stack."""
    return Triggered(
        event=event, rule="change-triggers", because=(event,), turn=1, permanent=permanent, was=DAY, became=NIGHT,
        stacked=stacked,
    )  # fmt: skip


def test_it_begins_empty():
    """At first nothing has triggered, and nothing waits."""
    assert ((), ()) == (Triggers().triggered, Triggers().waiting)


def test_stacked_at_once():
    """A trigger put on the stack at once does not wait; `put_on_stack` and `expire` do not change it."""
    triggers = Triggers()
    triggers.fold(trigger(4, stacked=4))
    assert ((trigger(4, stacked=4),), ()) == (triggers.triggered, triggers.waiting)
    triggers.put_on_stack(5)
    triggers.expire()
    assert (trigger(4, stacked=4),) == triggers.triggered


def test_waiting_and_put_on_the_stack():
    """Waiting triggers are in `triggered` too; `put_on_stack` gives them its event; a later call changes nothing."""
    triggers = Triggers()
    triggers.fold(trigger(4))
    triggers.fold(trigger(4, "v2"))
    assert (trigger(4), trigger(4, "v2")) == triggers.waiting
    assert (trigger(4), trigger(4, "v2")) == triggers.triggered
    triggers.put_on_stack(6)
    assert () == triggers.waiting
    assert (trigger(4, stacked=6), trigger(4, "v2", stacked=6)) == triggers.triggered
    triggers.put_on_stack(7)
    assert (trigger(4, stacked=6), trigger(4, "v2", stacked=6)) == triggers.triggered


def test_more_may_wait_besides():
    """A trigger that waits is still in `waiting`, first, when a later one joins it."""
    triggers = Triggers()
    triggers.fold(trigger(4))
    triggers.fold(trigger(6))
    assert (trigger(4), trigger(6)) == triggers.waiting


def test_expired():
    """After `expire` nothing waits; the trigger stays in `triggered` with `stacked` None, also after `put_on_stack`."""
    triggers = Triggers()
    triggers.fold(trigger(4))
    triggers.expire()
    assert () == triggers.waiting
    triggers.put_on_stack(6)
    assert (trigger(4),) == triggers.triggered


def test_in_the_order_of_events():
    """`triggered` is sorted by the events of the triggers, although the first waited and the second did not."""
    triggers = Triggers()
    triggers.fold(trigger(4))
    triggers.fold(trigger(5, stacked=5))
    assert [4, 5] == [each.event for each in triggers.triggered]
    triggers.put_on_stack(6)
    assert [(4, 6), (5, 5)] == [(each.event, each.stacked) for each in triggers.triggered]


def test_what_is_uncertain_stays_so():
    """Putting an uncertain trigger on the stack keeps it uncertain."""
    triggers = Triggers()
    uncertain = replace(trigger(4), certain=False)
    triggers.fold(uncertain)
    triggers.put_on_stack(6)
    assert (replace(uncertain, stacked=6),) == triggers.triggered


def test_triggers_that_are_not_remembered():
    """With `remember=False` only waiting triggers are kept, until they are stacked or expire; in copies too."""
    triggers = Triggers(remember=False)
    triggers.fold(trigger(4, stacked=4))
    triggers.fold(trigger(5))
    other = triggers.copy()
    assert ((trigger(5),), (trigger(5),)) == (triggers.waiting, triggers.triggered)
    triggers.put_on_stack(6)
    other.expire()
    other.fold(trigger(7, stacked=7))
    assert ((), (), (), ()) == (triggers.waiting, triggers.triggered, other.waiting, other.triggered)


def test_a_copy_is_apart():
    """A change in a copy does not appear in the original, nor the reverse."""
    triggers = Triggers()
    triggers.fold(trigger(3, stacked=3))
    triggers.fold(trigger(4))
    other = triggers.copy()
    triggers.put_on_stack(6)
    assert (trigger(3, stacked=3), trigger(4)) == other.triggered
    assert (trigger(4),) == other.waiting
    other.expire()
    assert [(3, 3), (4, 6)] == [(each.event, each.stacked) for each in triggers.triggered]


def test_the_latest_of_a_turn():
    """`latest` returns the last turn's triggers after an event, newest first, waiting ones too; () for another turn."""
    triggers = Triggers()
    for event, turn in ((3, 1), (5, 2), (7, 2)):
        triggers.fold(replace(trigger(event, stacked=event), turn=turn))
    assert [7, 5] == [each.event for each in triggers.latest(2, 3)]
    assert [7] == [each.event for each in triggers.latest(2, 5)]
    assert [7, 5] == [each.event for each in triggers.latest(2, 0)]
    assert () == triggers.latest(1, 0)
    triggers.fold(replace(trigger(9, "v1"), turn=2))
    triggers.fold(replace(trigger(9, "v2"), turn=2))
    assert [(9, "v2"), (9, "v1"), (7, "v1")] == [(each.event, each.permanent) for each in triggers.latest(2, 5)]


def test_forgotten():
    """`forget` removes the triggers of this event and later ones, waiting or not; earlier ones stay."""
    triggers = Triggers()
    for one in (trigger(4, stacked=4), trigger(6), trigger(6, "v2", stacked=6), trigger(8)):
        triggers.fold(one)
    triggers.forget(since=6)
    assert ((trigger(4, stacked=4),), ()) == (triggers.triggered, triggers.waiting)
    triggers.forget(since=1)
    assert () == triggers.triggered
