"""A mechanic whose subjects are numbers, and whose claims may say that a place is empty: a car park.

| promise | for it | against it |
| --- | --- | --- |
| `why` and `bisect` find the subject 12 by the text `12` | test_named | test_not_there |
| a claim that a place is empty is right if the place is empty | test_nothing_there | test_something_there |
| an import without a title is named after its file | test_named_after_its_file | - |
| an error in a step names the event; a refusal is no such error | test_a_mistake_in_a_step | test_refused |
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec import field

from daynight.cli.commands import run
from daynight.cli.mechanics import commands
from daynight.framework import Derived, Facts, Happening, ImpossibleError, Language, Mechanic, Number, Part, Said, given
from daynight.framework.language.errors import MechanicError
from daynight.framework.recorded import Recorded
from daynight.speaker import Speaker
from tests.commands.conftest import complaints


class Parked(Happening, frozen=True, tag="parked"):
    place: Number
    car: str


class Left(Happening, frozen=True, tag="left"):
    place: Number


class Seen(Happening, frozen=True, tag="seen"):
    place: Number
    car: str | None = None


class Park(Facts):
    cars: dict[int, str] = field(default_factory=dict)


def step(park: Park, event: Happening, number: int) -> Sequence[object]:
    if isinstance(event, Parked) and event.place in park.cars:
        raise ImpossibleError(f"place {event.place} is taken", path="$.place")
    if isinstance(event, Parked):
        park.cars[event.place] = event.car
    elif isinstance(event, Left):
        del park.cars[event.place]
    return ()


def car(park: Park, place: int) -> Derived | None:
    return Derived((park.cars[place],)) if place in park.cars else None


PARK: Mechanic[Park, Happening, object] = Mechanic(
    name="park", language=Language(Parked | Left | Seen), start=Park, step=step,
    parts={"car": Part(car, lambda park: park.cars)},
    says=lambda event: [Said("car", event.place, event.car, "guard")] if isinstance(event, Seen) else (),
)  # fmt: skip
EVENTS = (Parked(place=3, car="A"), Parked(place=12, car="B"), Left(place=3))

Ran = Callable[..., tuple[int, str, str]]


@pytest.fixture
def park(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ran:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    Recorded(PARK, EVENTS).save("north.jsonl")

    def ran(*arguments: str) -> tuple[int, str, str]:
        return run([*arguments], commands(PARK), "park"), *capsys.readouterr()

    return ran


def test_named(park: Ran) -> None:
    code, out, _err = park("why", "north.jsonl", "car", "12", "--json")
    assert (0, 12, "B", 2) == (code, *[json.loads(out)[key] for key in ("subject", "value", "since")])
    ran = park("bisect", "north.jsonl", "car", "A", "--subject", "3", "--json")
    assert (1, '{"version": 1, "bad": 1}\n', "") == ran


def test_not_there(park: Ran) -> None:
    assert (4, "", "car: nothing is there of '3'\n") == park("why", "north.jsonl", "car", "3")
    assert (4, "", "car: nothing is there of '7'\n") == park("bisect", "north.jsonl", "car", "A", "--subject", "7")


def test_nothing_there() -> None:
    given(PARK, *EVENTS).when(Seen(place=3)).audited("exact").when(Seen(place=3, car="A")).audited("disputed")


def test_something_there() -> None:
    (finding,) = given(PARK, *EVENTS).when(Seen(place=12)).audited("disputed").record.audited().findings
    assert "event 4: guard says car 12: nothing; by the rules it is B" == Speaker(PARK).finding(finding)


def test_named_after_its_file(park: Ran) -> None:
    code, out, err = park("import", "north.jsonl")
    assert (0, "north: 3 events\n", "") == (code, out, complaints(err))


def test_a_mistake_in_a_step(park: Ran) -> None:
    sentence = r"^step, event 4 \(Left\) failed: KeyError: 4 \(test_subjects.py, "
    with pytest.raises(MechanicError, match=sentence) as raised:
        Recorded(PARK, [*EVENTS, Left(place=4)])
    assert (4, KeyError) == (raised.value.line, type(raised.value.__cause__))
    Path("south.jsonl").write_text('{"type":"left","place":4}\n', "utf-8")
    code, out, err = park("audit", "south.jsonl")
    assert (3, "") == (code, out)
    assert err.startswith("south.jsonl: step, event 1 (Left) failed: KeyError: 4 (test_subjects.py, ")


def test_refused() -> None:
    with pytest.raises(ImpossibleError):
        Recorded(PARK, [*EVENTS, EVENTS[1]])
