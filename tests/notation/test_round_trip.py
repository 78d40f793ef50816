"""Nothing is lost: writing events in the notation and reading them gives the same events.

| promise | test |
| --- | --- |
| any events are written and read back byte for byte | test_any_record, test_ten_thousand |
| difficult names, and any note, are read back | test_hard_names, test_notes |
| every kind of event, and every example game, is read back | test_every_kind, test_example_games |
| an event is one line, a header three | test_lines_and_numbers |
| the reader gives the line of each event, with and without comments | test_places, test_comments_are_free |
| typed cards are filled in; cards in square brackets are not | test_filled_in |
| an event that no line can express is written as JSON | test_what_has_no_words |
| the example games have no such event | test_no_plain_event_is_json |
| the fast path for frequent lines agrees with the grammar | test_frequent_lines_are_the_grammars |
| frequent lines use the fast path | test_frequent_lines_take_the_short_cut |
"""

import io
import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings

from daynight.cards import bundled
from daynight.events import actions, claims, disputes, rulings
from daynight.events.language import TAGS, read_line
from daynight.events.language import read as read_json
from daynight.framework.language.codec import encode, encode_lines
from daynight.notation import Reading, lines_of, read_text
from daynight.notation.lines import frequent
from tests.reading.mutations import EVERY_EVENT

from .words import HEADER, and_back, hard_records, in_words, records

GAMES = sorted((Path(__file__).resolve().parents[2] / "examples" / "games").glob("*.jsonl"))


@given(records())
@example([actions.GameStarted(format=1, game="game", players=("players", "Turn", "turn 5"), edition="a spell")])
@example([actions.SpellCast(player="a and b", card="2 spells"), actions.SpellCast(player="it", spell="token")])
@example([rulings.JudgeRuled(designation="night", by="l'arbitre"), rulings.JudgeRuled(designation="day", by="le juge")])
@example(
    [claims.DesignationClaimed(designation="night", by="L'Arbitre"), rulings.JudgeRuled(designation="day", by="judge")]
)
@example([actions.StepBegan(step="end", note="#"), actions.GameEnded(winner=()), actions.GameEnded(winner=("day",))])
def test_any_record(made):
    """Events of every kind, with and without each optional field, are read back."""
    given, read = and_back(made)
    assert given == read


@given(hard_records())
def test_hard_names(made):
    """Names that look like other parts of the notation are read back."""
    given, read = and_back(made)
    assert given == read


@pytest.mark.slow
@settings(max_examples=10_000)
@given(records())
def test_ten_thousand(made):
    """Ten thousand records are read back."""
    given, read = and_back(made)
    assert given == read


@pytest.mark.slow
@settings(max_examples=10_000)
@given(hard_records())
def test_ten_thousand_hard_names(made):
    """Ten thousand records with difficult names are read back."""
    given, read = and_back(made)
    assert given == read


@pytest.mark.parametrize("fill", [True, False])
def test_every_kind(fill):
    """Every kind of event is read back, with its cards filled in or not, and none is written as JSON."""
    made = list(read_json(io.BytesIO(EVERY_EVENT)))
    assert set(TAGS.values()) == {type(event) for event in made}
    if fill:
        made = [bundled().fill(event) for event in made]
    given, read = and_back(made)
    assert given == read
    lines = in_words(made).splitlines()
    assert [line for line in lines if line.lstrip().startswith("{")] == [], "each has words of its own"


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.stem)
def test_example_games(game):
    """The example games are read back, and none of their lines has 250 characters or more."""
    made = [bundled().fill(event) for event in read_json(game)]
    given, read = and_back(made)
    assert given == read
    assert max(map(len, in_words(made).splitlines())) < 250


def test_lines_and_numbers():
    """Each event is written in one line, but the header in three, and each turn has a blank line before it."""
    made = list(read_json(io.BytesIO(EVERY_EVENT)))
    for event, lines in zip(made, lines_of(made), strict=True):
        gap = [""] if isinstance(event, actions.TurnBegan) else []
        assert gap == [line for line in lines if not line]
        assert (3 if isinstance(event, actions.GameStarted) else 1) == len(lines) - len(gap)


def test_places():
    """The reader gives each event the number of the line that was written for it."""
    made = list(read_json(io.BytesIO(EVERY_EVENT)))
    text = in_words(made).splitlines()
    for placed, lines in zip(read_text("\n".join(text)), lines_of(made), strict=True):
        first = next(line for line in lines if line)
        assert first == text[placed.line - 1]


def test_comments_are_free():
    """Blank lines and comment lines only shift line numbers; a comment after an event is its note."""
    text = "# a\n\ngame g1   # the note\n# b\nplayers Ana, Bo   # no note\n\nturn 1 Ana\n# c\n  Ana casts Opt # d\n#e"
    placed = read_text(text)
    assert [3, 7, 9] == [one.line for one in placed]
    assert ["the note", None, "d"] == [one.event.note for one in placed]
    assert [one.event for one in placed] == [
        one.event for one in read_text("game g1 # the note\nplayers Ana, Bo\nturn 1 Ana\nAna casts Opt #    d  ")
    ]


@pytest.mark.parametrize(
    "note", ["", " ", " a", "a ", "a\nb", '"', '"a"', '"a" b', "#", "# #", "{", "}", "\\n", "\u2028", "\t", "☀", "@12"]
)
def test_notes(note):
    """A note of any characters is written at the end of its line, and read back."""
    made = [actions.GameRestarted(note=note)]
    given, read = and_back(made)
    assert given == read


def test_filled_in():
    """The reader adds an entering card's catalogue faces, unless its id is in square brackets or `fill=False`."""
    event = {"type": "permanents-entered", "permanents": [{"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}]}
    typed = read_line(json.dumps(event).encode())
    for words in ("Ana: Tavern Ruffian (w1) enters", "Tavern Smasher enters under Ana as w1", "ana: tav enters as w1"):
        assert [bundled().fill(typed)] == [one.event for one in read_text(HEADER + words)][1:]
    assert [typed] == [one.event for one in read_text(HEADER + "Ana: Tavern Ruffian [w1] enters")][1:]
    assert [typed] == [one.event for one in read_text(HEADER + "Ana: Tavern Ruffian (w1) enters", fill=False)][1:]
    front = '{"front":{"name":"A"}}'
    (given,) = read_text(f"{HEADER}Ana: Tavern Ruffian (w1, {front}) enters")[1].event.permanents
    assert ("A", "Tavern Smasher") == (given.front.name, given.back.name), "a face that is given replaces one"


@pytest.mark.parametrize("event", [
    actions.GameStarted(format=1, game="g1", players=()),
    actions.GameStarted(format=1, game="g1", players=("Ana",), teams=()), actions.TurnBegan(turn=1, active=()),
    actions.PermanentsEntered(permanents=()), actions.PermanentsLeft(permanents=()),
    disputes.DisputeRuled(dispute="d1", by="Jo", outcome="fix", to=3),
    actions.PermanentsLeft(permanents=tuple(f"w{number}" for number in range(10_000))),
    actions.GameStarted(format=1, game="g1", players=tuple(f"Ana {number}" for number in range(10_000))),
])  # fmt: skip
def test_what_has_no_words(event):
    """An event with an empty list, with a field that no line has, or with a very long list is written as JSON."""
    assert encode(event).decode() == in_words([event]).strip()
    given, read = and_back([event])
    assert given == read


def test_no_plain_event_is_json():
    """No event of the example games is written as JSON."""
    for game in GAMES:
        assert "\n  {" not in in_words(read_json(game))


@given(hard_records())
def test_frequent_lines_are_the_grammars(made):
    """Reading with the fast path for frequent lines gives the same events as reading with the grammar alone."""
    text = in_words([actions.GameStarted(format=1, game="g", players=("Ana", "Bo Lee")), *made])
    with_cut = encode_lines(one.event for one in read_text(text))
    reading = Reading()
    slowly = [line for number, one in enumerate(text.split("\n"), 1) for line, _place in reading.take(one, number)]
    slowly += [line for line, _place in reading.finish()]
    assert with_cut == b"".join(line + b"\n" for line in slowly)


FREQUENT = """\
turn 1 Ana
  turn 20 Bo Lee
  Ana casts Opt
  Bo Lee casts Tavern Ruffian (s12)
Ana copies Village Watch
  Ana: Tavern Ruffian (w1) enters
  Bo Lee: Grizzly Bears (b-2) enters
  w1 leaves to graveyard
b-2 leaves
"""


def test_frequent_lines_take_the_short_cut():
    """The fast path reads each line of `FREQUENT` like the grammar; for lines that need the grammar it returns None."""
    reading = Reading()
    for number, line in enumerate(("game g", "players Ana, Bo Lee", ""), 1):
        reading.take(line, number)
    reading.finish()
    short_cut = frequent.Frequent(reading.names, fill=True)
    for line in FREQUENT.splitlines():
        slowly = Reading()
        slowly.names = reading.names
        quickly = short_cut.line(line)
        assert quickly is not None, line
        assert [(quickly, 7)] == slowly.take(line, 7)
    for line in (
        *("Ana casts a spell", "Ana casts A spell", "an casts Opt", "Ana casts Opt # a", "Ana casts Tavern Rufian"),
        *("turn 0 Ana", "turn 01 Ana", "w9 leaves", "Ana: 2 (w1) enters", "Ana: Opt (token) enters", "untap"),
    ):
        assert short_cut.line(line) is None, line
