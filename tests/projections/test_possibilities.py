"""Possibilities: one possible state of the game, folded from consequences.

| promise | test |
| --- | --- |
| a game may begin as neither, no back face up, nothing assumed | test_it_begins |
| a change sets the designation and is its only cause | test_a_change |
| a transformed permanent shows that face, and the latest transformation is remembered | test_transforming |
| | test_transforming_back |
| a permanent that enters back face up shows that face | test_entering_back_face_up |
| a permanent that left is forgotten | test_without |
| two possibilities with the same future are merged, with the causes of both | test_met |
| an assumption about the previous turn is kept | test_assuming |
"""

from daynight.events.consequences import Changed, EnteredTransformed, Refused, Transformed
from daynight.events.terms import Designation, Face
from daynight.referee.worlds.possibilities import ANY, NONE_CAST, ONE_CAST, TWO_CAST, Possibility

DAY, NIGHT = Designation.DAY, Designation.NIGHT


def turned(event, face, *ids):
    """The consequence that these permanents transformed."""
    return Transformed(event=event, rule="transforms", because=(event,), permanents=ids, face=face)


def entered(event, *ids):
    """The consequence that these permanents entered back face up."""
    return EnteredTransformed(event=event, rule="daybound-enters", because=(event,), permanents=ids)


def test_the_classes_are_apart():
    """The classes "none", "one" and "two or more" are three separate bits."""
    assert (1, 2, 4, 7) == (NONE_CAST, ONE_CAST, TWO_CAST, ANY)


def test_it_begins():
    """Neither, no back face up, nothing assumed; the cause is "from the beginning"."""
    begun = Possibility()
    assert (Designation.NEITHER, frozenset(), ANY, (None,), {}) == (
        begun.designation, begun.backs, begun.casts, begun.causes, begun.turned,
    )  # fmt: skip
    assert Face.FRONT is begun.face("w1")


def test_a_change():
    """A possibility gets the new designation, with the change as its cause; faces and assumptions stay."""
    first = Changed(event=3, rule="becomes", because=(3,), turn=1, was=NIGHT, became=DAY)
    last = Changed(event=4, rule="becomes", because=(4,), turn=1, was=DAY, became=NIGHT)
    before = Possibility(backs=frozenset({"w1"}), casts=ONE_CAST, turned={"w1": entered(2, "w1")})
    after = before.fold(first).fold(last)
    assert (
        Possibility(
            designation=NIGHT, backs=frozenset({"w1"}), casts=ONE_CAST, causes=(last,), turned={"w1": entered(2, "w1")}
        )
        == after
    )
    assert Designation.NEITHER is before.designation


def test_transforming():
    """The permanents' back faces are up; each has the event of its transformation."""
    over = turned(3, Face.BACK, "w1", "w2")
    after = Possibility(designation=NIGHT).fold(over)
    assert Possibility(designation=NIGHT, backs=frozenset({"w1", "w2"}), turned={"w1": over, "w2": over}) == after
    assert (Face.BACK, Face.FRONT) == (after.face("w1"), after.face("w3"))


def test_transforming_back():
    """The permanent's front is up again, with the event of the latest transformation."""
    over, back = turned(3, Face.BACK, "w1", "w2"), turned(4, Face.FRONT, "w1")
    after = Possibility().fold(over).fold(back)
    assert (frozenset({"w2"}), {"w1": back, "w2": over}) == (after.backs, after.turned)


def test_entering_back_face_up():
    """A permanent that enters back face up shows its back."""
    after = Possibility().fold(turned(2, Face.BACK, "w1")).fold(entered(3, "w2"))
    assert (frozenset({"w1", "w2"}), entered(3, "w2")) == (after.backs, after.turned["w2"])


def test_what_changes_nothing():
    """A refusal changes nothing."""
    before = Possibility()
    assert before == before.fold(Refused(event=3, rule="cannot-transform", because=(3,), permanents=("w1",)))


def test_without():
    """A permanent that left has neither face nor transformation; others do not change."""
    both = Possibility(casts=ONE_CAST).fold(entered(3, "w1", "w2"))
    after = both.without(("w1", "w9"))
    assert (frozenset({"w2"}), {"w2": entered(3, "w1", "w2")}) == (after.backs, after.turned)
    assert (ONE_CAST, frozenset({"w1", "w2"})) == (after.casts, both.backs)


def test_without_one_that_turned_back():
    """The transformation of a permanent that left is removed too, although its front was up."""
    after = Possibility().fold(entered(3, "w1")).fold(turned(4, Face.FRONT, "w1")).without(("w1",))
    assert ({}, frozenset()) == (after.turned, after.backs)


def test_without_what_never_turned():
    """Removing a permanent that never transformed changes nothing."""
    before = Possibility().fold(entered(3, "w1"))
    assert before == before.without(("w2",))


def test_assuming():
    """`assuming` adds the assumption, and changes nothing else."""
    before = Possibility(designation=DAY)
    assert Possibility(designation=DAY, casts=NONE_CAST) == before.assuming(NONE_CAST)
    assert (before, ANY) == (before.assuming(ANY), before.casts)


def test_met():
    """A face with the same cause in both keeps it; with different causes it has both, up to a limit."""
    both = turned(3, Face.BACK, "w1")
    begun = Possibility().fold(both)
    one, other = begun.fold(turned(5, Face.BACK, "w2")), begun.fold(entered(4, "w2"))
    met = one.met(other, 8)
    assert {"w2": (turned(5, Face.BACK, "w2"), entered(4, "w2"))} == met.ways
    assert (both,) == met.came_to("w1")
    assert frozenset({"w1", "w2"}) == met.backs
    assert (turned(5, Face.BACK, "w2"),) == one.met(other, 1).came_to("w2")
