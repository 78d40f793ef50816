"""Damaged snapshots: content that `freeze` cannot have written is refused with a sentence, or ignored."""

import json
import re

import pytest

from daynight.events import decode
from daynight.framework.language.errors import DaynightError, RecordError
from daynight.referee.referee import step
from daynight.rules import RULES
from daynight.store.errors import DamagedError
from daynight.store.moments.snapshots import SIZE, OutdatedError
from tests.sampling import few_or_all
from tests.store.told import again, document, put, rich_bytes, thaw
from tests.store.told import changed as altered_by


def drop(*path):
    """A function that removes the value at `path` from a snapshot."""

    def change(snapshot):
        for key in path[:-1]:
            snapshot = snapshot[key]
        del snapshot[path[-1]]

    return change


def changed(change):
    return altered_by(rich_bytes(), change)


def named(game):
    return rich_bytes().replace("Fünf".encode(), game)


OURS = "otherwise than daynight writes"
DAMAGED = {
    "no event": (drop("event"), "missing required field `event`"),
    "no possibilities": (put("possibilities", value=[]), "length >= 1"),
    "no causes": (put("possibilities", 0, "causes", value=[]), "length >= 1"),
    "a foreign field": (put("timeline", value=[]), "unknown field `timeline`"),
    "a foreign field inside": (put("current", "earlier", value=None), "unknown field `earlier`"),
    "a foreign field of a permanent": (put("battlefield", 0, "permanent", "power", value=3), "unknown field `power`"),
    "a class": (put("py/object", value="os.system"), "unknown field `py/object`"),
    "a string for a number": (put("event", value="14"), "Expected `int`, got `str`"),
    "true for a number": (put("event", value=True), "Expected `int`, got `bool`"),
    "a fraction": (put("event", value=14.5), "Expected `int`, got `float`"),
    "a negative number": (put("event", value=-1), ">= 0"),
    "a number beyond all": (put("event", value=2**53), "<= 9007199254740991"),
    "a number of 4,001 digits": (put("event", value=10**4000), "<= 9007199254740991"),
    "a number for a boolean": (put("joined", value=1), "Expected `bool`"),
    "null for a list": (put("battlefield", value=None), "got `null`"),
    "an unknown step": (put("step", value="beer"), "Invalid enum value"),
    "an unknown designation": (put("possibilities", 0, "designation", value="dusk"), "Invalid enum value"),
    "an unknown face": (put("turnings", 0, "face", value="side"), "Invalid enum value"),
    "an unknown edition": (put("edition", value="1993-08-05"), "no edition"),
    "an unknown rule": (put("changes", 0, "rule", value="house-rule"), "a rule that is not there"),
    "casts of nothing": (put("possibilities", 0, "casts", value=0), ">= 1"),
    "an empty name": (put("battlefield", 0, "permanent", "id", value=""), "length >= 1"),
    "a long name": (put("game", value="x" * 201), "length <= 200"),
    "a name that turns round": (put("game", value="\u202eemag"), "a name with a character that may not stand in one"),
    "a name with a bell": (put("game", value="\x07"), "a name with a character that may not stand in one"),
    "no players": (put("players", value=[]), "no players"),
    "a player twice": (put("players", value=["Ana", "Bo", "Ana"]), "stands twice"),
    "a team of strangers": (put("teams", value=[["Ana", "Bo"], ["Cy"]]), "no player 'Cy'"),
    "a stranger who left": (put("left", value=["Cy"]), OURS),
    "a stranger who is active": (put("current", "active", value=["Cy"]), "a player who is not there"),
    "a stranger who cast": (put("current", "spells", value={"Cy": 1}), "a player who is not there"),
    "a stranger in control": (put("battlefield", 1, "controller", value="Cy"), "a player who is not there"),
    "nobody active": (put("current", "active", value=[]), "a tally that cannot be"),
    "a doubt that ends before it begins": (put("current", "doubts", value={"Bo": [2, 1]}), "a tally that cannot be"),
    "no turn after a turn": (drop("current"), "turns that cannot be"),
    "an unknown turn that is": (put("current", value={"turn": 0, "began": 2, "unknown": True}), "turns that cannot be"),
    "a permanent that is gone": (drop("battlefield", 0), "a permanent that is not there"),
    "a stranger forbidden": (put("forbidding", "Moonsilver", value=["x9"]), "a permanent that is not there"),
    "a permanent twice": (lambda snapshot: snapshot["battlefield"].append(snapshot["battlefield"][0]), OURS),
    "a change that is gone": (put("possibilities", 0, "causes", value=[7]), "a consequence that is not there"),
    "a turning that is gone": (put("turnings", value=[]), "a consequence that is not there"),
    "a change of nobody's": (lambda snapshot: snapshot["changes"].append(snapshot["changes"][0]), OURS),
    "an arrival to come": (put("battlefield", 0, "arrived", value=99), "an event that is not there"),
    "a cast to come": (put("current", "others", value=[[99, "Ana", "Opt"]]), "an event that is not there"),
    "event 0": (put("changes", 0, "because", value=[0]), "an event that is not there"),
    "a default written out": (put("over", value=False), OURS),
    "a set out of order": (put("forbidding", "Moonsilver", value=["v1", "b1"]), OURS),
    "standing without an end": (put("standing", value=[1, 5]), "events that cannot stand"),
    "standing backwards": (put("standing", value=[1, 9, 8]), "events that cannot stand"),
    "a stretch backwards": (put("standing", value=[1, 5, 8, 7, 9]), "events that cannot stand"),
    "nothing stands": (put("standing", value=[]), "events that cannot stand"),
    "a dispute at no stage": (put("docket", 0, 1, value="settled"), "a dispute that cannot be"),
    "an outcome that is none": (put("docket", 0, 2, value="draw"), "a dispute that cannot be"),
    "ruled without a ruling": (put("docket", 0, 2, value=None), "a dispute that cannot be"),
    "open with a ruling": (put("docket", 1, 2, value="fix"), "a dispute that cannot be"),
    "a dispute twice": (put("docket", 1, 0, value="d1"), OURS),
    "too many disputes": (
        put("docket", value=[[f"d{n}", "opened", None] for n in range(1001)]),
        "a dispute that cannot be",
    ),
    "casts that were not": (put("previous", "doubts", value={"Ana": [2, None]}), "a possibility that cannot be"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged(name):
    """A snapshot that `freeze` cannot have written raises DamagedError, whose sentence says what is wrong."""
    change, sentence = DAMAGED[name]
    refused(changed(change), sentence)


@pytest.mark.parametrize("data, sentence", [
    (b"", "truncated"), (b"null", "Expected `object`"), (b"[]", "Expected `object`"),
    (b"\x80\x04\x95.", "JSON is malformed"), (b"SQLite format 3\x00", "JSON is malformed"),
    (b"[" * 100_000, "Expected `object`"), (b'{"x":' + b"[" * 4_000_000, "too deep"),
    (b'{"rules":%d,"event":' % RULES + b"[" * 100_000, "Expected `int`, got `array`"),
    (named(rb"\ud800"), "end of hex escape"), (named(b"\xed\xa0\x80"), "can't decode byte"),
    (named(b"\xff"), "can't decode byte"), (b'{"rules":"1"}', "Expected `int | array`"), (b'{"rules":-1}', ">= 0"),
    (b'{"event":1}', "missing required field `rules`"), (b" " * (SIZE + 1), "more than 8388608 bytes"),
])  # fmt: skip
def test_no_snapshot_at_all(data, sentence):
    """Data that is no snapshot raises DamagedError."""
    refused(data, sentence)


def test_written_otherwise():
    """The same content in other bytes is refused, and so is a truncated snapshot."""
    data = rich_bytes()
    assert again(data) == data
    refused(data + b"\n", OURS)
    refused(data.replace(b":", b": "), OURS)
    refused(data.replace("ü".encode(), rb"\u00fc"), "a name with a character that may not stand in one")
    refused(data.replace(b'"game":', b'"game":"x","game":'), OURS)
    refused(b"\xef\xbb\xbf" + data, "JSON is malformed")
    for length in range(0, len(data), 7):
        refused(data[:length], "")


def refused(data, sentence):
    with pytest.raises(DamagedError) as caught:
        thaw(data)
    said = str(caught.value)
    assert said.startswith("a damaged snapshot: ")
    assert re.search(rf"(?<!\w){re.escape(sentence)}(?!\w)", said), said
    assert "\n" not in said
    assert len(said) <= 1000
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("whole", few_or_all(False, True))
def test_any_byte_changed(whole):
    """A snapshot with one changed byte is refused, or gives a state with which `step` raises only RecordError."""
    data, taken = rich_bytes(), 0
    ahead = [
        {"type": "step-began", "step": "untap"}, {"type": "turn-began", "turn": 60, "active": ["Ana"]},
        {"type": "step-began", "step": "untap"}, {"type": "effect-resolved", "becomes": "switch"},
        {"type": "transform-instructed", "permanents": ["w1"]},
    ]  # fmt: skip
    events = [decode(json.dumps(event)) for event in ahead]
    for place in range(len(data)):
        others = (data[place] ^ 1, ord("0"), ord("}"))
        for other in others if whole else others[place % 3 :][:1]:
            altered = data[:place] + bytes([other]) + data[place + 1 :]
            try:
                state, _standing, _docket = thaw(altered)
            except (DamagedError, OutdatedError):
                continue
            taken += altered != data
            assert again(altered) == altered
            try:
                for number, event in enumerate(events, state.event + 1):
                    step(state, event, number)
                document(state)
            except RecordError:
                pass
    assert taken < len(data)


def test_other_rules():
    """A snapshot by other rules raises OutdatedError, whatever it contains: it is ignored, not damage."""
    for version in (0, RULES + 1, 2**53 - 1):
        for data in (changed(put("rules", value=version)), b'{"rules":%d,"moon":[[]]}' % version):
            with pytest.raises(OutdatedError, match=f"taken by rules {version}; these are {RULES}"):
                thaw(data)
    assert not issubclass(OutdatedError, DaynightError)
