"""Unusual events that the contract just allows or just forbids: the referee and the oracle refuse the same ones.

Both decide the open points of the contract alike: an empty list, or `phased_out: false`, counts as missing; a face-down
permanent enters with its front; neither a back-up nor a ruling in a dispute can go back to an undone event.
"""

from __future__ import annotations

from typing import Any

import pytest

from daynight.framework.language.errors import RecordError
from daynight.game import Game
from tests.oracle.naive import Naive, Refused

from .compare import comparable, ours

Json = dict[str, Any]
STARTED: Json = {"type": "game-started", "format": 1, "game": "g", "players": ["Ana", "Bo"]}
WEREWOLF: Json = {"id": "w", "card": "Tavern Ruffian", "controller": "Ana"}
NO_PERMANENT: Json = {"name": "A Sorcery", "permanent": False}


def joined(**fields: Any) -> Json:
    """A game-joined event: the record begins in the middle of a game, by day."""
    return {"type": "game-joined", "possible": ["day"], **fields}


def found(**fields: Any) -> Json:
    """A game-joined event with a werewolf on the battlefield, which has these further fields."""
    return joined(permanents=[WEREWOLF | fields])


def entered(**fields: Any) -> Json:
    """A werewolf enters."""
    return {"type": "permanents-entered", "permanents": [WEREWOLF | fields]}


def turn(**fields: Any) -> Json:
    """Ana's first turn."""
    return {"type": "turn-began", "turn": 1, "active": ["Ana"], **fields}


def step(name: str, **fields: Any) -> Json:
    """A step."""
    return {"type": "step-began", "step": name, **fields}


def note(**fields: Any) -> Json:
    """A note."""
    return {"type": "note-added", "by": "Ana", "says": "so", **fields}


def act(kind: str, **fields: Any) -> Json:
    """An event of the dispute `d`; `kind` is the end of its type, such as opened or ruled."""
    return {"type": f"dispute-{kind}", "dispute": "d", "by": "Ana", **fields}


def left(player: str, **fields: Any) -> Json:
    """A player leaves."""
    return {"type": "player-left", "player": player, **fields}


def back_up(to: int) -> Json:
    """A judge backs the game up to the state after event `to`."""
    return {"type": "game-backed-up", "to": to, "by": "Jo"}


OPENED, LEFT_SO, APPEALED = act("opened"), act("ruled", outcome="leave"), act("appealed")
ENDED: Json = {"type": "game-ended"}
ODD: dict[str, tuple[bool, list[Json]]] = {
    "found nothing": (True, [joined(permanents=[])]), "found phased in": (True, [found(phased_out=False)]),
    "found and null": (False, [found(phased_out=None)]),
    "found face down with its back": (False, [found(face="back", face_down=True)]),
    "found with a sorcery up": (False, [found(face="back", back=NO_PERMANENT)]),
    "found token with its back": (True, [found(face="back", token=True)]),
    "nothing forbids": (True, [joined(forbids=[])]),
    "forbids nobody": (True, [joined(forbids=[{"source": "x", "permanents": []}])]),
    "no source": (False, [joined(forbids=[{"source": "", "permanents": []}])]),
    "possible at noon": (False, [joined(possible=["noon"])]), "joined again": (False, [joined(), back_up(1), joined()]),
    "not joined after all": (True, [joined(), back_up(1), turn()]),
    "enters phased out": (False, [entered(phased_out=True)]), "enters phased in": (True, [entered(phased_out=False)]),
    "enters face down with its back": (False, [entered(face="back", face_down=True)]),
    "enters with a sorcery up": (False, [entered(face="back", back=NO_PERMANENT)]),
    "skips nothing": (True, [turn(skips=[])]), "skips two": (True, [turn(skips=["untap", "cleanup"])]),
    "skips twice": (False, [turn(skips=["untap", "untap"])]), "skips null": (False, [turn(skips=None)]),
    "skips a word": (False, [turn(skips="untap")]), "skips a turn": (False, [turn(skips=["turn"])]),
    "an upkeep with an empty list": (True, [turn(), step("upkeep", stays_out=[])]),
    "an untap step with an empty list": (True, [turn(), step("untap", stays_out=[])]),
    "a word stays out": (False, [turn(), step("untap", stays_out="w")]), "a note": (True, [note()]),
    "a note of nothing": (False, [note(says="")]), "a long note": (True, [note(says="x" * 2000)]),
    "a longer note": (False, [note(says="x" * 2001)]), "a note on two lines": (False, [note(says="a\nb")]),
    "a note with a line separator": (False, [note(says="a\u2028b")]), "a note with a tab": (False, [note(says="a\tb")]),
    "a note about nothing": (False, [note(about=0)]), "a note about the start": (True, [note(about=1)]),
    "a note about itself": (False, [note(about=2)]), "a note about true": (False, [note(about=True)]),
    "a note in a dispute": (False, [note(dispute="d")]),
    "notes after the end": (True, [ENDED, OPENED, act("claimed", says="x"), note()]),
    "a claim of nothing": (False, [OPENED, act("claimed")]),
    "a claim of neither": (True, [OPENED, act("claimed", designation="neither")]),
    "a fix": (True, [OPENED, act("ruled", outcome="fix")]),
    "a fix to neither": (True, [OPENED, act("ruled", outcome="fix", designation="neither")]),
    "a fix to an event": (False, [OPENED, act("ruled", outcome="fix", to=1)]),
    "leave to day": (False, [OPENED, act("ruled", outcome="leave", designation="day")]),
    "back up to nowhere": (False, [OPENED, act("ruled", outcome="back-up")]),
    "back up to the start": (True, [OPENED, act("ruled", outcome="back-up", to=1)]),
    "back up to itself": (False, [OPENED, act("ruled", outcome="back-up", to=3)]),
    "back up to what is undone": (False, [turn(), back_up(1), OPENED, act("ruled", outcome="back-up", to=2)]),
    "about what is undone": (True, [turn(), back_up(1), act("opened", about=2)]),
    "ruled twice": (True, [OPENED, LEFT_SO, LEFT_SO]), "appealed unruled": (False, [OPENED, APPEALED]),
    "appealed twice": (False, [OPENED, LEFT_SO, APPEALED, APPEALED]),
    "closed unruled": (False, [OPENED, act("closed", outcome="leave")]),
    "closed under appeal": (False, [OPENED, LEFT_SO, APPEALED, act("closed", outcome="leave")]),
    "closed otherwise": (False, [OPENED, LEFT_SO, act("closed", outcome="fix")]),
    "claimed when closed": (False, [OPENED, LEFT_SO, act("closed", outcome="leave"), act("claimed", says="x")]),
    "left with nothing": (True, [left("Ana", permanents=[])]),
    "left with null": (False, [left("Ana", permanents=None)]), "left for exile": (False, [left("Ana", to="exile")]),
    "everybody left": (True, [turn(), left("Ana"), left("Bo"), step("draw")]),
    "who left won": (True, [turn(), left("Ana"), ENDED | {"winner": ["Ana"]}]),
    "left after the end": (False, [ENDED, left("Ana")]),
    "back up to an undone note": (False, [turn(), note(), back_up(2), back_up(3)]),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_events(name: str) -> None:
    """The referee and the oracle both accept all events, or both refuse the last one, as `ODD` says.

    Their states are then equal.
    """
    taken, (*before, last) = ODD[name]
    naive, game = Naive(), Game()
    for event in (STARTED, *before):
        naive.apply(event)
        game.record(event)
    if taken:
        naive.apply(last)
        game.record(last)
    else:
        with pytest.raises(Refused):
            naive.apply(last)
        with pytest.raises(RecordError):
            game.record(last)
    assert comparable(naive.document()) == ours(game.state)
