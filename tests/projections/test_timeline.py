"""The timeline: every change of day and night, in order.

| promise | test |
| --- | --- |
| a timeline begins empty | test_it_begins_empty |
| changes are kept, the oldest first | test_changes_in_order |
| changes of an event and later ones can be forgotten | test_forgotten |
| a copy is equal and independent | test_a_copy_is_apart |
"""

from daynight.events.consequences import Changed
from daynight.events.terms import Designation
from daynight.projections.timeline import Timeline


def changed(event):
    """Return a change from day to night at that event."""
    return Changed(event=event, rule="becomes", because=(event,), turn=1, was=Designation.DAY, became=Designation.NIGHT)


def folded(*events):
    """Return a timeline of changes at these events."""
    timeline = Timeline()
    for event in events:
        timeline.fold(changed(event))
    return timeline


def test_it_begins_empty():
    """In a new timeline nothing has changed."""
    assert () == Timeline().changes


def test_changes_in_order():
    """`changes` is in order, the oldest first, and the same when read again."""
    timeline = folded(4, 5, 7)
    assert (changed(4), changed(5), changed(7)) == timeline.changes == timeline.changes


def test_forgotten():
    """`forget` removes the changes at this event and later ones; earlier ones stay."""
    for since, left in ((8, (4, 5, 5, 7)), (7, (4, 5, 5)), (6, (4, 5, 5)), (5, (4,)), (1, ())):
        timeline = folded(4, 5, 5, 7)
        timeline.forget(since)
        assert folded(*left).changes == timeline.changes


def test_a_timeline_that_does_not_remember():
    """With `remember=False` a timeline and its copies keep no changes."""
    timeline = Timeline(remember=False)
    timeline.fold(changed(4))
    other = timeline.copy()
    other.fold(changed(5))
    assert ((), ()) == (timeline.changes, other.changes)


def test_a_copy_is_apart():
    """A change in a copy does not appear in the original, nor the reverse."""
    timeline = folded(4)
    other = timeline.copy()
    timeline.fold(changed(5))
    other.fold(changed(6))
    assert folded(4, 5).changes == timeline.changes
    assert folded(4, 6).changes == other.changes
