"""Old shapes of events are upcast to the present ones when they are read, and obey the same rules."""

import json
from typing import Any

import pytest

from daynight.events.actions import SpellCast
from daynight.events.language import read_line
from daynight.events.vocabulary import Event
from daynight.framework.language.errors import RecordError, UnreadableError
from daynight.framework.language.language import Language

from .lines import is_tame


def _to_one(fields: dict[str, Any]) -> dict[str, Any]:
    return {**{key: value for key, value in fields.items() if key != "who"}, "type": "cast.1", "by": fields["who"]}


def _to_present(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        **{key: value for key, value in fields.items() if key != "by"},
        "type": "spell-cast",
        "player": fields["by"],
    }


OLD: Language[Event] = Language(Event, upcasters={"cast.0": _to_one, "cast.1": _to_present})


@pytest.mark.parametrize(
    "fields",
    [{"type": "cast.0", "who": "Zoë"}, {"type": "cast.1", "by": "Zoë"}, {"type": "spell-cast", "player": "Zoë"}],
)
def test_old_shapes_are_lifted(fields: dict[str, Any]) -> None:
    """Lines with the tags cast.0, cast.1 and spell-cast give the same event: old tags pass one or two upcasters."""
    more = {"card": "Opt", "note": "a\nb", "meta": {"a": [10**300, 0.1, None, {"\u202e": "☾"}]}}
    for ascii_only in (False, True):
        line = json.dumps({**fields, **more}, ensure_ascii=ascii_only).encode()
        assert SpellCast(player="Zoë", **more) == OLD.read_line(line)  # type: ignore[arg-type]


def test_old_shapes_are_unknown_without_their_upcaster() -> None:
    """`read_line` of daynight's own language, which has no such upcaster, refuses the tag cast.0 as foreign."""
    with pytest.raises(UnreadableError, match="foreign"):
        read_line(b'{"type":"cast.0","who":"Ana"}')


@pytest.mark.parametrize("line, path, fragment", [
    (b'{"type":"cast.0","who":"A\\n"}', "$.player", "U+000A"),
    (b'{"type":"cast.0","who":""}', "$.player", "empty name"),
    (b'{"type":"cast.0","who":null}', "$.player", "null"),
    (b'{"type":"cast.0","who":7}', "$.player", "found int"),
    (b'{"type":"cast.0","who":"A","who":"B"}', "$", "stands twice"),
    (b'{"type":"cast.0","who":"A","life":1}', "$.life", "unknown field 'life'"),
    (b'{"type":"cast.0","who":"A","meta":{"a":NaN}}', "$", "NaN"),
    (b'{"type":"cast.0","who":"A","at":"now"}', "$.at", "no RFC 3339 time"),
    (b'{"type":"cast.0","who":"A\\ud800"}', "$", "surrogate"),
    (b'{"type":"cast.0","who":"A","note":"\\ud800 and more"}', "$", "surrogate"),
    (b'{"type":"cast.0.2","who":"A"}', "$.type", "newer"),
])  # fmt: skip
def test_old_shapes_are_held_to_the_same_rules(line: bytes, path: str, fragment: str) -> None:
    """A fault in a line with an old tag is refused at this path, which has the field names of spell-cast."""
    with pytest.raises(RecordError) as refused:
        OLD.read_line(line)
    assert path == refused.value.path
    assert fragment in refused.value.sentence
    assert is_tame(str(refused.value))
