"""Editions of the rules: `daynight editions`, and misspelt editions.

| promise | test |
| --- | --- |
| every edition has a line with its number for Day and Night; the default and the latest are marked | test_listed |
| JSON lists them too, and marks the default | test_json |
| the error for a misspelt edition names at most two similar editions, never all | test_near |
| if none is similar, the error names the command that lists them | test_far |
| `latest` and every date are accepted, by `--editions` too | test_taken |
"""

import pytest

from daynight.rules.citations import DEFAULT_EDITION, EDITIONS, LATEST_EDITION, cited


def test_listed(daynight):
    head, *rows = daynight("editions").out.splitlines()
    assert ["edition", "CR"] == head.split()
    assert [[edition, cited("check-day", edition)] for edition in EDITIONS] == [row.split()[:2] for row in rows]
    marks = {row.split()[0]: row[len("2021-09-24  724.3a") :].strip() for row in rows}
    assert {DEFAULT_EDITION: "for records that name none", LATEST_EDITION: "latest"} == {
        edition: mark for edition, mark in marks.items() if mark
    }


def test_json(daynight):
    (document,) = daynight("editions", "--json").documents
    assert [*EDITIONS] == document["editions"]
    assert (DEFAULT_EDITION, LATEST_EDITION) == (document["default"], document["latest"])


@pytest.mark.parametrize("line, option, value, near", [
    ("why demo", "--edition", "lastest", "latest"),
    ("chart", "--edition", "2024-06-08", "2024-06-07, 2024-03-08"),
    ("diff demo --editions latest", "--editions", "2024-06", "2024-06-07, 2026-06-19"),
])  # fmt: skip
def test_near(daynight, line, option, value, near):
    command, *more = line.split()
    ran = daynight(command, *more, *([] if option in more else [option]), value)
    said = f"daynight {command}: invalid value for '{option}': '{value}' is no edition; did you mean {near}?"
    assert (2, "", said) == (*ran[:2], ran.error)


@pytest.mark.parametrize("value", ["xyzzy", "1993-08-05"])
def test_far(daynight, value):
    """A value of `--edition` that resembles no edition gives exit code 2, and the error names `daynight editions`."""
    ran = daynight("why", "demo", "--edition", value)
    said = f"daynight why: invalid value for '--edition': '{value}' is no edition; daynight editions lists them"
    assert (2, "", f"{said}; try daynight why --help") == (*ran[:2], ran.error)


def test_taken(daynight):
    for edition in ("latest", LATEST_EDITION, EDITIONS[0]):
        assert 0 == daynight("why", "demo", "--edition", edition).code
    same = daynight("diff", "demo", "--editions", "latest", LATEST_EDITION, "--json").documents[0]
    assert (LATEST_EDITION, LATEST_EDITION, []) == (same["left"], same["right"], same["citations"])
