"""Marks: the events of a game that a timeline draws; and the search for events by words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from daynight.events import Changed, DisputeOpened, GameBackedUp, GameRestarted, NoteAdded, TurnBegan
from daynight.framework.language.wording import language
from daynight.projections.transcript import Line, ids_of, told
from daynight.speaker import Speaker
from daynight.speech.sentences import consequence_sentence
from daynight.web.file_game import Played
from daynight.web.shelf import Shelf, Shelved

KINDS = ("turn", "change", "disagreement", "dispute", "note")
"""The kinds of marks. The marks of one event are in this order."""

_HELD: dict[tuple[str, bytes | None, str], list[dict[str, Any]]] = {}
_MOST = 16

Mark = dict[str, Any]


def marks_of(shelf: Shelf, shelved: Shelved, kinds: Sequence[str]) -> list[Mark]:
    """Return the marks of a game that are of these kinds, ordered by event; undone events have theirs too."""
    game = shelved.game()
    key = shelved.name, shelved.digest(len(game)), language()
    found = _HELD.get(key)
    if found is None:
        found = [*(_of_a_game(game) if shelf.is_of_games else _of_a_record(shelved, game))]
        if len(_HELD) >= _MOST:
            _HELD.clear()
        _HELD[key] = found
    return [mark for mark in found if mark["kind"] in kinds]


def _of_a_game(game: Any) -> Iterator[Mark]:
    differing: dict[int, list[str]] = {}
    for finding in game.audit().findings:
        differing.setdefault(finding.event, []).append(finding.short)
    for line, turn in _with_turns(game):
        event = line.event
        if isinstance(event, TurnBegan):
            yield _mark(line.number, "turn", turn, line.sentence)
        for one in line.followed:
            if isinstance(one, Changed):
                yield _mark(line.number, "change", one.turn, consequence_sentence(one, line.named))
        for sentence in differing.get(line.number, ()):
            yield _mark(line.number, "disagreement", turn, sentence)
        if isinstance(event, DisputeOpened):
            yield _mark(line.number, "dispute", turn, line.sentence)
        elif isinstance(event, NoteAdded):
            yield _mark(line.number, "note", turn, line.sentence)


def _with_turns(game: Any) -> Iterator[tuple[Line, int]]:
    """Yield each line of the transcript, with the turn that the game is in after its event: a back-up may lower it."""
    turns = [0]
    for line in told(game.moments()):
        turns.append(_turn_after(line.event, turns))
        yield line, turns[-1]


def _turn_after(event: Any, turns: list[int]) -> int:
    """Return the turn that the game is in after an event; `turns` has the turns after all earlier events, first a 0."""
    if isinstance(event, TurnBegan):
        return event.turn
    if isinstance(event, GameBackedUp):
        return turns[event.to]
    return 0 if isinstance(event, GameRestarted) else turns[-1]


def _of_a_record(shelved: Shelved, game: Played) -> Iterator[Mark]:
    """Yield the marks of any mechanic's record: a consequence is a change, a wrong claim a disagreement."""
    words, speaker = shelved.mechanic.words, Speaker(shelved.mechanic)
    differing: dict[int, list[str]] = {}
    for finding in game.audited().findings:
        if finding.right is False:
            differing.setdefault(finding.event, []).append(speaker.finding(finding))
    for moment in game:
        for one in moment.consequences:
            yield _mark(moment.number, "change", None, words.consequence(one))
        for sentence in differing.get(moment.number, ()):
            yield _mark(moment.number, "disagreement", None, sentence)


def _mark(event: int, kind: str, turn: int | None, text: str) -> Mark:
    return {"event": event, "kind": kind, "turn": turn, "text": text}


def found_words(shelf: Shelf, shelved: Shelved, words: str) -> Iterator[Mark]:
    """Yield the events whose sentence, cards and note together contain each word, alone or within a longer word."""
    game: Any = shelved.game()
    wanted = words.casefold().split()
    if not shelf.is_of_games:
        for number, event in enumerate(game.events, 1):
            sentence = shelved.mechanic.words.event(event)
            if _has(wanted, sentence, event.note):
                yield {"event": number, "turn": None, "sentence": sentence}
        return
    for line, turn in _with_turns(game):
        sentence = line.sentence
        if _has(wanted, sentence, line.note, *_cards(line)):
            yield {"event": line.number, "turn": turn, "sentence": sentence}


def _cards(line: Line) -> Iterator[str | None]:
    """Yield the cards that a line is about, as they are recorded; None for one that is not recorded."""
    yield getattr(line.event, "card", None)
    for id in ids_of(line.event):
        yield line.named[id].card if id in line.named else None
    for one in getattr(line.event, "permanents", ()):
        yield getattr(one, "card", None)


def _has(wanted: Sequence[str], *texts: str | None) -> bool:
    text = "\n".join([one for one in texts if one]).casefold()
    return bool(wanted) and all(word in text for word in wanted)
