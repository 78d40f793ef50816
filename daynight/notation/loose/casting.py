"""Reads clauses about casts: of a named card, of a spell without a name, of a number of spells, and without a verb.

The functions return lines of the notation; None where a cast is not certain.
"""

from __future__ import annotations

import re

from daynight.notation.loose.clauses import Clause
from daynight.notation.loose.roles import is_behind, others, role
from daynight.notation.loose.tokens import Token
from daynight.notation.loose.told import PAIR, Told, actor, card_name, counts, in_japanese, is_small, is_spell
from daynight.notation.loose.vocabulary import listed
from daynight.notation.spelling import quoted
from daynight.notation.spoken.classes import folded, spells


def casting(clause: Clause, told: Told) -> list[str] | None:
    """Return the line that casts a clause's only card that is no target, or unnamed spells; None if uncertain."""
    verbs = clause.all_("cast", "counter")
    if not verbs:
        return _so_many(clause, told)
    verb, cards = verbs[-1], _cast_cards(clause, verbs[-1])
    if clause.has("spell", "spells", "something"):
        return _unnamed(clause, told, verb) if not cards and not _cards_without_aim(clause) else None
    if not cards and told.casts and _STOPS.search(folded(verb.text)) and not clause.has("player", "permanent", "with"):
        # And counters it: with the spell that was cast before.
        return []
    if len({token.text for token in cards}) != 1 or (cards[0].is_("permanent") and not clause.has("cast")):
        return None
    card = cards[0]
    if verb.is_("play") and not _is_no_land(card, told):
        return None
    if any(role(clause, token) == "when" for token in clause.all_("card")):
        # After Opt she casts Shock: was Opt cast?
        return None
    who = actor(clause, told, verb) or owner_of(clause)
    actors = [token for token in clause.all_("player") if token.value == who]
    if (
        others(clause, *actors, *cards, *_right_before(clause, verb))
        or _is_counted(clause, card)
        or not _may_be_cast(clause, card, verb)
    ):
        return None
    return cast_of(who, card, told)


def _right_before(clause: Clause, verb: Token) -> list[Token]:
    """Return the permanent that stands without a particle before a Japanese verb for aiming: `稲妻でカラス焼いた`."""
    aims = in_japanese(clause) and verb.is_("counter") and not verb.is_("cast")
    return [token for token in clause.all_("permanent") if token.end == verb.start and aims]


_STOPS = re.compile("counter|打ち?消|contre|contrecarre|annul|カウンター")


def cast_of(who: str | None, card: Token, told: Told) -> list[str] | None:
    """Return the line by which a player casts a card, and note it in `told`; None without player or clear name."""
    name = card_name(card, told)
    if who is None or name is None:
        return None
    told.cast, told.who = (who, name), who
    told.casts.append(name)
    return [f"{quoted(who)} casts {quoted(name)}"]


def _cast_cards(clause: Clause, verb: Token) -> list[Token]:
    """Return the cards that a clause may cast: Shock in `answers with Shock`, but no card in `casts w1 with Shock`."""
    cards = [
        token
        for token in clause.all_("card")
        if role(clause, token) not in ("when", "onto", "aim", "of", "from", "owner")
    ]
    with_it = [token for token in cards if role(clause, token) == "with"]
    if not in_japanese(clause):
        if verb.is_("counter") and not verb.is_("cast"):
            return with_it
        return [] if with_it else cards
    if not clause.has("cast"):
        return with_it
    return [token for token in cards if not token.is_("permanent")] or cards


def _may_be_cast(clause: Clause, card: Token, verb: Token) -> bool:
    """Return whether a card stands where a cast one does: behind the verb or `with`, or in a passive (`Opt was cast`).

    In Japanese it may stand anywhere.
    """
    behind = is_behind(clause, card, verb) or not card.text.isascii() or in_japanese(clause)
    by = any(role(clause, token) == "by" and is_behind(clause, token, verb) for token in clause.all_("player"))
    return behind or by or clause.has("be") or role(clause, card) == "with"


def _is_no_land(card: Token, told: Told) -> bool:
    """Return whether a played card is certainly no land: it is in the catalogue, or among the often played spells."""
    return folded(card.text) in spells() or told.lookups.is_card(card.text, ours=True)


def _cards_without_aim(clause: Clause) -> list[Token]:
    return [token for token in clause.all_("card") if role(clause, token) not in ("onto", "aim")]


def owner_of(clause: Clause) -> str | None:
    """Return the only player of a clause, if marked as the owner of a card: `Bo's Shock`, `ボーの稲妻`; else None."""
    players = {token.value for token in clause.all_("player")}
    owners = [token for token in clause.all_("player") if role(clause, token) in ("owner", "of", "by")]
    if len(players) != 1 or not owners:
        return None
    place = clause.tokens.index(owners[0])
    near = clause.tokens[place : place + 4]
    return owners[0].value if any(token.is_("card") and not token.is_("permanent") for token in near) else None


_NEAR = 3


def _is_counted(clause: Clause, card: Token) -> bool:
    place = clause.tokens.index(card)
    near = clause.tokens[max(place - _NEAR, 0) : place + _NEAR + 1]
    if any(token.is_("number") and _behind(clause, token)[:1] in tuple("つ回枚個体") for token in near):
        return True
    beside = clause.tokens[max(place - 1, 0) : place] + clause.tokens[place + 1 : place + 2]
    return any(token.is_("number") and token.value != "1" for token in beside)


def countered(clause: Clause, told: Told) -> list[str] | None:
    """Return the cast of a spell that was countered, nobody says by what: `Ana's spell is countered`; else None."""
    verb = clause.all_("counter")[-1]
    place = clause.tokens.index(verb)
    before = clause.tokens[place - 1] if place else verb
    passive = (before.is_("be") and not before.is_("owner")) or _IS_DONE.search(verb.text) is not None
    whose = [token for token in clause.all_("player") if not is_behind(clause, token, verb)]
    owned = len(whose) == 1 == len(clause.all_("player")) and role(clause, whose[0]) in ("owner", "of", "by")
    alone = clause.has("spell") and not clause.has("number", "permanent", "card") and not told.casts
    sure = passive and owned and alone and _STOPS.search(folded(verb.text)) is not None
    return _one_spell(whose[0].value, told) if sure and not clause.is_denied else None


_IS_DONE = re.compile("され|られ")


def _unnamed(clause: Clause, told: Told, verb: Token) -> list[str] | None:
    who = actor(clause, told, verb)
    said = clause.all_("spell", "spells", "something")
    actors = [token for token in clause.all_("player") if token.value == who]
    if who is None or others(clause, *actors) or len(clause.all_("spells")) > 1:
        return None
    numbers = [token for token in clause.all_("number") if counts(clause, token)]
    if len(numbers) > 1 or (len(clause.all_("spell")) > 1 and not in_japanese(clause)):
        return None
    count = int(numbers[0].value) if numbers else 1
    if not numbers and said[0].is_("spells"):
        return None
    told.who = who
    if count == 1:
        return _one_spell(who, told)
    return [f"{quoted(who)} casts {count} spells"] if count else None


def _one_spell(who: str, told: Told) -> list[str]:
    """Return the line of a cast without a name, and note it in `told`."""
    told.who = who
    told.casts.append("a spell")
    return [f"{quoted(who)} casts a spell"]


def numbered(clause: Clause, told: Told) -> list[str] | None:
    """Return the line for a number of spells in Japanese, else None: a number, a counter word, a verb (`2つ唱えた`)."""
    if not clause.has("cast"):
        return None
    verb = clause.all_("cast")[-1]
    numbers = clause.all_("number")
    if not in_japanese(clause) or len(numbers) != 1 or clause.has("card", "permanent"):
        return None
    behind = _behind(clause, numbers[0])
    who = actor(clause, told, verb)
    if who is None or not behind.startswith(("つ", "回", "枚", "個", "本")):
        return None
    told.who = who
    count = int(numbers[0].value)
    return [f"{quoted(who)} casts {count} spells" if count > 1 else f"{quoted(who)} casts a spell"] if count else None


def _so_many(clause: Clause, told: Told) -> list[str] | None:
    """Return the casts of a number of spells beside a player: `3 spells in a row for Ana`."""
    numbers, who = clause.all_("number"), {token.value for token in clause.all_("player")}
    rest = [token for token in clause.tokens if not token.is_("number", "player", "spells", "onto", "of", "word")]
    if len(numbers) != 1 or len(who) != 1 or clause.has("say") or not all(_is_filler(token.text) for token in rest):
        return None
    told.who = who.pop()
    count = int(numbers[0].value)
    return [f"{quoted(told.who)} casts {count} spells"] if count > 1 and clause.has("spells") else None


def _behind(clause: Clause, token: Token) -> str:
    """Return the text of a clause behind a token."""
    return clause.text[token.end - clause.tokens[0].start :]


def elliptic(clause: Clause, told: Told) -> list[str] | None:
    """Return the cast in a clause without a verb, else None: `Shock from Bo on w1`, `ボーが稲妻をカラスに`."""
    if (second := _second(clause, told)) is not None:
        return second
    cards = [token for token in clause.all_("card") if role(clause, token) not in ("onto", "aim", "with")]
    players = [token for token in clause.all_("player") if role(clause, token) not in ("onto", "aim", "owner")]
    target: list[Token] = []
    if len(players) == PAIR and clause.tokens[:PAIR] == (players[0], cards[0] if cards else None):
        # Bo Shock Ana: the player behind a spell is its target.
        aimed = clause.tokens[PAIR:] == (players[1],) and not listed("digs").fullmatch(folded(cards[0].text))
        players, target = (players[:1], players[1:]) if aimed else (players, [])
    elif (aim := _target_behind(clause)) is not None:
        cards, target = [token for token in cards if token is not aim], [aim]
    if len(cards) != 1 or cards[0].is_("permanent") or len({token.value for token in players}) > 1:
        return None
    card, spell = cards[0], is_spell(cards[0], told)
    if not players:
        return _of_turn(clause, card, told) or _of_the_same(clause, card, told) if spell else None
    player = players[0]
    if clause.tokens[:PAIR] == (player, card) or (clause.tokens[::PAIR][:PAIR] == (player, card) and _does(clause)):
        certain = spell
    elif in_japanese(clause):
        certain = role(clause, player) == "subject" and (role(clause, card) == "object" or spell)
        certain = certain and _ends_with(clause, card)
    else:
        aims = any(token.text.lower().startswith(("target", "ciblant")) for token in clause.all_("onto"))
        certain = (spell or (aims and role(clause, player) == "by")) and role(clause, player) in ("of", "by")
        certain = certain and clause.tokens.index(card) <= _ARTICLE
    if not certain or others(clause, card, *players, *target) or clause.has("number", "turn", "pass"):
        return None
    return cast_of(player.value, card, told)


def _target_behind(clause: Clause) -> Token | None:
    """Return the permanent at which a spell between it and a player is aimed: `Bo Shock the crow`; None for others."""
    tokens = clause.tokens
    if len(tokens) <= PAIR or not tokens[0].is_("player") or not tokens[1].is_("card") or tokens[1].is_("permanent"):
        return None
    articles = all(token.is_("it") or listed("article").fullmatch(folded(token.text)) for token in tokens[PAIR:-1])
    aimed = tokens[-1].is_("permanent") and articles and tokens[1].text.isascii()
    return tokens[-1] if aimed and not listed("digs").fullmatch(folded(tokens[1].text)) else None


def _does(clause: Clause) -> bool:
    """Return whether the second word of a clause is a verb for doing: `Bo fait Choc sur w1`."""
    return clause.tokens[1].text.lower() in ("fait", "does")


def _ends_with(clause: Clause, card: Token) -> bool:
    """Return whether only known words, such as names, particles and numbers, stand behind a card: no unknown verb."""
    behind = clause.tokens[clause.tokens.index(card) + 1 :]
    return all(token.kinds or token.text in ("点", "す", "。", "!") for token in behind)


_ARTICLE = 1


def _of_turn(clause: Clause, card: Token, told: Told) -> list[str] | None:
    """Return the cast of a spell by the player whose turn the line began, else None: `ボーのターンでショック`."""
    whose = {token.value for token in clause.all_("player")}
    first = clause.tokens[0] is card
    if told.turn is None or (whose != {told.turn} and (whose or not first)) or others(clause, card):
        return None
    return cast_of(told.turn, card, told)


def _of_the_same(clause: Clause, card: Token, told: Told) -> list[str] | None:
    """Return the cast of a spell that is named alone behind what its player says or casts: `Bo says no: Negate!`."""
    alone = all(token is card or token.is_("word") or _is_filler(token.text) for token in clause.tokens)
    if not alone or told.who is None or {*told.players} - {told.who} or not told.cries:
        return None
    return cast_of(told.who, card, told)


def _is_filler(text: str) -> bool:
    return is_small(text) or not folded(text).isalpha() or text in "さらに"


def _second(clause: Clause, told: Told) -> list[str] | None:
    """Return the cast of another card with the name of a permanent, which is on the stack: `Ana 2nd crow`."""
    named = clause.all_("permanent")
    players = clause.all_("player")
    if not told.stack or len(named) != 1 or len(players) != 1 or not clause.has("another"):
        return None
    place = clause.tokens.index(named[0])
    card = told.lookups.card_of(named[0].value)
    known = place and clause.tokens[place - 1].is_("another") and card is not None
    if not known or len(clause.all_("card")) > len(named):
        return None
    told.cast, told.who = (players[0].value, str(card)), players[0].value
    return [f"{quoted(players[0].value)} casts {quoted(str(card))}"]
