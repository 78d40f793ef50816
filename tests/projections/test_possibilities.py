"""Possibilities: one possible state of the game, folded from consequences.

| promise | test |
| --- | --- |
| a game may begin as neither, no back face up, nothing assumed | test_it_begins |
| a change sets the designation and is its only cause | test_a_change |
| a transformed permanent shows that face, and the latest transformation is remembered | test_transforming |
| | test_transforming_back |
| a permanent that enters back face up shows that face | test_entering_back_face_up |
| a permanent that left is forgotten | test_without |
| merged possibilities keep the transformations of both, up to a limit | test_met |
| an assumption about the previous turn is kept | test_assuming |
"""

from daynight.events.consequences import Changed, EnteredTransformed, Refused, Transformed
from daynight.events.terms import Designation, Face
from daynight.referee.worlds.possibilities import ANY, NONE_CAST, ONE_CAST, TWO_CAST, Possibility

DAY, NIGHT = Designation.DAY, Designation.NIGHT


def turned(event, face, *ids):
    """Return the consequence that these permanents transformed at this event, and now have this face up."""
    return Transformed(event=event, rule="transforms", because=(event,), permanents=ids, face=face)


def entered(event, *ids):
    """Return the consequence that these permanents entered at this event with their back face up."""
    return EnteredTransformed(event=event, rule="daybound-enters", because=(event,), permanents=ids)


def test_the_classes_are_apart():
    """The classes of casts "none", "one" and "two or more" are the bits 1, 2 and 4; ANY is all of them."""
    assert (1, 2, 4, 7) == (NONE_CAST, ONE_CAST, TWO_CAST, ANY)


def test_it_begins():
    """A new possibility is neither, has no back face up, assumes nothing; its only cause is None, the beginning."""
    begun = Possibility()
    assert (Designation.NEITHER, frozenset(), ANY, (None,), {}) == (
        begun.designation, begun.backs, begun.casts, begun.causes, begun.turned,
    )  # fmt: skip
    assert Face.FRONT is begun.face("w1")


def test_a_change():
    """Folding changes gives the last designation, and only the last change as cause; faces and assumptions stay."""
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
    """After transforming, the permanents have their back face up, and `turned` has the consequence for each."""
    over = turned(3, Face.BACK, "w1", "w2")
    after = Possibility(designation=NIGHT).fold(over)
    assert Possibility(designation=NIGHT, backs=frozenset({"w1", "w2"}), turned={"w1": over, "w2": over}) == after
    assert (Face.BACK, Face.FRONT) == (after.face("w1"), after.face("w3"))


def test_transforming_back():
    """After transforming back, the front is up, and `turned` has the second consequence for that permanent."""
    over, back = turned(3, Face.BACK, "w1", "w2"), turned(4, Face.FRONT, "w1")
    after = Possibility().fold(over).fold(back)
    assert (frozenset({"w2"}), {"w1": back, "w2": over}) == (after.backs, after.turned)


def test_entering_back_face_up():
    """A permanent that enters back face up is in `backs`, and in `turned` with its entering."""
    after = Possibility().fold(turned(2, Face.BACK, "w1")).fold(entered(3, "w2"))
    assert (frozenset({"w1", "w2"}), entered(3, "w2")) == (after.backs, after.turned["w2"])


def test_what_changes_nothing():
    """Folding a refused transformation returns an equal possibility."""
    before = Possibility()
    assert before == before.fold(Refused(event=3, rule="cannot-transform", because=(3,), permanents=("w1",)))


def test_without():
    """`without` removes a permanent from `backs` and `turned`; other permanents and the original do not change."""
    both = Possibility(casts=ONE_CAST).fold(entered(3, "w1", "w2"))
    after = both.without(("w1", "w9"))
    assert (frozenset({"w2"}), {"w2": entered(3, "w1", "w2")}) == (after.backs, after.turned)
    assert (ONE_CAST, frozenset({"w1", "w2"})) == (after.casts, both.backs)


def test_without_one_that_turned_back():
    """`without` removes a permanent from `turned` although its front is up."""
    after = Possibility().fold(entered(3, "w1")).fold(turned(4, Face.FRONT, "w1")).without(("w1",))
    assert ({}, frozenset()) == (after.turned, after.backs)


def test_without_what_never_turned():
    """`without` a permanent that never transformed returns an equal possibility."""
    before = Possibility().fold(entered(3, "w1"))
    assert before == before.without(("w2",))


def test_assuming():
    """`assuming` returns a possibility with this class in `casts` and the rest unchanged; with ANY, an equal one."""
    before = Possibility(designation=DAY)
    assert Possibility(designation=DAY, casts=NONE_CAST) == before.assuming(NONE_CAST)
    assert (before, ANY) == (before.assuming(ANY), before.casts)


def test_met():
    """`met` merges two possibilities; `ways` has both consequences of a permanent that turned differently.

    With the limit 1 only the first possibility's consequence is kept.
    """
    both = turned(3, Face.BACK, "w1")
    begun = Possibility().fold(both)
    one, other = begun.fold(turned(5, Face.BACK, "w2")), begun.fold(entered(4, "w2"))
    met = one.met(other, 8)
    assert {"w2": (turned(5, Face.BACK, "w2"), entered(4, "w2"))} == met.ways
    assert (both,) == met.came_to("w1")
    assert frozenset({"w1", "w2"}) == met.backs
    assert (turned(5, Face.BACK, "w2"),) == one.met(other, 1).came_to("w2")
