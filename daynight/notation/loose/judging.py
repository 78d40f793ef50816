"""Who says that it is day or night: a judge with a name, a judge without one, and people in quotation marks."""

from __future__ import annotations

import re

from daynight.notation.lookups import Lookups
from daynight.notation.loose.clauses import Clause, is_doubted
from daynight.notation.loose.tokens import NAMES, tokens_of
from daynight.notation.loose.told import Told, is_adverb, is_small
from daynight.notation.loose.vocabulary import kinds_at, listed
from daynight.notation.spelling import quoted
from daynight.notation.spoken.classes import folded
from daynight.notation.spoken.spelled import spelled


def judge_of(clauses: list[Clause]) -> str | None:
    """Return the judge whose name, an unknown word, stands beside a word for a ruling, if day or night is ruled."""
    rules = any(listed("rules").search(folded(clause.text)) is not None for clause in clauses)
    if not rules or not any(clause.has("day", "night") for clause in clauses):
        return None
    names = {name for clause in clauses if not clause.has("player") and (name := _ruling_name(clause)) is not None}
    return names.pop() if len(names) == 1 else None


def _ruling_name(clause: Clause) -> str | None:
    plain = folded(clause.text)
    if len(plain) != len(clause.text):
        return None
    for way in _JUDGED:
        if (found := way.search(plain)) is not None:
            name = clause.text[found.start("name") : found.end("name")]
            common = any(listed(kind).fullmatch(name.casefold()) for kind in ("function", "small", "article"))
            is_word = kinds_at(plain, found.start("name"))[0] == found.end("name")
            # The judge came over: a name behind the word for a judge has a capital.
            sure = way is not _JUDGED[0] or not name.islower()
            if not common and not is_word and sure:
                return name
    return None


_NAMED = r"(?P<name>(?<![a-z])[a-z][a-z0-9-]*|[\u30a0-\u30ff]{2,})"
_JUDGED = (
    re.compile(rf"(?:judge |arbitre |juge |ジャッジの){_NAMED}"),
    re.compile(rf"{_NAMED}を呼ん"),
    re.compile(rf"(?:verdict|decision|ruling|jugement) (?:of|by|from|de|d') ?{_NAMED}"),
    re.compile(
        rf"{_NAMED}(?:'s| has| a|(?:が|は|の)(?:下した)?)? ?"
        r"(?:rul|verdict|decision|decide|upholds?|upheld|tranche|statue|裁定|判断|判定)"
    ),
)


def ruled(clause: Clause, judge: str, told: Told) -> list[str] | None:
    """Return the ruling in a clause of a line that names the judge; none for one that only names the judge."""
    if clause.has("player", "card", "permanent") or clause.is_denied:
        return None
    told.judge, told.has_ruled = judge, True
    times = {"day" if token.is_("day") else "night" for token in clause.all_("day", "night")}
    if len(times) == 1:
        return [f"{quoted(judge)} rules {times.pop()}"]
    return None


def as_called(text: str) -> str:
    """Return a text with the judge's name beside the word for a judge, and a wish for a judge as a call.

    >>> as_called("The judge, Jo, rules night"), as_called("Bo would like a judge, please")
    ('The judge Jo rules night', 'Bo calls a judge')
    """
    text = _APPOSED.sub(r"\1 \2 ", text)
    text = _APPOSED_BEHIND.sub(r"\2 \1 ", text)
    return _WISHED.sub("calls a judge", text)


_APPOSED = re.compile(r"\b([Jj]udge|[Aa]rbitre|[Jj]uge), ([A-Z][\w-]*) ?, ?(?=\w)")
_APPOSED_BEHIND = re.compile(r"(?<![\w,] )\b([A-Z][\w-]*), (the judge|l'arbitre|le juge|la juge), (?=\w)")
_WISHED = re.compile(
    r"\b(?:(?:would|'d) like|would love|(?:is |'s )?asking for|asks? for|asked for|wishes for|wants|demande|réclame"
    r"|exige|voudrait|aimerait|souhaite|sollicite)(?: to (?:see|call|have|get|speak to|talk to)| voir| avoir| appeler)?"
    r" (?:for )?(?:a |the |un |l'|une )(?:judge|arbitre|juge)(?: over)?"
    r"(?:,? (?:please|pls|plz|s'il (?:te|vous) plaît|svp|stp))?(?=$|[.!,])"
)


_SPOKEN = re.compile(r" *(?:[«“]|\"|「) *(?P<said>[^«»“”\"「」]+?) *(?:[»”]|\"|」) *")


def in_quotes(text: str, lookups: Lookups) -> list[str] | None:
    """Return the claim of a line like `"It's night!" says Bo`; None if it is none."""
    text = spelled(text, lookups) or text
    found = _SPOKEN.search(text)
    if found is None or len(_SPOKEN.findall(text)) > 1:
        return None
    rest = f"{text[: found.start()]} {text[found.end() :]}".strip(" ,:!.、。")
    inner = Clause(found["said"], tuple(tokens_of(found["said"], lookups)), False)
    around = Clause(rest, tuple(tokens_of(rest, lookups)), False)
    players = {token.value for token in around.all_("player")}
    times = {"day" if token.is_("day") else "night" for token in inner.all_("day", "night")}
    sure = not any(is_doubted(one) or one.is_denied for one in (inner, around))
    if len(players) != 1 or len(times) != 1 or inner.has(*NAMES, "number", "say") or not sure:
        return None
    strange = [token for token in inner.tokens if not (token.kinds or _is_filler(token.text))]
    if len(strange) > 1 or inner.has("cast", "enter", "lose", "win", "does", "plays"):
        return None
    small = all(token.is_("player", "say", "subject", "pronoun") or _is_speech(token.text) for token in around.tokens)
    return [f"{quoted(players.pop())} says {times.pop()}"] if small else None


def _is_filler(text: str) -> bool:
    plain = folded(text)
    return (
        is_small(text)
        or listed("function").fullmatch(plain) is not None
        or _KANA_ALONE.fullmatch(text) is not None
        or not text.isalpha()
    )


_KANA_ALONE = re.compile("[\u3041-\u309fー]")


def _is_speech(text: str) -> bool:
    return text in ",:!.と、。" or is_adverb(text)


def judge_called(text: str) -> str:
    """Return the name under which a judge without a name rules, in the language of the line."""
    return "the judge" if "judge" in text.casefold() else "ジャッジ" if _KANA.search(text) is not None else "l'arbitre"


_KANA = re.compile("[\u3040-\u30ff]|審判")
