"""Replays a baseline with the current code, and finds what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

from msgspec import Struct, to_builtins

from daynight.framework.baselines.lines import (
    At,
    Baseline,
    BaselineError,
    Counts,
    KeptMoment,
    KeptPart,
    KeptRecord,
    encode,
)
from daynight.framework.baselines.taking import AnyMechanic, FailedPart, StoppedError, Walk, parts
from daynight.framework.language.errors import tame
from daynight.framework.language.wording import _

_Key: TypeAlias = tuple[str, bytes, int]
_Side: TypeAlias = tuple[Literal["values", "ways"], Any, Any]


class Deviation(Struct, frozen=True):
    """A difference from a baseline, at an `event` of a `record`.

    `what` is "values" if the values of a part differ, "ways" if only its ways do, "failed" if the part's code raised.
    Without a `part`, the event is now "refused", or the code "failed" at it; the rest of the record is not compared.
    `was` and `became` are JSON; None: the part has no value. With `claim`, the compared state is that before the event,
    with which a claim of the event is compared.
    """

    record: str
    event: int
    claim: bool
    what: Literal["values", "ways", "refused", "failed"]
    part: str | None = None
    subject: Any = None
    was: Any = None
    became: Any = None
    sentence: str | None = None

    @property
    def stops(self) -> bool:
        """Whether the rest of the record could not be compared."""
        return self.part is None

    @property
    def place(self) -> str:
        """The record and the event of the difference, in words."""
        words = _("{record}: event {event}, as the claim finds it") if self.claim else _("{record}: event {event}")
        return words.format(record=self.record, event=self.event)

    def __str__(self) -> str:
        if self.stops:
            words = _("{place}: the code fails: {reason}")
            if self.what == "refused":
                words = _("{place}: refused: {reason}")
            return words.format(place=self.place, reason=self.sentence)
        part = self.part if self.subject is None else f"{self.part} {_plainly(self.subject)}"
        if self.what == "failed":
            return _("{place}: the part {part} fails: {reason}").format(
                place=self.place, part=part, reason=self.sentence
            )
        words = _("{place}: {part}: was {was}, is {now}")
        if self.what == "ways":
            words = _("{place}: {part}, how it came about: was {was}, is {now}")
        return words.format(place=self.place, part=part, was=_side(self.was), now=_side(self.became))

    def document(self) -> dict[str, Any]:
        """Return the difference as JSON; `became` is called `is` there."""
        document = {"record": self.record, "event": self.event, "claim": self.claim, "what": self.what}
        document |= {"part": self.part, "subject": self.subject, "was": self.was, "is": self.became}
        return document | {"sentence": self.sentence}


class Replay:
    """Replays a baseline with the current code: iterate over it, once, to get the deviations.

    With `ways`, the ways of each part are compared too. `counts` counts the compared records, moments and parts. Parts
    that the baseline does not know are not compared; `new_parts` has their names.

    Raises:
        BaselineError: where the file is no baseline, a line of it is refused, or it belongs to another mechanic.
        OSError: where the file cannot be read.
    """

    def __init__(self, mechanic: AnyMechanic, source: Path | str | BinaryIO, *, ways: bool = False) -> None:
        self.mechanic = mechanic
        self.baseline = Baseline(source)
        self.ways = ways
        self.counts = Counts()
        head = self.baseline.head
        if head.mechanic != mechanic.name:
            sentence = _("a baseline of {other}, not of {mechanic}")
            sentence = sentence.format(other=head.mechanic, mechanic=mechanic.name)
            file = str(source) if isinstance(source, (Path, str)) else None
            raise BaselineError(sentence, path="$.mechanic", line=1, file=file)
        self.new_parts = tuple(name for name in mechanic.parts if name not in head.parts)

    def __iter__(self) -> Iterator[Deviation]:
        for record in self.baseline.records():
            self._count(records=1)
            yield from self._of_record(record)

    def _of_record(self, record: KeptRecord) -> Iterator[Deviation]:
        name = record.begins.record
        at = At(1)
        try:
            walk = Walk(self.mechanic, record.lines, filled=record.begins.filled)
            for moment in record.moments:
                at = moment.at
                state = walk.to(at)
                self._count(moments=1)
                yield from self._of_moment(name, moment, state)
        except StoppedError as error:
            claim = at.claim and at.event == error.event
            if error.path is None:
                yield Deviation(name, error.event, claim, "failed", sentence=error.sentence)
            else:
                sentence = f"{error.path}: {error.sentence}"
                yield Deviation(name, error.event, claim, "refused", sentence=sentence)

    def _of_moment(self, record: str, moment: KeptMoment, state: Any) -> Iterator[Deviation]:
        at = moment.at
        found = [*parts(self.mechanic, state, self.baseline.head.parts)]
        failed = [one for one in found if isinstance(one, FailedPart)]
        for one in failed:
            yield Deviation(record, at.event, at.claim, "failed", one.part, one.subject, sentence=one.sentence)
        lost = {(one.part, encode(one.subject)) for one in failed}
        were, are = _by_key(moment.parts), _by_key(one for one in found if isinstance(one, KeptPart))
        self._count(parts=len(were))
        for key in dict.fromkeys((*were, *are)):
            was, now = were.get(key), are.get(key)
            if now is None and ((key[0], key[1]) in lost or (key[0], b"null") in lost):
                continue
            part, subject = key[0], (was or now or moment.parts[0]).subject
            for what, left, right in self._sides(was, now):
                yield Deviation(record, at.event, at.claim, what, part, subject, left, right)

    def _sides(self, was: KeptPart | None, now: KeptPart | None) -> Iterator[_Side]:
        if was is None or now is None or encode(was.values) != encode(now.values):
            yield "values", was and to_builtins(was.values), now and to_builtins(now.values)
        elif self.ways and was.ways != now.ways:
            yield "ways", to_builtins(was.ways), to_builtins(now.ways)

    def _count(self, records: int = 0, moments: int = 0, parts: int = 0) -> None:
        now = self.counts
        self.counts = Counts(now.records + records, now.moments + moments, now.parts + parts)


def _by_key(found: Iterable[KeptPart]) -> dict[_Key, KeptPart]:
    """Return the parts by key: name, JSON of the subject, and a number from 0, as subjects may have the same JSON."""
    times: Counter[tuple[str, bytes]] = Counter()
    keyed: dict[_Key, KeptPart] = {}
    for one in found:
        alike = (one.part, encode(one.subject))
        keyed[*alike, times[alike]] = one
        times[alike] += 1
    return keyed


def _plainly(subject: Any) -> str:
    return subject if isinstance(subject, str) else encode(subject).decode()


def _side(found: Any) -> str:
    """Return the values or ways as text: the JSON of each, joined by "or"; a range as one object, None as "nothing"."""
    if found is None:
        return _("nothing")
    if isinstance(found, dict):
        return encode(found).decode()
    return _(" or ").join(encode(value).decode() for value in found) or "[]"


SHOWN = 20
"""The most differences that an assertion error lists."""


def assert_replays(mechanic: AnyMechanic, baseline: Path | str | BinaryIO, *, ways: bool = False) -> None:
    """Check that each record of a baseline replays with the current code as it did when the baseline was written.

    Raises:
        AssertionError: naming what differs.
        BaselineError: where the file is no baseline, or belongs to another mechanic.
        OSError: where the file cannot be read.
    """
    found = [*islice(Replay(mechanic, baseline, ways=ways), SHOWN + 1)]
    if found:
        more = ["..."] if len(found) > SHOWN else []
        raise AssertionError("\n".join([*(tame(str(one)) for one in found[:SHOWN]), *more]))
