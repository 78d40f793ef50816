"""Reads clauses about day and night, turns, and the end: who says what, whose turn it is, who has lost.

The functions return lines of the notation; None where these are not certain.
"""

from __future__ import annotations

import re

from daynight.notation.loose.clauses import Clause
from daynight.notation.loose.roles import role
from daynight.notation.loose.tokens import Token
from daynight.notation.loose.told import ACTORS, PAIR, Told, actor
from daynight.notation.spelling import quoted
from daynight.notation.spoken.classes import folded


def claiming(clause: Clause, told: Told) -> list[str] | None:
    """Return the line of a claim, of a judge's ruling, or of the effect of the spell cast before; None if uncertain."""
    times = {"day" if token.is_("day") else "night" for token in clause.all_("day", "night")}
    if len(times) != 1 or clause.has("permanent", "card", "number"):
        return None
    if told.judge is not None and not clause.has("player") and (told.has_ruled or clause.has("rule", "say")):
        return [f"{quoted(told.judge)} rules {times.pop()}"]
    if not clause.has("say") and told.cast is not None and not clause.has("player", "pronoun"):
        return _becoming(clause, told, *times)
    speakers = {
        token.value for token in clause.all_("player") if role(clause, token) in ("plain", "subject", "by", "aim")
    }
    if not clause.all_("player") and told.who is not None and len({*told.players}) == 1 and not clause.has("pronoun"):
        speakers = {told.who}
    if len(speakers) != 1 or not (clause.has("say") or clause.joint == ":"):
        return None
    (who,), (time,) = speakers, times
    told.who = who
    return [f"{quoted(who)} says {time}"]


def turning(clause: Clause, told: Told) -> list[str] | None:
    """Return the line by which a clause begins a turn; [] for the current turn, or a mere pass; None if uncertain.

    After a pass, a later clause has to name the next turn before it may tell of an event: `told.passed` says so.
    """
    if clause.has("pass") or _PASSED.search(folded(clause.text)):
        if clause.has("card", "permanent", "day", "night"):
            return None
        told.passed = True
        next_ones = [
            token
            for token in clause.all_("player")
            if role(clause, token) in ("onto", "aim") or _has_turn(clause, token)
        ]
        actors = [token.value for token in clause.all_("player") if role(clause, token) in ACTORS]
        told.who = actors[0] if len(actors) == 1 else told.who
        return (
            _begun(next_ones[0].value, told)
            if len(next_ones) == 1
            else []
            if len(clause.all_("player")) < PAIR
            else None
        )
    owner = [token for token in clause.all_("player") if role(clause, token) in ("owner", "of", *ACTORS)]
    if len({token.value for token in owner}) != 1:
        return None
    number = told.lookups.next_turn(owner[0].value)
    if number is None:
        nexts = [told.lookups.next_turn(player) for player in told.lookups.players]
        now = next((str(one - 1) for one in nexts if one is not None), None)
        return [] if all(token.value == now for token in clause.all_("number")) else None
    plain = all(
        token.is_("turn", "player", "of", "owner", "be", "it", "number") or token.text in ("le", "la")
        for token in clause.tokens
    )
    numbers = [token.value for token in clause.all_("number")]
    if numbers and numbers != [str(number)]:
        return None
    begins = plain or told.passed or _BEGINS.search(folded(clause.text)) is not None
    return _begun(owner[0].value, told) if begins else None


def _has_turn(clause: Clause, player: Token) -> bool:
    """Return whether the words behind a player say that a turn is this player's: `Bo's turn`, `ボーの番`."""
    behind = clause.tokens[clause.tokens.index(player) + 1 :][:PAIR]
    return len(behind) == PAIR and behind[0].is_("owner") and behind[1].is_("turn")


_PASSED = re.compile(
    r"pass(?:es|ed|e)? (?:the |his |her |la |le |son )?(?:turn|tour|main)|ターン(?:を)?(?:渡|返|終|エンド)"
)
_BEGINS = re.compile(r"begin|start|debut|commence|最初|始|入|now|next|maintenant|untap|degage|アンタップ")


def _begun(who: str, told: Told) -> list[str] | None:
    number = told.lookups.next_turn(who)
    if number is None:
        return None
    told.passed, told.who, told.turn = False, who, who
    return [f"turn {number} {quoted(who)}"]


def _becoming(clause: Clause, told: Told, time: str) -> list[str] | None:
    """Return the line `it becomes night by ...` for the spell cast before; None if that spell has no such effect."""
    assert told.cast is not None
    turning = {name.casefold() for name in told.lookups.turning}
    if told.cast[1].casefold() not in turning or _BECOMES.search(folded(clause.text)) is None:
        return None
    return [f"it becomes {time} by {quoted(told.cast[1])}"]


_BECOMES = re.compile(r"becom|turns|\bnow\b|it's|it is|makes|tombe|se leve|devient|fait|c'est|に(?:な|し)")


def conceding(clause: Clause, told: Told) -> list[str] | None:
    """Return the line by which the loser's only opponent wins, or else the loser leaves; None if uncertain."""
    who = actor(clause, told)
    if who is None or clause.has("permanent", "card", "number") or len({t.value for t in clause.all_("player")}) > 1:
        return None
    rest = [player for player in told.lookups.players if player != who]
    return [f"{quoted(rest[0])} wins" if len(rest) == 1 else f"{quoted(who)} leaves the game"]
