"""Writes a baseline: replays records, and stores every part of the state after (or before) some events of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from operator import itemgetter
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import msgspec

from daynight.framework.baselines.lines import (
    FORMAT,
    At,
    BaselineError,
    Counts,
    Head,
    KeptPart,
    KeptWay,
    RecordBegins,
    Span,
    encode,
)
from daynight.framework.folding.history import History
from daynight.framework.folding.moment import several
from daynight.framework.language.errors import MechanicError, RecordError
from daynight.framework.language.happening import anew
from daynight.framework.language.reader import blocks
from daynight.framework.language.strict import LINE_LENGTH
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Between, Derived, Mechanic

EVERY = 50
"""The default number of events between two moments."""

AnyMechanic: TypeAlias = Mechanic[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Sample:
    """A record for a baseline: its `name` and JSON `lines`. If `filled`, `Mechanic.fill` has completed the events."""

    name: str
    lines: Sequence[bytes]
    filled: bool = False

    @classmethod
    def read(cls, name: str, stream: BinaryIO, *, filled: bool = False) -> Sample:
        """Read the lines of a record, packed with gzip or not.

        Raises:
            RecordError: where a line or the record is too long, or the gzip data is broken.
        """
        data = b"".join(blocks(stream)).removesuffix(b"\n")
        return cls(name, data.split(b"\n") if data else (), filled)


class StoppedError(Exception):
    """A replay stopped at `event`: the event is refused at `path`, or (`path` None) the code of the mechanic failed."""

    def __init__(self, event: int, sentence: str, path: str | None = None) -> None:
        super().__init__(sentence)
        self.event = event
        self.sentence = sentence
        self.path = path


@contextmanager
def stopping(event: int) -> Iterator[None]:
    """Turn any error that is raised in this context into a `StoppedError` at `event`, or at the line that it names."""
    try:
        yield
    except MechanicError as error:
        raise StoppedError(error.line or event, told(error)) from error
    except RecordError as error:
        raise StoppedError(error.line or event, error.sentence, error.path) from None
    except Exception as error:
        raise StoppedError(event, told(error)) from error


def told(error: Exception) -> str:
    """Return an error of a mechanic's own code as a text: the type and the message of the exception."""
    if isinstance(error, MechanicError):
        return error.sentence if error.__cause__ is None else f"{type(error.__cause__).__name__}: {error.__cause__}"
    return f"{type(error).__name__}: {error}"


class Walk:
    """Replays a record from one moment to the next with the current code."""

    def __init__(self, mechanic: AnyMechanic, lines: Sequence[bytes], *, filled: bool = False) -> None:
        self._mechanic = mechanic
        self._events = _read(mechanic, lines, filled)
        with stopping(1):
            self._history: History[Any, Any, Any] = History(mechanic)

    def to(self, at: At) -> Any:
        """Return the state after event `at.event` (with `at.claim`: before it). Each call must ask for a later moment.

        Raises:
            StoppedError: at the first event that is refused, or at which the code of the mechanic fails.
        """
        while len(self._history) < at.event - at.claim:
            event = next(self._events)
            with stopping(len(self._history) + 1):
                self._history.extend(event)
        with stopping(at.event):
            state = self._history.state
            return self._mechanic.seen(state, at.event) if at.claim else state


def _read(mechanic: AnyMechanic, lines: Sequence[bytes], filled: bool) -> Iterator[Any]:
    language, events, fill = mechanic.language, None, anew(mechanic.fill)
    try:
        # Blocks are read many times faster than lines, but whatever goes wrong is found by its line.
        events = [*language.read(BytesIO(b"\n".join((*lines, b""))))]
    except Exception:
        events = None
    for number, line in enumerate(lines, 1):
        with stopping(number):
            event = language.decode(line) if events is None else events[number - 1]
            event = event if filled else fill(event)
        yield event


def moments(mechanic: AnyMechanic, events: Sequence[Any], every: int) -> list[At]:
    """Return the moments of a record that a baseline keeps, in order.

    They are the states after each `every`th event and the last one; before and after each back-up, because later states
    no longer show the undone events; and those with which a claim or a ruling is compared, most of them before its
    event (`At.claim`).
    """
    last = len(events)
    after, claims = {last, *range(every, last + 1, every)}, set[int]()
    for number, event in enumerate(events, 1):
        with stopping(number):
            if mechanic.restores(event) is not None:
                after |= {number - 1, number}
            said = several("says", mechanic.says(event), event, number)
            if said:
                claims.add(number)
            if any(each.after for each in said):
                after.add(number)
    if mechanic.concludes is not None:
        with stopping(last):
            for number, each in mechanic.concludes(events):
                (after if each.after else claims).add(number)
    found = [*(At(number) for number in after if number), *(At(number, True) for number in claims)]
    return sorted(found, key=lambda at: (at.event, not at.claim))


@dataclass(frozen=True, slots=True)
class FailedPart:
    """A part whose own code failed. If `subject` is None, its function `subjects` failed, or it has no subjects."""

    part: str
    subject: Any
    sentence: str


def parts(mechanic: AnyMechanic, state: Any, names: Iterable[str]) -> Iterator[KeptPart | FailedPart]:
    """Yield the named parts that have a value, and those whose code fails; the subjects are sorted by their JSON."""
    for name in names:
        part = mechanic.parts.get(name)
        try:
            subjects = [] if part is None else [(encode(subject), subject) for subject in part.listed(state)]
        except Exception as error:
            yield FailedPart(name, None, told(error))
            continue
        for written, subject in sorted(subjects, key=itemgetter(0)):
            try:
                found = None if part is None else part.of(state, subject)
                if found is not None:
                    yield _kept(name, msgspec.json.decode(written), found)
            except Exception as error:
                yield FailedPart(name, msgspec.json.decode(written), told(error))


def _kept(name: str, subject: Any, found: Derived) -> KeptPart:
    if isinstance(found.values, Between):
        values: Any = Span(found.values.least, found.values.most)
    else:
        values = tuple(msgspec.json.decode(encode(found.values)))
    return KeptPart(name, values, subject, tuple(KeptWay(way.event, way.rule, way.because) for way in found.ways))


def write_baseline(
    mechanic: AnyMechanic,
    target: Path | str | BinaryIO,
    records: Iterable[Sample | Path | str],
    *,
    every: int = EVERY,
) -> Counts:
    """Write a baseline of `records` to `target`: the parts after each `every`th event, and at other `moments`.

    Return how many records, moments and parts the baseline has.

    Raises:
        RecordError: where a line or a file is too long, or its gzip data is broken.
        BaselineError: naming record and event, where a record is empty, an event is refused, or a function fails.
        OSError: where a file cannot be read or written.
        ValueError: where `every` is less than 1.
    """
    if every < 1:
        raise ValueError(f"every: {every} is no number of events; give 1 or more")
    if isinstance(target, (Path, str)):
        # If it fails, an earlier baseline stays as it was.
        part = Path(f"{target}.part")
        try:
            with open(part, "wb") as stream:
                counts = write_baseline(mechanic, stream, records, every=every)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        return counts
    counts = Counts()
    target.write(_line(Head(FORMAT, mechanic.name, mechanic.version, every, tuple(mechanic.parts))))
    for record in records:
        counts = _write_record(mechanic, target, _sample(record), every, counts)
    target.write(_line(counts))
    return counts


def _sample(record: Sample | Path | str) -> Sample:
    if isinstance(record, Sample):
        return record
    with open(record, "rb") as stream:
        return Sample.read(str(record), stream)


def _write_record(mechanic: AnyMechanic, target: BinaryIO, sample: Sample, every: int, counts: Counts) -> Counts:
    if not sample.lines:
        sentence = _("an empty record; expected {tag} on line 1").format(tag=mechanic.language.opening)
        raise BaselineError(sentence, line=1, file=sample.name)
    target.write(_line(RecordBegins(sample.name, len(sample.lines), sample.filled)))
    target.write(b"".join(line + b"\n" for line in sample.lines))
    try:
        events = [*_read(mechanic, sample.lines, sample.filled)]
        walk, wanted = Walk(mechanic, sample.lines, filled=sample.filled), moments(mechanic, events, every)
        written = 0
        for at in wanted:
            target.write(_line(at))
            for part in parts(mechanic, walk.to(at), mechanic.parts):
                if isinstance(part, FailedPart):
                    sentence = _("the part {part} fails: {reason}").format(part=part.part, reason=part.sentence)
                    raise BaselineError(sentence, line=at.event, file=sample.name)
                target.write(_line(part))
                written += 1
    except StoppedError as error:
        raise BaselineError(error.sentence, path=error.path or "$", line=error.event, file=sample.name) from error
    return Counts(counts.records + 1, counts.moments + len(wanted), counts.parts + written)


def _line(line: Any) -> bytes:
    data = encode(line)
    if len(data) > LINE_LENGTH:
        raise BaselineError(_("a line may have {most} bytes, this one has more").format(most=LINE_LENGTH))
    return data + b"\n"
