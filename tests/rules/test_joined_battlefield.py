"""A record that begins midway with a battlefield: permanents found there do not enter (`game-joined`).

| clause | the contract in our words | test |
| --- | --- | --- |
| permanents | they are on the battlefield, in order, with the catalogue's faces | test_what_was_found_is_there |
| permanents | each shows its face: the front if none is given | test_each_shows_its_face |
| face, refused | back face up, if not double-faced | test_only_a_double_faced_one_shows_its_back |
| not entering | daybound at night does not enter back face up: it transforms | test_it_is_found_and_turns |
| not entering | "if it's neither, as this enters" does nothing | test_it_does_not_enter |
| to rest | at once, front face up at night, or back face up by day: they transform | test_they_come_to_rest |
| to rest | neither and daybound: day; neither and nightbound alone: night | test_neither_comes_to_rest |
| to rest, not | a held permanent keeps its face | test_what_is_held_stays |
| possible | each possibility separately | test_each_possibility_comes_to_rest |
| phased_out | it is phased out; in an arrival the field is refused | test_found_phased_out, test_only_joined_ones |
| face_down, without_abilities | both are kept as found | test_found_face_down_or_without_abilities |
| forbids | the effects are in force until they end | test_what_is_forbidden |
| forbids, refused | one source twice, a permanent that is not there | test_what_cannot_be_forbidden |
| refused | one id twice, an unknown player | test_what_cannot_be_found |
| only line 2 | it is refused on any other line | test_only_line_two |
| then | a record that joins a turn after its untap step has no check in that turn | test_joined_after_the_untap_step |
"""

import pytest

from daynight.framework.language.errors import ImpossibleError, RecordError

from .judges import noted
from .placing import enter, permanent, phase_in, regain
from .scenario import given
from .turning import allow, transform
from .wolves import ANGEL, CLONE_OF_DAYBOUND, CLONE_OF_NIGHTBOUND, IMMERWOLF, OLD_WEREWOLF, VANDAL
from .words import cast, doubt, effect, joined, turn


def found(*permanents, possible=("day",), forbids=None):
    """A game joined on line 2 with these permanents, possible designations and effects that forbid transforming."""
    return given(joined(*possible, permanents=list(permanents), forbids=forbids))


def test_what_was_found_is_there():
    """Found permanents are listed in order, with the name of the card's front and their controller; nothing changes."""
    game = found(permanent("s1", {"card": "Tavern Smasher"}), permanent("b1", {"card": "Bear"}, controller="Bo"))
    assert {"s1": "Tavern Ruffian", "b1": "Bear"} == game.each("card")
    assert (["s1", "b1"], {"s1": "Ana", "b1": "Bo"}) == (list(game.each("card")), game.each("controller"))
    assert (2, [], []) == (game.event, game.changes, game.triggers)
    assert {} == found().each("card")


@pytest.mark.parametrize("designation", ["neither", "day", "night"])
def test_each_shows_its_face(designation):
    """Werewolves without keywords keep the face of the record, by day and night: the front by default, or the back."""
    game = found(permanent("o1", OLD_WEREWOLF), permanent("o2", OLD_WEREWOLF, face="back"), possible=(designation,))
    assert (designation, ()) == (game.designation, game.followed)
    assert {"o1": "front", "o2": "back"} == game.each("face")


def test_only_a_double_faced_one_shows_its_back():
    """`face: back` is refused for a Bear and for a Clone, which are not double-faced."""
    with pytest.raises(ImpossibleError):
        found(permanent("b1", {"card": "Bear"}, face="back"))
    with pytest.raises(ImpossibleError):
        found(permanent("c1", CLONE_OF_DAYBOUND, face="back"))


def test_it_is_found_and_turns():
    """A Ruffian found front up at night transforms, if no effect forbids it; one that arrives enters with the back up.

    "Can't transform" does not hinder entering, so only a permanent that did not enter stays front up.
    """
    game = found(permanent("w1"), possible=("night",))
    assert ({"w1": "back"}, ("2: w1 turn to back (daybound-at-night because 2)",)) == (game.each("face"), game.followed)
    held = found(permanent("w1"), possible=("night",), forbids=[{"source": "Bound", "permanents": ["w1"]}])
    assert ({"w1": "front"}, ()) == (held.each("face"), held.followed)
    entering = given(joined("night"), enter("w1"))
    assert ("3: w1 enter back face up (daybound-enters because 3)",) == entering.followed


def test_it_does_not_enter():
    """If a Vandal is found on the battlefield, it stays neither; if one enters, it becomes day."""
    assert "neither" == found(permanent("v1", VANDAL), possible=("neither",)).designation
    assert "day" == given(joined("neither"), enter("v1", VANDAL)).designation


def test_they_come_to_rest():
    """Found Ruffians show the back at night and the front by day, whichever face was recorded."""
    both = (permanent("w1"), permanent("w2", face="back"))
    assert {"w1": "back", "w2": "back"} == found(*both, possible=("night",)).each("face")
    assert {"w1": "front", "w2": "front"} == found(*both, possible=("day",)).each("face")


@pytest.mark.parametrize("permanents, designation, rule", [
    ([permanent("c1", CLONE_OF_DAYBOUND), permanent("c2", CLONE_OF_NIGHTBOUND)], "day", "daybound-starts-day"),
    ([permanent("c2", CLONE_OF_NIGHTBOUND)], "night", "nightbound-starts-night"),
])  # fmt: skip
def test_neither_comes_to_rest(permanents, designation, rule):
    """Neither changes at line 2: a found permanent with daybound makes it day, nightbound alone night."""
    game = found(*permanents, possible=("neither",))
    assert designation == game.designation
    assert [(2, 0, rule, [2])] == [(one["event"], one["turn"], one["rule"], one["because"]) for one in game.changes]


def test_what_is_held_stays():
    """By day Ana's Immerwolf keeps Ana's Smasher back up; Bo's Smasher transforms."""
    wolves = (permanent("i1", IMMERWOLF), permanent("w1", face="back"), permanent("w2", controller="Bo", face="back"))
    assert {"i1": "front", "w1": "back", "w2": "front"} == found(*wolves).each("face")


def test_each_possibility_comes_to_rest():
    """Day or night: a Ruffian's face is None. Neither or day: a Ruffian makes it day, uncertainly.

    The document has `policy` for neither or night, and none for neither or day.
    """
    game = found(permanent("w1"), possible=("day", "night"))
    assert ({"w1": None}, ["day", "night"]) == (game.each("face"), game.possible)
    game = found(permanent("w1"), possible=("neither", "day"))
    assert ("day", [False]) == (game.designation, [one["certain"] for one in game.changes])
    assert "policy" not in found(possible=("neither", "day")).game.document()
    assert "policy" in found(possible=("neither", "night")).game.document()


def test_found_phased_out():
    """While a found Ruffian is phased out, it stays neither; when the Ruffian phases in, it becomes day."""
    game = found(permanent("w1", phased_out=True), possible=("neither",))
    assert ("neither", {"w1": False}) == (game.designation, game.each("phased_in"))
    assert "day" == game.when(phase_in("w1")).designation
    assert {"w1": True} == found(permanent("w1", phased_out=False)).each("phased_in")


def test_only_joined_ones():
    """`phased_out` in an arrival raises RecordError."""
    with pytest.raises(RecordError):
        given(enter("w1", phased_out=True))


def test_found_face_down_or_without_abilities():
    """With Ruffians found face down or without abilities it stays neither; when one regains daybound, it is day."""
    game = found(permanent("w1", face_down=True), permanent("w2", without_abilities="Humility"), possible=("neither",))
    assert ("neither", {"w1": True, "w2": False}) == (game.designation, game.each("face_down"))
    assert "day" == game.when(regain("w2", source="Humility")).designation


def test_what_is_forbidden():
    """A found Ruffian that `forbids` names stays front up at night; it transforms when that effect ends."""
    forbids = [{"source": "Bound", "permanents": ["w1", "o1"]}, {"source": "Other", "permanents": []}]
    game = found(permanent("w1"), permanent("o1", OLD_WEREWOLF), possible=("night",), forbids=forbids)
    game.when(transform("o1"))
    assert {"w1": "front", "o1": "front"} == game.each("face")
    assert {"w1": "back", "o1": "front"} == game.when(allow("Bound")).each("face")


@pytest.mark.parametrize("forbids", [
    [{"source": "Bound", "permanents": ["w1"]}, {"source": "Bound", "permanents": []}],
    [{"source": "Bound", "permanents": ["x"]}], [{"source": "Bound", "permanents": ["w1", "w1"]}],
    [{"source": "Bound"}], [{"permanents": ["w1"]}], [{"source": "Bound", "permanents": ["w1"], "why": "so"}],
])  # fmt: skip
def test_what_cannot_be_forbidden(forbids):
    """RecordError: a source or a permanent twice, an unknown permanent, a missing field, an unknown field."""
    with pytest.raises(RecordError):
        found(permanent("w1"), forbids=forbids)


BOUND = {"source": "Bound", "permanents": ["w1"]}
TWICE = "'w1' stands twice in one list, first at $."


@pytest.mark.parametrize("forbids, path, sentence", [
    ([BOUND, BOUND], "$.forbids[1]", "'Bound' stands twice in one list, first at $.forbids[0]"),
    ([BOUND, {"source": "A", "permanents": ["w1", "w1"]}], "$.forbids[1].permanents[1]",
     f"{TWICE}forbids[1].permanents[0]"),
    ([BOUND, {"source": "A", "permanents": ["w1", "x"]}], "$.forbids[1].permanents[1]",
     "no permanent 'x' on the battlefield; there: w1"),
])  # fmt: skip
def test_where_it_cannot_be_forbidden(forbids, path, sentence):
    """The error's path names the entry of `forbids`, or the permanent in it."""
    with pytest.raises(ImpossibleError) as refused:
        found(permanent("w1"), forbids=forbids)
    assert (path, sentence) == (refused.value.path, refused.value.sentence)


@pytest.mark.parametrize("permanents, path, sentence", [
    ([permanent("w1"), permanent("w1")], "$.permanents[1]", f"{TWICE}permanents[0]"),
    ([permanent("w1"), permanent("w2", controller="Anna")], "$.permanents[1].controller",
     "no player 'Anna'; players are Ana, Bo"),
    ([permanent("w1"), permanent("w2", {"card": "Bear"}) | {"face": "back"}], "$.permanents[1].face",
     "only a double-faced permanent whose back is a permanent's enters back face up"),
])  # fmt: skip
def test_where_it_cannot_be_found(permanents, path, sentence):
    """An impossible permanent of `game-joined` is refused; the error's path names the permanent or its field."""
    with pytest.raises(ImpossibleError) as refused:
        found(*permanents)
    assert (path, sentence) == (refused.value.path, refused.value.sentence)


def test_where_what_enters_is_phased_out():
    """`phased_out` in an arrival is refused with the path of that field: only `game-joined` may have it."""
    with pytest.raises(ImpossibleError) as refused:
        given().when(
            {"type": "permanents-entered", "permanents": [permanent("a"), permanent("b") | {"phased_out": True}]}
        )
    assert "$.permanents[1].phased_out" == refused.value.path
    assert "what enters is phased in; only what game-joined finds may be phased out" == refused.value.sentence


def test_since_when_it_is_there():
    """A permanent that `game-joined` found is there since event 2, so the same id can't enter."""
    with pytest.raises(ImpossibleError) as refused:
        found(permanent("w1")).when(enter("w1"))
    assert "'w1' is on the battlefield already, since event 2" == refused.value.sentence


@pytest.mark.parametrize("permanents", [
    [permanent("w1"), permanent("w1")], [permanent("w1", controller="Anna")],
    [permanent("w1", double_faced=False) | {"back": {"name": "A"}}], [{"id": "w1", "card": "Bear"}],
])  # fmt: skip
def test_what_cannot_be_found(permanents):
    """RecordError as for an arrival: an id twice, an unknown player, a back of a single-faced card, no controller."""
    with pytest.raises(RecordError):
        found(*permanents)


@pytest.mark.parametrize("before", [[joined("day")], [turn(1)], [noted()], [effect("day")]])
def test_only_line_two(before):
    """`game-joined` is refused after any other event, even a note."""
    with pytest.raises(RecordError):
        given(*before, joined("day", permanents=[permanent("w1")]))


def test_joined_after_the_untap_step():
    """The first turn after joining has an uncertain check (day or night), or none if it skips its untap step."""
    there = joined("day", permanents=[permanent("a1", {"card": "Bear"}), permanent("w1")])
    skipping = given(there, turn(7, skips=["untap"]), doubt("Ana", 0), cast("Bo"))
    assert "day" == skipping.designation
    assert ["day", "night"] == skipping.when(turn(8, "Bo"), cast("Bo")).possible
    unwritten = given(there, turn(7), cast("Bo"))
    assert ["day", "night"] == unwritten.possible
    assert [2] == unwritten.changes[0]["because"]


def test_what_was_found_may_bar_the_night():
    """An Angel found on the battlefield prevents night: it stays day, although nobody cast a spell."""
    game = found(permanent("a1", ANGEL)).when(turn(3), turn(4, "Bo"), cast("Bo"))
    assert ("day", []) == (game.designation, game.changes)
