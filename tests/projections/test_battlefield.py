"""The battlefield: all permanents, and three views of them.

`mattering` has permanents that have to do with day and night and whose abilities work; `watching` those of them that
trigger on day and night; `holding` those that keep others from transforming or the game from becoming night.

| promise | test |
| --- | --- |
| all permanents, and the view `mattering`, are in order of arrival | test_in_order_of_arrival |
| | test_what_comes_to_matter_keeps_its_place |
| `holding` and `watching` look at every face and copied values | test_what_may_hold_and_watch |
| a permanent without working abilities is only in the view `holding` | test_what_does_not_act |
| arrivals are added, and those that matter returned | test_arriving, test_arriving_otherwise |
| `remove` returns whether a removed permanent was in `holding` | test_what_left_may_have_held |
| a change that concerns day and night empties the cache `found` | test_what_was_found_is_forgotten |
| recorded effects forbid permanents to transform, until the effects end | test_forbidding |
| each change affects exactly one field | test_changes |
| a copy is equal and independent, whichever changes first | test_a_copy_is_apart |
"""

import pytest
from msgspec.structs import replace

from daynight.events.permanents import Characteristics
from daynight.projections.battlefield import Battlefield, Status

from .boards import COPY, FRONT, battlefield, status


def test_an_empty_one():
    """An empty battlefield has no permanents."""
    empty = Battlefield()
    assert (0, [], [], False) == (len(empty), list(empty), list(empty.mattering), "w1" in empty)


def test_in_order_of_arrival():
    """The battlefield and `mattering` are in order of arrival; the battlefield finds each permanent by its id."""
    made = battlefield("w1", "w2")
    made.put(status("b1", COPY, None))
    made.put(status("w0"))
    assert (["w1", "w2", "b1", "w0"], 4) == ([each.id for each in made], len(made))
    assert ["w1", "w2", "w0"] == list(made.mattering)
    assert ("b1" in made, "b2" in made, "b1") == (True, False, made["b1"].id)


def test_what_changes_keeps_its_place():
    """`put` with a changed status of a permanent keeps its place in the order, in `mattering` too."""
    made = battlefield("w1", "w2")
    made.put(status("w1", lost=True))
    assert [("w1", True), ("w2", False)] == [(each.id, each.lost) for each in made]
    made.put(status("w1", controller="Bo"))
    assert [("w1", "Bo"), ("w2", "Ana")] == [(each.id, each.controller) for each in made.mattering.values()]


def test_what_comes_to_matter_keeps_its_place():
    """A bear that becomes a copy of a werewolf is in `mattering`, in order of arrival, until the copy ends."""
    made = Battlefield()
    made.put(status("b1", COPY, None))
    made.put(status("w1"))
    made.become_copy(["b1"], FRONT)
    assert ["b1", "w1"] == list(made.mattering)
    made.become_copy(["b1"], None)
    assert ["w1"] == list(made.mattering)
    assert ["b1", "w1"] == [each.id for each in made]


def test_what_may_hold_and_watch():
    """A permanent is in `holding` or `watching` by any face, up or not, or copied values; in order of arrival."""
    holds, watches = Characteristics(holds="night"), Characteristics(watches=True)
    made = battlefield("w1")
    made.put(status("h1", COPY, holds))
    made.put(status("v1", watches, None))
    made.put(status("h2", holds, None))
    assert (["h1", "h2"], ["v1"]) == (list(made.holding), list(made.watching))
    assert ["h1", "h2"] == list(made.holding)
    other = made.copy()
    made.become_copy(["w1"], watches)
    made.remove("h1")
    assert (["h2"], ["w1", "v1"]) == (list(made.holding), list(made.watching))
    assert (["h1", "h2"], ["v1"]) == (list(other.holding), list(other.watching))


def test_what_does_not_act():
    """A permanent without abilities, or phased out, is only in `holding`; later it is in its old place in all views."""
    all_of_it = Characteristics(keywords=("daybound",), watches=True, holds="night")
    made = Battlefield()
    made.put(status("w1", all_of_it, lost=True))
    made.put(status("w2"))
    assert (["w1", "w2"], ["w2"], [], ["w1"]) == (
        list(made.permanents), list(made.mattering), list(made.watching), list(made.holding),
    )  # fmt: skip
    made.regain_abilities(["w1"], None)
    assert (["w1", "w2"], ["w1"], ["w1"]) == (list(made.mattering), list(made.watching), list(made.holding))
    made.phase(["w1"], False)
    assert (["w2"], [], ["w1"]) == (list(made.mattering), list(made.watching), list(made.holding))
    made.control(["w1"], "Bo")
    assert "Bo" == made.holding["w1"].controller


def test_arriving():
    """`arrive` adds permanents in order, and returns those that have to do with day and night, face-down ones too."""
    made = Battlefield()
    werewolf = status("w1").permanent
    bear = status("b1", COPY, None).permanent
    hidden = replace(status("w2").permanent, face_down=True)
    assert ([status("w1")], ["w2"]) == (
        made.arrive([werewolf, bear], 3),
        [each.id for each in made.arrive([hidden], 3)],
    )
    assert (["w1", "b1", "w2"], ["w1"]) == (list(made.permanents), list(made.mattering))
    assert (status("w1"), status("b1", COPY, None)) == (made["w1"], made["b1"])
    assert [] == made.arrive([replace(bear, id="b2")], 4)
    assert (4, "Ana") == (made["b2"].arrived, made["b2"].controller)


@pytest.mark.parametrize("how, expected", [
    ({"face_down": True}, {"face_down": True}),
    ({"without_abilities": True}, {"entered_without": True}),
    ({"without_abilities": "A"}, {"losses": frozenset({"A"})}),
])  # fmt: skip
def test_arriving_otherwise(how, expected):
    """An arrival that is face down or without abilities has that in its status, and is not in `mattering`.

    `losses` has what took its abilities; `entered_without` is True if the event does not name it.
    """
    made = Battlefield()
    permanent = replace(status("w1").permanent, **how)
    (arrived,) = made.arrive([permanent], 3)
    assert Status(permanent=permanent, controller="Ana", arrived=3, **expected) == arrived == made["w1"]
    assert (False, {}) == (arrived.acts, made.mattering)


def test_what_left_may_have_held():
    """`remove` returns whether any removed permanent was in `holding`, with working abilities or not."""
    holds = Characteristics(holds="night")
    made = battlefield("w1", "w2")
    made.put(status("h1", COPY, holds), status("h2", holds, None, lost=True), status("b1", COPY, None))
    assert (False, True) == (made.remove("w1", "b1"), made.remove("h1", "w2"))
    assert True is made.remove("h2")
    assert ({}, {}, {}) == (made.permanents, made.mattering, made.holding)


@pytest.mark.parametrize("change", [
    lambda made: made.put(status("w9")), lambda made: made.arrive([status("w9").permanent], 3),
    lambda made: made.remove("w1"), lambda made: made.forbid("B", ["w1"]), lambda made: made.allow("A"),
    lambda made: made.phase(["w1"], False),
], ids=["put", "arrive", "remove", "forbid", "allow", "phase"])  # fmt: skip
def test_what_was_found_is_forgotten(change):
    """Each change of a werewolf or a forbidding effect empties the cache `found`; an unchanged copy keeps its own."""
    made = battlefield("w1")
    assert {} == made.found
    made.found["asked"] = "answered"
    other = made.copy()
    change(made)
    assert ({}, {"asked": "answered"}) == (made.found, other.found)


def test_what_left_returns_last():
    """A removed permanent that is put again is last in the order."""
    made = battlefield("w1", "w2")
    made.remove("w1")
    assert (["w2"], ["w2"], False) == ([each.id for each in made], list(made.mattering), "w1" in made)
    made.put(status("w1"))
    assert ["w2", "w1"] == list(made.mattering)


def test_removing_what_does_not_matter():
    """`remove` of a bear, not in any view, returns False, and leaves the views and the cache as they are."""
    made = battlefield("w1")
    made.put(status("b1", COPY, None))
    made.found["asked"] = "answered"
    assert made.remove("b1") is False
    assert (["w1"], ["w1"]) == ([each.id for each in made], list(made.mattering))
    assert {"asked": "answered"} == made.found


def test_forbidding():
    """`forbid` replaces the permanents of a source; a permanent is forbidden while at least one source has it.

    `allow` ends a source; an unknown source changes nothing.
    """
    made = battlefield("w1", "w2")
    assert made.is_forbidden("w1") is False
    made.forbid("A", ["w1", "w2"])
    made.forbid("B", ["w1"])
    assert (True, True, False) == tuple(map(made.is_forbidden, ("w1", "w2", "w3")))
    made.forbid("A", ["w1"])
    assert (True, False) == tuple(map(made.is_forbidden, ("w1", "w2")))
    made.allow("A")
    assert made.is_forbidden("w1") is True
    made.allow("B")
    made.allow("never")
    assert made.is_forbidden("w1") is False


def test_counting_effects():
    """`forbidden` has each source once, even a source without permanents, until `allow` ends that source."""
    made = battlefield("w1")
    assert not made.forbidden
    made.forbid("A", ["w1"])
    made.forbid("A", [])
    made.forbid("B", ["w1"])
    assert {"A", "B"} == set(made.forbidden)
    made.allow("A")
    assert ["B"] == list(made.forbidden)


def test_several_put_at_once():
    """`put` adds several in order; if several enter or leave `mattering` at once, it keeps the order of arrival."""
    made = Battlefield()
    made.put(status("b1", COPY, None), status("w1"), status("b2", COPY, None))
    assert (["b1", "w1", "b2"], ["w1"]) == ([each.id for each in made], list(made.mattering))
    made.put(status("b2", FRONT, None), status("b1", FRONT, None), status("w1", controller="Bo"))
    assert ["b1", "w1", "b2"] == list(made.mattering)
    made.put(status("w1", COPY, None), status("b1", FRONT, None))
    assert ["b1", "b2"] == list(made.mattering)


def test_removing_several():
    """`remove` with several ids removes exactly these; effects still forbid the others to transform, not these."""
    made = battlefield("w1", "w2", "w3")
    made.forbid("A", ["w1", "w2", "w3"])
    made.remove("w1", "w3")
    assert ["w2"] == [each.id for each in made]
    assert (False, True, False) == tuple(map(made.is_forbidden, ("w1", "w2", "w3")))


@pytest.mark.parametrize("faces, holds, watches", [
    ({}, False, False),
    ({"front": Characteristics(holds="night")}, True, False),
    ({"back": Characteristics(holds="night")}, True, False),
    ({"copy": Characteristics(holds="night")}, True, False),
    ({"front": Characteristics(watches=True), "back": FRONT}, False, True),
    ({"back": Characteristics(watches=True), "copy": COPY}, False, True),
    ({"copy": Characteristics(watches=True)}, False, True),
    ({"front": Characteristics(watches=True), "back": Characteristics(holds="night")}, True, True),
])  # fmt: skip
def test_any_face_holds_or_watches(faces, holds, watches):
    """A permanent is in `holding` if its front, back or copied values have `holds`; in `watching`, if `watches`."""
    made = Battlefield()
    made.put(status(**faces))
    assert (holds, watches) == (bool(made.holding), bool(made.watching))


def test_what_left_is_no_longer_forbidden():
    """A removed permanent is no longer forbidden by any source; others are still forbidden."""
    made = battlefield("w1", "w2")
    made.forbid("A", ["w1", "w2"])
    made.forbid("B", ["w1"])
    made.remove("w1")
    assert (False, True) == tuple(map(made.is_forbidden, ("w1", "w2")))


@pytest.mark.parametrize("change, field, value", [
    (lambda made: made.control(["w1"], "Bo"), "controller", "Bo"),
    (lambda made: made.phase(["w1"], False), "out_under", "Ana"),
    (lambda made: made.turn(["w1"], True), "face_down", True),
    (lambda made: made.lose_abilities(["w1"], None), "lost", True),
    (lambda made: made.lose_abilities(["w1"], "A"), "losses", frozenset({"A"})),
    (lambda made: made.become_copy(["w1"], COPY), "copy", COPY),
], ids=["controller", "out_under", "face_down", "lost", "losses", "copy"])  # fmt: skip
def test_changes(change, field, value):
    """Each method changes exactly its field of the named permanent; the other permanent stays as it was."""
    made = battlefield("w1", "w2")
    change(made)
    assert [status("w1", **{field: value}) if field != "controller" else made["w1"], status("w2")] == list(made)
    assert value == getattr(made["w1"], field)
    assert (made["w1"].permanent, 3) == (status("w1").permanent, made["w1"].arrived)


def test_several_change_at_once():
    """`phase` with several ids changes these permanents and no others."""
    made = battlefield("w1", "w2", "w3")
    made.phase(["w1", "w3"], False)
    assert [False, True, False] == [each.phased_in for each in made]


@pytest.mark.parametrize("source, expected", [
    (None, {}),
    ("A", {"losses": frozenset({"B"}), "lost": True}),
    ("C", {"losses": frozenset({"A", "B"}), "lost": True}),
])  # fmt: skip
def test_regaining(source, expected):
    """`regain_abilities` without a source ends every loss; with one, that source's loss and `entered_without`."""
    made = Battlefield()
    made.put(status("w1", losses=frozenset({"A", "B"}), lost=True, entered_without=True))
    made.regain_abilities(["w1"], source)
    assert status("w1", **expected) == made["w1"]


def test_losses_add_up():
    """`losses` keeps every source that took the abilities; if the source is None, `lost` is True."""
    made = battlefield("w1")
    made.lose_abilities(["w1"], "A")
    made.lose_abilities(["w1"], "B")
    made.lose_abilities(["w1"], None)
    assert status("w1", losses=frozenset({"A", "B"}), lost=True) == made["w1"]


@pytest.mark.parametrize("which", ["original", "copy"])
def test_a_copy_is_apart(which):
    """After `copy`, a change of the original or the copy is not in the other: permanents, views, forbidding effects."""
    made = battlefield("w1", "w2")
    made.forbid("A", ["w1"])
    other = made.copy()
    changed, kept = (made, other) if which == "original" else (other, made)
    changed.remove("w1")
    changed.put(status("w3"))
    changed.forbid("B", ["w2"])
    assert (["w1", "w2"], ["w1", "w2"]) == ([each.id for each in kept], list(kept.mattering))
    assert (True, False) == (kept.is_forbidden("w1"), kept.is_forbidden("w2"))
    assert ["w2", "w3"] == [each.id for each in changed]


@pytest.mark.parametrize("change", [
    lambda made: made.put(status("w9")), lambda made: made.arrive([status("w9").permanent], 3),
    lambda made: made.remove("w1"), lambda made: made.forbid("B", ["w1"]), lambda made: made.allow("A"),
    lambda made: made.control(["w1"], "Bo"),
], ids=["put", "arrive", "remove", "forbid", "allow", "control"])  # fmt: skip
def test_each_change_of_a_copy_alone(change):
    """Whatever method changes a copy first, its original and a second copy stay as they were and can change later."""
    made = battlefield("w1")
    made.forbid("A", ["w1"])
    first, second = made.copy(), made.copy()
    change(first)
    for each in (made, second):
        assert ([status("w1")], [status("w1")]) == (list(each), list(each.mattering.values()))
        each.allow("A")
        assert each.is_forbidden("w1") is False
