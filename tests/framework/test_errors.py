"""Refusals: one line of bounded length with the place, and no control characters for a terminal.

| promise | for it | against it |
| --- | --- | --- |
| control characters and line breaks are shown as escapes | test_tamed | test_plain |
| a sentence or path is cut at a limit; `whole` cuts nothing | test_cut, test_whole | test_plain |
| a refusal shows file, line, column or path, and the sentence | test_told | test_told |
| a place is added only once | test_located | test_located |
"""

from __future__ import annotations

import pytest

from daynight.framework.language.errors import LONGEST, ImpossibleError, RecordError, locating, tame, whole

STEERING = ["\x00", "\n", "\r", "\x1b", "\x7f", "\x9f", "\u061c", "\u200b", "\u200f", "\u2028", "\u202e", "\u2066",
            "\ud800", "\ufeff"]  # fmt: skip


def test_tamed():
    assert [tame(f"a{sign}b") for sign in STEERING] == [f"a\\u{ord(sign):04x}b" for sign in STEERING]
    assert tame("\x1b[31mred\n") == "\\u001b[31mred\\u000a"


@pytest.mark.parametrize("text", ["", "Ana's Opt", "Cathare brutal, déjà", "第1面", "a\\u000a", "x" * LONGEST])
def test_plain(text: str):
    assert tame(text) == whole(text) == text


def test_cut():
    assert tame("x" * (LONGEST + 1)) == "x" * (LONGEST - 1) + "…"
    assert (RecordError("y" * 5000).sentence, RecordError("", path="$" * 5000).path) == (
        "y" * (LONGEST - 1) + "…", "$" * (LONGEST - 1) + "…",
    )  # fmt: skip


def test_whole():
    text = "\n".join("x" * 700 for _ in range(4))
    assert whole(text) == "\\u000a".join("x" * 700 for _ in range(4))


@pytest.mark.parametrize("places, told", [
    ({}, "$: no such lamp"),
    ({"path": "$.lamp"}, "$.lamp: no such lamp"),
    ({"line": 3}, "3: $: no such lamp"),
    ({"file": "a\n.jsonl", "line": 3, "path": "$.lamp"}, "a\\u000a.jsonl:3: $.lamp: no such lamp"),
    ({"file": "a.dn", "line": 3, "column": 7}, "a.dn:3:7: no such lamp"),
    ({"column": 7}, "7: no such lamp"),
])  # fmt: skip
def test_told(places: dict, told: str):
    error = ImpossibleError("no such lamp", **places)
    assert str(error) == told
    assert error.args == ("no such lamp",)
    assert {name: getattr(error, name) for name in places if name != "file"} == {
        name: place for name, place in places.items() if name != "file"
    }


def test_located():
    error = RecordError("no", earlier=2, first="$.a")
    assert (error.line, error.file, error.column, error.earlier, error.first) == (None, None, None, 2, "$.a")
    assert error.located(line=3) is error
    assert (error.located(line=4, file="a"), error.line, error.file) == (error, 3, "a")
    assert error.located(file="b").file == "a"
    with pytest.raises(RecordError, match=r"^b:5: \$: no$"), locating(line=5, file="b"):
        raise RecordError("no")
