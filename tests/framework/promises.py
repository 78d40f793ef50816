"""What the framework promises for any mechanic in memory; each promise is a function of a case.

| promise | function |
| --- | --- |
| events written and read again give the same bytes, as objects, lines and files | written_and_read |
| a malformed line is refused with line and path, and changes nothing | malformed_is_refused |
| the schema accepts every line, and refuses bad lines as far as a schema can | schema |
| an impossible event is refused with line and path, and changes nothing | impossible_is_refused |
| the state at a moment equals that of the record cut off there | time_travel |
| a back-up restores the state, and undoes the events between | backing_up |
| a claim inserted on a branch changes only numbers of later events, also where other events refer to them | what_if |
| an impossible inserted event is refused; a later one that becomes impossible ends the branch | what_if_refuses |
| the audit finds the claims that differ from the state before them | audit |
| an audit of streamed events equals the audit of the record | streaming |
| blame names the events at which a part changed | blame |
| bisect finds the same event as a full search | bisect |
| search, slices, numbers and tables give the right moments | looking |
| the test kit passes true statements about the record | kit |
| a frozen and thawed state continues as the original | frozen |
"""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterable
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from daynight.framework import Recorded, drop, given, insert, replace
from daynight.framework.audit import Audit, Finding, streamed
from daynight.framework.language.codec import encode, encode_lines
from daynight.framework.language.errors import AskedError, NotFoundError, RecordError
from daynight.framework.language.happening import tag_of
from daynight.framework.positions import PositionError

from .cases import Case
from .spoiling import spoiled, told_by_schema


def written_and_read(case: Case, folder: Path) -> None:
    record = case.record()
    record.save(folder / "record.jsonl")
    data = (folder / "record.jsonl").read_bytes()
    assert data == b"".join(line + b"\n" for line in case.lines)
    assert record == Recorded.load(case.mechanic, folder / "record.jsonl") == Recorded(case.mechanic, case.lines)
    assert record.events == Recorded(case.mechanic, map(json.loads, case.lines)).events
    assert data == encode_lines(case.mechanic.language.read(BytesIO(data)))
    step_by_step: Recorded[Any, Any, Any] = Recorded(case.mechanic)
    assert list(record) == [step_by_step.record(event) for event in case.events]


def malformed_is_refused(case: Case, folder: Path) -> None:
    number, name = case.named
    before, after = case.lines[: number - 1], case.lines[number:]
    count = 0
    for what, bad, path in spoiled(case.lines[number - 1], name):
        data = b"\n".join([*before, bad, *after]) + b"\n"
        taken: list[Any] = []
        with pytest.raises(RecordError) as refusal:
            taken.extend(case.mechanic.language.read(BytesIO(data)))
        assert (number, path) == (refusal.value.line, refusal.value.path), f"{what}: {refusal.value}"
        assert case.events[: number - 1] == tuple(taken), what
        record = case.record(number - 1)
        with pytest.raises(RecordError) as refusal:
            record.record(bad)
        assert (number, path) == (refusal.value.line, refusal.value.path), f"{what}: {refusal.value}"
        assert number - 1 == len(record)
        count += 1
    assert count >= 40
    file = folder / "malformed.jsonl"
    file.write_bytes(b"\n".join([*before, b"{}", *after]))
    with pytest.raises(RecordError) as refusal:
        Recorded.load(case.mechanic, file)
    assert str(refusal.value).startswith(f"{file}:{number}: $: ")
    with pytest.raises(RecordError) as refusal:
        Recorded.load(case.mechanic, BytesIO(b""))
    assert case.mechanic.language.opening in refusal.value.sentence


def schema(case: Case, folder: Path) -> None:
    told = Draft202012Validator(case.mechanic.language.schema())
    for line in case.lines:
        told.validate(json.loads(line))
    number, name = case.named
    for what, bad, path in spoiled(case.lines[number - 1], name):
        if path != "$" and told_by_schema(what):
            assert not told.is_valid(json.loads(bad)), what


def impossible_is_refused(case: Case, folder: Path) -> None:
    event, path = case.impossible
    record = case.record()
    before, state = record.parts(), repr(record.state)
    with pytest.raises(RecordError) as refusal:
        record.record(event)
    assert (len(case.events) + 1, path) == (refusal.value.line, refusal.value.path)
    assert (len(case.events), before, state) == (len(record), record.parts(), repr(record.state))
    record.record(case.claim)
    file = folder / "impossible.jsonl"
    file.write_bytes(b"\n".join([*case.lines, json.dumps(event).encode(), case.lines[-1]]))
    with pytest.raises(RecordError) as refusal:
        Recorded.load(case.mechanic, file)
    assert str(refusal.value).startswith(f"{file}:{len(case.events) + 1}: {path}: ")
    # A record begins with its opening event; no other event may be first.
    with pytest.raises(RecordError) as refusal:
        Recorded(case.mechanic, [case.claim])
    assert (1, "$.type") == (refusal.value.line, refusal.value.path)


def time_travel(case: Case, folder: Path) -> None:
    record = case.record()
    for moment, state in record.walk():
        then = case.record(moment.number)
        assert then.parts() == record.parts(moment.number)
        assert [(part, subject, found.values) for part, subject, found in then.parts()] == [
            (part, subject, found.values) for part, subject, found in case.mechanic.derived(record.whole(moment.number))
        ]
        assert moment == then[-1] == record[moment.number]
        assert repr(state) == repr(record.at(moment.number)) == repr(then.state)


def backing_up(case: Case, folder: Path) -> None:
    record, backs, to = case.record(), case.backs, case.to
    assert to == record[backs].restores
    restored = [name for name, part in case.mechanic.parts.items() if not part.lasts]
    assert record.parts(to, *restored) == record.parts(backs, *restored)
    assert record.parts(to, *restored) != record.parts(backs - 1, *restored)
    lasting = [name for name, part in case.mechanic.parts.items() if part.lasts]
    assert not lasting or record.parts(backs - 1, *lasting) == record.parts(backs, *lasting)
    assert [*range(to + 1, backs)] == [n for n in range(1, len(record) + 1) if not record.stands(n)]
    for undone in (backs - 1, backs + 1, len(record) + 1, 0):
        again = json.loads(encode(record.events[backs - 1])) | {"to": undone}
        with pytest.raises(RecordError) as refusal:
            case.record(backs).record(again)
        assert (backs + 1, "$.to") == (refusal.value.line, refusal.value.path)


def what_if(case: Case, folder: Path) -> None:
    record = case.record()
    branch = record.branch(insert(2, case.claim))
    assert (*range(1, 3), None, *range(3, len(record) + 1)) == branch.origins
    assert not branch.left_out
    assert branch.stopped is None
    assert case.to + 1 == case.mechanic.restores(branch.events[case.backs])
    for here, there in zip(record.events[2:], branch.events[3:], strict=True):
        for name in {"to", "about", "own_since"} & {*here.__struct_fields__}:
            number = getattr(here, name)
            assert getattr(there, name) == (number if number is None or number < 3 else number + 1), here
    # Only the numbers differ.
    for number in range(3, len(record) + 1):
        before = [(part, subject, _moved(found.ways)) for part, subject, found in record.parts(number)]
        after = [(part, subject, found.ways) for part, subject, found in branch.game.parts(number + 1)]
        assert before == after
        assert not record.differences(branch.game, number, number + 1)
    # Removing an inserted event gives the record again; replacing an event by itself changes nothing.
    assert record.events == branch.game.branch(drop(3)).events
    assert record.events == record.branch(replace(2, record.events[1])).events
    assert record == case.record()
    named = branch.record()
    assert record.title == named[0].meta["branched_from"]["game"]
    assert named[1:] == branch.events[1:]


def what_if_refuses(case: Case, folder: Path) -> None:
    record = case.record()
    with pytest.raises(RecordError) as refusal:
        record.branch(insert(None, case.impossible[0]))
    assert case.impossible[1] == refusal.value.path
    # The back-up can't go to an event that is undone before it.
    undoing = json.loads(encode(record.events[case.backs - 1])) | {"to": 1}
    branch = record.branch(insert(case.backs - 1, undoing))
    assert branch.stopped is not None
    assert (case.backs, case.backs) == (branch.stopped.number, len(branch))
    assert record.branch(insert(case.backs - 1, undoing), leave_out=True).left_out[0].number == case.backs


def audit(case: Case, folder: Path) -> None:
    record = case.record()
    found = record.audited()
    assert case.wrong == tuple(finding.event for finding in found.findings if finding.right is False)
    for finding in found.findings:
        before = case.mechanic.seen(case.record(finding.event - 1).whole(finding.event - 1), finding.event)
        part = case.mechanic.parts[finding.said.part]
        assert finding.derived == part.derive(before, finding.said.subject)
        assert finding.undone is not record.stands(finding.event)
    assert ("disputed" if any(map(record.stands, case.wrong)) else "exact") == found.verdict
    right = [
        n for n in range(1, len(record) + 1) if [*case.mechanic.says(record.events[n - 1])] and n not in case.wrong
    ]
    assert found.settled == next(filter(record.stands, right), None)


def streaming(case: Case, folder: Path) -> None:
    def passed(events: Iterable[Any]) -> tuple[int, Audit]:
        return streamed(case.mechanic, lambda: events)

    if case.mechanic.concludes is not None:
        with pytest.raises(ValueError, match="load the record"):
            passed(case.events)
        return
    for number in (*case.wrong[:1], case.backs - 1, case.backs, len(case.events)):
        loaded = case.record(number).audited()
        events, found = passed(case.events[:number])
        assert (number, loaded.settled, loaded.verdict) == (events, found.settled, found.verdict)
        assert [stateless(finding) for finding in loaded.findings] == [*map(stateless, found.findings)]
    number = len(case.events) + 1
    for refused in (case.impossible[0], json.loads(encode(case.events[case.backs - 1])) | {"to": case.backs - 1}):
        event = case.mechanic.language.strictly(refused)
        told = []
        for read in (case.record().extended, lambda given: passed((*case.events, *given))):
            with pytest.raises(RecordError) as info:
                read([event])
            told.append(str(info.value))
        assert told[0] == told[1]
        assert told[0].startswith(f"{number}: ")
    claim = case.mechanic.language.strictly(case.claim)
    claims = (msgspec.structs.replace(claim, note=f"{n:50000}") for n in range(60))
    tracemalloc.start()
    try:
        assert 60 + case.backs - 1 == passed(chain(case.events[: case.backs - 1], claims))[0]
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def stateless(finding: Finding) -> Finding:
    """A finding without the state that it was compared with."""
    return msgspec.structs.replace(finding, state=None)


def blame(case: Case, folder: Path) -> None:
    record = case.record()
    changed = 0
    for number in range(2, len(record) + 1):
        if record[number].restores is not None:
            continue
        for part in record.differences(record, number - 1, number):
            if part.right is not None:
                assert number in [way.event for way in part.right.ways], part
                changed += 1
        # A part has kept its value since the event that it is blamed on.
        for one in record.parts(number):
            for way in one.derived.ways if len(one.derived.ways) == 1 else ():
                assert way.event <= number, one
                assert one.derived.values == record.part(one.part, one.subject, way.event).values, one
    assert changed


def bisect(case: Case, folder: Path) -> None:
    record = case.record()
    numbers = {repr(record.at(number)): number for number in range(len(record), 0, -1)}
    for first in range(1, len(record) + 2):
        # A value may come back, above all after a back-up: bisect then finds the first event with it.
        def bad(state: Any, first: int = first) -> bool:
            return numbers[repr(state)] >= first

        wrong = [bad(record.at(number)) for number in range(1, len(record) + 1)]
        found = record.bisect(bad)
        if wrong == sorted(wrong):
            assert found.bad == (wrong.index(True) + 1 if any(wrong) else None)
        elif found.bad is not None:
            assert wrong[found.bad - 1]
            assert found.bad == 1 or not wrong[found.bad - 2]
        assert found.runs <= len(record).bit_length() + 1


def looking(case: Case, folder: Path) -> None:
    record = case.record()
    last = len(record)
    moments = list(record)
    assert list(range(1, last + 1)) == [moment.number for moment in moments]
    for position in (case.backs, str(case.backs), f"e{case.backs}", case.backs - last - 1):
        assert moments[case.backs - 1] == record[position]
    assert moments[1:3] == record[2:4]
    assert moments[last - 1] == record[-1]
    for kind in case.mechanic.language.kinds:
        assert [moment for moment in moments if type(moment.event) is kind] == record.find(kind)
        assert [] == record.find(kind, where=lambda thing: False)
    for nowhere in (0, last + 1, f"e{last + 1}"):
        with pytest.raises(NotFoundError):
            record[nowhere]
    for nonsense in ("nowhere", "", "e", "1.5"):
        with pytest.raises(PositionError):
            record[nonsense]
    rows = record.table()
    assert [(moment.number, tag_of(moment.event)) for moment in moments] == [
        (row["event"], row["type"]) for row in rows
    ]
    assert [record.stands(number) for number in range(1, last + 1)] == [row["stands"] for row in rows]
    assert sum(len(moment.consequences) for moment in moments) == len(record.table("change"))
    for word in case.mechanic.places.rows:
        for row in record.table(word):
            assert 1 <= row["event"] <= row["last"] <= last
            assert record.stands(row["event"]) is row["stands"]
    with pytest.raises(AskedError, match="there are: event, "):
        record.table("no-such-row")
    with pytest.raises(NotFoundError):
        record.part("no-such-part")
    for part, subject, found in record.parts():
        assert found == record.part(part, subject)


def kit(case: Case, folder: Path) -> None:
    scenario = given(case.mechanic, *case.events[:-1]).when(case.lines[-1])
    scenario.then(*case.record()[-1].consequences)
    for part, subject, found in case.record().parts():
        scenario.part(part, subject, set(found.values))
    scenario.when(case.impossible[0]).refused(path=case.impossible[1])
    scenario.audited(case.record().audited().verdict)


def frozen(case: Case, folder: Path) -> None:
    freeze, thaw = case.mechanic.freeze, case.mechanic.thaw
    if freeze is None or thaw is None:
        return
    for number in range(case.backs, len(case.events)):
        record = case.record(number)
        state = thaw(freeze(record.whole(number)))
        assert freeze(state) == freeze(record.whole(number))
        for later, event in enumerate(case.events[number:], number + 1):
            assert case.record(later)[-1].consequences == tuple(case.mechanic.step(state, event, later))
            assert [*case.mechanic.derived(state)] == [*case.mechanic.derived(case.record(later).whole(later))]


def _moved(ways: Any) -> Any:
    """The ways as they are after an insertion after event 2: each event number above 2 is one higher."""
    return tuple(
        type(way)(way.event + (way.event > 2), way.rule, tuple(n + (n > 2) for n in way.because)) for way in ways
    )


PROMISES = (
    written_and_read, malformed_is_refused, schema, impossible_is_refused, time_travel, backing_up, what_if,
    what_if_refuses, audit, streaming, blame, bisect, looking, kit, frozen,
)  # fmt: skip
