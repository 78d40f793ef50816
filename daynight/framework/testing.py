"""Tests of a mechanic as given, when, then. They raise AssertionError themselves, so any test runner will do."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from daynight.framework.audit import Verdict
from daynight.framework.baselines.replaying import assert_replays
from daynight.framework.baselines.taking import Sample, write_baseline
from daynight.framework.chart import misspelt
from daynight.framework.edits import Recordable
from daynight.framework.folding.moment import Moment
from daynight.framework.language.errors import RecordError, failed
from daynight.framework.mechanic import Facts, Mechanic
from daynight.framework.recorded import Recorded

__all__ = ["Sample", "Scenario", "assert_replays", "given", "write_baseline"]


class Scenario:
    """A record, and the consequences of its latest event.

    A scenario never changes: each `when` returns another one. Every other method checks something and returns a
    scenario to go on with. A failed check raises AssertionError with the expected and the actual value.
    """

    def __init__(
        self,
        record: Recorded[Any, Any, Any],
        moment: Moment[Any, Any] | None = None,
        refusal: RecordError | None = None,
    ) -> None:
        self.record = record
        self.moment = moment
        self.refusal = refusal

    def when(self, *events: Recordable) -> Scenario:
        """Record these events, up to the first that is refused; then a call of `refused` must follow.

        The step of each event is run twice more, on copies of the state before the event: each time it must return the
        same consequences and make the same changes.
        """
        self._not_refused()
        record, moment = self.record.what_if(len(self.record), ()), self.moment
        earlier = record.state
        looked = repr(earlier)
        for event in events:
            before = record.whole(len(record))
            try:
                moment = record.record(event)
            except RecordError as error:
                return Scenario(record, None, error)
            _check_pure(record, before, moment)
        _check_apart(looked, repr(earlier))
        _check_kept(record.mechanic, record.whole(len(record)))
        return Scenario(record, moment)

    def then(self, *consequences: Any) -> Scenario:
        """Check that the latest event had exactly these consequences, in this order.

        Each is a consequence, or its class, or some of its fields: `{"player": "Ana"}`.
        """
        self._not_refused()
        found = () if self.moment is None else self.moment.consequences
        fits = len(found) == len(consequences) and all(map(_fits, found, consequences))
        strange = "".join(map(_strange, found, consequences))
        _check(fits, f"expected {_listed(consequences)}\nfound {_listed(found)}{strange}")
        return self

    def refused(self, *, path: str | None = None, sentence: str = "") -> Scenario:
        """Check that the latest event was refused, at `path` (`$.player`) if given, by a text that has `sentence`."""
        error = self.refusal
        if error is None:
            raise AssertionError("expected a refusal; the event was recorded")
        _check(path in (None, error.path), f"expected a refusal at {path}\nfound {error}")
        _check(sentence in error.sentence, f"expected a refusal with {sentence!r}\nfound {error}")
        return Scenario(self.record)

    def part(self, name: str, subject: str | None, value: Any, *, rule: str | None = None) -> Scenario:
        """Check that a part has this value, and that it came about by this `rule` if one is given.

        If `value` is a set, these must be the possible values. None: the part has no value now.
        """
        self._not_refused()
        parts, state = self.record.mechanic.parts, self.record.whole(len(self.record))
        _check(name in parts, misspelt("there is no part", name, parts))
        found = parts[name].of(state, subject)
        known = [*parts[name].listed(state)]
        _check(found is None or subject in known, f"{name}: {subject!r} is none of its subjects, {known}")
        of = name if subject is None else f"{name} of {subject}"
        values = None if found is None else set(found.values)
        expected = value if isinstance(value, set) or value is None else {value}
        _check(values == expected, f"{of}: expected {value!r}\nfound {found}")
        rules = set() if found is None else {way.rule for way in found.ways}
        _check(rule is None or rules == {rule}, f"{of}: expected the rule {rule!r}\nfound {found}")
        return self

    def audited(self, verdict: Verdict) -> Scenario:
        """Check the verdict of the audit of the whole record."""
        self._not_refused()
        audit = self.record.audited()
        found = [(finding.event, finding.said, finding.derived) for finding in audit.findings]
        _check(audit.verdict == verdict, f"expected the verdict {verdict}\nfound {audit.verdict}: {found}")
        return self

    def _not_refused(self) -> None:
        _check(self.refusal is None, f"the event was refused: {self.refusal}")


def given(mechanic: Mechanic[Any, Any, Any], *events: Recordable) -> Scenario:
    """Return the scenario after these events of a mechanic.

    >>> from daynight.framework import Happening, Language, Part, derived
    >>> class Pressed(Happening, frozen=True, tag="pressed"):
    ...     times: int
    >>> class Presses:
    ...     def __init__(self, so_far=0):
    ...         self.so_far = so_far
    ...     def copy(self):
    ...         return Presses(self.so_far)
    >>> def step(presses, event, number):
    ...     presses.so_far += event.times
    ...     return ["light"] if presses.so_far % 2 else []
    >>> parts = {"presses": Part(lambda presses, subject: derived(presses.so_far, 1))}
    >>> lamp = Mechanic(name="lamp", language=Language(Pressed), start=Presses, step=step, parts=parts)

    >>> scenario = given(lamp, Pressed(times=2)).when(Pressed(times=3)).then("light").part("presses", None, 5)
    >>> _ = scenario.when({"type": "pressed"}).refused(path="$.times", sentence="missing")
    >>> scenario.when(Pressed(times=1)).then("light")
    Traceback (most recent call last):
    AssertionError: expected light
    found nothing

    Raises:
        RecordError: where one of the events is refused.
    """
    record: Recorded[Any, Any, Any] = Recorded(mechanic, events)
    return Scenario(record)


def _fits(found: Any, expected: Any) -> bool:
    if isinstance(expected, type):
        return isinstance(found, expected)
    if isinstance(expected, Mapping):
        return all(getattr(found, name, None) == value for name, value in expected.items())
    return bool(found == expected)


def _strange(found: Any, expected: Any) -> str:
    """Return a sentence for each field in `expected` that the consequence `found` lacks; empty if it has them all."""
    missing = [name for name in expected if not hasattr(found, name)] if isinstance(expected, Mapping) else []
    known = getattr(found, "__struct_fields__", ())
    return "".join(f"\n{misspelt(f'{type(found).__name__} has no field', name, known)}" for name in missing)


def _check_pure(record: Recorded[Any, Any, Any], before: Any, moment: Moment[Any, Any]) -> None:
    """Check that the step of `moment`, run again from `before`, gives the same result and draws no random number."""
    mechanic, number = record.mechanic, moment.number
    place = f"step, event {number} ({type(moment.event).__name__})"
    untouched, drawn = before.copy(), _drawn()
    looked = repr(_seen(mechanic, untouched))
    outcomes = []
    try:
        if moment.restores is None:
            outcomes.append((moment.consequences, record.whole(number)))
        for state in (before.copy(), before.copy()):
            outcomes.append((tuple(mechanic.step(state, moment.event, number)), state))
    except RecordError as error:
        raise AssertionError(f"{place}: it was possible; run again, it is refused: {error}\n{_PURE}") from None
    _check(drawn == _drawn(), f"{place}: it draws random numbers\n{_PURE}")
    _check_apart(looked, repr(_seen(mechanic, untouched)))
    (found, after), *others = outcomes
    for answered, state in others:
        seen = _seen(mechanic, after)
        for name, value in {"its answer": answered, **_seen(mechanic, state)}.items():
            one = found if name == "its answer" else seen.get(name)
            alike = one == value or _NOWHERE.sub("", repr(one)) == _NOWHERE.sub("", repr(value))
            _check(alike, f"{place}: run twice from one state, it differs in {name}: {one!r}\nand {value!r}\n{_PURE}")


_PURE = "a step reads no clock, no file, no random number, and nothing that another step has changed"

_NOWHERE = re.compile(" at 0x[0-9a-f]+")
"""Matches the memory address in an object's default repr."""


def _drawn() -> object:
    """Return the state of Python's random generator; None if `random` was never imported."""
    random = sys.modules.get("random")
    return None if random is None else random.getstate()


def _seen(mechanic: Mechanic[Any, Any, Any], state: Any) -> dict[str, Any]:
    """Return by name what can be seen of a state: its fields (if it has none, its frozen form), and its parts."""
    names: Iterable[str] = getattr(state, "__struct_fields__", getattr(state, "__dict__", ()))
    seen = {f"the field {name}": getattr(state, name) for name in names}
    if not seen and mechanic.freeze is not None:
        seen["the frozen state"] = mechanic.freeze(state)
    parts = mechanic.derived(state)
    return seen | {f"the part {name} of {subject!r}": found.values for name, subject, found in parts}


def _check_apart(looked: str, now: str) -> None:
    """Check that steps did not change a copy of the state: its repr is `now` what it was before, `looked`."""
    told = "step changes what a state shares with its copies, such as a list in a list"
    _check(looked == now, f"{told}: {looked}\nbecame {now}")


def _check_kept(mechanic: Mechanic[Any, Any, Any], state: Any) -> None:
    """Check that a state of plain fields is the same after freeze and thaw."""
    if mechanic.freeze is None or mechanic.thaw is None or not isinstance(state, Facts):
        return
    try:
        thawed = mechanic.thaw(mechanic.freeze(state))
    except Exception as error:
        raise AssertionError(str(failed("thaw(freeze(state))", error))) from error
    for name in state.__struct_fields__:
        kept, lost = getattr(thawed, name, None), getattr(state, name)
        _check(kept == lost, f"thaw(freeze(state)) changes {name}: it was {lost!r}\nand is {kept!r}")


def _listed(consequences: Any) -> str:
    return ", ".join(map(str, consequences)) or "nothing"


def _check(right: bool, sentence: str) -> None:
    if not right:
        raise AssertionError(sentence)
