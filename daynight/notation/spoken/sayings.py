"""Reads what people say at a table as lines of the notation: the ways of saying it are data, one file a language.

A row is `what is said => the line that it is`, tried from the first one on, in every language whatever is spoken to the
reader. What is said is a regular expression with names in braces:

| name | what stands there | in the line |
| --- | --- | --- |
| `{who}`, `{by}` | a player; somebody who speaks | the player |
| `{what}`, `{one}` | permanents, one permanent | their ids |
| `{card}` | a card; one that somebody knows is looked for first | its English name |
| `{ours}`, `{land}` | a card of the catalogue; a basic land | its name |
| `{arrival}` | a card and brackets | as it is |
| `{source}`, `{owner}` | any name; a card of the catalogue by its English one | the name |
| `{time}`, `{steps}` | day, night; steps, with anything between them | the words of the notation |

The line may be `-` (no event), `? claim night` or `? transforms w1` (asked back), and `! concedes Ana`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from daynight.cards.names import basic
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.wording import _
from daynight.notation.doubts import NUMBERS
from daynight.notation.lines.hints import who_says
from daynight.notation.lookups import Lookups
from daynight.notation.spelling import WrittenName, quoted, unquoted
from daynight.notation.spoken.words import ANOTHER, BEFORE, FILLERS, TAILS, WORDS

LANGUAGES = ("en", "fr", "ja")

_NAME = r"[^\"(){}\[\]:：;「」]+?"
_STEPS = {
    "untap": "untap", "upkeep": "upkeep", "draw": "draw", "main": "main", "end": "end", "cleanup": "cleanup",
    "dégagement": "untap", "entretien": "upkeep", "pioche": "draw", "fin": "end", "nettoyage": "cleanup",
    "phase principale": "main", "アンタップ": "untap", "アップキープ": "upkeep", "ドロー": "draw", "メイン": "main",
    "終了": "end", "エンド": "end", "クリンナップ": "cleanup", "second main": "second main",
    "seconde phase principale": "second main", "combat": "beginning of combat", "戦闘開始": "beginning of combat",
    "attack": "declare attackers", "attacks": "declare attackers", "attackers": "declare attackers",
    "block": "declare blockers", "blocks": "declare blockers", "blockers": "declare blockers",
    "damage": "combat damage",
}  # fmt: skip
_TIMES = {
    "day": "day", "night": "night", "neither": "neither", "daytime": "day", "nighttime": "night", "jour": "day",
    "nuit": "night", "昼": "day", "夜": "night",
}  # fmt: skip
_COUNTS = {
    **NUMBERS, "a": 1, "a couple of": 2, "zero": 0, "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5,
    "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8,
    "九": 9, "十": 10,
}  # fmt: skip
_LANDS = "Plains|Island|Swamp|Mountain|Forest|Wastes|Plaine|[ÎI]le|Marais|Montagne|For[êe]t|平地|島|沼|山|森"
_STEP = "|".join(sorted(_STEPS, key=len, reverse=True))
_MEANT = {
    "who": r"[^\W\d][^\"(){}\[\]:：;「」,、]*?", "whom": r"[^\W\d][^\"(){}\[\]:：;「」,、]*?", "by": _NAME,
    "what": _NAME, "one": _NAME, "card": _NAME, "known": _NAME, "other": _NAME, "ours": _NAME, "source": _NAME,
    "owner": _NAME, "token": _NAME, "arrival": rf"{_NAME}(?: ?\([^()]*\))?", "land": _LANDS, "time": "|".join(_TIMES),
    "steps": rf"(?:{_STEP})(?:・?ステップ)?(?:(?: *[,、・] *| and | et | )(?:and |et )?(?:{_STEP})(?:・?ステップ)?)+",
    "tail": "|".join(TAILS),
}  # fmt: skip
_OWN = re.compile(
    r"(?:the|an?|one|another|some|his|her|their|my|both|all|(?:a|the) (?:second|third|fourth|last)|first|second|third|one more"
    r"|one of (?:the|his|her|their)|la|le|les|une?|sa|son|ses|leur|mon|ma|mes|un autre|une autre|encore une?|les deux"
    r"|(?:un|une|le|la) (?:deuxième|troisième|second|seconde|dernier|dernière)|deuxième|troisième|second|seconde"
    r"|l'(?:éphémère|artefact|enchantement)|(?:le|la) (?:rituel|créature|sort|carte|planeswalker)) +|l' *|«\s*|《|2枚目の|もう1枚の?",
    re.IGNORECASE,
)
_END = re.compile(r"[ .!。!]+$")
_JOINED = re.compile("(?:and|but|which|et|mais|puis|qui) ", re.IGNORECASE)
_BETWEEN = re.compile(r" *, *(?:and |et )?| and | et |と|、")


class Saying(NamedTuple):
    """A way of saying something, and the line that it is."""

    said: str
    line: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """What is said as a regular expression; it is made when a text gets as far as this row."""
        return _compiled(self.said)


@cache
def sayings() -> tuple[Saying, ...]:
    """Every way of saying something that is no line of the notation, in the order in which they are tried."""
    found = []
    for language in LANGUAGES:
        text = files("daynight.notation.spoken").joinpath(f"{language}.txt").read_text("utf-8")
        for row in text.splitlines():
            said, arrow, line = row.partition(" => ")
            if arrow and not row.startswith("#"):
                found.append(Saying(said, line))
    return tuple(found)


@cache
def _compiled(said: str) -> re.Pattern[str]:
    """The regular expression of a row: a name that stands several times has a number from the second time on."""
    times: dict[str, int] = {}

    def named(found: re.Match[str]) -> str:
        times[found[1]] = times.get(found[1], 0) + 1
        return f"(?P<{found[1]}{times[found[1]] if times[found[1]] > 1 else ''}>{_MEANT[found[1]]})"

    plain = re.sub(r"\{([a-z]+)\}", lambda found: WORDS.get(found[1], found[0]), said)
    return re.compile(re.sub(r"\{([a-z]+)\}", named, plain), re.IGNORECASE)


def lines(text: str, lookups: Lookups, *, known: bool) -> Iterator[str | UnreadableError]:
    """The lines that a text may be, the likeliest first; `-` for no event. An error says what hinders one of them.

    A line may be several, with ` ;; ` between them. With `known` only those in which somebody knows each card.
    """
    words = " ".join(text.replace("\u2019", "'").split())
    plain = _END.sub("", words)
    texts = [plain]
    for said in (FILLERS, BEFORE, FILLERS):
        if (found := said.match(texts[-1])) is not None and found.end() < len(texts[-1]):
            texts.append(texts[-1][found.end() :])
    for player in lookups.players if "さん" in plain else ():
        texts[-1] = texts[-1].replace(f"{player}さん", player)
    for number, shorter in enumerate(dict.fromkeys(texts) if len(words) <= NAME_LENGTH else ()):
        yield from _said(shorter, lookups, known)
        if number:
            yield shorter


def _said(text: str, lookups: Lookups, known: bool) -> Iterator[str | UnreadableError]:
    for saying in sayings():
        found = saying.pattern.fullmatch(text)
        if found is None:
            continue
        try:
            line = _filled(saying.line, found, lookups, known)
        except UnreadableError as error:
            # What begins with any name may be anything: so nothing is wrong with the names in it.
            if not saying.said.startswith(("{source}", "{card}", "{known}")):
                yield error
        else:
            if line is not None:
                yield line


def _filled(line: str, found: re.Match[str], lookups: Lookups, known: bool) -> str | None:
    """The line with everything in its place; None where a player or a card is not there."""
    # A name that stands several times in a row has a number from the second time on.
    said = {name.rstrip("23"): text for name, text in found.groupdict().items() if text is not None}
    if "tail" in said and ANOTHER.search(said["tail"]) is not None:
        return None
    filled = {name: _words(name, text) for name, text in said.items()}
    if "tail" in said:
        filled["tail"] = _JOINED.sub("", said["tail"])
    for name in said.keys() & {"who", "whom"}:
        if name == "who":
            filled["by"] = quoted(_speaker(said["who"], lookups))
        if name == "whom" or "{by}" not in line:
            try:
                filled[name] = quoted(lookups.player(WrittenName(_bare(said[name]), False, 1, 1)))
            except UnreadableError:
                return None
    for name in said.keys() & {"what", "one"}:
        filled[name] = _permanents(said[name], lookups)
    if line == "-":
        return None if _more(found.string, lookups) else line
    for name in said.keys() & {"card", "ours", "known", "other"}:
        card = _card(said[name], lookups)
        if (known or name != "card") and not lookups.is_card(card, ours=name == "ours"):
            return None
        filled[name] = quoted(card)
    if "source" in said:
        filled["source"] = quoted(_source(said["source"], lookups))
    if "{token}" in line or "{crowd}" in line:
        token = quoted(lookups.card(WrittenName(said["token"], False, 1, 1), token=True))
        filled |= {"token": token, "crowd": ", ".join([f"{token} (token)"] * int(filled.get("n", "1")))}
        filled["id"] = f"{said['id']}, " if "id" in said else ""
    if "{next}" in line:
        if (number := lookups.next_turn(unquoted(filled["who"]))) is None:
            return None
        filled["next"] = str(number)
    if line.startswith("?"):
        raise UnreadableError(_asked(line, said, filled))
    if line.startswith("! concedes"):
        others = [player for player in lookups.players if quoted(player) != filled["who"]]
        line = f"{quoted(others[0])} wins" if len(others) == 1 else "{who} leaves the game"
    return re.sub(r"\{([a-z]+)\}", lambda named: filled[named[1]], line)


def _words(name: str, text: str) -> str:
    """What was said, in the words of the notation, of what is no name that is looked up."""
    folded = text.casefold()
    if name == "land":
        return quoted(basic(text) or text.title())
    if name == "steps":
        return ", ".join(_STEPS[step.casefold()] for step in re.findall(_STEP, text, re.IGNORECASE))
    if name == "arrival":
        return _bare(text)
    if name in ("n", "turn"):
        return str(_COUNTS.get(folded, text))
    return {"time": _TIMES, "step": _STEPS}.get(name, {}).get(folded, text)


def _asked(line: str, said: Mapping[str, str], filled: Mapping[str, str]) -> str:
    """The sentence that asks back."""
    if line.startswith("? claim"):
        return who_says(filled["time"])
    if line.startswith("? transforms"):
        return told_or_said(filled["what"].split(", ")[0].strip('"'))
    sentence = _("did you mean {cast}? A land is not cast, it enters: {land}")
    return sentence.format(cast=f"{said['who']} casts {said['card']}", land=f"{said['who']}: {said['card']} enters")


def told_or_said(id: str) -> str:
    """The sentence that asks whether a card told a permanent to transform, or somebody says what it shows."""
    sentence = _("told so by a card, or do you say that it shows its back? Write {told}, or {shows}")
    return sentence.format(told=f"{id} transforms by Moonmist", shows=f"Ana says {id} shows back")


def _bare(text: str) -> str:
    """A name without what people say before it."""
    text = text.strip(" 》»")
    while (found := _OWN.match(text)) is not None and found.end() < len(text):
        text = text[found.end() :].strip(" 》»")
    return text


def _speaker(text: str, lookups: Lookups) -> str:
    text = _bare(text)
    return next((player for player in lookups.players if player.casefold() == text.casefold()), text)


def _owned(text: str, lookups: Lookups) -> Iterator[str]:
    """A text as it is, without what is said before it, and without the player that it is said to be of."""
    yield text
    yield (bare := _bare(text))
    for player in lookups.players:
        for pattern in (rf"{re.escape(player)}(?:'s |の)(.+)", rf"(.+) (?:de |d'){re.escape(player)}"):
            if (found := re.fullmatch(pattern, bare, re.IGNORECASE)) is not None:
                yield _bare(found[1])


def _permanents(text: str, lookups: Lookups) -> str:
    """The ids of permanents.

    Raises:
        UnreadableError: where one of them is not there, or may be several.
    """
    parts: Sequence[str] = [text] if lookups.is_known(text) else [part for part in _BETWEEN.split(text) if part]
    return ", ".join(quoted(_permanent(part, lookups)) for part in parts)


def _permanent(text: str, lookups: Lookups) -> str:
    refused: UnreadableError | None = None
    for name in _owned(text, lookups):
        try:
            return lookups.permanent(WrittenName(name, False, 1, 1))
        except UnreadableError as error:
            refused = error
    assert refused is not None
    raise refused


def _card(text: str, lookups: Lookups) -> str:
    """The card of a name.

    Raises:
        UnreadableError: where it is nearly a name of the catalogue, or may be several.
    """
    for name in (text, _bare(text)):
        if lookups.is_card(name, ours=False):
            return lookups.card(WrittenName(name, False, 1, 1))
    return lookups.card(WrittenName(_bare(text), False, 1, 1))


def _source(text: str, lookups: Lookups) -> str:
    contracted = f"le {text[3:]}" if text.casefold().startswith("du ") else text
    for name in (text, contracted, _bare(text)):
        if lookups.is_card(name, ours=True):
            return lookups.card(WrittenName(name, False, 1, 1))
    return text


def _more(text: str, lookups: Lookups) -> bool:
    """Whether a text tells of more than what is no event: another happening, or a card that makes it day or night."""
    folded = text.casefold()
    turning = "activ" in folded and any(name.casefold() in folded for name in lookups.turning)
    return turning or _ANOTHER.search(folded) is not None


_ANOTHER = re.compile(
    r"\b(?:except|besides|other than|apart from|(?:nothing|anything) but|sauf|excepté|autre que|à part)\b|以外|しか"
    r"|(?:\b(?:and|then|but|et|puis|mais|after|before)\b|[,;、]|して).*(?:cast|play|enter|die|sac|exile|destroy|night|day"
    r"|transform|lance|joue|meurt|arrive|exil|détrui|nuit|jour|唱え|死亡|破壊|追放|戦場|変身|夜|昼)"
)
