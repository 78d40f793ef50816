"""Explains the face of a permanent: since when, by which rule, because of which events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from daynight.events.terms import Face
from daynight.framework.language.codec import document_of
from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.grammar import capital, commas, full_stop, paragraph
from daynight.framework.language.wording import _, card_word
from daynight.projections.battlefield import Status
from daynight.questions.almost import Almost, almost_face
from daynight.questions.blame import shown
from daynight.questions.explain import Answer, explained
from daynight.referee.parts import designation_ways, face_ways
from daynight.referee.refusals import SHOWN
from daynight.referee.state import PlayedRecord
from daynight.rules.citations import with_number
from daynight.speech.auditing.grounds import face_ways_words, face_words, obstacle, remarks
from daynight.speech.sentences import face_word


@dataclass(frozen=True, slots=True)
class Facing(Answer):
    """Why a permanent shows its face after an event.

    The face came about with the event that turned the permanent over, or that last turned it face up, or with its
    arrival.
    """

    permanent: str
    almost_edit: Almost | None = field(default=None, compare=False)

    @property
    def almost(self) -> str | None:
        """The smallest edit with which it would show its other face, in words; None if none is known."""
        return None if self.almost_edit is None else self.almost_edit.sentence

    @property
    def card(self) -> str:
        """The card of the permanent."""
        return self._status.permanent.card

    @property
    def face(self) -> Face | None:
        """The face that is up; None if either may be."""
        return self.state.face(self.permanent)

    @property
    def face_down(self) -> bool:
        """Whether it is face down."""
        return self._status.face_down

    @property
    def implied(self) -> frozenset[int]:
        """The events directly before which an untap step is missing in the record: in that step the face was set."""
        ways = face_ways(self.state.possibilities, self.permanent)
        return frozenset(way.event for way in ways if way is not None and way.implied)

    @property
    def sentence(self) -> str:
        """The answer in the reader's language."""
        return _sentence(self, self._status)

    @property
    def short(self) -> str:
        """The answer in at most 140 characters, if no name in it has more than 20."""
        if self.face_down:
            return full_stop(_("{permanent} is face down").format(permanent=self.permanent))
        if self.face is None:
            return full_stop(
                _("The record leaves open which face of {permanent} is up").format(permanent=self.permanent)
            )
        shows = _("{permanent} shows its {face}.").format(permanent=self.permanent, face=face_word(self.face))
        if self.since is None:
            return shows
        since = _("Since event {event}").format(event=self.since)
        return paragraph(shows, full_stop(with_number(since, self.rule, self.edition)))

    @property
    def _status(self) -> Status:
        return self.state.battlefield[self.permanent]

    def document(self) -> dict[str, Any]:
        """The answer as `daynight why FILE PERMANENT --json` prints it."""
        names = "event permanent card face face_down since rule cr because sources almost almost_edit sentence short"
        return document_of(self, names)

    def __str__(self) -> str:
        return self.sentence


def facing(game: PlayedRecord, number: int, id: str, edition: str) -> Facing:
    """Explain the face of permanent `id` after event `number` of a game, whatever was recorded later.

    >>> from daynight import Game
    >>> why = facing(Game.load("demo"), 122, "brutal-cathar-2", "2024-06-07")
    >>> why.face, why.since, why.rule
    (Face.BACK, 121, 'daybound-enters')

    Raises:
        NotFoundError: where no such permanent is on the battlefield then.
    """
    state = game.at(number)
    status = state.battlefield.get(id)
    if status is None:
        there = commas([status.id for status in state.battlefield][:SHOWN]) or _("none")
        sentence = _("no permanent {id} on the battlefield after event {event}; there: {known}")
        raise NotFoundError(sentence.format(id=repr(id), event=number, known=there))
    face, down = [game.part(part, id, number) for part in ("face", "face-down")]
    near = almost_face(game if number == len(game) else game.what_if(number, ()), number, id)
    return Facing(number, shown(face, down), edition, state, id, near)


def _sentence(answer: Facing, status: Status) -> str:
    state, edition = answer.state, answer.edition
    card = f"{card_word(status.permanent.card)} ({status.id})"
    if status.face_down:
        return _("{card} is face down, and shows neither of its faces.").format(card=card)
    face = state.face(status.id)
    ways = face_ways(state.possibilities, status.id)
    if face is None:
        words = _("The record leaves open which face of {card} is up: {ways}")
        shows = full_stop(words.format(card=card, ways=face_ways_words(ways, status, edition)))
        how = []
    else:
        name = card_word(status.name(state.possibilities[0].backs))
        shows = _("{card} shows its {face}, {name}.").format(card=card, face=face_word(face), name=name)
        how = [full_stop(capital(sentence)) for sentence in face_words(ways, status, edition)]
    if ways == (None,):
        began = _("It has shown that face since event {event}: nothing has turned it over.")
        how = [began.format(event=answer.since)]
    how.append(obstacle(state, status))
    # Daybound and nightbound permanents show their face because it is day or night.
    if not status.matters:
        return paragraph(shows, *how, remarks(ways, (), state))
    told = {way.event for way in designation_ways(state.possibilities) if way is not None}
    ways = tuple([way for way in ways if way is not None and way.event not in told])
    day_or_night = explained(state, answer.event, edition).sentence
    return paragraph(shows, *how, remarks(ways, (), state), day_or_night)
