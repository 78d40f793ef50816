"""Clauses about permanents that stay or are made: they phase, turn over, are tokens; and the steps that begin."""

from __future__ import annotations

import re

from daynight.notation.loose.clauses import Clause
from daynight.notation.loose.roles import role
from daynight.notation.loose.tokens import Token
from daynight.notation.loose.told import Coming, Told, card_name, in_japanese
from daynight.notation.loose.vocabulary import listed
from daynight.notation.spelling import quoted
from daynight.notation.spoken.classes import folded


def phasing(clause: Clause, told: Told) -> list[str] | None:
    """Return the phasing of the named permanents."""
    ways = {kind for token in clause.tokens for kind in token.kinds if kind.startswith("phase-")}
    named = _named(clause)
    if len(ways) != 1 or not named or clause.has("number", "turn"):
        return None
    verb = f"phases {ways.pop().removeprefix('phase-')}"
    return [f"{quoted(one)} {verb}" for one in named]


def turning_over(clause: Clause, told: Told) -> list[str] | None:
    """Return that permanents are told to transform, where an effect is said to tell them so."""
    named = _named(clause)
    causes = [token for token in clause.all_("card") if not token.is_("permanent")]
    if not named or len(causes) > 1 or clause.has("number"):
        return None
    ids = ", ".join(map(quoted, named))
    if causes:
        name = card_name(causes[0], told)
        verb = clause.all_("transform")[0]
        does = role(clause, causes[0]) in ("plain", "subject") and causes[0].start < verb.start
        by = does or role(clause, causes[0]) in ("by", "with", "of", "owner")
        return [f"{ids} transforms by {quoted(name)}"] if name is not None and by else None
    told_to = "is" if len(named) == 1 else "are"
    spells = clause.all_("spell")
    # By whose spell it is would be a cast.
    by_spell = len(spells) == 1 and role(clause, spells[0]) in ("by", "with") and not clause.has("player")
    sure = clause.has("effect") and not spells
    return [f"{ids} {told_to} told to transform"] if sure or by_spell else None


def _named(clause: Clause) -> list[str]:
    parts = ("plain", "subject", "object", "of")
    return [*dict.fromkeys(token.value for token in clause.all_("permanent") if role(clause, token) in parts)]


def making(clause: Clause, told: Told) -> list[str] | None:
    """Return the arrival of the tokens that a player makes: `two Zombie tokens for Bo`, `ゾンビトークン2体、ボー側`."""
    players = {token.value for token in clause.all_("player")}
    numbers = [int(token.value) for token in clause.all_("number") if not _is_size(clause, token)]
    name = _token_name(clause)
    if clause.has("permanent", "land") or len(players) > 1 or len(numbers) > 1 or name is None:
        return None
    who = players.pop() if players else told.who
    count = numbers[0] if numbers else 1
    if not 0 < count <= _MANY or clause.is_denied or not _is_made(clause, told):
        return None
    if who is None:
        told.coming = Coming(name, count)
        return []
    return [tokens_line(who, name, count)]


def _is_made(clause: Clause, told: Told) -> bool:
    """Return whether a clause tells that a token comes, and not what a token does, or what is done to it."""
    if clause.has("enter"):
        return True
    place = clause.tokens.index(clause.all_("token")[0])
    verbs = clause.all_("making")
    if verbs:
        first, last = sorted((clause.tokens.index(verbs[0]), place))
        between = clause.tokens[first + 1 : last]
        plain = not any(token.is_("of", "onto", "with", "from", "plays", "cast") for token in between)
        return plain and len(between) <= _APART and not any(_RID.fullmatch(token.text) for token in clause.tokens)
    others = [token for token in clause.tokens if token.kinds and not token.is_(*_ELLIPTIC)]
    aims = [token for token in clause.all_("onto") if folded(token.text) not in ("for", "pour", "chez")]
    told_of = clause.has("onto", "side", "aim") or told.making or clause.joint == ":" or not clause.has("player")
    return told_of and not aims and not others


_RID = re.compile("rid|counters?|marqueurs?|カウンター", re.IGNORECASE)
_APART = 5
_ELLIPTIC = ("player", "number", "token", "onto", "side", "owner", "aim", "card", "does", "be", "word", "it")


def tokens_line(who: str, name: str, count: int) -> str:
    """Return the line by which tokens enter at once."""
    each = ", ".join([f"{quoted(name)} (token)"] * count)
    return f"{quoted(who)}: {each} {'enter' if count > 1 else 'enters'}"


_MANY = 20
"""The most tokens of one line."""


def _is_size(clause: Clause, number: Token) -> bool:
    start = clause.tokens[0].start
    return "/" in (clause.text[number.end - start :][:1], clause.text[: number.start - start][-1:])


def _token_name(clause: Clause) -> str | None:
    """Return the name of a token: the word beside the word for it."""
    place = clause.tokens.index(clause.all_("token")[0])
    if in_japanese(clause) and not clause.tokens[place].text.isascii():
        before: list[str] = []
        for token in reversed(clause.tokens[:place]):
            if (token.kinds and not token.is_("card")) or not _WORD.fullmatch(token.text):
                break
            before.insert(0, token.text)
        return "".join(before) or None
    french = clause.tokens[place].text.casefold().startswith("jeton")
    beside = clause.tokens[place + 1 : place + 2] if french else clause.tokens[max(place - 1, 0) : place]
    if not beside or (beside[0].kinds and not beside[0].is_("card")) or not beside[0].text.isalpha():
        return None
    return None if listed("function").fullmatch(folded(beside[0].text)) else beside[0].text.capitalize()


_WORD = re.compile("[\u30a0-\u30ff\u4e00-\u9fffーりか]+")


def stepping(clause: Clause) -> str | None:
    """Return the line by which a step begins, where a clause says nothing else; None otherwise."""
    steps = [(token, token.step) for token in clause.tokens if token.step is not None]
    if len(steps) != 1 or clause.is_denied or clause.has("card", "permanent", "land", "number"):
        return None
    ((step, name),) = steps
    rest = [token for token in clause.tokens if token is not step]
    if in_japanese(clause):
        moved = all(
            token.is_("player", "owner", "subject", "aim", "be") or _KANA.fullmatch(token.text) for token in rest
        )
        moved = moved and (not rest or any(token.text in "入移進" for token in rest) or _whole_name(step))
    else:
        moved = all(token.is_("player", "owner") or listed("reaching").fullmatch(folded(token.text)) for token in rest)
        moved = moved and (_whole_name(step) or any(_GOES.fullmatch(folded(token.text)) for token in rest))
    return name if moved else None


def _whole_name(step: Token) -> bool:
    """Return whether the name of a step is no common word: `end step`, but not `combat`."""
    return folded(step.text) not in ("combat", "戦闘", "メイン", "コンバット", "main one", "main two")


_KANA = re.compile("[\u3041-\u309fー入移進!！。〜~]")
_GOES = re.compile(
    "goes?|going|moves?|moving|enters?|entering|reach(?:es|ed)?|begins?|passe|passons|va|vont|entre|commence"
)
