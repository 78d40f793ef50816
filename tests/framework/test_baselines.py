"""Baselines: a change planted in a mechanic is found when an old record is replayed, and nothing else is reported.

| promise | test |
| --- | --- |
| with the same code nothing differs, however often the baseline stores the parts | test_the_same_code |
| the same records make the same baseline bytes | test_the_same_bytes |
| a change of one part is found, for each part of each mechanic, and no other part is named | test_each_part |
| a change that affects only undone events is found there | test_undone |
| a changed default is found | test_default |
| a changed rule or cause of a part is found only if the ways are compared | test_ways |
| a part that raises an error is named with event, subject and error; the others are compared | test_failing_part |
| a function that fails to list subjects is named likewise | test_failing_subjects |
| a line that is now refused is named with its event; earlier events are compared | test_refused |
| an error in a step, an upcaster or `says` is named with its event | test_failing_code |
| the state that claims are compared with is compared too | test_claims, test_claims_of_the_state_after |
| a removed part is a difference; a new part is reported but not compared | test_parts_come_and_go |
| lines with old tags are stored unchanged | test_old_tags |
| the assertion lists the first few differences | test_assertion |
| if a record is refused or the code fails, nothing is written, and an earlier baseline stays | test_not_written |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any

import msgspec
import pytest

from daynight.disputes.mechanic import DISPUTES
from daynight.framework import Derived, Facts, Happening, Language, Mechanic, Name, Number, Part, Way, derived
from daynight.framework.baselines import taking
from daynight.framework.baselines.lines import BaselineError, Counts
from daynight.framework.baselines.replaying import SHOWN, Deviation, Replay
from daynight.framework.language.codec import encode
from daynight.framework.language.errors import ImpossibleError, RecordError
from daynight.framework.testing import Sample, assert_replays, write_baseline
from daynight.game import Game

from .cases import CASES, EXAMPLES, Case

AnyMechanic = Mechanic[Any, Any, Any]

every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def samples(case: Case) -> list[Sample]:
    """The record of a case; for day and night, several records that cover all its parts."""
    found = [Sample("friday", case.lines, filled=True)]
    for name in ("immerwolf", "first-night") if case.mechanic.name in ("day-and-night", "daynight") else ():
        lines = [encode(event) for event in Game.load(EXAMPLES / f"games/{name}.jsonl").events]
        forbidden = [b'{"type":"transform-forbidden","permanents":["ruffian"],"source":"Moonlight"}']
        found.append(Sample(name, [*lines, *(forbidden if name == "immerwolf" else [])], filled=True))
    return found


def baseline(mechanic: AnyMechanic, *given: Sample, every: int = 5) -> bytes:
    """The bytes of a baseline of the samples `given`; it stores all parts at least after each `every` events."""
    stream = BytesIO()
    write_baseline(mechanic, stream, given, every=every)
    return stream.getvalue()


def found(mechanic: AnyMechanic, data: bytes, *, ways: bool = False) -> list[Deviation]:
    """The differences between the baseline `data` and its replay with this mechanic."""
    return [*Replay(mechanic, BytesIO(data), ways=ways)]


def with_parts(mechanic: AnyMechanic, change: Callable[[Derived], Derived], *names: str) -> AnyMechanic:
    """The mechanic with `change` applied to what the named parts derive; without names to what each part derives."""

    def changed(part: Part[Any]) -> Part[Any]:
        def derive(state: Any, subject: Any) -> Derived | None:
            found = part.derive(state, subject)
            return None if found is None else change(found)

        return replace(part, derive=derive, values=None)

    planted = {name: changed(mechanic.parts[name]) for name in names or mechanic.parts}
    return replace(mechanic, parts={**mechanic.parts, **planted})


def planted(found: Derived) -> Derived:
    """The value `planted` with the ways of `found`."""
    return Derived(("planted",), found.ways)


@every_case
@pytest.mark.parametrize("every", [1, 3, 1000])
@pytest.mark.wide(but=4)
def test_the_same_code(case: Case, every: int) -> None:
    data = baseline(case.mechanic, *samples(case), every=every)
    replay = Replay(case.mechanic, BytesIO(data), ways=True)
    assert [] == [*replay]
    lines = data.splitlines()
    assert replay.counts == msgspec.json.decode(lines[-1], type=Counts)
    kinds = [line[:16] for line in lines]
    assert replay.counts == Counts(
        *(kinds.count(b'{"type":' + kind) for kind in (b'"record"', b'"moment"')),
        sum(line.startswith(b'{"type":"part"') for line in lines),
    )
    assert_replays(case.mechanic, BytesIO(data), ways=True)


@every_case
def test_the_same_bytes(case: Case) -> None:
    data = baseline(case.mechanic, *samples(case))
    assert data == baseline(case.mechanic, *samples(case))
    for sample in samples(case):
        assert b"".join(line + b"\n" for line in sample.lines) in data


@every_case
@pytest.mark.wide(but=1)
def test_each_part(case: Case) -> None:
    data = baseline(case.mechanic, *samples(case))
    for name in case.mechanic.parts:
        other = with_parts(case.mechanic, planted, name)
        differing = found(other, data)
        assert {name} == {one.part for one in differing}, name
        assert {("values", ("planted",))} == {(one.what, one.became) for one in differing}
        assert all(one.was is not None and one.event for one in differing)


@every_case
def test_undone(case: Case) -> None:
    """If `step` now ignores the events that a back-up undoes, parts that it restores differ only at these events."""
    undone, was = range(case.to + 1, case.backs), case.mechanic.step

    def step(state: Any, event: Any, number: int) -> Sequence[Any]:
        # Nothing in a dispute can be undone, and later events depend on it.
        skipped = number in undone and type(event) not in DISPUTES.language.kinds
        return () if skipped else was(state, event, number)

    data = baseline(case.mechanic, Sample("friday", case.lines, filled=True), every=1000)
    lasting = {name for name, part in case.mechanic.parts.items() if part.lasts}
    differing = [one for one in found(replace(case.mechanic, step=step), data) if one.part not in lasting]
    assert {True} == {one.event in undone for one in differing}
    assert case.backs - 1 in {one.event for one in differing}


def desk(lasting: int) -> AnyMechanic:
    """A lending desk with this default for the days of a loan."""

    class Opened(Happening, frozen=True, tag="opened"):
        pass

    class Lent(Happening, frozen=True, tag="lent"):
        book: Name
        days: Number = lasting

    class Lending(Facts):
        due: dict[str, int] = msgspec.field(default_factory=dict)

    def step(lending: Lending, event: Any, number: int) -> Sequence[Any]:
        if isinstance(event, Lent):
            lending.due[event.book] = number + event.days
        return ()

    due = Part[Lending](lambda lending, book: derived(lending.due[book], 1), subjects=lambda lending: set(lending.due))
    return Mechanic(name="desk", language=Language(Opened | Lent), start=Lending, step=step, parts={"due": due})


LENT = Sample("desk", [b'{"type":"opened"}', b'{"type":"lent","book":"Emma"}', b'{"type":"lent","book":"X","days":3}'])


def test_default() -> None:
    (one,) = found(desk(30), baseline(desk(14), LENT))
    assert Deviation("desk", 3, False, "values", "due", "Emma", (16,), (32,)) == one
    assert "desk: event 3: due Emma: was 16, is 32" == str(one)
    assert {"record": "desk", "event": 3, "claim": False, "what": "values", "part": "due", "subject": "Emma",
            "was": (16,), "is": (32,), "sentence": None} == one.document()  # fmt: skip


@every_case
@pytest.mark.parametrize("change", [{"rule": "another"}, {"because": (1, 1)}], ids=str)
def test_ways(case: Case, change: dict[str, Any]) -> None:
    def otherwise(found: Derived) -> Derived:
        return Derived(found.values, tuple(msgspec.structs.replace(way, **change) for way in found.ways))

    data, other = baseline(case.mechanic, *samples(case)), with_parts(case.mechanic, otherwise)
    assert [] == found(other, data)
    differing = found(other, data, ways=True)
    assert {"ways"} == {one.what for one in differing}
    # A part without stored ways has none to compare.
    kept = [one for one in kept_parts(case.mechanic, data) if one.part in {one.part for one in differing}]
    assert len(differing) > len(kept) / 2


@every_case
def test_failing_part(case: Case) -> None:
    def failing(found: Derived) -> Derived:
        raise KeyError("planted")

    data = baseline(case.mechanic, *samples(case))
    kept = kept_parts(case.mechanic, data)
    differing = found(with_parts(case.mechanic, failing), data)
    assert [(one.event, one.part, one.subject) for one in kept] == [
        (one.event, one.part, one.subject) for one in differing
    ]
    assert {("failed", "KeyError: 'planted'")} == {(one.what, one.sentence) for one in differing}
    assert f": the part {differing[0].part}" in str(differing[0])
    # One part raises an error, and another one differs.
    first, second = next(iter(case.mechanic.parts)), next(iter(reversed(case.mechanic.parts)))
    both = with_parts(with_parts(case.mechanic, failing, first), planted, second)
    assert {"failed", "values"} == {one.what for one in found(both, data)} or second not in {one.part for one in kept}


def kept_parts(mechanic: AnyMechanic, data: bytes) -> list[Deviation]:
    """A deviation for every part that the baseline `data` stores: in its replay no part has a value."""
    nothing = {name: replace(part, derive=lambda state, subject: None) for name, part in mechanic.parts.items()}
    return found(replace(mechanic, parts=nothing), data)


def test_failing_subjects() -> None:
    case = CASES["the monarch"]
    data = baseline(case.mechanic, *samples(case))
    part = replace(case.mechanic.parts["draws"], subjects=lambda reign: reign.nobody)
    differing = found(replace(case.mechanic, parts={**case.mechanic.parts, "draws": part}), data)
    assert {("draws", None, "AttributeError: 'Reign' object has no attribute 'nobody'")} == {
        (one.part, one.subject, one.sentence) for one in differing
    }


def stepping(case: Case, number: int, error: Exception) -> AnyMechanic:
    """The mechanic of a case with a step that raises `error` at event `number`."""

    def step(state: Any, event: Any, at: int) -> Sequence[Any]:
        if at == number:
            raise error
        return case.mechanic.step(state, event, at)

    return replace(case.mechanic, step=step)


@every_case
def test_refused(case: Case) -> None:
    data = baseline(case.mechanic, *samples(case), every=1)
    first = ImpossibleError("no longer", path="$.player")
    told = found(stepping(case, 7, first), data)
    assert [("friday", 7, "refused", "$.player: no longer")] == [
        (one.record, one.event, one.what, one.sentence) for one in told if one.record == "friday"
    ]
    assert len(samples(case)) == len(told)
    assert all(one.stops for one in told)
    assert "friday: event 7: refused: $.player: no longer" == str(told[0])
    # Earlier events are compared, and so is the rest of the baseline.
    other = stepping(case, len(case.lines), first)
    name = next(iter(case.mechanic.parts))
    told = found(with_parts(other, planted, name), data)
    assert {name, None} == {one.part for one in told}


def test_failing_code() -> None:
    case = CASES["an approval"]
    data = baseline(case.mechanic, *samples(case))
    (one,) = found(stepping(case, 7, KeyError("planted")), data)
    assert (7, "failed", None, True) == (one.event, one.what, one.part, one.stops)
    assert "friday: event 7: the code fails: KeyError: 'planted'" == str(one)

    def seen(state: Any, number: int) -> Any:
        raise ValueError("planted")

    (one,) = found(replace(case.mechanic, seen=seen), data)
    assert (8, True, "failed", None) == (one.event, one.claim, one.what, one.part)
    assert "friday: event 8, as the claim finds it: the code fails: ValueError: planted" == str(one)
    (one,) = found(replace(case.mechanic, restores=seen_nothing), data)
    assert (1, "failed") == (one.event, one.what)
    (one,) = found(replace(case.mechanic, start=seen_nothing), data)
    assert (1, "failed") == (one.event, one.what)


def seen_nothing(*given: Any) -> Any:
    """A function that always raises ZeroDivisionError."""
    raise ZeroDivisionError


def test_claims() -> None:
    case = CASES["the monarch"]
    data = baseline(case.mechanic, Sample("friday", case.lines), every=1000)

    def seen(reign: Any, number: int) -> Any:
        reign.monarch = "nobody"
        return reign

    differing = found(replace(case.mechanic, seen=seen), data)
    assert [(8, True), (14, True), (16, True)] == [(one.event, one.claim) for one in differing]
    assert 'friday: event 8, as the claim finds it: monarch: was "Bo", is "nobody"' == str(differing[0])


def test_claims_of_the_state_after() -> None:
    """A baseline stores the parts after an event too, if a claim in that event is compared with the state after it."""
    case = CASES["the monarch"]
    events = [*taking._read(case.mechanic, case.lines, filled=False)]

    def says(event: Any) -> Any:
        return [msgspec.structs.replace(said, after=True) for said in case.mechanic.says(event)]

    usual, after = (
        {at.event for at in taking.moments(mechanic, events, 1000) if not at.claim}
        for mechanic in (case.mechanic, replace(case.mechanic, says=says))
    )
    assert after - usual == {8, 14}
    assert 16 in usual, "it is the last event"


def test_parts_come_and_go() -> None:
    case = CASES["an approval"]
    data, old = baseline(case.mechanic, *samples(case)), case.mechanic.parts
    renamed = replace(case.mechanic, parts={"phase": old["stage"], "approval": old["approval"]})
    replay = Replay(renamed, BytesIO(data))
    differing = [*replay]
    assert ("phase",) == replay.new_parts
    assert {("stage", None)} == {(one.part, one.became) for one in differing}
    assert 'friday: event 5: stage: was "draft", is nothing' == str(differing[0])


def test_old_tags() -> None:
    old = desk(14)
    raised = {"opened.0": lambda fields: fields | {"type": "opened"}}
    language = Language(old.language.events, upcasters=raised)
    lines = [b'{ "type": "opened.0" }', *LENT.lines[1:]]
    data = baseline(replace(old, language=language), Sample("desk", lines))
    assert b"".join(line + b"\n" for line in lines) in data
    assert [] == found(replace(old, language=language), data, ways=True)
    (one,) = found(old, data)
    assert (1, "refused") == (one.event, one.what)
    assert one.sentence is not None
    assert "opened.0" in one.sentence


def test_assertion() -> None:
    case = CASES["a game and its disputes"]
    data = baseline(case.mechanic, *samples(case), every=1)
    with pytest.raises(AssertionError) as info:
        assert_replays(with_parts(case.mechanic, planted, "card"), BytesIO(data))
    told = str(info.value).splitlines()
    assert (SHOWN + 1, "...") == (len(told), told[-1])
    with pytest.raises(AssertionError, match=r"^desk: event 3: due Emma: was 16, is 32$"):
        assert_replays(desk(30), BytesIO(baseline(desk(14), LENT)))


def test_not_written(tmp_path: Any) -> None:
    case = CASES["the monarch"]
    file = tmp_path / "record.jsonl"
    for lines, place in (([], 1), ([*case.lines, b"{}"], 17), ([*case.lines, b'{"type":"backed-up","to":11}'], 17)):
        file.write_bytes(b"\n".join(lines))
        with pytest.raises(RecordError) as refusal:
            write_baseline(case.mechanic, BytesIO(), [file])
        assert str(refusal.value).startswith(f"{file}:{place}: ")
    file.write_bytes(b"\n".join(case.lines))
    failing = replace(case.mechanic.parts["draws"], derive=seen_nothing)
    write_baseline(case.mechanic, tmp_path / "base", [file])
    before = (tmp_path / "base").read_bytes()
    with pytest.raises(BaselineError, match=r"record.jsonl:8: \$: the part draws fails: ZeroDivisionError"):
        write_baseline(replace(case.mechanic, parts={"draws": failing}), tmp_path / "base", [file])
    unwritten = replace(case.mechanic.parts["draws"], derive=lambda reign, player: Derived((object(),), (Way(1),)))
    with pytest.raises(BaselineError, match=r"the part draws fails: TypeError: Encoding objects of type object"):
        write_baseline(replace(case.mechanic, parts={"draws": unwritten}), tmp_path / "base", [file])
    with pytest.raises(ValueError, match="every: 0"):
        write_baseline(case.mechanic, tmp_path / "base", [file], every=0)
    assert (tmp_path / "base").read_bytes() == before
    assert {one.name for one in tmp_path.iterdir()} == {"base", "record.jsonl"}
