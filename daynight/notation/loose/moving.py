"""Reads clauses in which permanents leave, enter, or get another controller.

The functions return lines of the notation or ids of permanents; None where these are not certain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from daynight.notation.loose.casting import cast_of, owner_of
from daynight.notation.loose.changing import tokens_line
from daynight.notation.loose.clauses import Clause
from daynight.notation.loose.roles import is_behind, others, role
from daynight.notation.loose.saying import conceding
from daynight.notation.loose.tokens import Token
from daynight.notation.loose.told import (
    PAIR,
    Coming,
    Told,
    actor,
    card_name,
    counts,
    in_japanese,
    is_adverb,
    is_small,
    is_spell,
)
from daynight.notation.spelling import quoted
from daynight.notation.spoken.classes import folded, spells

LEAVING = {
    "die": "graveyard", "kill": "graveyard", "sacrifice": "graveyard", "exile": "exile", "bounce": "hand",
    "tuck": "library", "trade": "graveyard",
}  # fmt: skip
_TRANSITIVE = ("kill", "sacrifice", "exile", "bounce", "tuck")


def leaving(clause: Clause, told: Told) -> list[str] | None:
    """Return the line by which permanents leave, after the cast of the spell by which they do; None if uncertain.

    [] if the line told already that they left. `Ana loses` ends the game or Ana's part in it.
    """
    kinds = {kind for token in clause.tokens for kind in token.kinds} & {*LEAVING}
    zones = {LEAVING[kind] for kind in kinds}
    moved = zones - {"graveyard"}
    if len(moved) > 1 or (moved and not kinds <= {"die", *_sources(moved)}):
        return None
    zone = next(iter(moved), "graveyard")
    verbs = clause.all_(*kinds, "lose")
    if told.looked and not clause.has("player", "permanent", "card"):
        # Consider, looked at the top card and put it into the graveyard.
        return []
    if not kinds and not clause.has("permanent", "creatures", "both"):
        return conceding(clause, told) if _is_all(clause) else None
    named = [
        token
        for token in clause.all_("permanent")
        if role(clause, token) not in ("when", "aim", "with", "by", "onto", "owner") or clause.has("trade")
    ]
    alone = clause.has("trade") and len(_values(named)) < PAIR
    if alone or (not kinds and any(not is_behind(clause, token, verbs[0]) for token in named if token.text.isascii())):
        # Who loses something stands before it.
        return None
    cards = [token for token in clause.all_("card") if not token.is_("permanent")]
    lines: list[str] = []
    if cards:
        cast = _means(clause, cards, told)
        if cast is None:
            return None
        lines += cast
    what = _gone(clause, told, verbs, named)
    if not what or (clause.has("both") and len(what) != len({*what}) and len(what) < 2):
        return None
    numbers = [int(token.value) for token in clause.all_("number") if counts(clause, token)]
    if any(number not in (len(what), 1) for number in numbers):
        return None
    left = _left(what, zone, told)
    return None if left is None else [*lines, *left]


def _left(what: list[str], zone: str, told: Told) -> list[str] | None:
    """Return the event by which permanents leave; none where a clause before told it, None where it told another."""
    if [one for one in what if one in told.gone]:
        # It says again what the clause before said: it died, and is in the graveyard.
        return [] if all(told.gone.get(one) == zone for one in what) else None
    told.gone |= dict.fromkeys(what, zone)
    ids = ", ".join(map(quoted, what))
    return [f"{ids} {'leave' if len(what) > 1 else 'leaves'} to {zone}"]


def _is_all(clause: Clause) -> bool:
    """Return whether a clause says only that a player loses or has lost the game."""
    rest = [token for token in clause.tokens if not token.is_("player", "lose", "subject")]
    return clause.has("player") and all(is_small(token.text) or _GAME.search(folded(token.text)) for token in rest)


_GAME = re.compile("game|match|partie|manche|ゲーム|試合|[まですたにを]")


def _sources(zones: set[str]) -> list[str]:
    return [kind for kind, zone in LEAVING.items() if zone in zones]


def _means(clause: Clause, cards: Sequence[Token], told: Told) -> list[str] | None:
    """Return the line of the cast of the spell by which something leaves; None if it is uncertain who casts it.

    [] if the cast was told before, or if no player is named and the card is a target or stands behind `by`.
    """
    if len(cards) != 1:
        return None
    (card,) = cards
    part = role(clause, card)
    owner = owner_of(clause)
    if told.cast is not None and card_name(card, told) == told.cast[1]:
        return []
    if in_japanese(clause) and part == "with" and folded(card.text) in spells():
        players = {token.value for token in clause.all_("player") if role(clause, token) in ("owner", "subject")}
        acting = {token.value for token in clause.all_("player") if role(clause, token) == "subject"}
        who = acting.pop() if len(acting) == 1 else owner if len(players) == 1 else None
        return cast_of(who, card, told)
    acting = {token.value for token in clause.all_("player") if role(clause, token) == "plain"}
    if part == "with" and folded(card.text) in spells() and len(acting) == 1 and clause.tokens[0].is_("player"):
        return cast_of(acting.pop(), card, told) if clause.has("kill", "exile", "bounce") else None
    return [] if part in ("onto", "by") and not clause.has("player") else None


def _gone(clause: Clause, told: Told, verbs: Sequence[Token], named: Sequence[Token]) -> list[str] | None:
    """Return the ids of the permanents that leave; None or [] if it is uncertain which of the named ones do."""
    verb = verbs[0]
    if not named:
        return _meant(clause, told)
    if clause.has("trade"):
        return _values(named)
    if in_japanese(clause) and any(letter >= "\u3040" for letter in verb.text):
        active = _PASSIVE.search(verb.text) is None and verb.is_("kill") and not verb.is_("die")
        objects = [token for token in named if role(clause, token) == "object"]
        plain = [token for token in named if role(clause, token) in ("plain", "subject")]
        chosen = objects or ([] if active and any(role(clause, token) == "subject" for token in plain) else plain)
        return _values(chosen) if len(_values(chosen)) == len(_values(named)) or objects else None
    before = [token for token in named if not is_behind(clause, token, verb)]
    behind = [token for token in named if is_behind(clause, token, verb)]
    passive = any(token.is_("be") and token.start <= verb.start for token in clause.tokens) or verb.is_("be")
    passive = passive or (_PARTICIPLE.fullmatch(verb.text) is not None and clause.tokens[-1].is_(*LEAVING))
    active = verb.is_(*_TRANSITIVE) and not verb.is_("die") and not passive and not _is_place(verb)
    if active:
        return _values(behind) if behind and (not before) else None
    if before and not behind:
        between = [token for token in clause.tokens if before[-1].end <= token.start < verb.start]
        strange = [token for token in between if not token.kinds and not is_small(token.text)]
        return None if _is_place(verb) and strange else _values(before)
    return _values(behind) if behind and not before and verb.is_("die") else None


def _is_place(verb: Token) -> bool:
    """Return whether a word for leaving names the zone instead of an act: `to exile`, `en main`."""
    return " " in verb.text or "'" in verb.text


_PARTICIPLE = re.compile("\\w+(?:é|ée|és|ées|i|ie|is|ies|uit|uite|uits|uites)")
"""A French participle, which without `a` before it tells what was done to what stands before: `Cathare banni`."""
_PASSIVE = re.compile("され|[らかがたまばなわ]れ")


def _values(named: Sequence[Token]) -> list[str]:
    return [*dict.fromkeys(token.value for token in named)]


def _crowd(clause: Clause, told: Told) -> list[str] | None:
    """Return the ids of all creatures, or of one player's, if a clause says how many: `both of Bo's creatures`."""
    numbers = [int(token.value) for token in clause.all_("number")]
    count = PAIR if clause.has("both") and not numbers else numbers[0] if len(numbers) == 1 else 0
    owners = {token.value for token in clause.all_("player") if role(clause, token) in ("owner", "of")}
    players = owners or {token.value for token in clause.all_("player")}
    there = told.lookups.creatures(players.pop() if len(players) == 1 else None) if len(players) < PAIR else ()
    return [*there] if len(there) == count and count > 1 else None


def _meant(clause: Clause, told: Told) -> list[str] | None:
    """Return the id of the only permanent named before, for `both` of two; None if another thing may be meant."""
    if clause.has("creatures"):
        return _crowd(clause, told)
    there = [*dict.fromkeys(told.permanents)]
    owners = [token for token in clause.all_("player") if role(clause, token) in ("owner", "of")]
    at_home = bool(owners) and len(owners) == len(clause.all_("player")) and clause.has("bounce", "tuck", "exile")
    numbers = [int(token.value) for token in clause.all_("number")]
    if in_japanese(clause):
        strange = [token for token in clause.tokens if not token.kinds and _NOUN.search(token.text)]
    else:
        strange = [
            token for token in clause.tokens if not token.kinds and len(token.text) > 1 and not is_adverb(token.text)
        ]
    if strange or clause.has("opponent", "judge") or not (at_home or not clause.has("player")):
        return None
    if clause.has("both") or numbers:
        return there if len(there) == PAIR and numbers in ([], [PAIR]) else None
    return there if len(there) == 1 else None


_NOUN = re.compile("[\u30a0-\u30ff\u4e00-\u9fff]")


def entering(clause: Clause, told: Told) -> list[str] | None:
    """Return the line by which a clause's only card, or else the card cast before, enters; None if uncertain.

    [] if the card was cast before and becomes no permanent: it only resolves.
    """
    cards = [token for token in clause.all_("card") if role(clause, token) in ("plain", "subject", "object", "of")]
    players = {token.value for token in clause.all_("player")}
    if not cards:
        return _meant_here(clause, told, players)
    name = card_name(cards[0], told)
    if len({token.text for token in cards}) != 1 or _counts_more(clause) or name is None:
        return None
    if told.cast is not None and told.cast[1] == name and players <= {told.cast[0]}:
        return _arrived(clause, told)
    here, sure = cards[0].is_("permanent"), is_spell(cards[0], told)
    again = here and (clause.has("return", "another") or cards[0].value in told.gone)
    if sure or not (told.lookups.is_permanent(name) or again) or (here and not again):
        return [] if sure and not players and told.lookups.is_card(name, ours=True) else None
    told.arrived = name
    if players:
        return [f"{quoted(players.pop())}: {quoted(name)} enters"] if len(players) == 1 else None
    told.coming = Coming(name)
    return []


def _meant_here(clause: Clause, told: Told, players: set[str]) -> list[str] | None:
    """Return the arrival of what a clause before named."""
    if told.coming is not None and len(players) == 1:
        return came(told, players.pop())
    if clause.has("return") and told.gone:
        return _returned(clause, told, players)
    if told.cast is None and told.arrived is not None and not clause.has("permanent"):
        # It says again that the card came: it resolved, and is on the battlefield.
        return []
    return None if told.cast is None or clause.has("permanent", "player") else _arrived(clause, told)


def _counts_more(clause: Clause) -> bool:
    return any(token.value != "1" for token in clause.all_("number"))


def came(told: Told, who: str) -> list[str]:
    """Return the arrival of what came, under the control of a player who is named then."""
    coming, told.coming = told.coming, None
    if coming is None:
        return []
    if coming.tokens:
        return [tokens_line(who, coming.name, coming.tokens)]
    return [f"{quoted(who)}: {quoted(coming.name)} enters"]


def is_under(clause: Clause) -> bool:
    """Return whether a clause says `under his control`, without a name."""
    return _UNDER.search(folded(clause.text)) is not None


_UNDER = re.compile(r"under (?:his|her|their) control|sous son controle|自分のコントロール下")


def _returned(clause: Clause, told: Told, players: set[str]) -> list[str] | None:
    """Return the arrival of the only permanent that left in this line, as a new object of a player who is named."""
    there = [*told.gone]
    if not players and is_under(clause) and len({*told.players}) == 1:
        players = {*told.players}
    if len(there) != 1 or len(players) != 1 or clause.has("permanent") or told.gone[there[0]] != "exile":
        return None
    card = told.lookups.card_of(there[0])
    return None if card is None else [f"{quoted(players.pop())}: {quoted(card)} enters"]


def _arrived(clause: Clause, told: Told) -> list[str] | None:
    """Return the line by which the card cast before enters; [] if it becomes no permanent, and only resolves.

    None if such a card of the catalogue is said to enter the battlefield.
    """
    assert told.cast is not None
    who, name = told.cast
    if not told.lookups.is_permanent(name) and not (_on_table(clause) and not _is_no_permanent(name, told)):
        return [] if not told.lookups.is_card(name, ours=True) or not _on_table(clause) else None
    told.cast, told.arrived = None, name
    return [f"{quoted(who)}: {quoted(name)} enters"]


def _is_no_permanent(name: str, told: Told) -> bool:
    """Return whether a card is no permanent: it is played often as a spell, or the catalogue says so."""
    return folded(name) in spells() or (told.lookups.is_card(name, ours=True) and not told.lookups.is_permanent(name))


def _on_table(clause: Clause) -> bool:
    """Return whether a clause says that something is on the battlefield, and not only that it resolved."""
    return any(_RESOLVES.search(folded(token.text)) is None for token in clause.all_("enter"))


_RESOLVES = re.compile("resol|resou|解決|^sticks?$|^stuck$")


def controlling(clause: Clause, told: Told) -> list[str] | None:
    """Return the line by which the player who acts gets control of the named permanents; None if uncertain."""
    verb = clause.all_("control", "take")[0]
    if _GOES_OVER.match(folded(verb.text)) is not None:
        over = {token.value for token in clause.all_("player") if is_behind(clause, token, verb)}
        before = [token for token in clause.all_("permanent") if not is_behind(clause, token, verb)]
        known = len(over) == 1 and before and len(before) == len(clause.all_("permanent", "card"))
        return [f"{quoted(over.pop())} controls {', '.join(map(quoted, _values(before)))}"] if known else None
    who = actor(clause, told, verb)
    named = [token for token in clause.all_("permanent") if role(clause, token) in ("plain", "object", "of")]
    means = [token for token in clause.all_("card") if not token.is_("permanent") and role(clause, token) == "with"]
    if who is None or not named or len([token for token in clause.all_("card") if token not in means]) > len(named):
        return None
    if means and (len(means) > 1 or not is_spell(means[0], told) or not clause.tokens[0].is_("player")):
        return None
    if not in_japanese(clause) and not all(is_behind(clause, token, verb) for token in named):
        return None
    if clause.has("take") and not _for_a_while(clause, who):
        return None
    actors = [token for token in clause.all_("player") if token.value == who]
    if [token for token in others(clause, *actors, *named) if not token.is_("player")]:
        return None
    cast: list[str] | None = []
    if means and (told.cast is None or card_name(means[0], told) != told.cast[1]):
        cast = cast_of(who, means[0], told)
    told.who = who
    return None if cast is None else [*cast, f"{quoted(who)} controls {', '.join(map(quoted, _values(named)))}"]


_GOES_OVER = re.compile("goes?|switch|pass")


def _for_a_while(clause: Clause, who: str) -> bool:
    """Return whether a clause with `take` is about control: another player is named beside it, or `until` is said."""
    theirs = any(token.value != who and role(clause, token) in ("by", "of", "owner", "from", "onto")
                 for token in clause.all_("player"))  # fmt: skip
    return theirs or any(word in folded(clause.text) for word in ("until", "till", "til eot", "jusqu"))
