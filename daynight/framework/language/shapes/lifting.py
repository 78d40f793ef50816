"""Lifts events of old shapes to the current ones.

A shape that changes gets a new tag (`spell-cast.2`). The old tag moves from the union of events into `upcasters`, with
a function from the old fields to the new ones, and its lines are read for ever. One line stays one event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec

from daynight.framework.language.errors import RecordError, UpcastError, place_of
from daynight.framework.language.wording import _

Upcaster: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""Takes the JSON object of an old shape, `type` included, and returns that of a newer one."""

_ENCODER, _DECODER = msgspec.json.Encoder(), msgspec.json.Decoder()


class Lift(NamedTuple):
    """An upcaster that names the tag to which it lifts: the framework writes that tag into the result of `function`.

    Without a function only the tag changes, not the fields.

    >>> lift({"type": "lent", "book": "Emma"}, {"lent": Lift("lent.2", lambda old: old | {"days": 14})})
    {'type': 'lent.2', 'book': 'Emma', 'days': 14}
    """

    to: str
    function: Upcaster = lambda old: old


def check_upcasters(upcasters: Mapping[str, Lift | Upcaster], tags: Iterable[str]) -> None:
    """Check that no old tag is also a current tag, that each `Lift` leads to a known tag, and that they form no circle.

    Raises:
        ValueError: with the tag, and what to write.
    """
    today = dict.fromkeys(tags)
    for tag in upcasters:
        if tag in today:
            raise ValueError(f"upcasters: {tag!r} is a tag of today, so it is no old one")
        passed = [tag]
        while isinstance(upcaster := upcasters.get(passed[-1]), Lift):
            if upcaster.to not in today and upcaster.to not in upcasters:
                known = ", ".join([*today, *upcasters])
                raise ValueError(f"upcasters, {passed[-1]!r}: no tag {upcaster.to!r} to lift it to; there are: {known}")
            if upcaster.to in passed:
                raise ValueError(f"upcasters: {' -> '.join([*passed, upcaster.to])} goes round in a circle")
            passed.append(upcaster.to)


def lift(fields: dict[str, Any], upcasters: Mapping[str, Lift | Upcaster]) -> dict[str, Any]:
    """Return an event's JSON object in the current shape, lifted step by step; the same object if its tag is not old.

    Raises:
        UpcastError: where an upcaster fails, or does not return a newer shape.
    """
    lifted: list[str] = []
    while (upcaster := upcasters.get(tag := fields["type"])) is not None:
        lifted.append(tag)
        to = upcaster.to if isinstance(upcaster, Lift) else None
        function = upcaster.function if isinstance(upcaster, Lift) else upcaster
        try:
            answer: Any = function(fields)
        except RecordError as error:
            raise UpcastError(f"{tag}: {error.sentence}", path=error.path) from error
        except Exception as error:
            sentence = _("the upcaster of {tag} failed: {kind}: {error}")
            reason = sentence.format(tag=repr(tag), kind=type(error).__name__, error=error)
            raise UpcastError(reason + place_of(error)) from error
        if to is not None and type(answer) is dict and (told := answer.get("type")) in (tag, to, None):
            if told is None:
                # First, as events are written: they are decoded faster.
                answer = {"type": to, **answer}
            answer["type"] = to
            if to not in upcasters:
                present: dict[str, Any] = answer
                return present
        newer = answer.get("type") if isinstance(answer, dict) else None
        if not isinstance(newer, str) or newer in lifted:
            sentence = _("the upcaster of {tag} answered {answer}; let it answer the fields with a newer type")
            raise UpcastError(sentence.format(tag=repr(tag), answer=repr(answer)))
        fields = answer
    return fields


def encoded(fields: dict[str, Any], old: str) -> bytes:
    """Return as JSON the `fields` that upcasters made from a line with the tag `old`.

    Raises:
        UpcastError: where an upcaster returned a value that JSON cannot hold.
    """
    try:
        return _ENCODER.encode(fields)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        sentence = _("the upcaster of {tag} answered what is no JSON: {error}")
        raise UpcastError(sentence.format(tag=repr(old), error=error)) from error


def lifted_block(upcasters: Mapping[str, Lift | Upcaster], block: bytes, nesting: int) -> bytes | None:
    """Return a block of whole lines with its old lines lifted; None if it has to be read line by line.

    The old lines are decoded together, lifted one by one, and written together: one by one, all three would take five
    times as long. The answer is None if daynight would write an old line differently, if one is nested deeper than
    `nesting`, or if an upcaster fails.
    """
    marks = [mark for tag in upcasters if (mark := b'"type":"%b"' % tag.encode()) in block]
    if not marks:
        return block
    lines = block.split(b"\n")
    found = [[place for place, line in enumerate(lines) if mark in line] for mark in marks]
    places = found[0] if len(found) == 1 else sorted({place for some in found for place in some})
    old = b"\n".join([lines[place] for place in places]) + b"\n"
    try:
        objects: list[Any] = _DECODER.decode_lines(old)
        # A key that stood twice would be missing.
        if len(objects) != len(places) or _ENCODER.encode_lines(objects) != old:
            return None
        # If the whole block has too few, so has each line.
        if old.count(b"{") + old.count(b"[") - len(places) >= nesting and any(
            lines[place].count(b"{") + lines[place].count(b"[") > nesting for place in places
        ):
            return None
        lifted = [lift(fields, upcasters) for fields in objects]
        written = _ENCODER.encode_lines(lifted).split(b"\n")
    except (msgspec.MsgspecError, RecordError, TypeError, ValueError, KeyError, RecursionError):
        return None
    for place, line in zip(places, written, strict=False):
        lines[place] = line
    return b"\n".join(lines)
