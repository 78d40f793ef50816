"""Remembers what the clauses of a line told so far, and finds who acts in the next one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from daynight.framework.language.errors import UnreadableError
from daynight.notation.lookups import Lookups
from daynight.notation.loose.clauses import Clause
from daynight.notation.loose.roles import is_behind, role
from daynight.notation.loose.tokens import Token
from daynight.notation.loose.vocabulary import listed
from daynight.notation.spelling import WrittenName
from daynight.notation.spoken.classes import folded, spells

PAIR = 2
"""How many things `both` means."""

ACTORS = ("plain", "subject", "by")


class Coming(NamedTuple):
    """What arrives, while nobody says under whose control: a card, or so many `tokens` of a name (0: a card)."""

    name: str
    tokens: int = 0


@dataclass
class Told:
    """What the clauses so far told.

    `who` acted last; `players` and `permanents` were named; `cast` has player and card of the last cast, `casts` the
    cards of all; `gone` has the permanents that left, by id, each with the zone. `judge`: under which name a judge
    rules. `passed`: the turn ended, and no next one is named; `turn`: whose turn the line began. `arrived`: the card
    that arrived last. `speaker`: who says what follows. `winner`: who has won. `stack`: the line names the stack.
    """

    lookups: Lookups
    who: str | None = None
    players: list[str] = field(default_factory=list)
    permanents: list[str] = field(default_factory=list)
    cast: tuple[str, str] | None = None
    gone: dict[str, str] = field(default_factory=dict)
    judge: str | None = None
    has_ruled: bool = False
    passed: bool = False
    turn: str | None = None
    number: int | None = None
    """The number of the turn that begins, while nobody says whose it is."""
    effect: bool = False
    """Whether an effect without a name was told of."""
    coming: Coming | None = None
    arrived: str | None = None
    looked: bool = False
    """Whether somebody looked at a card, so that what is put somewhere is that card."""
    stack: bool = False
    casts: list[str] = field(default_factory=list)
    speaker: str | None = None
    winner: str | None = None
    making: bool = False
    """Whether the clause before tells that somebody makes something."""
    cries: bool = False
    """Whether the clause before announces a spell of the player in it, or is a cast of that player."""


def actor(clause: Clause, told: Told, verb: Token | None = None) -> str | None:
    """Return the player who acts in a clause, or acted before if it names none; None if uncertain."""
    named = [token for token in clause.all_("player") if role(clause, token) in ACTORS]
    acting = {token.value for token in named}
    if len(acting) == 1:
        (token,) = named[:1]
        behind = verb is not None and token.text.isascii() and is_behind(clause, token, verb)
        return None if behind and role(clause, token) == "plain" else acting.pop()
    if acting:
        return None
    if (clause.has("pronoun") and len({*told.players}) > 1) or (verb is not None and _has_subject(clause, verb)):
        return None
    return told.who


def _has_subject(clause: Clause, verb: Token) -> bool:
    """Return whether a clause without an acting player may have another subject: an unknown word before the verb."""
    if in_japanese(clause):
        return clause.has("opponent") or any(
            role(clause, token) == "subject" for token in clause.all_("permanent", "card")
        )
    before = [token for token in clause.tokens if token.start < verb.start and not token.is_("pronoun", "be", "reason")]
    return any(not is_adverb(token.text) for token in before)


def is_adverb(text: str) -> bool:
    """Return whether a word says only how or when something is done: it is listed, or ends with `ly` or `ment`."""
    plain = folded(text)
    return listed("adverb").fullmatch(plain) is not None or plain.endswith(("ly", "ment"))


def is_small(text: str) -> bool:
    """Return whether a word says nothing about what happens: it is listed as small, or is an adverb."""
    return is_adverb(text) or listed("small").fullmatch(folded(text)) is not None


def card_name(token: Token, told: Told) -> str | None:
    """Return the English name of a card; None if its name is ambiguous, or nearly the name of another card."""
    try:
        return told.lookups.card(WrittenName(token.text, False, 1, 1))
    except UnreadableError:
        return None


def is_spell(token: Token, told: Told) -> bool:
    """Return whether a card is certainly no permanent: it is played often as a spell, or the catalogue says so."""
    ours = told.lookups.is_card(token.text, ours=True)
    return folded(token.text) in spells() or (ours and not told.lookups.is_permanent(token.text))


def in_japanese(clause: Clause) -> bool:
    """Return whether a clause has Japanese letters."""
    return any("\u3040" <= letter <= "\u9fff" for letter in clause.text)


def counts(clause: Clause, number: Token) -> bool:
    """Return whether a number may count spells: no word for mana, life or damage follows."""
    behind = clause.text[number.end - clause.tokens[0].start :].lstrip()
    return not folded(behind).startswith(("mana", "マナ", "life", "点", "damage", "degats", "blessures"))
