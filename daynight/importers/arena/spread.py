"""Reads messages that are spread over several lines of the log."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import msgspec

from daynight.importers.arena.messages import LENGTH, MARK, Wrapper, decode_line
from daynight.importers.sources import Source

PRETTY = 20_000
"""The most lines that one JSON object may take."""


def gathered(
    source: Source, lines: Iterator[tuple[int, bytes]], line: bytes, after: list[tuple[int, bytes]]
) -> list[Wrapper] | None:
    """Read a JSON object that takes several lines; return its messages, or None if it is invalid or never ends.

    `line` is its first line. If another message begins before its end, append that message's line and number to
    `after`, and return None.
    """
    start = line.find(b'"' + MARK)
    if start < 0 or not line.rstrip().endswith((b"{", b"[", b",")):
        return None
    # What stood before it on lines of its own is not needed.
    parts = [line if line.lstrip().startswith(b"{") else b"{" + line[start:]]
    size, depth = len(line), parts[0].count(b"{") - parts[0].count(b"}")
    source.mark = None
    try:
        for number, more in islice(lines, PRETTY):
            if MARK in more:
                after.append((number, more))
                return None
            parts.append(more)
            size += len(more)
            depth += more.count(b"{") - more.count(b"}")
            if depth <= 0 or size > LENGTH:
                break
    finally:
        source.mark = MARK
    text = b"\n".join(parts)
    try:
        return decode_line(text[: text.rfind(b"}") + 1])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
