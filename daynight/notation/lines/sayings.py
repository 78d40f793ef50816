"""Converts lines with statements (claims, rulings, disputes) to the fields of their events."""

from __future__ import annotations

from lark import Token, Tree

from daynight.framework.language.wording import _
from daynight.notation.lines.making import Fields, Maker, Making, number, with_those
from daynight.notation.lines.parsing import Branch
from daynight.notation.spelling import WrittenName


def _claim(making: Making, designation: Branch | WrittenName, by: str | None) -> Fields:
    return {"type": "designation-claimed", "designation": making.designation(designation), "by": by}


def _shown(making: Making, permanent: WrittenName, face: Branch, by: str) -> Fields:
    shows = {"permanent": making.lookups.permanent(permanent), "face": making.word(face, ("front", "back"))}
    return {"type": "face-claimed", **shows, "by": by}


def _tallied(making: Making, player: WrittenName, spells: Token, turn: Token | None, by: str | None) -> Fields:
    fields: Fields = {"type": "tally-claimed", "player": making.lookups.player(player), "spells": number(spells)}
    return with_those({**fields, "by": by}, turn=number(turn))


# ----------------------------------------------------------------------------------------------- the judge, and the end


def _by(making: Making, subject: Branch) -> str:
    """Return the text of the speaker's name; `subject` is this name, or a list of subjects with only this name."""
    return making.one(subject).text if subject.data == "subjects" else making.said(subject).text


def _noted(making: Making, by: Branch, says: Token, about: Token | None) -> Fields:
    fields: Fields = {"type": "note-added", "by": _by(making, by), "says": making.said(Tree("name", [says])).text}
    return with_those(fields, about=number(about))


def _dispute(
    making: Making,
    act: str,
    dispute: Branch,
    by: Branch,
    *,
    designation: Branch | None = None,
    saying: Branch | None = None,
    about: Token | None = None,
    **fields: str | int | None,
) -> Fields:
    """Return the fields of an event of type `dispute-{act}`; `saying` is a quoted statement in brackets."""
    meant = None if designation is None else making.designation(designation)
    made: Fields = {"type": f"dispute-{act}", "dispute": making.said(dispute).text, "by": making.said(by).text}
    says = None if saying is None else making.said(Tree("name", [saying.children[1]])).text
    return with_those(made | fields, designation=meant, says=says, about=number(about))


def _outcome(token: Token) -> str:
    word = token.casefold()
    return "back-up" if word.startswith("back") else word


SAYINGS: dict[str, Maker] = {
    "says": lambda making, by, it: _claim(making, it, making.one(by).text),
    "says_shows": lambda making, by, it, face: _shown(making, making.said(it), face, making.one(by).text),
    "says_cast": lambda making, by, it, spells, turn: _tallied(
        making, making.said(it), spells, turn, making.one(by).text
    ),
    "claimed": lambda making, it, by: _claim(making, making.one(it), making.text(by)),
    "claimed_it": lambda making, it, by: _claim(making, it, making.text(by)),
    "shows": lambda making, it, face, by: _shown(making, making.one(it), face, making.text(by) or _("somebody")),
    "tally": lambda making, it, spells, turn, by: _tallied(making, making.one(it), spells, turn, making.text(by)),
    "rules": lambda making, by, it: {
        "type": "judge-ruled",
        "by": _by(making, by),
        "designation": making.designation(it),
    },
    "backs_up": lambda making, by, to: {"type": "game-backed-up", "by": _by(making, by), "to": number(to)},
    "noted": _noted,
    "dispute_opened": lambda making, it, by, about: _dispute(making, "opened", it, by, about=about),
    "dispute_claimed": lambda making, it, by, meant, saying: _dispute(
        making, "claimed", it, by, designation=meant, saying=saying
    ),
    "dispute_ruled": lambda making, it, by, outcome, meant, saying: _dispute(
        making, "ruled", it, by, outcome=_outcome(outcome), designation=meant, saying=saying
    ),
    "dispute_backs_up": lambda making, it, by, to, saying: _dispute(
        making, "ruled", it, by, outcome="back-up", to=number(to), saying=saying
    ),
    "dispute_appealed": lambda making, it, by: _dispute(making, "appealed", it, by),
    "dispute_closed": lambda making, it, by, outcome: _dispute(making, "closed", it, by, outcome=_outcome(outcome)),
}
"""The function for each kind of line with a statement, by the name of its rule in the grammar."""
