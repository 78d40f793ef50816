"""Records of well-formed events, the last of which is impossible in its place."""

from collections.abc import Mapping
from typing import Any

from .disputing import DISPUTES
from .lines import BEARS, OPENING, TEAMS, TURN, WOLF, Malformed, bad, entered, event, played, started, turn

__all__ = ["IMPOSSIBLE"]

Fields = Mapping[str, Any]

GONE = event("player-left", player="Bo")
UNTAP = event("step-began", step="untap")
ENDED = event("game-ended", winner=["Ana"])
FOUR = ["Ana", "Bo", "Cy", "Di"]
TEAMED = started(players=FOUR, teams=TEAMS)
PAIR = {"id": "d", "card": "Made Up", "controller": "Ana", "double_faced": True, "front": {}}

NOT_THERE: dict[str, Fields] = {
    "permanents-left": {}, "control-changed": {"controller": "Bo"}, "abilities-lost": {},
    "abilities-regained": {"source": "Humility"}, "became-copy": {"front": {}}, "copy-ended": {},
    "turned-face-down": {}, "phased-out": {}, "transform-instructed": {},
    "transform-forbidden": {"source": "Bound by Moonsilver"},
}  # fmt: skip
TWICE: dict[str, Fields] = {
    "permanents-left": {}, "control-changed": {"controller": "Bo"}, "became-copy": {"front": {}},
    "transform-instructed": {}, "transform-forbidden": {"source": "Bound by Moonsilver"},
}  # fmt: skip
OVER: dict[str, Fields] = {
    "turn-began": {"turn": 2, "active": ["Ana"]}, "step-began": {"step": "untap"}, "spell-cast": {"player": "Ana"},
    "permanents-entered": {"permanents": [WOLF]}, "permanents-left": {"permanents": ["b"]},
    "transform-allowed": {"source": "Bound by Moonsilver"}, "effect-resolved": {"becomes": "night"},
    "player-left": {"player": "Ana"}, "game-restarted": {}, "game-ended": {},
}  # fmt: skip


def backed_up(to: int) -> dict[str, object]:
    """Return game-backed-up to event `to`."""
    return event("game-backed-up", to=to, by="Judge")


OPENINGS = {
    "game-started missing": bad("$.type", "game-started is missing", TURN),
    "game-started on line 2": bad("$.type", "game-started is missing", TURN, OPENING, line=1),
    "a claim before game-started": bad(
        "$.type", "game-started is missing", event("designation-claimed", designation="day", by="Ana")
    ),
    "a backing up before game-started": bad("$.type", "game-started is missing", backed_up(1)),
    "game-started twice": bad("$.type", "line 1 and only there", OPENING, OPENING),
    "game-started after the end": played("$.type", "line 1 and only there", ENDED, OPENING),
    "game-joined on line 3": played("$.type", "line 2 or nowhere", event("game-joined", possible=["day"])),
    "game-joined on line 1": bad("$.type", "game-started is missing", event("game-joined", possible=["day"])),
    "game-joined with nothing possible": bad("$.possible", "at least one", OPENING, event("game-joined", possible=[])),
    "game-joined with day twice": bad(
        "$.possible[2]", "stands twice", OPENING, event("game-joined", possible=["day", "night", "day"])
    ),
    "no players": bad("$.players", "no players", started(players=[])),
    "a player twice": bad("$.players[2]", "'Ana' stands twice", started(players=["Ana", "Bo", "Ana"])),
    "an unknown edition": bad("$.edition", "no edition '2021-09-23'", started(edition="2021-09-23")),
    "a player in no team": bad("$.teams", "'Di' is in no team", started(players=FOUR, teams=[FOUR[:2], ["Cy"]])),
    "a player in two teams": bad("$.teams[1][0]", "'Bo' stands twice", started(teams=[["Ana", "Bo"], ["Bo"]])),
    "a stranger in a team": bad("$.teams[1][1]", "no player 'Cy'", started(teams=[["Ana"], ["Bo", "Cy"]])),
    "a team without players": bad("$.teams[1]", "without players", started(teams=[["Ana", "Bo"], []])),
}

TURNS = {
    "a turn again": played("$.turn", "does not rise", turn(1)),
    "a turn before": bad("$.turn", "does not rise", OPENING, turn(5), turn(4)),
    "turn 0": bad("$.turn", "does not rise", OPENING, turn(0)),
    "nobody active": bad("$.active", "no active player", OPENING, event("turn-began", turn=1, active=[])),
    "a stranger active": bad("$.active[0]", "no player 'Anna'; players are Ana, Bo", OPENING, turn(1, "Anna")),
    "two active without teams": bad("$.active", "several active", OPENING, turn(1, "Ana", "Bo")),
    "one active twice": bad("$.active[1]", "'Ana' stands twice", OPENING, turn(1, "Ana", "Ana")),
    "one who left active": played("$.active[0]", "'Bo' has left", GONE, turn(2, "Bo")),
    "half a team active": bad("$.active", "expected all of Ana, Bo", TEAMED, turn(1, "Ana")),
    "players of two teams active": bad("$.active", "expected all of Ana, Bo", TEAMED, turn(1, "Ana", "Cy")),
    "a team with one who left active": bad("$.active[1]", "'Bo' has left", TEAMED, GONE, turn(1, "Ana", "Bo")),
    "a cast before the first turn": bad("$", "before the first turn", OPENING, event("spell-cast", player="Ana")),
    "a copy before the first turn": bad("$", "before the first turn", OPENING, event("spell-copied", player="Ana")),
    "a doubt before the first turn": bad(
        "$", "before the first turn", OPENING, event("spells-uncertain", player="Ana", at_least=0)
    ),
    "a step before the first turn": bad("$", "before the first turn", OPENING, UNTAP),
    "a step before the first turn of a restarted game": played(
        "$", "before the first turn", event("game-restarted"), UNTAP
    ),
    "a cast by a stranger": played("$.player", "no player 'Cy'", event("spell-cast", player="Cy")),
    "a cast by one who left": played("$.player", "'Bo' has left", GONE, event("spell-cast", player="Bo")),
    "a copy by a stranger": played("$.player", "no player 'Cy'", event("spell-copied", player="Cy")),
    "a doubt about a stranger": played("$.player", "no player", event("spells-uncertain", player="Cy", at_least=0)),
    "at_most below at_least": played(
        "$.at_most", "less than", event("spells-uncertain", player="Ana", at_least=2, at_most=1)
    ),
    "a stranger leaves": played("$.player", "no player 'Cy'", event("player-left", player="Cy")),
    "leaving twice": played("$.player", "'Bo' has left", GONE, GONE),
    "phasing in another step": played(
        "$.phased_out", "only the untap step", entered(BEARS), event("step-began", step="upkeep", phased_out=["b"])
    ),
}

ARRIVALS = {
    "a stranger controls": played("$.permanents[0].controller", "no player", entered({**BEARS, "controller": "Cy"})),
    "one who left controls": played(
        "$.permanents[0].controller", "'Bo' has left", GONE, entered({**BEARS, "controller": "Bo"})
    ),
    "twice in one arrival": played("$.permanents[1]", "'b' stands twice", entered(BEARS, {**WOLF, "id": "b"})),
    "on the battlefield already": played("$.permanents[1].id", "already", entered(BEARS), entered(WOLF, BEARS)),
    "double-faced without a back": played("$.permanents[0].back", "needs its back", entered(PAIR)),
    "an unknown card, double-faced": played(
        "$.permanents[0].back", "needs its back", entered({**BEARS, "card": "Nobody's", "double_faced": True})
    ),
    "a back on what is not double-faced": played(
        "$.permanents[0].back", "only a double-faced", entered({**BEARS, "back": {"name": "Polar Bears"}})
    ),
    "a back face where there is none": played("$.permanents[0].face", "back", entered({**BEARS, "face": "back"})),
    "a back face that is a sorcery": played(
        "$.permanents[0].face", "back", entered({**PAIR, "back": {"permanent": False}, "face": "back"})
    ),
}

CHANGES = {
    **{
        f"{tag} of what is not there": played(
            "$.permanents[1]", "no permanent 'c'", entered(BEARS), event(tag, permanents=["b", "c"], **fields)
        )
        for tag, fields in NOT_THERE.items()
    },
    **{
        f"{tag} of one twice": played(
            "$.permanents[1]", "'b' stands twice", entered(BEARS), event(tag, permanents=["b", "b"], **fields)
        )
        for tag, fields in TWICE.items()
    },
    "a stranger takes control": played(
        "$.controller", "no player", entered(BEARS), event("control-changed", permanents=["b"], controller="Cy")
    ),
    "one who left takes control": played(
        "$.controller", "has left", entered(BEARS), GONE, event("control-changed", permanents=["b"], controller="Bo")
    ),
    "what left leaves again": played(
        "$.permanents[0]", "no permanent 'b'", entered(BEARS), *[event("permanents-left", permanents=["b"])] * 2
    ),
    "what a restart took away": played(
        "$.permanents[0]",
        "no permanent 'b'",
        entered(BEARS),
        event("game-restarted"),
        event("phased-out", permanents=["b"]),
    ),
    "what a back-up took away": played(
        "$.permanents[0]", "no permanent 'b'", entered(BEARS), backed_up(2), event("phased-out", permanents=["b"])
    ),
    "face up what is not face down": played(
        "$.permanents[0]", "not face down", entered(BEARS), event("turned-face-up", permanents=["b"])
    ),
    "face down what is face down": played(
        "$.permanents[0]",
        "face down already",
        entered({**BEARS, "face_down": True}),
        event("turned-face-down", permanents=["b"]),
    ),
    "face down what is double-faced": played(
        "$.permanents[0]", "double-faced", entered(WOLF), event("turned-face-down", permanents=["w"])
    ),
    "phasing in what is phased in": played(
        "$.permanents[0]", "phased in already", entered(BEARS), event("phased-in", permanents=["b"])
    ),
    "phasing out what is phased out": played(
        "$.permanents[0]", "phased out already", entered(BEARS), *[event("phased-out", permanents=["b"])] * 2
    ),
    "phasing in what is phased in, as one untaps": played(
        "$.phased_in[0]", "phased in already", entered(BEARS), {**UNTAP, "phased_in": ["b"]}
    ),
    "phasing out what is phased out, as one untaps": played(
        "$.phased_out[0]",
        "phased out already",
        entered(BEARS),
        event("phased-out", permanents=["b"]),
        {**UNTAP, "phased_out": ["b"]},
    ),
    "phasing out twice, as one untaps": played(
        "$.phased_out[1]", "stands twice", entered(BEARS), {**UNTAP, "phased_out": ["b", "b"]}
    ),
    "phasing in and out, as one untaps": played(
        "$.phased_in[0]", "phased in already", entered(BEARS), {**UNTAP, "phased_in": ["b"], "phased_out": ["b"]}
    ),
    "phasing in what is not there, as one untaps": played(
        "$.phased_in[0]", "no permanent 'b' on the battlefield; there: none", {**UNTAP, "phased_in": ["b"]}
    ),
    **{
        f"an ability that was put on the stack {when}": played(
            "$.own_since",
            "not an earlier one",
            entered(WOLF),
            event("transform-instructed", permanents=["w"], own_since=since),
        )
        for when, since in {"at event 0": 0, "now": 4, "later": 9}.items()
    },
}

ENDS = {
    **{
        f"{tag} after the end": played("$", "has ended", entered(BEARS), ENDED, event(tag, **fields))
        for tag, fields in OVER.items()
    },
    "a stranger wins": played("$.winner[0]", "no player 'Cy'", event("game-ended", winner=["Cy"])),
    "one wins twice": played("$.winner[1]", "'Ana' stands twice", event("game-ended", winner=["Ana", "Ana"])),
    "an end that was undone, and another": played(
        "$", "has ended", ENDED, backed_up(2), ENDED, event("spell-cast", player="Ana")
    ),
}

CLAIMS = {
    "a claim about what is not there": played(
        "$.permanent", "no permanent 'b'", event("face-claimed", permanent="b", face="back", by="Bo"),
    ),
    "a tally of a stranger": played(
        "$.player", "no player 'Cy'", event("tally-claimed", player="Cy", spells=0, by="Bo"),
    ),
    "a tally of a turn that never was": played(
        "$.turn", "turn 2 never was", event("tally-claimed", player="Ana", spells=0, turn=2, by="Bo"),
    ),
    "a tally of a turn that was skipped": played(
        "$.turn", "turn 2 never was", turn(3), event("tally-claimed", player="Ana", spells=0, turn=2, by="Bo"),
    ),
    "a tally of a turn that was undone": played(
        "$.turn", "turn 2 never was", turn(2), backed_up(2),
        event("tally-claimed", player="Ana", spells=0, turn=2, by="Bo"),
    ),
    "a tally of a turn before a restart": played(
        "$.turn", "turn 1 never was", event("game-restarted"),
        event("tally-claimed", player="Ana", spells=0, turn=1, by="Bo"),
    ),
    "a tally before the first turn": bad(
        "$", "before the first turn", OPENING, event("tally-claimed", player="Ana", spells=0, by="Bo"),
    ),
    "backing up to event 0": played("$.to", "not an earlier one", backed_up(0)),
    "backing up to itself": played("$.to", "not an earlier one", backed_up(3)),
    "backing up to what is to come": bad("$.to", "not an earlier one", OPENING, TURN, backed_up(4), turn(2), line=3),
    "backing up to what was undone": played("$.to", "undone", turn(2), backed_up(2), backed_up(3)),
    "backing up to a backing up that was undone": played(
        "$.to", "undone", turn(2), backed_up(3), backed_up(2), backed_up(4),
    ),
}  # fmt: skip

IMPOSSIBLE: dict[str, Malformed] = {**OPENINGS, **TURNS, **ARRIVALS, **CHANGES, **ENDS, **CLAIMS, **DISPUTES}
