"""The course of a game in one line: when it was played, against whom, for how many turns, and when it was night."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

from daynight.cards import Catalogue, bundled
from daynight.events import (
    BecameCopy,
    Characteristics,
    Designation,
    DesignationClaimed,
    Event,
    GameJoined,
    GameStarted,
    PermanentsEntered,
    SpellCast,
    SpellCopied,
    TallyClaimed,
    TurnBegan,
)
from daynight.events.actions import EffectResolved, GameRestarted
from daynight.events.claims import FaceClaimed
from daynight.events.rulings import JudgeRuled
from daynight.framework.audit import Verdict
from daynight.framework.folding.fold import Watch
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _, counted
from daynight.referee.state import State
from daynight.speech.sentences import occasion


class _Over(NamedTuple):
    """A turn that is over: its last event, its number, and the designation at its end (None: several were possible)."""

    last: int
    number: int
    designation: Designation | None


class Course:
    """Collects the course of a game while its record is replayed.

    `first` is the first event; `joined`: the record begins midway. `cares`: a card with day or night in it was cast,
    copied or entered, or an effect made it day or night. `claims` counts claimed designations, claimed tallies and
    rulings on day and night; `faces` counts claimed faces.
    """

    def __init__(self, catalogue: Catalogue | None = None) -> None:
        self._catalogue = bundled() if catalogue is None else catalogue
        self.before: dict[type, Watch] = {
            GameStarted: self._began,
            GameJoined: self._joined,
            PermanentsEntered: self._entered,
            BecameCopy: self._copied,
            EffectResolved: self._resolved,
            **dict.fromkeys((SpellCast, SpellCopied), self._cast),
            **dict.fromkeys((TurnBegan, GameRestarted), self._ended),
            **dict.fromkeys((DesignationClaimed, TallyClaimed, JudgeRuled), self._claimed),
            FaceClaimed: self._shown,
        }
        self.begin()

    def begin(self) -> None:
        """Forget everything."""
        self.first: GameStarted | None = None
        self.cares = self.joined = False
        self.claims = self.faces = 0
        self._turns: list[_Over] = []

    def back_up(self, number: int, to: int) -> None:
        """Forget the turns that ended after event `to`: they are undone."""
        while self._turns and self._turns[-1].last >= to:
            self._turns.pop()

    def _began(self, state: State, event: GameStarted, number: int) -> None:
        self.first = event

    def _joined(self, state: State, event: GameJoined, number: int) -> None:
        self.joined = True
        self._entered(state, event, number)

    def _entered(self, state: State, event: PermanentsEntered | GameJoined, number: int) -> None:
        if not self.cares:
            self.cares = any(
                each.card in self._catalogue or _cares(each.front) or _cares(each.back) for each in event.permanents
            )

    def _copied(self, state: State, event: BecameCopy, number: int) -> None:
        self.cares = self.cares or _cares(event.front)

    def _cast(self, state: State, event: SpellCast | SpellCopied, number: int) -> None:
        self.cares = self.cares or event.card in self._catalogue

    def _resolved(self, state: State, event: EffectResolved, number: int) -> None:
        self.cares = True

    def _claimed(self, state: State, event: Event, number: int) -> None:
        self.claims += 1

    def _shown(self, state: State, event: Event, number: int) -> None:
        self.faces += 1

    def _ended(self, state: State, event: Event, number: int) -> None:
        self._turns += _over(state, number)

    # ------------------------------------------------------------------------------------------------- what is told

    def turns(self, state: State) -> list[_Over]:
        """Return the turns so far, the present one as though it were over; `state` follows the last event."""
        return [*self._turns, *_over(state, state.event + 1)]

    def nights(self, state: State) -> list[tuple[int, int]]:
        """Return for each unbroken run of turns that ended as night the numbers of its first and its last turn."""
        found: list[tuple[int, int]] = []
        before = False
        for turn in self.turns(state):
            night = turn.designation is Designation.NIGHT
            if night:
                found[-1:] = [(found[-1][0], turn.number)] if before else [*found[-1:], (turn.number, turn.number)]
            before = night
        return found

    def told(self, state: State, verdict: Verdict, disputes: int, recorder: str | None = None) -> str:
        """Return the line in the reader's language; `recorder`, the player whose client wrote the log, is not named.

        `verdict` is the audit's, and `disputes` the number of claims and rulings that differ.
        """
        assert self.first is not None
        turns = self.turns(state)
        parts = [occasion(self.first, self.first.at, recorder)]
        if self.joined and turns:
            parts.append(_("from turn {n} on").format(n=turns[0].number))
        parts.append(counted("{n} turn", "{n} turns", len(turns)))
        return " · ".join([*parts, self.says(state, verdict, disputes)])

    @property
    def only_faces(self) -> bool:
        """Whether the record claims faces, but no designations and no tallies, and has no rulings."""
        return bool(self.faces) and not self.claims

    def says(self, state: State, verdict: Verdict, disputes: int) -> str:
        """Return the part of the line about day and night; `disputes` is the number of claims that differ."""
        if verdict == "disputed":
            return counted("{n} claim or ruling differs", "{n} claims or rulings differ", disputes)
        designations = {turn.designation for turn in self.turns(state)}
        if not self.cares and not self.claims and designations <= {Designation.NEITHER, *self._open()}:
            return _("no card with day or night in it")
        rules = self._by_the_rules(state, designations)
        if verdict == "exact":
            if self.only_faces:
                return _("the faces that were claimed are right, and nothing else was claimed; {rules}").format(
                    rules=rules
                )
            return _("what was claimed is right; {rules}").format(rules=rules)
        if self.claims:
            return _("nothing that was claimed is certain; {rules}").format(rules=rules)
        return _("nothing was claimed; {rules}").format(rules=rules)

    def _open(self) -> tuple[None, ...]:
        """Return (None,) if the record begins midway, so that `says` takes uncertain turns for neither; else ()."""
        return (None,) if self.joined else ()

    def _by_the_rules(self, state: State, designations: Collection[Designation | None]) -> str:
        if nights := self.nights(state):
            many = sum(turn.designation is Designation.NIGHT for turn in self.turns(state))
            sentence = counted(
                "by the rules it was night in turn {turns}", "by the rules it was night in turns {turns}", many
            )
            return sentence.format(turns=commas([*_ranges(nights)]))
        if None in designations:
            return _("when it was day and when night is left open")
        days = [turn.number for turn in self.turns(state) if turn.designation is Designation.DAY]
        if days:
            return _("by the rules it was day from turn {n} on, and never night").format(n=days[0])
        return _("by the rules it was neither day nor night")


def _over(state: State, event: int) -> tuple[_Over, ...]:
    """Return a tuple with the present turn, as though it ended before `event`; () if no turn has begun."""
    if not state.turn:
        return ()
    one = state.possibilities
    return (_Over(event - 1, state.turn, one[0].designation if len(one) == 1 else state.designation),)


def _cares(face: Characteristics | None) -> bool:
    return face is not None and bool(face.keywords or face.day_if_neither or face.watches or face.holds)


def _ranges(nights: Iterable[tuple[int, int]]) -> Iterator[str]:
    for first, last in nights:
        yield str(first) if first == last else f"{first}-{last}"


def document_of_course(course: Course, state: State, verdict: Verdict, disputes: int) -> dict[str, Any]:
    """Return the course of a game as JSON; the other parameters are those of `Course.says`."""
    turns = course.turns(state)
    return {
        "at": None if course.first is None else course.first.at,
        "turns": len(turns),
        "night": [list(stretch) for stretch in course.nights(state)],
        "cards": course.cares,
        "sentence": course.says(state, verdict, disputes),
    }
