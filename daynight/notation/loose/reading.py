"""Reads a line clause by clause, and ignores unknown words: the last way, for lines that no other way has read.

A clause without a permanent, a card and a word for an event is a remark. A line is refused if it has a word of doubt,
or if one of its clauses is uncertain or denies an event.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from daynight.notation.lines.making import Fields
from daynight.notation.lookups import Lookups
from daynight.notation.loose.casting import elliptic
from daynight.notation.loose.clauses import HAPPENING, Clause, clauses_of, is_doubted, is_name, is_remark, is_told
from daynight.notation.loose.happenings import happening
from daynight.notation.loose.tokens import NAMES, tokens_of
from daynight.notation.loose.told import Told, in_japanese
from daynight.notation.loose.vocabulary import listed
from daynight.notation.spoken.classes import folded
from daynight.notation.spoken.spelled import spelled

_SAID = re.compile(r'"([^"A-Z]*\b(?:day|night|jour|nuit|昼|夜)\b[^"A-Z]*)"')
_MAIN = re.compile(
    r"[ ,]*(?<!\w)(?:main(?: phase)? ?[12]|m[12]|x ?= ?[0-9]+|for [0-9wubrgx]+(?: mana)?|pour [0-9]+(?: manas?)?)"
    r"(?!\w)",
    re.IGNORECASE,
)
MOST = 240
"""The most characters of a line that this module reads."""


Read = Callable[[str], list[Fields] | None]
"""Reads a text, each word of which must be known: returns the fields of its events, or None if it is refused."""


def loosely(text: str, lookups: Lookups, read: Read = lambda text: None) -> list[str | Fields] | None:
    """Return the events of a line: lines of the notation, or fields that `read` returned for a clause.

    [] if the line certainly tells of no event; None if one of its clauses is uncertain.
    """
    text = _SAID.sub(r" \1 ", text)
    if len(text) > MOST or not set('"{}[]@#()').isdisjoint(text) or not lookups.players:
        return None
    text = _plainer(text, lookups)
    if text.endswith((",", ";", "、", ":")):
        return None
    tokens = tokens_of(text, lookups)
    if not any(token.is_(*NAMES, *HAPPENING) for token in tokens):
        return [] if listed("chat").search(folded(text)) is not None else None
    told = Told(lookups)
    clauses = _clauses(clauses_of(text, tokens), told)
    if any(is_doubted(clause) for clause in clauses):
        return None
    made: list[str | Fields] = []
    quiet = True
    for place, clause in enumerate(clauses):
        found: Sequence[str | Fields] | None = _read(clause, clauses[place + 1 : place + 2], told, lookups)
        if found is None and place and _speaks(clauses[place - 1], clause):
            found = happening(Clause(clause.text, (clauses[place - 1].tokens[0], *clause.tokens), False), told)
        if found is None and (found := _strictly(clause, text, told, read)) is None:
            return None
        quiet = quiet and not found
        made += found
        told.players += [token.value for token in clause.all_("player")]
        told.permanents += [token.value for token in clause.all_("permanent")]
    if not made and not (quiet and _is_play(clauses)):
        return None
    return made


def _clauses(clauses: list[Clause], told: Told) -> list[Clause]:
    """Return the clauses; if one claims day or night, only those that give no reason, with all players in `told`."""
    if not any(clause.has("say") and clause.has("day", "night") and not clause.is_reason for clause in clauses):
        return clauses
    told.players = [token.value for clause in clauses for token in clause.all_("player")]
    told.who = next((clause.tokens[0].value for clause in clauses if clause.tokens[0].is_("player")), None)
    return [clause for clause in clauses if not clause.is_reason]


def _plainer(text: str, lookups: Lookups) -> str:
    """Return a text in the usual spelling, without words for a main phase or for mana: `m1`, `for 3 mana`."""
    for player in lookups.players:
        text = re.sub(rf"(?<!\w)({re.escape(player)})s(?= )", r"\1's", text, flags=re.IGNORECASE)
    return _MAIN.sub("", spelled(text, lookups, creatures=True) or text).strip()


def _strictly(clause: Clause, text: str, told: Told, read: Read) -> list[Fields] | None:
    """Return the fields that `read` finds in a clause of a longer line, as it is or with the acting player before it.

    None if `read` refuses both, or if the clause is denied, a reason, or has an unknown name.
    """
    if clause.text == text or told.passed or clause.is_denied or clause.is_reason or not is_told(clause):
        return None
    named = clause.has("player", "permanent") and not clause.has("it", "pronoun")
    if any(is_name(token, clause) for token in clause.tokens) or not (named and clause.has(*HAPPENING)):
        return None
    said = [clause.text]
    if told.who is not None and not clause.has("player") and len({*told.players}) == 1:
        said.append(f"{told.who}は{clause.text}" if in_japanese(clause) else f"{told.who} {clause.text}")
    return next((made for one in said if (made := read(one))), None)


def _read(clause: Clause, then: list[Clause], told: Told, lookups: Lookups) -> list[str] | None:
    """Return the lines of the notation for a clause; [] for a remark, None if uncertain. `then` has the next clause."""
    if any(is_name(token, clause) for token in clause.tokens):
        return None
    if len(clause.tokens) == 1 and clause.has("player") and (not then or then[0].tokens[0].is_("player")):
        # Ana and Bo cast Opt.
        return None
    if is_remark(clause, lookups) and not clause.has("judge"):
        told.who = told.who if not clause.has("player") else clause.all_("player")[0].value
        return []
    if clause.is_denied or (clause.is_reason and clause.tokens[0].is_("reason")):
        return None
    if clause.has("judge") and not clause.has("player"):
        told.judge, told.has_ruled = _judge(clause.all_("judge")[0].text), clause.has("rule")
    if not clause.has(*HAPPENING):
        return _unmoved(clause, told)
    return happening(clause, told) if is_told(clause) else None


def _unmoved(clause: Clause, told: Told) -> list[str] | None:
    """Return the cast without a verb in a clause without a word for an event; [] for none, None if uncertain."""
    turning = [*map(folded, told.lookups.turning)]
    named = clause.has("permanent", "card", "land")
    if clause.has("plays") or (clause.has("does") and not named) or (clause.has("judge") and not named):
        actors = clause.all_("player")
        told.who = actors[0].value if actors else told.who
        return None if any(folded(token.text) in turning for token in clause.all_("card")) else []
    if (cast := elliptic(clause, told)) is not None:
        return None if told.passed else cast
    # Poor crow.
    known = [token.value in told.permanents for token in clause.all_("permanent")]
    return [] if known and all(known) and not clause.has("card", "land", "player") else None


def _judge(text: str) -> str:
    """Return the name by which the notation calls a judge who is not named, in the language of the word `text`."""
    return "the judge" if "judge" in text else "l'arbitre" if text.isascii() else "ジャッジ"


def _speaks(before: Clause, clause: Clause) -> bool:
    """Return whether a clause is about day or night, and the one before is only the speaker: `Ana: it is night`."""
    return len(before.tokens) == 1 and before.has("player") and clause.joint == ":" and clause.has("day", "night")


def _is_play(clauses: list[Clause]) -> bool:
    """Return whether the clauses name a player and an everyday action, such as an attack, so need no event."""
    return any(clause.has("plays") for clause in clauses) and any(clause.has("player") for clause in clauses)
