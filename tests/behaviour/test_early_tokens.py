"""Tokens in editions without double-faced tokens, before 2023-04-14.

| promise | test |
| --- | --- |
| a token is single-faced by default: typed, as JSON, in a whole record, stored | test_filled |
| in later editions, and without an edition, it is double-faced | test_later |
| an appended event that says that it is double-faced is refused | test_refused |
| in a whole record it is accepted with a notice; also in the notation, written and read | test_whole |
"""

import io

import pytest

from daynight import Game
from daynight.cards import doubt_sentence, doubting
from daynight.framework.language.codec import encode, encode_lines
from daynight.framework.language.errors import RecordError, UnreadableError
from daynight.games import Store
from daynight.notation import read_text, write
from daynight.notation.phrases import understood
from daynight.records import Held
from daynight.replay import replay

TOKEN = {"id": "t1", "card": "Tavern Ruffian", "controller": "Ana", "token": True}
ARRIVES = {"type": "permanents-entered", "permanents": [TOKEN]}
TRUE = {"type": "permanents-entered", "permanents": [TOKEN | {"double_faced": True}]}
NIGHT = {"type": "effect-resolved", "becomes": "night"}


def started(edition):
    return {"type": "game-started", "format": 1, "game": "g", "players": ["Ana", "Bo"]} | (
        {"edition": edition} if edition else {}
    )


def lines(*events):
    """A whole record of these events, as lines."""
    return Held("g.jsonl", encode_lines([Game([started(None)]).mechanic.language.strictly(event) for event in events]))


def arrived(edition):
    """Yield the token as each way to record its arrival stores it."""
    text = f"game g\nplayers Ana, Bo\nedition {edition}\n" if edition else "game g\nplayers Ana, Bo\n"
    yield read_text(text + "Ana: Tavern Ruffian (t1, token) enters")[-1].event.permanents[0]
    game = Game([started(edition)])
    game.record(ARRIVES)
    yield game.events[-1].permanents[0]
    game = Game([started(edition)])
    for event in understood("Ana: Tavern Ruffian (t1, token) enters", game.state):
        game.record(event)
    yield game.events[-1].permanents[0]
    yield Game.load(lines(started(edition), ARRIVES)).events[-1].permanents[0]
    yield replay(lines(started(edition), ARRIVES)).battlefield["t1"].permanent
    with Store.open("memory:") as store:
        store.append("g", [started(edition), ARRIVES])
        yield [*store.events("g")][-1].permanents[0]
        store.append("h", [started(edition)])
        store.append("h", [ARRIVES], command="once")
        assert store.append("h", [ARRIVES], command="once").repeated
        yield [*store.events("h")][-1].permanents[0]
        store.import_record(lines(started(edition), ARRIVES), "i")
        yield [*store.events("i")][-1].permanents[0]


def test_filled():
    """In an early edition each way stores a single-faced token; with daybound it makes it day, and never transforms."""
    found = [*arrived("2022-02-18")]
    assert [False] * 8 == [one.double_faced for one in found]
    assert [None] * 8 == [one.back for one in found]
    state = replay(lines(started("2022-02-18"), ARRIVES, NIGHT))
    assert ("front", "night") == (state.face("t1"), state.designation)
    assert ["daybound-starts-day", "becomes"] == [change.rule for change in state.timeline.changes]


@pytest.mark.parametrize("edition", [None, "2023-04-14", "2024-06-07"])
def test_later(edition):
    assert {True} == {one.double_faced for one in arrived(edition)}
    assert "back" == replay(lines(started(edition), ARRIVES, NIGHT)).face("t1")


def test_refused():
    """A token given as double-faced is refused, with line and path; one given as single-faced is accepted."""
    game = Game([started("2022-02-18")])
    with pytest.raises(UnreadableError, match="before the rules of 2023-04-14 no token is double-faced"):
        game.record(TRUE)
    with Store.open("memory:") as store:
        store.append("g", [started("2022-02-18")])
        with pytest.raises(RecordError) as error:
            store.append("g", [NIGHT, TRUE])
        assert (3, "$.permanents[0].double_faced") == (error.value.line, error.value.path)
        assert 1 == store.head("g").number
        store.append("g", [{"type": "permanents-entered", "permanents": [TOKEN | {"double_faced": False}]}])
    with pytest.raises(UnreadableError, match="no token is double-faced"):
        read_text(
            'game g\nplayers Ana\nedition 2022-02-18\nAna: Tavern Ruffian (t1, token, {"double_faced": true}) enters'
        )


def test_whole():
    with doubting() as doubts:
        game = Game.load(lines(started("2022-02-18"), TRUE, NIGHT))
    (sentence,) = [doubt_sentence(name, near) for name, near in doubts.items()]
    assert sentence.startswith("a token of Tavern Ruffian is written down as double-faced")
    assert "back" == game.state.face("t1")
    for made in (game.events, [game.mechanic.language.strictly(event) for event in (started("2022-02-18"), TRUE)]):
        out = io.StringIO()
        write(made, out)
        assert [*map(encode, made)] == [encode(placed.event) for placed in read_text(out.getvalue(), fill=False)]
