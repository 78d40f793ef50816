"""Official rulings and statements by others, as data: each has a game and the expected result.

| status | what it means | test |
| --- | --- | --- |
| agrees | the rules derive what the ruling says | test_the_rules_derive_what_is_expected |
| disputed | the rules derive something else than the ruling says | test_the_rules_derive_what_is_expected |
| | ... and both are kept | test_a_disputed_ruling_is_not_what_is_derived |
"""

import json
from pathlib import Path

import pytest

from daynight.game import Game

FILES = sorted((Path(__file__).parent.parent / "rulings").glob("*.json"))
RULINGS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FILES}
DISPUTED = {name: ruling for name, ruling in RULINGS.items() if ruling["status"] == "disputed"}


def derived(ruling):
    """A dict of the facts that a ruling may be about (designation, faces, ...), as derived from the ruling's events."""
    document = Game(ruling["events"]).document()
    shown = document["battlefield"]
    return {
        "designation": document["designation"],
        "rules": [change["rule"] for change in document["changes"]],
        "cr": [change["cr"] for change in document["changes"]],
        "triggers": [[trigger["event"], trigger["stacked"]] for trigger in document["triggers"]],
        "faces": {status["permanent"]: status["face"] for status in shown},
        "names": {status["permanent"]: status["name"] for status in shown},
        "keywords": {status["permanent"]: status["keywords"] for status in shown},
        "face_down": {status["permanent"]: status["face_down"] for status in shown},
    }


@pytest.mark.parametrize("name", RULINGS)
def test_the_rules_derive_what_is_expected(name):
    """The derived facts are those under `expected`; the facts that a disputed ruling states are under `ruling`."""
    expected = RULINGS[name]["expected"]
    found = derived(RULINGS[name])
    assert expected == {key: found[key] for key in expected}


@pytest.mark.parametrize("name", DISPUTED)
def test_a_disputed_ruling_is_not_what_is_derived(name):
    """Every fact under `ruling` in a disputed ruling differs from the derived fact."""
    found = derived(DISPUTED[name])
    assert {} == {key: said for key, said in DISPUTED[name]["ruling"].items() if found[key] == said}


@pytest.mark.parametrize("name", RULINGS)
def test_every_ruling_says_who_and_when(name):
    """Every ruling has a source, a date or null, a status, a sentence, events and expected facts."""
    ruling = RULINGS[name]
    fields = ["source", "date", "status", "says", "events", "expected"]
    assert sorted([*fields, "ruling"] if name in DISPUTED else fields) == sorted(ruling)
    assert ruling["status"] in ("agrees", "disputed")
    assert ruling["says"].endswith(".")
    assert ruling["expected"]


def test_the_disputed_ones():
    """Of the collected rulings and statements, exactly these five differ from what the rules give."""
    expected = ["as-a-turn-begins", "glossary-face-down", "never-neither-again", "section-number"]
    assert [*expected, "werewhat-lone-nightbound"] == list(DISPUTED)
