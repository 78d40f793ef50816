"""Records written in French and Japanese are read back as the same events, in any environment.

| promise | test |
| --- | --- |
| any events, with difficult names too, are written in a language and read back byte for byte | test_any_record |
| every example game, and a record with every kind of event, is read back | test_example_games, test_every_kind |
| random games with time, object and note on each line are read back | test_random |
| a record with names that are marked as unknown is read back | test_doubts |
| no line of a translated text stays English, and nearly all templates of lines are used | test_lines |
"""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings

from daynight.cards import bundled
from daynight.events.language import read as read_json
from daynight.events.language import strictly
from daynight.framework.language.codec import encode_lines
from daynight.languages.speaking import speaking
from daynight.notation import read_text, write
from daynight.notation.spoken.telling import templates
from tests.oracle.walks import random_walk
from tests.reading.mutations import EVERY_EVENT

from .words import hard_records, records

GAMES = sorted((Path(__file__).resolve().parents[2] / "examples" / "games").glob("*.jsonl"))
LANGUAGES = ("fr", "ja")


def written(made, language):
    """The notation of events, written in a language."""
    out = io.StringIO()
    write(made, out, language=language)
    return out.getvalue()


def check(made):
    """Assert that notation in French and in Japanese is read back byte for byte while another language is set."""
    for language in LANGUAGES:
        text = written(made, language)
        with speaking("ja" if language == "fr" else "en"):
            read = [placed.event for placed in read_text(text)]
        assert encode_lines(made) == encode_lines(read), text
        assert text == written(read, language)


@pytest.mark.slow
@settings(max_examples=20)
@given(records())
def test_any_record(made):
    check(made)


@pytest.mark.slow
@settings(max_examples=20)
@given(hard_records())
def test_hard_names(made):
    check(made)


@pytest.mark.parametrize("game", [
    pytest.param(game, marks=() if game.stem == "ruling-and-back-up" else pytest.mark.wide) for game in GAMES
], ids=lambda game: game.stem)  # fmt: skip
def test_example_games(game):
    check([bundled().fill(event) for event in read_json(game)])


def test_every_kind():
    check(list(read_json(io.BytesIO(EVERY_EVENT))))


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_random(seed):
    short = 10 if seed == 1 else 50
    made = [bundled().fill(strictly(event)) for event in random_walk(seed, short)]
    check(made)
    more = {"at": "2024-06-07T19:30:00Z", "meta": {"table": 7}, "note": "as # told"}
    check([bundled().fill(strictly(event | more)) for event in random_walk(seed, min(short, 20))])


def test_doubts():
    """Events that mark unknown names in `meta`, whether these were typed bare or quoted, are read back."""
    lines = 'Ana: Zorblax (x1), Storm Crow (c1) enter\nx1 becomes a copy of Gloomfink\nAna: "Sad Wolf" (x2) enters\n'
    made = [placed.event for placed in read_text(f"game g\nplayers Ana, Bo\nturn 1 Ana\n{lines}")]
    assert made[2].meta == {"typed": {"unknown": ["Zorblax"]}}
    check(made)


LINES = """turn 3 Ana
untap, upkeep, draw, main, beginning of combat, declare attackers, declare blockers, combat damage, end of combat
second main, end, cleanup
Ana casts Opt
Ana casts a spell
Bo copies Opt
Bo casts 0-1 more
Bo casts 2+ more
Ana: Tavern Ruffian (w1), Bo: Brutal Cathar (w2, back face up), Storm Crow (c1) enter
Ana: Wolf (t1, token) enters
Ana: Storm Crow (c2, face down) enters
c1 leaves
t1 leaves to graveyard
c2 leaves to exile
Bo controls w1
w1 loses abilities
w1 loses abilities by Humility
w1 regains abilities
w1 regains abilities by Humility
w1 becomes a copy of Immerwolf
w1 is itself again
w1 phases out
w1 phases in
w1 is told to transform
w1 transforms by Moonmist
w1 can't transform by Chains
transforming allowed by Chains
it becomes day
it becomes night by The Celestus
Bo says night
Bo says day
Bo says neither
Bo says w1 shows back
Bo says w1 shows front
Bo says Ana cast 1
Bo says Ana cast 2 in turn 3
Jo rules night
Jo rules day
Jo backs up to e5
Bo leaves the game
the game restarts
Ana wins
"""


def test_lines():
    """In French and Japanese no line of `LINES` is English; at most 8 templates without placeholders are unused."""
    made = [placed.event for placed in read_text(f"game g\nplayers Ana, Bo\n{LINES}")]
    for language in LANGUAGES:
        text = written(made, language)
        english = set(written(made, "en").split("\n")[2:]) & {*text.split("\n")} - {""}
        assert set() == english
        told = [line.strip() for line in text.splitlines()]
        unused = [what for what, line in templates(language).items() if "{" not in line and line not in told]
        assert len(unused) <= 8, unused
    assert {*templates("fr")} == {*templates("ja")}
