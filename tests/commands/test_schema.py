"""The published JSON schema of a record's line: it equals the generated one, and refuses invalid events."""

import json

import jsonschema
import pytest

from daynight.events import RecordError, decode
from daynight.events.language import LANGUAGE
from daynight.framework.language.language import published
from tests.behaviour.games import CONTRACT, EVERY_TYPE, ROOT
from tests.oracle.walks import random_walk
from tests.rules.judges import claim, claim_tally
from tests.rules.placing import enter
from tests.rules.words import cast, doubt, said, started, step, turn

FILE = ROOT / "events" / "record.schema.json"
RECORDS = [*sorted((ROOT / "examples" / "games").glob("*.jsonl")), ROOT / "daynight" / "demo" / "wagic-G1.jsonl"]


@pytest.fixture(scope="module")
def schema():
    """A validator of the published file."""
    kind = jsonschema.Draft202012Validator
    document = json.loads(FILE.read_bytes())
    kind.check_schema(document)
    return kind(document, format_checker=kind.FORMAT_CHECKER)


def test_published():
    """The file equals the schema generated from the events."""
    assert published(LANGUAGE.schema()) == FILE.read_text(encoding="utf-8"), (
        "write it again: python -m daynight schema > events/record.schema.json"
    )


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_examples_are_accepted(schema, path):
    """The schema accepts every line of the games in `examples/games` and of the demo."""
    for line in path.read_bytes().splitlines():
        schema.validate(json.loads(line))


def test_every_type_is_accepted(schema):
    """The schema accepts every type of event, and all events of two random games."""
    for event in (*CONTRACT, *EVERY_TYPE, *random_walk(1, 80), *random_walk(2, 80)):
        schema.validate(event)


WRONG = [
    pytest.param([], id="no object"),
    pytest.param({}, id="no type"),
    pytest.param({"type": "nonsense"}, id="an unknown tag"),
    pytest.param(started() | {"format": 2}, id="another format"),
    pytest.param(said("spell-cast"), id="a missing field"),
    pytest.param(cast() | {"colour": "blue"}, id="an unknown field"),
    pytest.param(cast() | {"player": 1}, id="a wrong type"),
    pytest.param(cast() | {"card": None}, id="null"),
    pytest.param(cast(""), id="an empty name"),
    pytest.param(cast("x" * 201), id="a long name"),
    pytest.param(doubt("Ana", -1), id="a negative count"),
    pytest.param(claim_tally("Ana", 2**53), id="a number that is not exact everywhere"),
    pytest.param(turn(1) | {"turn": 1.5}, id="no whole number"),
    pytest.param(turn(1) | {"active": "Ana"}, id="no list"),
    pytest.param(step("beginning"), id="an unknown step"),
    pytest.param(claim("dusk"), id="an unknown designation"),
    pytest.param(said("judge-ruled", by="Jo", designation="dusk"), id="a ruling that cannot be"),
    pytest.param(enter("w1", face="side"), id="an unknown face"),
    pytest.param(enter("w1", front={"keywords": ["flying"]}), id="an unknown keyword"),
    pytest.param(enter("w1", without_abilities=1), id="neither true nor a name"),
    pytest.param(cast() | {"meta": []}, id="meta that is no object"),
    pytest.param(cast() | {"note": 1}, id="a note that is no text"),
]


@pytest.mark.wide(but=8)
@pytest.mark.parametrize("event", WRONG)
def test_the_wrong_is_refused(schema, event):
    """Schema and reader both refuse an invalid event."""
    assert not schema.is_valid(event)
    with pytest.raises(RecordError):
        decode(json.dumps(event))
