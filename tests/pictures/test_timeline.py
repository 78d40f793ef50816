"""The timeline shows the derived designations and the claims, and nothing else.

| promise | test |
| --- | --- |
| there is a column for each turn, in order, with the designation at its end | test_columns, test_random_games |
| several possibilities are drawn side by side and hatched; certain ones are not | test_uncertain, test_certain |
| there are as many ✗ as findings of the audit | test_wrong, test_right, test_random_games |
| undone stretches, and no others, are grey, struck out and separate | test_undone, test_random_games |
| changes have their event and their rule's number in the edition asked for | test_changes, test_editions |
| judges' acts are marked, in disputes too | test_rulings_and_back_ups, test_disputes |
| only the active player's spells are in a ring | test_spells, test_many_players |
| a moment is marked if requested | test_here |
| the description tells every change in a sentence | test_story, test_no_story |
| long games are drawn in rows, longer ones with several turns a column | test_wrapped, test_gathered |
| the size of the picture is limited | test_bounded |
| labels fit, also if there are many, and at the right edge | test_crowded, test_at_the_edge |
| if changes have no room, their number is shown | test_more |
"""

import re
from collections import Counter
from pathlib import Path

import pytest

from daynight.events.actions import TurnBegan
from daynight.framework.language.errors import NotFoundError
from daynight.game import Game
from daynight.pictures import board_svg, timeline_svg
from daynight.pictures.course import GATHERED, MOST_COLUMNS
from daynight.pictures.story import LONGEST
from tests.rules.judges import argues, back_up, claim, closes, opens, ruled, rules_on
from tests.rules.words import cast, doubt, effect, started, turn, untap, upkeep
from tests.sampling import quick_or_wide, sampled

from .seen import SVG, classes, columns, parsed, said, texts, walked

GAMES = [Path("demo"), *sorted((Path(__file__).resolve().parents[2] / "examples" / "games").glob("*.jsonl"))]
EXAMPLE = {path.stem: path for path in GAMES}


def held_to(game: Game, picture: str) -> None:
    """Assert that each event has one column (the first may have none), with the designations of the state.

    There is a ✗ for each finding of the audit, and a column is struck out exactly if its events are undone.
    """
    drawn = columns(picture)
    numbers = [number for column in drawn for number in range(column.first, column.last + 1)]
    assert sorted(set(numbers)) == numbers
    assert set(range(1, len(game) + 1)) - set(numbers) <= {1}, "the first event alone may have no column"
    for column in drawn:
        # A turn's last designation is that after its untap step, even if only the next turn shows that step.
        then = column.last + 1
        shows = isinstance(game.events[column.last : then] and game.events[column.last], TurnBegan)
        end = then if shows and game.stands(then) is game.stands(column.last) else column.last
        possible = [one.value for one in game.at(end).possible]
        assert possible == column.designations[-len(possible) :]
        assert {game.stands(number) for number in range(column.first, column.last + 1)} == {not column.struck}
    audit = game.audit()
    assert len(audit.findings) == sum(column.wrong for column in drawn)
    assert len(audit.disputes) == sum(column.wrong for column in drawn if not column.struck)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_columns(path):
    """Each turn has a column, in order, with the designations of the state after the turn's last event."""
    game = Game.load(path)
    picture = timeline_svg(game)
    held_to(game, picture)
    turns = [event.turn for event in game.events if event.__struct_config__.tag == "turn-began"]
    named = [text for column in columns(picture) for text in texts(column.element, "mono", "centre")[:1]]
    assert [str(number) for number in turns] == [n for n, _ in Counter(named).items() if n != "·"]


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("seed", sampled(range(12), 3))
def test_random_games(seed):
    """In timelines of random games each event has its column with the designations of its state (`held_to`)."""
    game = walked(seed)
    held_to(game, timeline_svg(game))


def test_uncertain():
    """Turn 3 may be day or night: both are drawn and hatched."""
    column = next(one for one in columns(timeline_svg(Game.load(EXAMPLE["uncertain"]))) if one.first == 10)
    assert ["day", "night"] == column.designations
    assert "☀ day or ☾ night" in said(column.element)
    filled = {one.get("fill", "").rpartition("-")[2] for one in column.element.iter(f"{SVG}rect")}
    assert "maybe)" in filled


def test_certain():
    """A certain game has no hatching."""
    picture = timeline_svg(Game.load("demo"))
    assert not [one for one in parsed(picture).iter(f"{SVG}rect") if one.get("fill", "").endswith("-maybe)")]
    assert "uncertain" not in " ".join(texts(parsed(picture)))


def test_wrong():
    """The demo has one ✗, at event 122, where the face of Brutal Cathar is claimed wrongly."""
    picture = timeline_svg(Game.load("demo"))
    assert [1] == [column.wrong for column in columns(picture) if column.wrong]
    assert "✗ e122" in texts(parsed(picture))
    assert "✗ 1 claim differs" in texts(parsed(picture))


def test_right():
    """A right claim has ✓ and no ✗; a game without claims has no row "claimed"."""
    right = timeline_svg(Game([started(), turn(1, "Ana"), claim("neither")]))
    assert "✗" not in right
    assert "✓" in texts(parsed(right))
    assert "claimed" not in texts(parsed(timeline_svg(Game([started(), turn(1, "Ana")]))))


def test_undone():
    """The undone events 11 to 14 are a struck-out, hatched column of their own; no other column is. No ✗ is drawn."""
    picture = timeline_svg(Game.load(EXAMPLE["ruling-and-back-up"]))
    drawn = columns(picture)
    assert [(11, 14)] == [(column.first, column.last) for column in drawn if column.struck]
    for column in drawn:
        used = set().union(*(classes(one) for one in column.element.iter()))
        assert ("undone" in used) is column.struck
        assert any(one.get("fill", "").endswith("-undone)") for one in column.element.iter()) is column.struck
    assert not [word for word in texts(parsed(picture)) if word.startswith(("✗ e", "✗ 1", "✗ 2"))]
    assert "4 events were undone by backing up." in (parsed(picture).findtext(f"{SVG}desc") or "")


def test_changes():
    """In the demo the changes at events 93, 106 and 149 have a label with event and rule; events 92 and 94 do not."""
    words = texts(parsed(timeline_svg(Game.load("demo"))))
    for event, rule in (("e93", "702.145d"), ("e106", "728.2a"), ("e149", "728.2b")):
        assert rule == words[words.index(event) + 1]
    assert [] == [word for word in words if word in ("e92", "e94", "728.2c")]


def test_editions():
    """The labels have the rules' numbers in the requested edition, and the picture names that edition."""
    words = texts(parsed(timeline_svg(Game.load("demo"), edition="2026-08-07")))
    assert "731.2a" in words
    assert "728.2a" not in words
    assert any("CR 2026-08-07" in word for word in words)


def test_rulings_and_back_ups():
    """A ruling has the label "ruling", or ✗ if it is wrong; a back-up has "back to eN"; other games have neither."""
    words = texts(parsed(timeline_svg(Game.load(EXAMPLE["ruling-and-back-up"]))))
    assert "ruling" == words[words.index("e13") + 1]
    assert "back to e10" == words[words.index("e15") + 1]
    assert "✗ e17" in texts(parsed(timeline_svg(Game.load(EXAMPLE["dispute"])))), "a wrong one is marked as such, once"
    none = texts(parsed(timeline_svg(Game.load(EXAMPLE["first-night"]))))
    assert not [word for word in none if word == "ruling" or word.startswith("back to")]


def test_disputes():
    """A label has a dispute's id and names one act or counts several; titles name each act, also before a back-up."""
    game = Game([started(), turn(1, "Ana"), cast(), opens("d1"), argues("d1", "day"), back_up(2),
                 rules_on("d1", "leave"), closes("d1", "leave")])  # fmt: skip
    labels = " ".join("\n".join(parsed(timeline_svg(game)).itertext()).split())
    for label in (
        "e4 d1: 2 acts",
        "e7 d1: 2 acts",
        "Dispute d1: events 4 to 8.",
        "event 5: d1 claim",
        "event 8: d1 closed",
    ):
        assert label in labels
    alone = Game([started(), turn(1, "Ana"), cast(), opens("d1")])
    assert "e4 d1 opened" in " ".join(texts(parsed(timeline_svg(alone))))
    assert "d1" not in timeline_svg(Game([started(), turn(1, "Ana"), cast()]), prefix="p")


def test_spells():
    """In Ana's turn her 2 spells are bold in a ring, and Bo's 1 is soft without one; uncertain casts are "0+"."""
    game = Game([started(), turn(1, "Ana"), cast("Ana"), cast("Ana"), cast("Bo"), turn(2, "Bo"), doubt("Bo", 0)])
    first, second = columns(timeline_svg(game))
    assert ["2"] == texts(first.element, "ink", "bold")
    assert ["1"] == texts(first.element, "soft")
    assert ["0+"] == texts(second.element, "ink", "bold")
    assert [] == texts(second.element, "soft")
    rings = [one for one in first.element.iter(f"{SVG}rect") if {"empty", "line"} <= classes(one)]
    assert 1 == len(rings)


def test_many_players():
    """With nine players no player has a row, but each turn still has the active player's number of spells."""
    players = [f"P{number}" for number in range(9)]
    game = Game([started(*players), turn(1, "P3"), cast("P3"), cast("P0")])
    (column,) = columns(timeline_svg(game))
    assert ["1"] == texts(column.element, "ink", "bold")
    assert "P3" not in texts(parsed(timeline_svg(game)))
    assert "P3: 1 spell" in said(column.element)


def test_here():
    """With `at`, the moment has the mark "here" and its event number; an event after the end raises NotFoundError."""
    game = Game.load("demo")
    marked = parsed(timeline_svg(game, at="turn:21/untap"))
    assert "here" in texts(marked)
    assert f"e{game.number('turn:21/untap')}" in texts(marked, "here-ink")
    plain = parsed(timeline_svg(game))
    assert not [one for one in plain.iter() if "here" in classes(one) or "here-line" in classes(one)]
    with pytest.raises(NotFoundError):
        timeline_svg(game, at=161)


def test_story():
    """The description has a sentence for each change, one for the wrong claim, and last the final designation."""
    told = parsed(timeline_svg(Game.load("demo"))).findtext(f"{SVG}desc") or ""
    changes = re.findall(r"Turn (\d+), event (\d+): it becomes (day|night): ", told)
    assert [("17", "93", "day"), ("19", "106", "night"), ("24", "149", "day")] == changes
    assert 1 == told.count("What the table says differs: ")
    assert told.endswith("In the end it is day.")


def test_no_story():
    """Of a game without changes or turns, the description says that it never became day or night."""
    for events in ([started(), turn(1, "Ana")], [started()]):
        told = parsed(timeline_svg(Game(events))).findtext(f"{SVG}desc") or ""
        assert "It never became day or night. In the end it is neither day nor night." == told


@pytest.mark.parametrize("widths", quick_or_wide([360], [360, 1600]))
def test_wrapped(widths):
    """300 turns are 300 columns, in several rows that stay within the width."""
    events = [started("Ana", "Bo"), *(turn(number, ("Ana", "Bo")[number % 2]) for number in range(1, 301))]
    for width in widths:
        picture = parsed(timeline_svg(Game(events), width=width))
        drawn = columns(timeline_svg(Game(events), width=width))
        assert 300 == len(drawn)
        rows = {one.get("y") for column in drawn for one in column.element.iter(f"{SVG}rect")}
        assert len(rows) > 3
        for one in picture.iter(f"{SVG}rect"):
            assert float(one.get("x", 0)) + float(one.get("width", 0)) <= width
        assert float(picture.get("width", 0)) == width


def flipping(turns: int) -> Game:
    """Return a game that alternates between night and day; every fourth turn somebody claims that it is day."""
    events = [started("Ana", "Bo")]
    for number in range(1, turns + 1):
        events += [turn(number, ("Ana", "Bo")[number % 2]), untap(), cast(("Ana", "Bo")[number % 2]), effect("switch")]
        events += [claim("day")] * (number % 4 == 0)
    return Game(events)


def test_gathered():
    """With more than MOST_COLUMNS turns a column has several turns; days, nights and findings add up to the game's."""
    game = flipping(MOST_COLUMNS + 101)
    picture = timeline_svg(game, at="turn:77")
    drawn = columns(picture)
    assert len(drawn) <= GATHERED
    counts: Counter[str] = Counter()
    for column in drawn:
        for word in texts(column.element, "mono", "bold", "centre"):
            counts[word[0]] += int(word[1:])
        # The last group may be a single turn.
        counts.update(one[0].upper() for one in column.designations)
    # The first change is to night; then it alternates.
    assert {"N": (MOST_COLUMNS + 102) // 2, "D": (MOST_COLUMNS + 101) // 2} == counts
    assert len(game.audit().findings) == sum(column.wrong for column in drawn)
    told = parsed(picture).findtext(f"{SVG}desc") or ""
    assert told.startswith("Each column stands for up to 5 turns. ")
    assert "here" in texts(parsed(picture))
    exact = timeline_svg(flipping(MOST_COLUMNS))
    assert MOST_COLUMNS == len(columns(exact))
    assert "Each column stands" not in exact


@pytest.mark.wide
def test_bounded():
    """1500 turns take hardly more bytes than 600, and the description stays near LONGEST."""
    long, longer = (timeline_svg(flipping(turns)) for turns in (600, 1500))
    assert len(longer) < 1.2 * len(long) < 600_000
    told = parsed(longer).findtext(f"{SVG}desc") or ""
    assert len(told) < LONGEST + 200
    assert "And 1440 more changes." in told or "…" in told


def test_crowded():
    """Labels that would overlap are rotated; each has a place of its own within the picture."""
    events = [started()]
    for number in range(1, 20):
        events += [turn(number), upkeep(), *[effect("switch")] * 3, claim("neither")]
    game = Game(events)
    root = parsed(timeline_svg(game))
    upright = [one for one in root.iter(f"{SVG}text") if "rotate" in one.get("transform", "")]
    assert len(upright) > 50
    places = [tuple(map(float, re.findall(r"[\d.]+", one.get("transform", ""))[:2])) for one in upright]
    assert len(set(places)) == len(places)
    assert all(0 < x < 960 and 0 < y < float(root.get("height", 0)) for x, y in places)
    assert "rotate" not in timeline_svg(Game.load("demo"))


def test_at_the_edge():
    """No label that begins near the right edge passes that edge."""
    full = Game([started(), *(turn(number) for number in range(1, 27)), upkeep(), cast(), cast(), opens("over there")])
    for game in (full, *map(Game.load, GAMES)):
        root = parsed(timeline_svg(game, at=len(game)))
        for one in root.iter(f"{SVG}text"):
            if not classes(one) & {"end", "centre"}:
                assert float(one.get("x", 0)) + 0.5 * 10 * len(one.text or "") < 960, one.text


def test_more():
    """A turn with 21 changes draws some and has "+13" for the others; a turn with few has no such number."""
    game = Game([started(), turn(1, "Ana"), upkeep(), effect("day"), *[effect("switch")] * 20])
    words = texts(parsed(timeline_svg(game)))
    assert "+13" in words
    assert len(columns(timeline_svg(game))[0].designations) <= 9
    few = Game([started(), turn(1, "Ana"), upkeep(), effect("day"), *[ruled("night"), ruled("day")] * 3])
    assert not [word for word in texts(parsed(timeline_svg(few))) if word.startswith("+")]


def test_names():
    """The titles of timeline and board begin with the name of the game."""
    assert "g1: day and night, turn by turn" == parsed(timeline_svg(Game([started()]))).findtext(f"{SVG}title")
    assert "g1: the battlefield after event 1" == parsed(board_svg(Game([started()]))).findtext(f"{SVG}title")
