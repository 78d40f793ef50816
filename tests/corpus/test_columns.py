"""The rows of a game in the tables `games` and `events`: the columns are compared with the events and with `Game`."""

import json

import pytest

from daynight.cards import bundled
from daynight.corpus.columns import LARGEST, columns, tags
from daynight.corpus.plain import NOTHING_CARES
from daynight.corpus.reading import taken
from daynight.corpus.schema import EVENT, GAMES
from daynight.events import decode
from daynight.framework.language.errors import RecordError
from daynight.game import Game
from daynight.referee.due import shown
from daynight.referee.state import State
from tests.behaviour.games import EVERY_TYPE, lines
from tests.oracle.walks import random_walk
from tests.rules import judges, placing, turning, wolves, words
from tests.sampling import few_or_all

from .both import gathered
from .edges import RUFFIAN_FACES, edge


def rows(events):
    """The rows of the table `events` for a game."""
    return gathered([events])[1]["events"].to_pylist()


def game_of(*events, **started):
    """The row of the table `games` for a game with these events after its first one, which has `started`."""
    return gathered([[words.started(**started), *events]])[1]["games"].to_pylist()[0]


@pytest.mark.parametrize("count", few_or_all(15, 2_000))
def test_columns_are_what_the_events_say(count):
    """In random games, each column of `events` has the value of the event's field or of the state of `Game`."""
    for seed in range(count):
        events = random_walk(seed, 30) if seed % 2 else edge(seed)
        game = Game(events)
        table = rows(events)
        assert [row["event"] for row in table] == list(range(1, len(events) + 1))
        after = State()
        for row, event, (_moment, state) in zip(table, events, game.walk(), strict=True):
            before, after = after, state.copy()
            kind = event["type"]
            assert row["tag"] == kind
            assert row["turn"] == after.turn
            assert row["step"] == event.get("step")
            names = [after.players[place] for place in row["active"]] if row["active"] is not None else None
            assert names == (event["active"] if kind == "turn-began" else None)
            casts = kind in ("spell-cast", "spell-copied", "spells-uncertain")
            assert (None if row["player"] is None else after.players[row["player"]]) == event.get("player")
            assert row["by_active"] == (event["player"] in before.active if casts else None)
            assert row["card"] == (event.get("card") if casts else None)
            if kind == "step-began" and event["step"] == "untap":
                assert row["untap"] == "written"
            else:
                over = before.due and not after.due if kind != "turn-began" else before.due
                over = over and kind not in ("game-restarted", "game-backed-up")
                assert row["untap"] == ("implied" if over else None)
            assert row["undone"] == (not game.stands(row["event"]))
            claimed = kind in ("designation-claimed", "judge-ruled")
            becomes = event.get("becomes") if event.get("becomes") != "switch" else None
            assert row["designation"] == (event["designation"] if claimed else becomes)
            judged = claimed or kind in ("face-claimed", "tally-claimed", "game-backed-up")
            assert row["by"] == (event["by"] if judged else None)
            assert row["face"] == (event["face"] if kind == "face-claimed" else None)
            counts = {"tally-claimed": "spells", "spells-uncertain": "at_least"}
            assert row["count"] == (event[counts[kind]] if kind in counts else None)
            assert row["at_most"] == event.get("at_most")
            assert row["about_turn"] == (event.get("turn", after.turn) if kind == "tally-claimed" else None)


@pytest.mark.parametrize("count", few_or_all(25, 3_000))
def test_shown_faces(count):
    """At a face-claimed event, the column `shows` is the face that is up (`front` or `back`), or `turns`.

    `turns` means that the face follows the designation. If neither is certain, and at other events, `shows` is null.
    """
    seen = set()
    for seed in range(count):
        events = edge(seed)
        game, table = Game(events), rows(events)
        for row, event in zip(table, events, strict=True):
            if row["tag"] == "face-claimed":
                seen.add(row["shows"])
                state = shown(game.at(row["event"] - 1), row["event"])
                face = state.face(event["permanent"])
                if row["shows"] == "turns" and len(state.possible) == 1:
                    assert face == ("back" if state.possible == ("night",) else "front")
                elif row["shows"] in ("front", "back"):
                    assert face == row["shows"]
            else:
                assert row["shows"] is None
    assert seen == {"front", "back", "turns", None}


@pytest.mark.parametrize("permanents,gives", [
    ([wolves.RUFFIAN], "day"), ([wolves.RUFFIAN | {"face": "back"}], "night"),
    ([wolves.RUFFIAN | {"face": "back"}, wolves.RUFFIAN], "day"), ([wolves.CLONE_OF_NIGHTBOUND, wolves.VANDAL], "day"),
    ([wolves.CLONE_OF_NIGHTBOUND], "night"), ([wolves.RUFFIAN | {"face_down": True}], None),
    ([wolves.RUFFIAN | {"without_abilities": True}], None), ([wolves.VANDAL | {"without_abilities": "Humility"}], None),
    ([{"card": "Grizzly Bears"}], None), ([{"card": "Werewhat"}], "day"),
])  # fmt: skip
def test_what_an_arrival_gives(permanents, gives):
    """`gives` is the designation that an arrival causes while it is neither day nor night; null if it causes none."""
    entered = placing.together(*(placing.permanent(f"p{at}", one) for at, one in enumerate(permanents)))
    assert rows([words.started(), entered])[1]["gives"] == gives
    game = Game([words.started()])
    game.record(entered)
    assert game.designation == (gives or "neither")


@pytest.mark.parametrize("events,because", [
    ([words.joined("day")], "game-joined"),
    ([words.restarted()], "game-restarted"),
    ([words.turn(1), words.doubt("Ana", 0, 1), words.effect("day")], "spells-uncertain"),
    ([words.turn(1), judges.back_up(1), words.effect("day")], "game-backed-up"),
    ([judges.ruled("day")], "judge-ruled"),
    ([judges.opens(about=1)], "dispute"),
    ([words.turn(1), placing.enter("w"), words.untap(phased_out=["w"])], "phasing"),
    ([words.effect("switch")], "effect"),
    ([words.effect("day", "night")], "effect"),
    ([placing.enter("w"), placing.enter("i", wolves.IMMERWOLF)], "holds"),
    ([placing.enter("w"), placing.enter("a", wolves.ANGEL)], "holds"),
    ([placing.enter("h", RUFFIAN_FACES | {"front": {"name": "Man"}})], "half"),
    ([placing.enter("h", RUFFIAN_FACES | {"back": {"name": "Man"}})], "half"),
    ([placing.enter("w"), words.quits("Ana")], "left-behind"),
    ([placing.enter("w"), placing.lose("w")], "abilities-lost"),
    ([placing.enter("w"), turning.transform("w")], "transform-instructed"),
    ([words.effect("switch"), placing.enter("i", wolves.IMMERWOLF), judges.ruled("day")], "effect"),
])  # fmt: skip
def test_why_a_game_is_not_plain(events, because):
    """A game that breaks one condition is not plain; `because` names the first reason, in the order of events."""
    found = game_of(*events)
    assert (found["plain"], found["because"]) == (False, because)


def test_teams_are_not_plain():
    """A game with teams is never plain, not even if no permanent cares about day and night."""
    found = gathered([[words.started(teams=[["Ana"], ["Bo"]])]])[1]["games"].to_pylist()[0]
    assert (found["plain"], found["because"], found["cares"]) == (False, "teams", False)


@pytest.mark.parametrize("events", [
    [words.turn(1), words.untap(phased_in=[], phased_out=[])],
    [words.turn(1, skips=["untap"]), words.untap(), words.untap()],
    [placing.enter("w"), words.quits("Ana", "w")],
    [placing.enter("w"), placing.control("Bo", "w"), words.quits("Ana")],
    [placing.enter("w", wolves.CLONE_OF_DAYBOUND), words.quits("Ana")],
    [placing.enter("w"), placing.leave("w"), words.ended(), judges.claim("day")],
    [placing.enter("w", RUFFIAN_FACES | {"back": {"name": "Roar", "permanent": False}})],
    [judges.noted(about=1), words.effect("night")],
])  # fmt: skip
def test_barely_plain(events):
    """A game that is close to breaking a condition of "plain", but keeps it, is plain."""
    found = game_of(*events)
    assert (found["plain"], found["because"], found["cares"]) == (True, None, found["cares"])


BEARS = {"card": "Grizzly Bears"}


@pytest.mark.parametrize("edition,shows", [("2021-09-24", "front"), ("2024-06-07", "turns")])
def test_a_token_of_older_rules(edition, shows):
    """In an edition before double-faced tokens, `shows` of a token is front, by night too; later it is `turns`."""
    events = [
        words.started(edition=edition), words.turn(1), placing.enter("w", {"card": "Tavern Ruffian", "token": True}),
        words.effect("night"), judges.claim_face("w", "front" if shows == "front" else "back"),
    ]  # fmt: skip
    assert rows(events)[-1]["shows"] == shows
    games = gathered([events])[1]["games"].to_pylist()
    assert [(row["plain"], row["verdict"]) for row in games] == [(True, Game(events).audit().verdict)]
    assert games[0]["verdict"] == "exact"


NOTHING = [
    ([words.turn(1), words.doubt("Ana", 0, 1)], True),
    ([words.turn(1), words.doubt("Ana", 0, 1), judges.claim_tally("Ana", 0)], False),
    ([words.turn(1), words.doubt("Ana", 0, 1), placing.enter("b", BEARS), judges.claim_face("b", "front")], True),
    ([placing.enter("b", BEARS), placing.phase_out("b")], True),
    ([placing.enter("b", BEARS), judges.claim_face("b", "front"), placing.phase_out("b")], False),
    ([placing.enter("i", wolves.IMMERWOLF)], True),
    ([placing.enter("i", wolves.IMMERWOLF), judges.claim_face("i", "front")], False),
    ([placing.enter("o", wolves.OLD_WEREWOLF), turning.transform("o")], True),
    ([placing.enter("b", BEARS), turning.copy({"name": "Bear"}, "b")], True),
    ([placing.enter("b", BEARS), turning.copy(wolves.DAYBOUND_FACE, "b")], False),
    ([placing.enter("b", BEARS), placing.phase_out("b"), words.effect("day")], False),
    ([placing.enter("b", BEARS), placing.phase_out("b"), words.restarted()], False),
    ([placing.enter("b", BEARS), placing.phase_out("b"), judges.opens(about=1)], False),
    ([placing.enter("b", BEARS), placing.phase_out("b"), judges.claim("neither")], True),
]


@pytest.mark.parametrize("events,is_plain", NOTHING)
def test_where_nothing_cares(events, is_plain):
    """If no permanent can make it day or night, events such as phasing or uncertain spells leave a game plain.

    It is not plain if a claim is about the phased permanent or the uncertain spells, or after an effect, a restart or
    a dispute.
    """
    found = game_of(*events)
    assert (found["plain"], found["because"] == NOTHING_CARES) == (is_plain, is_plain)


def test_the_row_of_a_game():
    """`games` has the content of line 1, the number of events, and the number of turns that are not undone."""
    began = words.started("Ana", "Bo", edition="2024-06-07") | {
        "at": "2024-06-07T19:30:00Z",
        "meta": {"b": 1, "a": [2]},
    }
    data = lines([began, words.turn(1), words.turn(3)]).removesuffix(b"\n")
    row, found, whole, _told = taken(data, 7, "there.jsonl", 12)
    assert whole == data + b"\n"
    assert (row.game, row.source, row.first_line, row.events, row.final_newline) == (7, "there.jsonl", 12, 3, False)
    assert (row.players, row.edition, row.at, json.loads(row.meta or "")) == (
        ("Ana", "Bo"), "2024-06-07", "2024-06-07T19:30:00Z", {"b": 1, "a": [2]}
    )  # fmt: skip
    assert found.turns == 2
    table = gathered([[began, words.turn(1), words.turn(3), judges.back_up(2)]])[1]["games"]
    assert table.schema.equals(GAMES)
    assert table.column("turns").to_pylist() == [1]


def test_every_type_of_event_has_a_row():
    """`events` has one row for each event of every type, and the columns and types of the schema."""
    table = gathered([EVERY_TYPE])[1]["events"]
    assert table.schema.equals(EVENT)
    assert table.num_rows == len(EVERY_TYPE)


@pytest.mark.parametrize("event,path", [
    (words.turn(LARGEST + 1), "$.turn"), (judges.claim_tally("Ana", LARGEST + 1, 1), "$.spells"),
    (words.doubt("Ana", LARGEST + 1), "$.at_least"), (words.doubt("Ana", 1, LARGEST + 1), "$.at_most"),
])  # fmt: skip
def test_numbers_beyond_a_column(event, path):
    """A record with a number that its column cannot hold is refused with line and path."""
    before = [] if event["type"] == "turn-began" else [words.turn(1)]
    with pytest.raises(RecordError) as refused:
        taken(lines([words.started(), *before, event]), 0, "", 1)
    assert (refused.value.line, refused.value.path) == (len(before) + 2, path)


def test_too_many_players():
    """A record with more players than a column can hold (32,767) is refused."""
    names = tuple(f"p{number}" for number in range(32_768))
    event = bundled().fill(decode(json.dumps(words.started(*names))))
    with pytest.raises(RecordError, match="32767 players"):
        columns([event], tags([event]))
