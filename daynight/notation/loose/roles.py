"""Finds the role of a name in a clause by the words beside it: actor, object, target, means or owner."""

from __future__ import annotations

from collections.abc import Sequence

from daynight.notation.loose.clauses import Clause
from daynight.notation.loose.tokens import NAMES, Token
from daynight.notation.loose.vocabulary import listed
from daynight.notation.spoken.classes import folded

BEFORE = ("when", "onto", "by", "with", "of", "from", "copy")
"""Kinds of words that stand before a name, in English and French."""

BEHIND = ("subject", "object", "aim", "owner", "with", "by", "from")
"""Kinds of words that stand behind a name, in Japanese; and the owner's sign in English."""


def role(clause: Clause, token: Token) -> str:
    """Return the role of a name: the kind (in `BEFORE` or `BEHIND`) of the word beside it, `plain` without one."""
    tokens = clause.tokens
    place = tokens.index(token)
    if place + 1 < len(tokens) and (behind := tokens[place + 1]).start == token.end:
        if behind.is_("owner") and place + 2 < len(tokens) and tokens[place + 2].is_("control"):
            return "object"
        for kind in BEHIND:
            if behind.is_(kind) and not (kind in ("with", "by", "from") and behind.text.isascii()):
                return kind
    if place + 1 < len(tokens) and tokens[place + 1].is_("owner"):
        # Bo's casting Shock: he is.
        doing = place + 2 < len(tokens) and tokens[place + 2].text.endswith("ing") and tokens[place + 2].kinds
        return "plain" if doing else "owner"
    return _before(tokens, place)


def _before(tokens: Sequence[Token], place: int) -> str:
    """Return the kind in `BEFORE` of the word before a name and its articles, owners and adjectives, else `plain`."""
    at = place - 1
    while at >= 0:
        token = tokens[at]
        if token.is_("owner") and at and tokens[at - 1].is_("player"):
            at -= 2
            continue
        if token.text.isascii() or token.text[0].isalpha():
            for kind in BEFORE:
                if token.is_(kind) and not _is_japanese(token):
                    return "plain" if kind == "of" and _is_partitive(tokens, at) else kind
        if token.kinds and not token.is_("it", "number", "both"):
            return "plain"
        if (
            at
            and listed("article").fullmatch(folded(token.text))
            and not tokens[at - 1].kinds
            and listed("article").fullmatch(folded(tokens[at - 1].text)) is None
        ):
            # After blocks, the crow: the preposition belongs to the name before.
            return "plain"
        at -= 1
    return "plain"


def _is_japanese(token: Token) -> bool:
    return token.text[0] >= "\u3040"


def _is_partitive(tokens: Sequence[Token], at: int) -> bool:
    """Return whether the `of` at index `at` belongs to a verb: `take control of w1`, `le contrôle de w1`."""
    return at > 0 and tokens[at - 1].is_("control")


def is_behind(clause: Clause, token: Token, verb: Token) -> bool:
    """Return whether a name stands behind a verb."""
    return token.start > verb.start


def others(clause: Clause, *used: Token) -> list[Token]:
    """Return the names, except `used`, that may be actors or objects too: with any, the event is uncertain."""
    return [
        token
        for token in clause.tokens
        if token.is_(*NAMES) and token not in used and role(clause, token) in ("plain", "subject", "object")
    ]
