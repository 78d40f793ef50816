"""What is said: claims, rulings, and the disputes that they are a part of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lark import Token, Tree

from daynight.framework.language.wording import _
from daynight.notation.lines.grammar import Branch
from daynight.notation.lines.making import Fields, Maker, Making, number, with_those
from daynight.notation.spelling import Said

_FACES = ("front", "back")


def _claim(making: Making, designation: Branch | Said, by: str | None) -> list[Fields]:
    return [{"type": "designation-claimed", "designation": making.designation(designation), "by": by}]


def _says(making: Making, parts: Sequence[Any]) -> list[Fields]:
    return _claim(making, parts[1], making.one(parts[0]).text)


def _claimed(making: Making, parts: Sequence[Any]) -> list[Fields]:
    return _claim(making, making.one(parts[0]), making.text(parts[1]))


def _claimed_it(making: Making, parts: Sequence[Any]) -> list[Fields]:
    return _claim(making, parts[0], making.text(parts[1]))


def _shown(making: Making, permanent: Said, face: Branch, by: str) -> list[Fields]:
    shows = {"permanent": making.lookups.permanent(permanent), "face": making.word(face, _FACES)}
    return [{"type": "face-claimed", **shows, "by": by}]


def _says_shows(making: Making, parts: Sequence[Any]) -> list[Fields]:
    by, permanent, face = parts
    return _shown(making, making.said(permanent), face, making.one(by).text)


def _shows(making: Making, parts: Sequence[Any]) -> list[Fields]:
    permanent, face, by = parts
    return _shown(making, making.one(permanent), face, making.text(by) or _("somebody"))


def _tallied(making: Making, player: Said, spells: Token, turn: Token | None, by: str | None) -> list[Fields]:
    fields: Fields = {"type": "tally-claimed", "player": making.lookups.player(player), "spells": number(spells)}
    return [with_those({**fields, "by": by}, turn=None if turn is None else number(turn))]


def _says_cast(making: Making, parts: Sequence[Any]) -> list[Fields]:
    by, player, spells, turn = parts
    return _tallied(making, making.said(player), spells, turn, making.one(by).text)


def _tally(making: Making, parts: Sequence[Any]) -> list[Fields]:
    player, spells, turn, by = parts
    return _tallied(making, making.one(player), spells, turn, making.text(by))


# ----------------------------------------------------------------------------------------------- the judge, and the end


def _by(making: Making, subject: Branch) -> str:
    """Who says or rules: a name, alone or as the subject of a line."""
    return making.one(subject).text if subject.data == "subjects" else making.said(subject).text


def _rules(making: Making, parts: Sequence[Any]) -> list[Fields]:
    by = _by(making, parts[0])
    return [{"type": "judge-ruled", "by": by, "designation": making.designation(parts[1])}]


def _backs_up(making: Making, parts: Sequence[Any]) -> list[Fields]:
    return [{"type": "game-backed-up", "by": _by(making, parts[0]), "to": number(parts[1])}]


def _dispute(making: Making, act: str, parts: Sequence[Any]) -> Fields:
    return {"type": f"dispute-{act}", "dispute": making.said(parts[0]).text, "by": making.said(parts[1]).text}


def _saying(making: Making, saying: Branch | None) -> str | None:
    """What somebody says, in brackets and quotation marks."""
    if saying is None:
        return None
    _open, text, _close = saying.children
    return making.said(Tree("name", [text])).text


def _noted(making: Making, parts: Sequence[Any]) -> list[Fields]:
    by, says, about = parts
    fields: Fields = {"type": "note-added", "by": _by(making, by), "says": making.said(Tree("name", [says])).text}
    return [with_those(fields, about=None if about is None else number(about))]


def _dispute_opened(making: Making, parts: Sequence[Any]) -> list[Fields]:
    about = parts[2]
    return [with_those(_dispute(making, "opened", parts), about=None if about is None else number(about))]


def _dispute_claimed(making: Making, parts: Sequence[Any]) -> list[Fields]:
    designation = None if parts[2] is None else making.designation(parts[2])
    return [with_those(_dispute(making, "claimed", parts), designation=designation, says=_saying(making, parts[3]))]


def _outcome(token: Token) -> str:
    word = token.casefold()
    return "back-up" if word.startswith("back") else word


def _dispute_ruled(making: Making, parts: Sequence[Any]) -> list[Fields]:
    designation = None if parts[3] is None else making.designation(parts[3])
    fields = _dispute(making, "ruled", parts) | {"outcome": _outcome(parts[2])}
    return [with_those(fields, designation=designation, says=_saying(making, parts[4]))]


def _dispute_backs_up(making: Making, parts: Sequence[Any]) -> list[Fields]:
    fields = _dispute(making, "ruled", parts) | {"outcome": "back-up", "to": number(parts[2])}
    return [with_those(fields, says=_saying(making, parts[3]))]


def _dispute_appealed(making: Making, parts: Sequence[Any]) -> list[Fields]:
    return [_dispute(making, "appealed", parts)]


def _dispute_closed(making: Making, parts: Sequence[Any]) -> list[Fields]:
    return [_dispute(making, "closed", parts) | {"outcome": _outcome(parts[2])}]


SAYINGS: dict[str, Maker] = {
    "says": _says,
    "says_shows": _says_shows,
    "says_cast": _says_cast,
    "claimed": _claimed,
    "claimed_it": _claimed_it,
    "shows": _shows,
    "tally": _tally,
    "rules": _rules,
    "backs_up": _backs_up,
    "noted": _noted,
    "dispute_opened": _dispute_opened,
    "dispute_claimed": _dispute_claimed,
    "dispute_ruled": _dispute_ruled,
    "dispute_backs_up": _dispute_backs_up,
    "dispute_appealed": _dispute_appealed,
    "dispute_closed": _dispute_closed,
}
"""What each kind of line stands for on which somebody says something."""
