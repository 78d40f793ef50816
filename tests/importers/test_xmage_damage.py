"""Damaged XMage logs are read without new findings, and missing messages are reported.

| promise | test |
| --- | --- |
| a log that is cut, changed, shuffled or repeated leads to no new finding | test_damages |
| each recorded log is damaged two hundred times | test_many_damages |
| if a line is deleted, a lost event is reported | test_nothing_is_lost_silently |
| a log in which one line is repeated 1500 times is read in ten seconds | test_floods |
"""

import random
import time
from collections import Counter
from functools import cache

import pytest

from daynight.framework.language.errors import RecordError
from tests.importers.test_xmage import NAMES, OTHERS, day, needs_logs, recorded
from tests.importers.xmage_logs import Log, findings, read

STAMP = b'<br><font color="#CCCC33">'
KINDS = ("cut", "line", "lines", "flip", "message", "twice", "swapped", "moved", "messages")


def signs(found):
    return Counter((each["about"], each["claimed"], each["derived"], each["subject"]) for each in findings(found))


@cache
def known(name):
    found = read(recorded(name))
    return signs(found), Counter(map(str, found.events())), said(found)


def said(found):
    return found.report.skipped + sum(group.count for group in found.report.warnings.values())


def damaged(data, kind, dice):
    head, *messages = data.split(STAMP)
    messages = [STAMP + each for each in messages]
    lines = data.split(b"\n")
    at = dice.randrange(len(lines))
    if kind == "cut":
        return data[: dice.randrange(len(data))]
    if kind in ("line", "lines"):
        del lines[at : at + (1 if kind == "line" else dice.randrange(2, 30))]
        return b"\n".join(lines)
    if kind == "flip" or len(messages) < 2:
        place = dice.randrange(len(data))
        return data[:place] + bytes([dice.choice(b'abcXYZ019 <>[]"&;:')]) + data[place + 1 :]
    at = dice.randrange(len(messages) - 1)
    if kind == "message":
        del messages[at]
    elif kind == "messages":
        del messages[at : at + dice.randrange(2, 12)]
    elif kind == "twice":
        messages.insert(at, messages[at])
    elif kind == "swapped":
        messages[at], messages[at + 1] = messages[at + 1], messages[at]
    else:
        messages.insert(dice.randrange(len(messages)), messages.pop(at))
    return head + b"".join(messages)


def answered(name, kind, seed):
    """Damage the recorded log `name`, and read it; return the games and the report, or None if it is refused. A finding
    that the undamaged log does not have fails the test."""
    try:
        found = read(damaged(recorded(name), kind, random.Random(f"{name} {seed}")))
    except RecordError:
        return None
    accused, _events, _said = known(name)
    assert not found.games or not signs(found) - accused, (name, kind, seed)
    return found


@needs_logs
@pytest.mark.parametrize("kind", KINDS)
def test_damages(kind):
    for name in NAMES[:1] + NAMES[3:4]:
        answered(name, kind, 1)


@needs_logs
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES + OTHERS)
def test_many_damages(name):
    for seed in range(200):
        answered(name, KINDS[seed % len(KINDS)], seed)


@needs_logs
@pytest.mark.parametrize("name", [NAMES[1], NAMES[3]])
def test_nothing_is_lost_silently(name):
    _accused, events, before = known(name)
    for seed in range(4):
        found = answered(name, "line", seed)
        assert found is None or not events - Counter(map(str, found.events())) or said(found) > before, seed


@pytest.mark.parametrize(
    "line",
    [
        "Ana casts {Opt#0b1} from hand",
        "It has become night",
        "Ana puts {Tavern Ruffian#a11} from stack onto the Battlefield",
        "Player request: Rolling back to start of turn 3",
        "Ana c" + "a" * 300,
        "(source: (" * 50,
    ],
)
def test_floods(line):
    log = day(Log())
    log.say(*[line] * 1500)
    began = time.process_time()
    read(log)
    assert time.process_time() - began < 10
