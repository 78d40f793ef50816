"""Marks in records: they name the version of a mechanic's rules that accepted an event.

A mechanic with a `check` marks its records. The first event, and each later one that another version accepted, names
the version in its field `rules`. A mark applies to the following lines of the file, even if back-ups undo some. A
record without marks does not say which rules accepted it. Reading a record never checks it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace as changed

from daynight.framework.folding.fold import Fold, Watched
from daynight.framework.language.errors import (
    AnswerError,
    DaynightError,
    ImpossibleError,
    NotFoundError,
    RecordError,
    UnreadableError,
    failed,
)
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _, counted
from daynight.framework.mechanic import Check, Mechanic

AnyMechanic: TypeAlias = Mechanic[Any, Any, Any]

Version: TypeAlias = int | tuple[int, ...]


class Refusal(Struct, frozen=True):
    """The number of an `event` that version `rules` of the rules refuses, and the sentence and path of the error."""

    event: int
    rules: Version
    sentence: str
    path: str = "$"


def spelled(version: Version) -> str:
    """Return a version as text; the version of two joined mechanics is written `2.1`."""
    return ".".join(map(str, version)) if isinstance(version, tuple) else str(version)


def known(mechanic: AnyMechanic) -> dict[Version, Check]:
    """Return the checks of the known versions: the current one first, then the others from new to old."""
    if mechanic.check is None:
        return {}
    return {mechanic.version: mechanic.check} | dict(sorted(mechanic.checks.items(), reverse=True))


def in_force(events: Iterable[Any], rules: Version | None = None) -> Iterator[Version | None]:
    """Yield for each event the version that accepted it, None if unknown; `rules` is the version before any mark."""
    for event in events:
        rules = _mark(event) or rules
        yield rules


def last_mark(events: Sequence[Any]) -> Version | None:
    """Return the version that accepted the last event; None if the events do not say."""
    return next((rules for event in reversed(events) if (rules := _mark(event)) is not None), None)


def marked(event: Any, rules: Version | None) -> Any:
    """Return the event with the mark `rules`, or without one if `rules` is None."""
    return event if _mark(event) == rules else changed(event, rules=rules)


def _mark(event: Any) -> Version | None:
    rules: Version | None = getattr(event, "rules", None)
    return rules


def check_unmarked(event: Any, place: str = "$") -> None:
    """Refuse an event that already has a mark: the framework alone chooses the rules that check it.

    `place` is the path of the event in the caller's input.

    Raises:
        UnreadableError: where the event has a mark, its field `rules`.
    """
    if _mark(event) is not None:
        sentence = _("rules is written by daynight, when it records an event; leave it out")
        raise UnreadableError(sentence, path=f"{place}.rules")


def check_event(check: Check, state: Any, event: Any, number: int) -> None:
    """Call `check` for event `number`, with the state before it.

    Raises:
        RecordError: with its line, where the check refuses the event, or fails.
        AnswerError: where the check returns a value other than None.
    """
    try:
        answer = check(state, event, number)
    except RecordError as error:
        raise error.located(line=number) from None
    except DaynightError:
        raise
    except Exception as error:
        raise failed(f"check, event {number} ({type(event).__name__})", error, number) from error
    if answer is not None:
        sentence = f"check, event {number}: it answered {answer!r}; raise ImpossibleError to refuse, else answer None"
        raise AnswerError(sentence, line=number)


class Checking:
    """An observer that checks each event by the version that the last mark names, and collects `refusals`.

    With `rules`, it checks every event by that version instead. `first` is the version of the events before the first
    mark. `unknown` counts the events of versions without a known check, by version (None: no version is named). With
    `strict`, the first refusal is raised as `ImpossibleError`.
    """

    def __init__(
        self, mechanic: AnyMechanic, *, rules: Version | None = None, first: Version | None = None, strict: bool = False
    ) -> None:
        self._checks = known(mechanic)
        self._rules = rules
        self._first = first
        self._strict = strict
        self.before = dict.fromkeys(mechanic.language.kinds, self._look)
        self.begin()

    def begin(self) -> None:
        """Forget all refusals and counts: a fold begins with event 1."""
        self.refusals: list[Refusal] = []
        self.unknown: dict[Version | None, int] = {}
        self._now = self._first

    def back_up(self, number: int, to: int) -> None:
        """Do nothing: marks depend on the place in the file, not on back-ups."""

    def _look(self, state: Any, event: Any, number: int) -> None:
        self._now = _mark(event) or self._now
        rules = self._rules or self._now
        check = None if rules is None else self._checks.get(rules)
        if rules is None or check is None:
            self.unknown[rules] = self.unknown.get(rules, 0) + 1
            return
        try:
            check_event(check, state, event, number)
        except ImpossibleError as error:
            self.refusals.append(Refusal(number, rules, error.sentence, error.path))
            if self._strict:
                raise


def refusals(mechanic: AnyMechanic, events: Sequence[Any], rules: Version | None = None) -> list[Refusal]:
    """Return a `Refusal` for each event that version `rules` (None: the current one) refuses in the state before it.

    Raises:
        NotFoundError: where that version is not known.
    """
    if mechanic.check is None and rules in (None, mechanic.version):
        return []
    rules = mechanic.version if rules is None else rules
    if rules not in known(mechanic):
        raise NotFoundError(not_known(mechanic, rules))
    checking = Checking(mechanic, rules=rules)
    _folded(mechanic, events, checking)
    return checking.refusals


def not_known(mechanic: AnyMechanic, rules: Version) -> str:
    """Return the sentence for a version that this code does not know: it names the known ones, and what to do."""
    there = commas([spelled(version) for version in known(mechanic)]) or _("none")
    sentence = _("rules {rules} are not known here; there are: {known}; keep the check of that time in checks")
    given, today = [list(one) if isinstance(one, tuple) else [one] for one in (rules, mechanic.version)]
    if given > today:
        sentence = _("rules {rules} are not known here; there are: {known}; use the newer code of the mechanic")
    return sentence.format(rules=spelled(rules), known=there)


def not_checked(events: int) -> str:
    """Return the sentence that says how many events could not be checked, for their rules are not known or named."""
    return counted(
        "{n} event was accepted by rules that are not known here, or not named",
        "{n} events were accepted by rules that are not known here, or not named",
        events,
    )


def accepted(mechanic: AnyMechanic, events: Sequence[Any], *, trust: bool = False) -> Version | None:
    """Check an imported record by the rules that its marks name; return the version that accepts its unmarked events.

    The current version checks the events before the first mark; if it refuses one, each earlier version checks them
    all, the newest first. The answer is None if event 1 is marked, or the mechanic has no `check`. With `trust`,
    events marked with an unknown version are accepted without a check.

    Raises:
        RecordError: where a version is unknown, or where the rules refuse an event.
    """
    if mechanic.check is None:
        for number, rules in enumerate(in_force(events), 1):
            if rules is not None and not trust and rules != mechanic.version:
                raise UnreadableError(not_known(mechanic, rules), path="$.rules", line=number)
        return None
    checks = known(mechanic)
    for number, rules in enumerate(in_force(events), 1):
        if rules is not None and rules not in checks and not trust:
            raise UnreadableError(not_known(mechanic, rules), path="$.rules", line=number)
    if not events or _mark(events[0]) is not None:
        _folded(mechanic, events, Checking(mechanic, strict=True))
        return None
    refused: RecordError | None = None
    for version in checks:
        checking = Checking(mechanic, first=version, strict=True)
        try:
            _folded(mechanic, events, checking)
            return version
        except ImpossibleError as error:
            if checking.refusals and len(checks) == 1 and mechanic.version != 1:
                # It names no rules, and there is no earlier check to ask.
                sentence = _("{sentence}; if older rules accepted it, give their check in checks")
                error.sentence = sentence.format(sentence=error.sentence)
            # The sentence of today's rules is the one that helps.
            refused = refused or error
    assert refused is not None
    raise refused


def _folded(mechanic: AnyMechanic, events: Sequence[Any], checking: Checking) -> None:
    keep = {to for event in events if (to := mechanic.restores(event)) is not None}
    Fold(Watched(mechanic, (checking,)), keep=keep).over(events)
