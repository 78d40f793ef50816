"""The test kit for authors: each check passes when it should, and fails with the right sentence.

| promise | for it | against it |
| --- | --- | --- |
| `then` compares the latest event's consequences: as objects, by class, by fields | test_then | test_then_fails |
| `refused` compares path and sentence | test_refused | test_refused_fails |
| a refused event that nobody expects fails the next check | test_forgotten_refusal | test_refused |
| `part` compares value and rule | test_part | test_part_fails |
| a scenario never changes | test_value | - |
"""

import pytest

from daynight.framework import Change, Language, Mechanic, RecordError, given
from examples.monarch import MECHANIC, Claimed, EndStepBegan, Made, Started, TurnBegan
from tests.store.lamp import Clicked, Hung, Pressed

GAME = (Started(game="g", players=("Ana", "Bo")), TurnBegan(player="Ana"))
BASE = given(MECHANIC, *GAME)
CROWNED = BASE.when(Made(player="Ana"))
CHANGE = Change(3, "monarch", None, None, "Ana", "made-monarch", (3,))


def test_then() -> None:
    for expected in (CHANGE, Change, {"became": "Ana"}, {}):
        CROWNED.then(expected)
    BASE.then()
    CROWNED.when(EndStepBegan(), Claimed(monarch="Bo", by="Bo")).then()


@pytest.mark.parametrize("expected", [(), (CHANGE, CHANGE), (int,), ({"became": "Bo"},), ({"no-such": 1},)])
def test_then_fails(expected) -> None:
    strange = r"(\nChange has no field 'no-such'; there are: event, part, .*)?"
    with pytest.raises(AssertionError, match=rf"^expected [^\0]*\nfound monarch: None -> Ana{strange}$"):
        CROWNED.then(*expected)


def test_refused() -> None:
    refused = BASE.when(Made(player="Cy"))
    refused.refused()
    refused.refused(path="$.player", sentence="no player 'Cy'").when(Made(player="Bo")).then(Change)


@pytest.mark.parametrize("expected", [{"path": "$.by"}, {"sentence": "no such thing"}])
def test_refused_fails(expected) -> None:
    with pytest.raises(AssertionError, match=r"found 3: \$\.player: no player 'Cy'"):
        BASE.when(Made(player="Cy")).refused(**expected)


def test_nothing_refused() -> None:
    with pytest.raises(AssertionError, match=r"^expected a refusal; the event was recorded$"):
        CROWNED.refused()


def test_several_consequences() -> None:
    """The error of `then` lists all consequences, has a line for each unknown field, and calls an empty list
    `nothing`."""

    def step(presses: dict[str, int], event: Hung | Pressed, number: int) -> list[object]:
        return [Clicked(True), "light"] if isinstance(event, Pressed) else []

    lamp = given(Mechanic(name="lamp", language=Language(Hung | Pressed), start=dict, step=step), Hung("hall"))
    pressed = lamp.when(Pressed("Ana")).then(Clicked, "light")
    with pytest.raises(AssertionError) as caught:
        pressed.then({"off": 1}, {"on": 2})
    assert str(caught.value) == (
        "expected {'off': 1}, {'on': 2}\nfound Clicked(on=True), light\nClicked has no field 'off'; there are: on"
        "\nstr has no field 'on'; there are: "
    )
    with pytest.raises(AssertionError, match=r"^expected nothing\nfound Clicked"):
        pressed.then()
    with pytest.raises(AssertionError, match=r"^expected light\nfound nothing$"):
        lamp.when(Hung("hall")).then("light")


@pytest.mark.parametrize("check", [
    lambda scenario: scenario.then(), lambda scenario: scenario.when(EndStepBegan()),
    lambda scenario: scenario.part("monarch", None, {None}), lambda scenario: scenario.audited("unverified"),
])  # fmt: skip
def test_forgotten_refusal(check) -> None:
    with pytest.raises(AssertionError, match=r"^the event was refused: 3: \$\.player: "):
        check(BASE.when(Made(player="Cy")))


def test_given_is_refused() -> None:
    with pytest.raises(RecordError, match=r"^2: \$\.player: "):
        given(MECHANIC, GAME[0], Made(player="Cy"))


def test_part() -> None:
    CROWNED.part("monarch", None, "Ana").part("monarch", None, {"Ana"}, rule="made-monarch").part("draws", "Cy", None)


@pytest.mark.parametrize("given_, sentence", [
    (("monarch", None, "Bo"), "^monarch: expected 'Bo'\nfound Derived"),
    (("draws", "Ana", 1), "^draws of Ana: expected 1"),
    (("draws", "Cy", 0), "found None$"),
    (("monarch", None, None), "^monarch: expected None"),
])  # fmt: skip
def test_part_fails(given_, sentence) -> None:
    with pytest.raises(AssertionError, match=sentence):
        CROWNED.part(*given_)
    with pytest.raises(AssertionError, match="expected the rule 'left'"):
        CROWNED.part("monarch", None, "Ana", rule="left")


def test_verdict() -> None:
    with pytest.raises(AssertionError, match=r"^expected the verdict exact\nfound disputed: \[\(4, Said"):
        CROWNED.when(Claimed(monarch="Bo", by="Bo")).audited("exact")


def test_value() -> None:
    """A scenario is an immutable value: two tests can continue the same one differently."""
    one, other = (CROWNED.when(Made(player=player)) for player in ("Ana", "Bo"))
    one.then()
    other.then({"became": "Bo"})
    CROWNED.then(CHANGE)
    assert 3 == len(CROWNED.record)
