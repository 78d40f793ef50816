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
from daynight.notation.loose.changing import stepping
from daynight.notation.loose.clauses import (
    HAPPENING,
    Clause,
    casts_none,
    clauses_of,
    is_doubted,
    is_name,
    is_remark,
    is_told,
)
from daynight.notation.loose.happenings import happening
from daynight.notation.loose.judging import as_called, in_quotes, judge_called, judge_of, ruled
from daynight.notation.loose.moving import LEAVING, came, entering, is_under
from daynight.notation.loose.roles import role
from daynight.notation.loose.saying import facing, whose_turn
from daynight.notation.loose.tokens import NAMES, tokens_of
from daynight.notation.loose.told import PAIR, Told, card_name, in_japanese, is_adverb
from daynight.notation.loose.vocabulary import listed
from daynight.notation.spoken.classes import folded
from daynight.notation.spoken.spelled import spelled
from daynight.notation.spoken.words import cheers

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
    if len(text) <= MOST and (claim := in_quotes(text, lookups)) is not None:
        return [*claim]
    text = _SAID.sub(r" \1 ", text)
    if len(text) > MOST or not set('"{}[]@#()').isdisjoint(text) or not lookups.players:
        return None
    text = _plainer(text, lookups)
    if text.endswith((",", ";", "、", ":")):
        return None
    tokens = tokens_of(text, lookups)
    if not any(token.is_(*NAMES, *HAPPENING) or token.step is not None for token in tokens):
        return [] if listed("chat").search(folded(text)) is not None else None
    told = Told(lookups, stack=any(token.is_("stack") for token in tokens))
    clauses = _clauses(clauses_of(text, tokens), told)
    if _by_itself(clauses):
        return []
    if any(is_doubted(clause) for clause in clauses):
        return None
    return _told_of(clauses, text, told, read)


def _told_of(clauses: list[Clause], text: str, told: Told, read: Read) -> list[str | Fields] | None:
    """Return the events of the clauses of a line; None where one of them is not certain."""
    lookups, judge = told.lookups, judge_of(clauses)
    told.judge = judge
    made: list[str | Fields] = []
    quiet = True
    for place, clause in enumerate(clauses):
        speaker = told.speaker
        begun: Sequence[str | Fields] = whose_turn(clause, told) if told.number is not None else []
        found: Sequence[str | Fields] | None = (ruled(clause, judge, told) if judge is not None else None) or _read(
            clause, clauses[place + 1 : place + 2], told, lookups
        )
        if found is None and place and _speaks(clauses[place - 1], clause):
            found = happening(Clause(clause.text, (clauses[place - 1].tokens[0], *clause.tokens), False), told)
        if found and clause.has("pronoun") and any(isinstance(one, str) and " says " in one for one in made):
            # Bo says no, it is day, he has cast a spell: that is why, and was told before.
            return None
        if found is None and (found := _strictly(clause, text, told, read)) is None:
            return None
        found = _with_step(clause, found)
        told.cries = (bool(found) and told.cast is not None) or _cries(clause)
        found = [*begun, *found]
        quiet = quiet and not found
        made += found
        told.making = clause.has("making")
        if told.speaker == speaker and not clause.has("say"):
            told.speaker = None
        told.players += [token.value for token in clause.all_("player")]
        told.permanents += [token.value for token in clause.all_("permanent")]
    if told.number is not None or told.coming is not None:
        return None
    if not made and (not (quiet and (_is_play(clauses) or any(map(casts_none, clauses)))) or _stops_a_card(clauses)):
        return None
    return made


def _stops_a_card(clauses: list[Clause]) -> bool:
    """Return whether a player and a card stand beside a word for countering: `Ana Consider, contré` may be a cast."""
    cards = any(token.is_("card") and not token.is_("permanent") for clause in clauses for token in clause.tokens)
    return cards and all(any(clause.has(kind) for clause in clauses) for kind in ("player", "counter"))


def _with_step(clause: Clause, found: Sequence[str | Fields]) -> Sequence[str | Fields]:
    """Return the lines `found` for a clause; if they begin a turn, add the line of a named step: `T4 Bo, upkeep`."""
    steps = [token.step for token in clause.tokens if token.step is not None]
    turns = bool(found) and all(isinstance(one, str) and one.startswith("turn ") for one in found)
    return [*found, steps[0]] if turns and len(steps) == 1 else found


def _by_itself(clauses: list[Clause]) -> bool:
    """Return whether a line says only that day or night follows from the casts of the last turn, which is no event."""
    times = [clause for clause in clauses if clause.has("day", "night")]
    before = [clause for clause in clauses if not clause.has("day", "night")]
    if not times or len(before) != 1 or any(clause.has("player", "say", "card", "permanent") for clause in times):
        return False
    last = listed("last-turn").search(folded(before[0].text)) is not None
    doubt = any(mark in clause.text for clause in clauses for mark in "?？")
    told_of = before[0].has("cast", "spell", "spells") and not before[0].has("card", "permanent", "say")
    sure = all(_WOULD.search(folded(clause.text)) is None for clause in clauses)
    return last and told_of and sure and not doubt


_WOULD = re.compile(
    r"\b(?:if|unless|would|will|should|could|may|might|si|sera|serait|devrait|faudrait|not|pas)\b|なら|ば|だろう|でしょう|かも|はず"
)


def _cries(clause: Clause) -> bool:
    return not clause.has("card", "permanent") and listed("cry").search(folded(clause.text)) is not None


def _clauses(clauses: list[Clause], told: Told) -> list[Clause]:
    """Return the clauses; if one claims day or night, leave out reasons, and note all their players in `told`."""
    if not any(clause.has("say") and clause.has("day", "night") and not clause.is_reason for clause in clauses):
        return clauses
    told.players = [token.value for clause in clauses for token in clause.all_("player")]
    told.who = next((clause.tokens[0].value for clause in clauses if clause.tokens[0].is_("player")), None)
    return [clause for clause in clauses if not clause.is_reason]


def _plainer(text: str, lookups: Lookups) -> str:
    """Return a text in the usual spelling, without words for a main phase or for mana: `m1`, `for 3 mana`."""
    for player in lookups.players:
        text = re.sub(rf"(?<!\w)({re.escape(player)})s(?= )", r"\1's", text, flags=re.IGNORECASE)
    text = as_called(_MAIN.sub("", spelled(text, lookups, creatures=True) or text).strip())
    return (
        text
        if (turn := _T4.search(text)) is None or turn[0].casefold() in lookups.words_of_permanents()
        else (_T4.sub(r"turn \1", text, count=1))
    )


_T4 = re.compile(r"(?<![\w-])t([0-9]{1,2})(?![\w-])", re.IGNORECASE)


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
    if _is_strange(clause, told) or _is_back_for_whom(clause, told):
        return None
    if len(clause.tokens) == 1 and clause.has("player") and (not then or then[0].tokens[0].is_("player")):
        # Ana and Bo cast Opt.
        return None
    if (beside := _beside(clause, then, told)) is not None:
        return beside
    if is_remark(clause, lookups) and not clause.has("judge"):
        told.looked = told.looked or _LOOKED.search(folded(clause.text)) is not None
        told.who = told.who if not clause.has("player") else clause.all_("player")[0].value
        return []
    if clause.is_denied or (clause.is_reason and clause.tokens[0].is_("reason")):
        return None
    if clause.has("judge") and not clause.has("player"):
        told.judge, told.has_ruled = judge_called(clause.all_("judge")[0].text), clause.has("rule")
    if not clause.has(*HAPPENING):
        return _unmoved(clause, told)
    return happening(clause, told) if is_told(clause) else None


def _beside(clause: Clause, then: list[Clause], told: Told) -> list[str] | None:
    """Return the lines, or [], for a clause that is clear only with its neighbours, or begins a step; else None."""
    others = [kind for kind in HAPPENING if kind not in ("say", "counter", "turn")]
    ruled_on = told.has_ruled and told.judge is not None and not clause.has(*NAMES, *others)
    if ruled_on or _is_topic(clause, then):
        return []
    if not then and (step := stepping(clause)) is not None:
        # Before other clauses it is the time of what they tell: in Ana's first main phase, she casts Opt.
        return [step]
    if told.coming is not None and clause.has("player") and not clause.has(*HAPPENING, "card", "permanent", "plays"):
        return _whose(clause, told)
    if (said := _spoken(clause, then, told)) is not None:
        return said
    if _is_cheered(clause):
        return []
    if _cries(clause):
        told.who = clause.all_("player")[0].value if clause.has("player") else told.who
        return []
    stays = clause.has("bounce", "tuck", "card", "permanent")
    whose = clause.has("player") or is_under(clause)
    if clause.has("return") and told.gone and whose and not stays and not clause.is_denied:
        return entering(clause, told)
    return [] if _is_dug(clause, told) else None


def _is_strange(clause: Clause, told: Told) -> bool:
    """Return whether a clause has an unknown name."""
    names = any(is_name(token, clause) and token.text != told.judge for token in clause.tokens)
    return names and not clause.has("token") and not _is_cheered(clause)


def _is_back_for_whom(clause: Clause, told: Told) -> bool:
    """Return whether a clause says of something without a name that it is back, and not certainly for whom."""
    if not clause.has("return") or clause.has("player", "permanent", "card"):
        return False
    sure = bool(told.gone) and len({*told.players}) == 1 and not clause.is_denied
    return (is_under(clause) or clause.is_denied) and not sure


def _is_cheered(clause: Clause) -> bool:
    """Return whether a clause only cheers or sighs, or says who does: `poof says Ana`."""
    rest = " ".join(token.text for token in clause.tokens if not token.is_("player", "say", "subject"))
    return cheers(clause.text) or (clause.has("say") and clause.has("player") and cheers(rest))


def _whose(clause: Clause, told: Told) -> list[str] | None:
    """Return the arrival of the card in `told.coming`, if a clause says only on whose side: `Bo's side`; else None."""
    whose = {token.value for token in clause.all_("player")}
    small = all(token.kinds or is_adverb(token.text) or len(token.text) == 1 for token in clause.tokens)
    return came(told, whose.pop()) if len(whose) == 1 and small else None


def _spoken(clause: Clause, then: list[Clause], told: Told) -> list[str] | None:
    """Return what somebody says about a face; [] for a clause that only names who says what follows; else None."""
    others = [kind for kind in HAPPENING if kind != "say"]
    alone = not clause.has(*NAMES[1:], *others, "number")
    if clause.has("say") and len(clause.all_("player")) == 1 and alone:
        told.speaker = clause.all_("player")[0].value
    faces = clause.has("front", "back") or (clause.has("say") and len(clause.all_("permanent")) == PAIR)
    if faces and clause.has("permanent"):
        return facing(clause, told)
    if _is_for(clause) and len({*told.players}) == 1:
        told.speaker = told.players[0]
        return []
    follows = bool(then) and then[0].has("day", "night", "front", "back")
    return [] if told.speaker is not None and follows and alone else None


def _is_for(clause: Clause) -> bool:
    """Return whether a clause says only whose opinion follows: `for him`."""
    return folded(clause.text) in ("for him", "for her", "for them", "a son avis", "pour lui", "pour elle")


_LOOKED = re.compile(r"\bcards?\b|\bcartes?\b|カード|\btop\b")


def _is_dug(clause: Clause, told: Told) -> bool:
    """Return whether a clause says only where a card goes that a spell in this line has looked at."""
    dug = told.cast is not None and listed("digs").fullmatch(folded(told.cast[1])) is not None
    quiet = dug and not told.permanents and not clause.has(*NAMES, "number", "spell", "spells")
    return quiet and _PILE.search(folded(clause.text)) is not None and not clause.has("kill", "sacrifice", "exile")


_PILE = re.compile(r"\b(?:graveyard|gy|yard|bin|bottom|cimetiere|cim|dessous)\b|墓地|ライブラリー|下に|落とし")


def _is_topic(clause: Clause, then: list[Clause]) -> bool:
    """Return whether a clause only names what the next one tells of: `everybody's darling Storm Crow, to the yard`."""
    named = clause.all_("permanent")
    telling = [kind for kind in HAPPENING if kind != "blink"]
    if not named or clause.has(*telling, "number", "land", "plays", "another") or clause.is_denied:
        return False
    if any(role(clause, token) not in ("of", "owner") for token in clause.all_("player")):
        return False
    if len(clause.all_("card", "permanent")) != len(named):
        return False
    farewell = listed("farewell").search(folded(clause.without_names())) is not None
    follows = bool(then) and then[0].has(*LEAVING) and not then[0].has("card", "permanent")
    return farewell or (follows and (len(named) > 1 or clause.tokens[-1] is named[-1]))


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
    known = [token.value in told.permanents or token.value in told.gone for token in clause.all_("permanent")]
    cards = [token for token in clause.all_("card") if not token.is_("permanent")]
    again = bool(cards) and all(card_name(one, told) in told.casts for one in cards)
    if again and not clause.has("player", "land", "permanent"):
        # So Opt does nothing.
        return []
    return [] if known and all(known) and not clause.has("card", "land", "player") else None


def _speaks(before: Clause, clause: Clause) -> bool:
    """Return whether a clause is about day or night, and the one before is only the speaker: `Ana: it is night`."""
    return len(before.tokens) == 1 and before.has("player") and clause.joint == ":" and clause.has("day", "night")


def _is_play(clauses: list[Clause]) -> bool:
    """Return whether the clauses name a player and an everyday action, such as an attack, so need no event."""
    if any(clause.has("pass") and (clause.has("both") or "両" in clause.text) for clause in clauses):
        return True
    return any(clause.has("plays") for clause in clauses) and any(clause.has("player") for clause in clauses)


def denied_card(text: str, lookups: Lookups) -> str | None:
    """Return the card that a line says was not cast; None for any other line, and for a clause in doubt."""
    if listed("not").search(folded(text)) is None or len(text) > MOST:
        return None
    plain = _plainer(text, lookups)
    for clause in clauses_of(plain, tokens_of(plain, lookups)):
        cards = [token for token in clause.all_("card") if not token.is_("permanent")]
        plain = folded(clause.without_names())
        denied = clause.is_denied and listed("denied").search(plain) is not None and not is_doubted(clause)
        if denied and cards and cards[0] is not clause.tokens[0]:
            return cards[0].text
    return None


def tells(aside: str, lookups: Lookups) -> bool:
    """Return whether `aside`, the text after an event, says that something arrives: `no objection, the bird lands`."""
    clauses = clauses_of(aside, tokens_of(aside, lookups))
    return len(clauses) > 1 and any(clause.has("enter") and not clause.is_denied for clause in clauses[1:])


def dies_behind(text: str, lookups: Lookups) -> bool:
    """Return whether a clause after the first one says that a permanent is dead: `Ana blocks, w1 is dead`."""
    clauses = clauses_of(text, tokens_of(text, lookups)) if len(text) <= MOST else []
    return any(
        clause.has("permanent") and clause.has("be") and clause.has("die") and not clause.is_denied
        for clause in clauses[1:]
        if not is_doubted(clause)
    )
