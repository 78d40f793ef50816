"""Lists a record's disputes with their stages, and refuses acts (events of a dispute) that cannot happen.

The docket belongs to the record and not to the game: back-ups, a restart and the end of the game do not change it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any, NamedTuple, NoReturn, TypeAlias, cast, get_args

from daynight.events import Event, disputes
from daynight.framework.chart import Arc, Chart
from daynight.framework.folding.fold import Watch
from daynight.framework.folding.standing import Standing
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _
from daynight.referee.refusals import SHOWN, refuse
from daynight.speech.sentences import outcome_word

DISPUTES = 1_000
"""The most disputes that a record may have."""

Stands: TypeAlias = Callable[[int, int], bool]
"""Returns whether the event with the first number comes before that with the second, and was not undone by then."""


class Stage(Enum):
    """The stage of a dispute."""

    OPENED = "opened"
    RULED = "ruled"
    APPEALED = "appealed"
    CLOSED = "closed"

    @property
    def status(self) -> str:
        """The word for the stage in JSON documents: `open` for a dispute that was only opened."""
        return "open" if self is Stage.OPENED else self.value


class Circumstances(NamedTuple):
    """The values that guards read: the outcome `ruled` last, and the outcome that the dispute is `closed` with."""

    ruled: disputes.Outcome | None = None
    closed: disputes.Outcome | None = None


def always(now: Circumstances) -> bool:
    """Whatever was said and ruled before."""
    return True


def as_ruled(now: Circumstances) -> bool:
    """With the outcome that was ruled last."""
    return now.closed == now.ruled


_OPENED, _RULED, _APPEALED, _CLOSED = Stage

ARCS: tuple[Arc[Stage, Circumstances], ...] = (
    Arc("claim", _OPENED, _OPENED, always),
    Arc("claim", _RULED, _RULED, always),
    Arc("claim", _APPEALED, _APPEALED, always),
    Arc("rule", _OPENED, _RULED, always),
    Arc("rule", _RULED, _RULED, always),
    Arc("rule", _APPEALED, _RULED, always),
    Arc("appeal", _RULED, _APPEALED, always),
    Arc("close", _RULED, _CLOSED, as_ruled),
)
"""Trigger, stage before, stage after, guard. A later ruling replaces the one before, appealed or not."""

ACTS: dict[type, str] = {
    disputes.DisputeOpened: "open",
    disputes.DisputeClaimed: "claim",
    disputes.DisputeRuled: "rule",
    disputes.DisputeAppealed: "appeal",
    disputes.DisputeClosed: "close",
}
"""The trigger of each type of act; the first one opens a dispute."""

CHART: Chart[Stage, Circumstances] = Chart(Stage, Stage.OPENED, ARCS, triggers=[*ACTS.values()][1:])


class Docket:
    """The disputes of a record so far, in the order in which they were opened: stage and last outcome of each.

    >>> from daynight.events.disputes import DisputeOpened
    >>> docket = Docket()
    >>> docket.take(DisputeOpened(dispute="d1", by="Ana"), 5, lambda event, now: event < now)
    >>> docket.rows
    (('d1', 'opened', None),)
    """

    __slots__ = ("_found", "stands")

    def __init__(self) -> None:
        self.stands: Stands = lambda event, now: event < now
        self._found: dict[str, tuple[Stage, disputes.Outcome | None]] = {}

    @classmethod
    def of(cls, events: Iterable[Event]) -> Docket:
        """Make the docket of a record from its events, which must have been accepted before."""
        docket = cls()
        for number, event in enumerate(events, 1):
            if type(event) in ACTS:
                docket.take(event, number, lambda event, now: True)
        return docket

    @classmethod
    def restored(cls, rows: Iterable[tuple[str, str, str | None]]) -> Docket:
        """Make a docket from its `rows`.

        Raises:
            ValueError: where the rows are not valid.
        """
        docket = cls()
        stages = {stage.value: stage for stage in Stage}
        for id, word, ruled in rows:
            # A dispute without an outcome is open, and only an open one has none.
            if (
                word not in stages
                or ruled not in (None, *get_args(disputes.Outcome))
                or (ruled is None) is not (stages[word] is Stage.OPENED)
                or len(docket) == DISPUTES
            ):
                raise ValueError(_("a dispute that cannot be"))
            docket._found[id] = stages[word], cast("disputes.Outcome | None", ruled)
        return docket

    @property
    def rows(self) -> tuple[tuple[str, str, str | None], ...]:
        """Id, stage and last outcome of every dispute."""
        return tuple([(id, stage.value, ruled) for id, (stage, ruled) in self._found.items()])

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, dispute: str) -> bool:
        return dispute in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def get(self, dispute: str) -> tuple[Stage, disputes.Outcome | None] | None:
        """Return the stage and the last outcome of a dispute; None if there is no such dispute."""
        return self._found.get(dispute)

    def clear(self) -> None:
        """Forget all disputes."""
        self._found.clear()

    def copy(self) -> Docket:
        """Return an independent copy."""
        other = Docket()
        other._found = self._found.copy()
        return other

    def take(self, event: Any, number: int, stands: Stands) -> None:
        """Add event `number`, an act of a dispute; only check a note. `stands` says whether an event was not undone.

        Raises:
            ImpossibleError: where it cannot happen; the docket stays as it was.
        """
        if type(event) is disputes.NoteAdded:
            _check_about(event, number)
            return
        if type(event) is disputes.DisputeOpened:
            self._open(event, number)
            return
        id = event.dispute
        if id not in self._found:
            known = commas([*self._found][:SHOWN]) or _("none")
            refuse("$.dispute", _("no dispute {dispute}; there: {known}"), dispute=repr(id), known=known)
        stage, ruled = self._found[id]
        if type(event) is disputes.DisputeClaimed:
            _check_claim(event)
        now = Circumstances(ruled, event.outcome if type(event) is disputes.DisputeClosed else None)
        after = CHART.fire(stage, ACTS[type(event)], now)
        if after is None:
            _out_of_order(event, stage, now)
        if type(event) is disputes.DisputeRuled:
            _check_ruling(event, number, stands)
            ruled = event.outcome
        self._found[id] = after, ruled

    def _open(self, event: disputes.DisputeOpened, number: int) -> None:
        if event.dispute in self._found:
            refuse("$.dispute", _("there is a dispute {dispute} already; take another id"), dispute=repr(event.dispute))
        _check_about(event, number)
        if len(self._found) == DISPUTES:
            refuse("$.dispute", _("a record may have {most} disputes"), most=DISPUTES)
        self._found[event.dispute] = CHART.initial, None


class Listing:
    """An observer that refuses acts of disputes that cannot happen, for a fold that runs the game's mechanic alone."""

    def __init__(self) -> None:
        self.before: dict[type, Watch] = dict.fromkeys((*ACTS, disputes.NoteAdded), self._taken)
        self.begin()

    def begin(self) -> None:
        """Start with an empty docket."""
        self._docket, self._standing = Docket(), Standing()

    def back_up(self, number: int, to: int) -> None:
        """Note that event `number` undoes those after `to`; a ruling may not name an undone event to back up to."""
        self._standing.back_up(number, to)

    def _taken(self, state: object, event: Any, number: int) -> None:
        self._docket.take(event, number, self._standing.stands)


def _check_about(event: disputes.DisputeOpened | disputes.NoteAdded, number: int) -> None:
    if event.about is not None and not 1 <= event.about < number:
        refuse("$.about", _("event {about} is not an earlier one"), about=event.about)


def _check_claim(event: disputes.DisputeClaimed) -> None:
    if event.designation is None and not event.says:
        refuse("$", _("a claim without content; give designation, says, or both"))


def _check_ruling(event: disputes.DisputeRuled, number: int, stands: Stands) -> None:
    if event.outcome != "back-up":
        if event.to is not None:
            refuse("$.to", _("only a ruling to back up names an event to go to"))
    elif event.to is None:
        refuse("$.to", _("a ruling to back up names the event to go to; give to"))
    elif not 1 <= event.to < number:
        refuse("$.to", _("event {to} is not an earlier one"), to=event.to)
    elif not stands(event.to, number):
        sentence = _("the state after event {to} was undone by backing up; back up to one that stands")
        refuse("$.to", sentence, to=event.to)
    if event.designation is not None and event.outcome != "fix":
        refuse("$.designation", _("only a ruling to fix the game says what it is from now on"))


def _out_of_order(event: Any, stage: Stage, now: Circumstances) -> NoReturn:
    """Raise `ImpossibleError` for an act that is impossible at this stage: why, and what to try instead."""
    if CHART.refusals(stage, ACTS[type(event)], now) == (as_ruled,):
        told = _("what was ruled last in dispute {dispute} is: {ruled}; close it with that, or rule again")
        refuse("$.outcome", told, dispute=repr(event.dispute), ruled=outcome_word(now.ruled))
    if not CHART.allowed(stage):
        sentence = _("dispute {dispute} is closed; open another one")
    elif now.ruled is None:
        sentence = _("nothing was ruled in dispute {dispute}; record dispute-ruled first")
    else:
        sentence = _("the ruling in dispute {dispute} is under appeal; record another dispute-ruled first")
    refuse("$.dispute", sentence, dispute=repr(event.dispute))
