"""The oracle itself: the contract's example exactly, and the contract's sentences one by one.

| sentence of the contract | test |
| --- | --- |
| section 4, the document | test_the_example_to_the_letter |
| 2.2 day if neither, daybound enters, tokens, 614.12 | test_entering, test_tokens_before_they_transform |
| 2.3 instructed transforms | test_instructed |
| 2.4 effects, `only_if`, `holds: night` | test_effects |
| 2.5 the check | test_check, test_check_reads_the_active_team, test_phasing_rests_before_the_check |
| 2.6 to rest | test_to_rest, test_an_immerwolf_holds_until_it_goes |
| 2.7 triggers | test_triggers_wait_for_a_step, test_neither_triggers_nothing |
| uncertainty | test_doubt_splits_and_agrees_with_itself, test_joined_midway |
| claims, rulings, back-ups | test_audit, test_ruling_is_held_against_the_rules, test_backed_up |
| section 5 | test_refused |
"""

import pytest

from .naive import Refused
from .saying import CLONE, LONE, OLD, RUFFIAN, becomes, cast, enter, face, on, played, rules, started, step, turn
from .vocabulary import Event


def test_the_example_to_the_letter() -> None:
    """The record of section 4 gives the document of section 4."""
    naive = played(
        turn(1, "Ana"),
        {"type": "spell-cast", "player": "Ana", "card": "Tavern Ruffian"},
        enter(w1=RUFFIAN),
        turn(2, "Bo"),
        {"type": "spell-cast", "player": "Ana", "card": "Opt", "note": "on Bo's turn: it does not count"},
        turn(3, "Ana"),
        step("untap"),
        opening={"type": "game-started", "format": 1, "game": "g1", "players": ["Ana", "Bo"]},
    )
    assert naive.document() == {
        "game": "g1",
        "event": 8,
        "turn": 3,
        "active": ["Ana"],
        "step": "untap",
        "designation": "night",
        "possible": ["night"],
        "tallies": {
            "previous": {"active": ["Bo"], "spells": {"Ana": 1, "Bo": 0}},
            "current": {"active": ["Ana"], "spells": {"Ana": 0, "Bo": 0}},
        },
        "battlefield": [
            {
                "permanent": "w1",
                "card": "Tavern Ruffian",
                "name": "Tavern Smasher",
                "controller": "Ana",
                "face": "back",
                "face_down": False,
                "phased_in": True,
                "keywords": ["nightbound"],
            }
        ],
        "changes": [
            {
                "event": 4,
                "turn": 1,
                "was": "neither",
                "became": "day",
                "rule": "daybound-starts-day",
                "cr": "702.145d",
                "because": [4],
            },
            {
                "event": 8,
                "turn": 3,
                "was": "day",
                "became": "night",
                "rule": "check-day",
                "cr": "728.2a",
                "because": [5],
            },
        ],
        "triggers": [],
    }


def test_entering() -> None:
    """At night a daybound card enters with its back face up; a token enters with the front, and then transforms.

    Its front face is up if it enters face down or without abilities, or if its back face is no permanent's. The
    Celestus makes it day from neither when it enters, but not without abilities.
    """
    sorcery = RUFFIAN | {"back": {"permanent": False}}
    naive = played(
        becomes("night"),
        on("transform-forbidden", source="x"),
        enter(a=RUFFIAN, b=RUFFIAN | {"without_abilities": True}, c=RUFFIAN | {"face_down": True}, d=sorcery),
        enter(t=RUFFIAN | {"token": True}),
    )
    assert [face(naive, name) for name in "abcdt"] == ["back", "front", "front", "front", "back"]
    assert naive.state["ruled"][0]["turned"] == {"t": 5}
    naive.apply(on("abilities-regained", "b", source="another"))
    naive.apply(on("turned-face-up", "c"))
    assert [face(naive, name) for name in "bcd"] == ["back", "back", "front"]
    assert rules(played(enter(v={"card": "The Celestus"}, l=LONE))) == [("neither", "day", "day-if-neither")]
    assert rules(played(enter(v={"card": "The Celestus", "without_abilities": "Humility"}))) == []


def test_tokens_before_they_transform() -> None:
    """Before 2023-04-14 a token of a double-faced card is single-faced, unless the event says `double_faced`."""
    token = RUFFIAN | {"token": True}
    early = started(edition="2021-11-19")
    naive = played(becomes("night"), enter(t=token, d=token | {"double_faced": True}), opening=early)
    assert [face(naive, name) for name in "td"] == ["front", "back"]
    with pytest.raises(Refused, match="no back face"):
        played(becomes("day"), enter(t=token | {"face": "back"}), opening=early)


def test_instructed() -> None:
    """An instruction transforms no daybound permanent, and none that is phased out.

    A permanent's own ability does not transform it if it transformed after the event `own_since`.
    """
    naive = played(enter(o=OLD, w=RUFFIAN), on("transform-instructed", "o", "w"))
    assert (face(naive, "o"), face(naive, "w")) == ("back", "front")
    naive.apply(on("transform-instructed", "o", own_since=2))
    assert face(naive, "o") == "back"
    naive.apply(on("transform-instructed", "o", own_since=3))
    assert face(naive, "o") == "front"
    naive.apply(on("phased-out", "o"))
    naive.apply(on("transform-instructed", "o"))
    assert face(naive, "o") == "front"


def test_effects() -> None:
    """A switch from neither gives night. Repeating a designation, or an `only_if` that is not met, changes nothing.

    Under Angel of Eternal Dawn it does not become night, except by a judge's ruling.
    """
    assert rules(played(becomes("switch"), becomes("night"))) == [("neither", "night", "becomes")]
    assert rules(played(becomes("night", only_if="day"))) == []
    angel = enter(a={"card": "Angel of Eternal Dawn"})
    assert rules(played(angel, becomes("night"), enter(l=LONE))) == []
    held = played(angel, becomes("day"), turn(1, "Ana"), turn(2, "Bo"), step("untap"))
    assert rules(held) == [("neither", "day", "becomes")]
    held.apply({"type": "judge-ruled", "by": "judge", "designation": "night"})
    assert held.possible() == ["night"]


def test_check() -> None:
    """Day becomes night if the previous turn's active player cast no spell, night day if two; neither stays.

    A copied spell is not counted.
    """
    night = played(becomes("day"), turn(1, "Ana"), cast("Bo"), step("untap"), turn(4, "Bo"), step("untap"))
    assert rules(night)[1:] == [("day", "night", "check-day")]
    day = played(becomes("night"), turn(1, "Ana"), cast("Ana"), cast("Ana"), turn(2, "Bo"), step("untap"))
    assert rules(day)[1:] == [("night", "day", "check-night")]
    assert day.document()["changes"][1]["because"] == [3, 4, 5]
    copied = played(
        becomes("night"), turn(1, "Ana"), cast("Ana"), {"type": "spell-copied", "player": "Ana"}, turn(2, "Bo"),
        step("untap"),
    )  # fmt: skip
    assert copied.possible() == ["night"]
    assert rules(played(turn(1, "Ana"), turn(2, "Bo"), step("untap"))) == []


def test_check_reads_the_active_team() -> None:
    """For a team, two spells of one player make it day, one each of two do not; spells of a player who left count."""
    opening = started("Ana", "Bo", "Cy", "Di", teams=[["Ana", "Bo"], ["Cy", "Di"]])
    each = (becomes("night"), turn(1, "Ana", "Bo"), cast("Ana"), cast("Bo"))
    assert played(*each, turn(2, "Cy", "Di"), step("untap"), opening=opening).possible() == ["night"]
    gone = {"type": "player-left", "player": "Bo"}
    two = (*each, cast("Bo"), gone, turn(2, "Cy", "Di"), step("untap"))
    assert played(*two, opening=opening).possible() == ["day"]
    with pytest.raises(Refused):
        played(*two, turn(3, "Ana", "Bo"), opening=opening)
    assert played(*two, turn(3, "Ana"), opening=opening).state["active"] == ["Ana"]


def test_phasing_rests_before_the_check() -> None:
    """A daybound permanent that phases in makes it day before the check, which finds no spell and makes it night."""
    lost = enter(w=CLONE | {"without_abilities": True})
    before = (lost, on("phased-out", "w"), on("abilities-regained", "w"))
    first = turn(1, "Ana") | {"skips": ["untap"]}
    naive = played(*before, first, turn(2, "Bo"), step("untap", phased_in=["w"]))
    assert rules(naive) == [("neither", "day", "daybound-starts-day"), ("day", "night", "check-day")]


def test_to_rest() -> None:
    """From neither daybound makes it day, nightbound without daybound night; then double-faced permanents transform.

    A clone has one face, and never transforms.
    """
    assert rules(played(enter(l=LONE))) == [("neither", "night", "nightbound-starts-night")]
    both = played(enter(l=LONE, c=CLONE, s=RUFFIAN | {"face": "back"}))
    assert rules(both) == [("neither", "day", "daybound-starts-day")]
    assert face(both, "s") == "front"
    both.apply(becomes("night"))
    assert (face(both, "s"), face(both, "c")) == ("back", "front")


def test_an_immerwolf_holds_until_it_goes() -> None:
    """By day a nightbound Werewolf does not transform while its controller has Immerwolf, and does afterwards."""
    wolf = {"card": "Immerwolf"}
    naive = played(enter(i=wolf, a=RUFFIAN, b=RUFFIAN | {"controller": "Bo"}), becomes("night"), becomes("day"))
    assert (face(naive, "a"), face(naive, "b")) == ("back", "front")
    naive.apply(on("control-changed", "i", controller="Bo"))
    assert face(naive, "a") == "front"


def test_triggers_wait_for_a_step() -> None:
    """`stacked` of an untap step's trigger is the first event in that turn that shows priority, or None.

    A trigger of another event is on the stack at that event.
    """
    watcher = enter(v={"card": "Brimstone Vandal"})
    naive = played(watcher, turn(1, "Ana"), turn(2, "Bo"), step("untap"))
    waiting = {"event": 5, "permanent": "v", "was": "day", "became": "night", "stacked": None}
    assert naive.document()["triggers"] == [waiting]
    skipped = naive.copy()
    skipped.apply(turn(3, "Ana"))
    skipped.apply(step("upkeep"))
    assert skipped.document()["triggers"] == [waiting]
    naive.apply(enter(b={"card": "Bear"}))
    assert naive.document()["triggers"] == [waiting]
    naive.apply(becomes("day"))
    naive.apply(step("draw"))
    at_once = {"event": 7, "permanent": "v", "was": "night", "became": "day", "stacked": 7}
    assert naive.document()["triggers"] == [waiting | {"stacked": 7}, at_once]


def test_neither_triggers_nothing() -> None:
    """A change from neither triggers nothing, and a ruling triggers nothing."""
    naive = played(enter(v={"card": "Brimstone Vandal"}))
    naive.apply({"type": "judge-ruled", "by": "judge", "designation": "night"})
    assert naive.document()["triggers"] == []
    assert naive.document()["changes"][-1]["cr"] is None


def test_doubt_splits_and_agrees_with_itself() -> None:
    """If no spell or one was cast, day and night are possible after the check; a second check adds no change."""
    maybe = {"type": "spells-uncertain", "player": "Ana", "at_least": 0, "at_most": 1}
    naive = played(enter(w=RUFFIAN), turn(1, "Ana"), maybe, turn(2, "Bo"), step("untap"), step("untap"))
    document = naive.document()
    assert (document["designation"], document["possible"]) == (None, ["day", "night"])
    assert document["policy"] == {"rule": "MTR 4.9", "designation": "night"}
    assert document["tallies"]["previous"]["spells"] == {"Ana": {"at_least": 0, "at_most": 1}, "Bo": 0}
    assert document["battlefield"][0]["face"] is None
    assert document["changes"][1:] == [
        {
            "event": 6,
            "turn": 2,
            "was": "day",
            "became": "night",
            "rule": "check-day",
            "cr": "728.2a",
            "because": [3, 4],
            "certain": False,
        }
    ]


def test_joined_midway() -> None:
    """After game-joined at night any number of spells may have been cast before, so day and night are possible."""
    joined = {"type": "game-joined", "possible": ["night"]}
    naive = played(joined, turn(5, "Ana"), step("untap"))
    assert naive.possible() == ["day", "night"]
    assert naive.document()["changes"][0]["because"] == [2]
    assert naive.document()["tallies"]["previous"] is None


def test_audit() -> None:
    """An impossible claim is a finding and makes the verdict disputed; an uncertain claim is unsettled.

    With only a right claim the verdict is exact, without claims unverified.
    """
    maybe = {"type": "spells-uncertain", "player": "Ana", "at_least": 1}
    naive = played(turn(1, "Ana"), maybe)
    for spells in (0, 1):
        naive.apply({"type": "tally-claimed", "player": "Ana", "spells": spells, "by": "Bo"})
    found = naive.findings()
    bounds = {"at_least": 1, "at_most": None}
    common = {"about": "tally", "subject": "Ana", "by": "Bo", "derived": bounds}
    assert found == {
        "verdict": "disputed",
        "findings": [{"event": 4, "claimed": 0, **common}],
        "unsettled": [{"event": 5, "claimed": 1, **common}],
        "disputes": [],
    }
    right = played({"type": "designation-claimed", "designation": "neither", "by": "arena"})
    assert right.findings()["verdict"] == "exact"
    assert played().findings()["verdict"] == "unverified"


def test_ruling_is_held_against_the_rules() -> None:
    """Each of two equal rulings against the rules is a finding: it is compared with the state without any ruling.

    After a back-up to the first, the second is marked as undone, and a third one agrees with the state.
    """
    ruling = {"type": "judge-ruled", "by": "judge", "designation": "night"}
    naive = played(becomes("day"), ruling, ruling, {"type": "designation-claimed", "designation": "night", "by": "x"})
    assert [one["event"] for one in naive.findings()["findings"]] == [3, 4]
    naive.apply({"type": "game-backed-up", "to": 3, "by": "judge"})
    naive.apply(ruling)
    assert [(one["event"], one.get("undone", False)) for one in naive.findings()["findings"]] == [(3, False), (4, True)]


def test_backed_up() -> None:
    """After a back-up the state is that after the target event, and turn numbers go on from there.

    A back-up to an undone event is refused.
    """
    naive = played(turn(1, "Ana"), becomes("day"), turn(2, "Bo"), {"type": "game-ended"})
    naive.apply({"type": "game-backed-up", "to": 2, "by": "judge"})
    assert naive.document() == naive.document(2) | {"event": 6}
    naive.apply(turn(2, "Bo"))
    with pytest.raises(Refused):
        naive.apply({"type": "game-backed-up", "to": 3, "by": "judge"})


@pytest.mark.parametrize("event", [
    started(), {"type": "game-joined", "possible": ["day"]}, turn(1, "Bo"), turn(2, "Cy"), turn(2, "Ana", "Bo"),
    step("upkeep", phased_in=["p"]), step("untap", phased_in=["w"]), step("lunch"), cast("Cy"), enter(w=RUFFIAN),
    enter(x={"card": "Bear", "double_faced": True}), enter(x={"card": "Bear", "back": {}}),
    enter(x={"card": "Bear", "face": "back"}), enter(x={"card": "Bear", "colour": "green"}), on("permanents-left", "x"),
    on("permanents-left", "w", "w"), on("turned-face-down", "w"), on("turned-face-up", "w"), on("phased-in", "w"),
    {"type": "spells-uncertain", "player": "Ana", "at_least": 2, "at_most": 1},
    {"type": "spells-uncertain", "player": "Ana", "at_least": -1},
    {"type": "tally-claimed", "player": "Ana", "spells": 1, "by": "x", "turn": 7},
    {"type": "game-backed-up", "to": 4, "by": "judge"}, {"type": "game-lost"}, {"type": "player-left"},
    {"type": "spell-cast", "player": 1},
])  # fmt: skip
def test_refused(event: Event) -> None:
    """`apply` raises `Refused` for an impossible event, and changes nothing."""
    naive = played(turn(1, "Ana"), enter(w=RUFFIAN))
    before = naive.document()
    with pytest.raises(Refused):
        naive.apply(event)
    assert (naive.document(), len(naive.states)) == (before, 3)
