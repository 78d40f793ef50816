"""Finds effects on day and night in the text of a resolution in Forge's log."""

from __future__ import annotations

import re

from daynight.events.terms import Switch

_BECOMES = re.compile(r"(?:^|\. | [-–—] )It becomes (day|night)\b")
_SWITCHES = re.compile(r"(?:^|\. | [-–—] )If it['’]s night, it becomes day\b", re.IGNORECASE)
_TRIGGERS = re.compile(r"(?:At|When|Whenever) (?!.{0,2000}\bmay\b)[^.]{1,2000}, it becomes (day|night)\b")
_MAY_BECOME = re.compile(r"\bit becomes (?:day|night)\b", re.IGNORECASE)


def becoming(text: str, *, straight: bool) -> tuple[Switch | None, bool]:
    """Return the effect on day and night (None: none is certain), and whether the text is clear about that.

    A sentence without a condition is clear. So is the text of a trigger that resolves `straight`, right after it went
    on the stack: its condition still holds. With any other condition the effect is None, and the text not clear.
    """
    if "neither day nor night" in text:
        # That happens as a permanent enters: what its card says of it is in the catalogue.
        return None, True
    if _SWITCHES.search(text) is not None:
        return "switch", True
    found = _BECOMES.search(text) or (_TRIGGERS.match(text) if straight else None)
    if found is not None:
        return ("day" if found[1] == "day" else "night"), True
    return None, _MAY_BECOME.search(text) is None
