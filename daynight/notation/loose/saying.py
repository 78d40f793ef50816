"""Reads clauses about day and night, turns, and the end: who says what, whose turn it is, who has lost.

The functions return lines of the notation; None where these are not certain.
"""

from __future__ import annotations

import re

from daynight.notation.loose.clauses import Clause
from daynight.notation.loose.roles import role
from daynight.notation.loose.tokens import Token
from daynight.notation.loose.told import ACTORS, PAIR, Told, actor, card_name, is_small
from daynight.notation.loose.vocabulary import listed
from daynight.notation.spelling import WrittenName, quoted
from daynight.notation.spoken.classes import folded


def claiming(clause: Clause, told: Told) -> list[str] | None:
    """Return the line of a claim, of a judge's ruling, or of the effect of the spell cast before; None if uncertain."""
    times = {"day" if token.is_("day") else "night" for token in clause.all_("day", "night")}
    if len(times) == 1 and (became := _made_so(clause, told, *times)) is not None:
        return became
    if len(times) != 1 or clause.has("permanent", "card", "number"):
        return None
    if told.judge is not None and not clause.has("player") and (told.has_ruled or clause.has("rule", "say")):
        return [f"{quoted(told.judge)} rules {times.pop()}"]
    if not clause.has("say") and told.cast is not None and not clause.has("player", "pronoun"):
        return _becoming(clause, told, *times)
    speakers = {
        token.value
        for token in clause.all_("player")
        if role(clause, token) in ("plain", "subject", "by", "aim")
        or (role(clause, token) == "onto" and clause.tokens[0].text.lower() == "pour")
    }
    if not clause.has("player") and told.speaker is not None:
        told.who = told.speaker
        return [f"{quoted(told.speaker)} says {times.pop()}"]
    if not clause.all_("player") and told.who is not None and len({*told.players}) == 1 and not clause.has("pronoun"):
        speakers = {told.who}
    if len(speakers) != 1 or not (clause.has("say") or clause.joint == ":" or clause.tokens[0].text.lower() == "pour"):
        return None
    (who,), (time,) = speakers, times
    told.who = who
    return [f"{quoted(who)} says {time}"]


def turning(clause: Clause, told: Told) -> list[str] | None:
    """Return the line by which a clause begins a turn; [] for the current turn, or a mere pass; None if uncertain.

    After a pass, a later clause has to name the next turn before it may tell of an event: `told.passed` says so.
    """
    if clause.has("pass") or _PASSED.search(folded(clause.text)):
        if clause.has("card", "permanent", "day", "night", "something"):
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
    numbers = [token.value for token in clause.all_("number")]
    owners = ("owner", "of", "onto", "aim", *ACTORS)
    owner = [token for token in clause.all_("player") if role(clause, token) in owners]
    if not clause.has("player") and _numbered(told, numbers):
        told.number = int(numbers[0])
        return []
    if len({token.value for token in owner}) != 1:
        return None
    number = told.lookups.next_turn(owner[0].value)
    if number is None:
        nexts = [told.lookups.next_turn(player) for player in told.lookups.players]
        now = next((str(one - 1) for one in nexts if one is not None), None)
        return [] if all(token.value == now for token in clause.all_("number")) else None
    plain = all(
        token.is_("turn", "player", "of", "owner", "be", "it", "number", "onto", "word", "aim", "subject")
        or token.text in ("le", "la")
        for token in clause.tokens
    )
    if numbers and numbers != [str(number)]:
        return None
    begins = plain or told.passed or bool(numbers) or _BEGINS.search(folded(clause.text)) is not None
    return _begun(owner[0].value, told) if begins else None


def _numbered(told: Told, numbers: list[str]) -> bool:
    """Return whether the only number is that of the next turn."""
    nexts = {str(told.lookups.next_turn(player)) for player in told.lookups.players} - {"None"}
    return len(numbers) == 1 and numbers[0] in nexts


def whose_turn(clause: Clause, told: Told) -> list[str]:
    """Return the turn whose number a clause before told, if this clause names the player first whose turn it is."""
    for token in clause.all_("player")[:1]:
        if told.number is not None and told.lookups.next_turn(token.value) == told.number:
            told.number = None
            return _begun(token.value, told) or []
    return []


def _has_turn(clause: Clause, player: Token) -> bool:
    """Return whether the words behind a player say that a turn is this player's: `Bo's turn`, `ボーの番`."""
    behind = clause.tokens[clause.tokens.index(player) + 1 :][:PAIR]
    return len(behind) == PAIR and behind[0].is_("owner") and behind[1].is_("turn")


_PASSED = re.compile(
    r"pass(?:es|ed|e)? (?:the |his |her |la |le |son )?(?:turn|tour|main)|ターン(?:を)?(?:渡|返|終|エンド)"
)
_BEGINS = re.compile(
    r"begin|start|debut|commence|最初|始|入|移|回|now|next|over to|on to|enchain|maintenant|untap|degage|アンタップ"
)


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


_BECOMES = re.compile(
    r"becom|became|turn|switch|\bnow\b|it's|it is|makes|made|flip|transform|falls|fell|breaks|tombe|se leve|devient"
    r"|fait|c'est|passe|に(?:な|し|変|$)"
)


def _made_so(clause: Clause, told: Told, time: str) -> list[str] | None:
    """Return the effect that a clause or the ones before name as the cause of day or night; None without a cause."""
    if clause.has("say", "permanent", "number", "pronoun") and not clause.tokens[0].is_("pronoun"):
        return None
    if clause.has("say", "permanent", "number") or _BECOMES.search(folded(clause.text)) is None:
        return None
    turning = {folded(name) for name in told.lookups.turning}
    cards = clause.all_("card")
    names = [name for token in cards if (name := card_name(token, told)) is not None and folded(name) in turning]
    if len(names) == 1 == len(cards):
        return [f"it becomes {time} by {quoted(names[0])}"]
    players = clause.all_("player")
    if cards or (
        players and not (clause.has("effect") and all(role(clause, one) in ("of", "owner") for one in players))
    ):
        return None
    if told.cast is None and not told.judge and (clause.has("effect") or told.effect):
        return [f"it becomes {time}"]
    # A permanent with daybound makes it day by itself.
    arrived = told.lookups.face(WrittenName(told.arrived, True, 1, 1)) if told.arrived is not None else None
    return [] if arrived is not None and time == "day" and "daybound" in arrived.keywords else None


def winning(clause: Clause, told: Told) -> list[str] | None:
    """Return that the only player of a clause wins the game, and not something else."""
    players = {token.value for token in clause.all_("player")}
    rest = [
        token
        for token in clause.tokens
        if not token.is_("player", "win", "owner", "subject", "object", "it", "be", "of", "onto", "aim")
    ]
    if len(players) != 1 or not all(_is_filler(token.text) for token in rest):
        return None
    (who,) = players
    if told.winner is not None:
        return [] if told.winner == who else None
    told.winner = who
    return [f"{quoted(who)} wins"]


def _is_filler(text: str) -> bool:
    plain = folded(text)
    return is_small(text) or listed("function").fullmatch(plain) is not None or _GAME.fullmatch(plain) is not None


_GAME = re.compile("games?|match|partie|manche|ゲーム|試合|[ぁ-んー!]|this|cette|qui|ggs?")


def facing(clause: Clause, told: Told) -> list[str] | None:
    """Return what somebody says about which face a permanent shows, by the name of the face or a word for it."""
    named = clause.all_("permanent")
    speakers = {
        token.value
        for token in clause.all_("player")
        if role(clause, token) in ("plain", "subject", "by", "of", "onto") and token.start < named[0].start
    } or ({told.speaker} if told.speaker is not None else set())
    ids = {token.value for token in named}
    if len(ids) != 1 or len(speakers) != 1 or clause.has("number") or clause.is_denied:
        return None
    faces = {kind for kind in ("front", "back") if clause.has(kind)}
    if not faces and len(named) == PAIR and (clause.has("be") or "面" in clause.text):
        keywords = set(told.lookups.face(WrittenName(named[1].text, False, 1, 1)).keywords)
        faces = {"back"} if "nightbound" in keywords else {"front"} if "daybound" in keywords else set()
    if len(faces) != 1 or len(named) > PAIR:
        return None
    return [f"{quoted(speakers.pop())} says {quoted(ids.pop())} shows {faces.pop()}"]


def conceding(clause: Clause, told: Told) -> list[str] | None:
    """Return the line by which the loser's only opponent wins, or else the loser leaves; None if uncertain."""
    who = actor(clause, told)
    if who is None or clause.has("permanent", "card", "number") or len({t.value for t in clause.all_("player")}) > 1:
        return None
    rest = [player for player in told.lookups.players if player != who]
    told.winner = rest[0] if len(rest) == 1 else None
    return [f"{quoted(rest[0])} wins" if len(rest) == 1 else f"{quoted(who)} leaves the game"]
