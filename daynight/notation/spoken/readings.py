"""Reads lines by the classes of their words: `readings.txt` holds regular expressions over classes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _
from daynight.notation.lookups import Lookups
from daynight.notation.spelling import WrittenName, quoted
from daynight.notation.spoken.classes import ARTIFACTS, MOST, MOVED, UNKNOWN, Word, folded, token_name, words_of
from daynight.notation.spoken.gists import Found, gist
from daynight.notation.spoken.numbers import COUNTS, number_of

_OBJECT = "(?:P'?)?[MPCOps1R]+"
_MACROS = {
    "beside": "(?:w[j:]?|j?k(?:bP)?[j4:]?|P'k|[N1]a[j4:]?"
    "|j?T(?:P'?)?[MPCpn](?:bP|jM)*|8(?:P'?)?[MP]|[MPC]k?W|[bi]N?k|j(?:P')?[sp](?:bP)?q)*",
    "gone": f"(?:w|k|[TbiJ]{_OBJECT}|{_OBJECT}i|[Ti]w)*",
    "what": "(?P<what>(?:P')?M(?:bP|')?(?:j(?:P')?M)*)",
    "what2": "(?P<second>(?:P')?M(?:j(?:P')?M)*)",
    "w": "[wk]*",
    "nothing": "[PMNTJWibwk:41Iaz%vA'j]*n[PMNnTJWibwkQ:41Iaz%vpA'j]*",
}
"""Regular expressions by name, for orders in `readings.txt` that contain `{name}`."""


class Reading(NamedTuple):
    """An order of classes, and the resulting line."""

    order: str
    line: str


@cache
def readings() -> tuple[Reading, ...]:
    """Return every order, in the order in which they are tried."""
    text = files("daynight.notation.spoken").joinpath("readings.txt").read_text("utf-8")
    rows = (row.partition(" => ") for row in text.splitlines() if not row.startswith("#"))
    return tuple(Reading(_whole(order), line) for order, arrow, line in rows if arrow)


def _whole(order: str) -> str:
    """Return an order with its macros expanded and its names numbered: the first `<C>` becomes `(?P<C1>C)`."""
    for name, part in _MACROS.items():
        order = order.replace(f"{{{name}}}", part)
    times: dict[str, int] = {}

    def numbered(found: re.Match[str]) -> str:
        times[found[1]] = times.get(found[1], 0) + 1
        return f"(?P<{found[1]}{times[found[1]]}>{'Z' if found[1] == '0' else found[1]})".replace("<0", "<Z")

    return re.sub(r"(?<!\?P)<(\w)>", numbered, order)


_LETTER = re.compile(r"\\.|\?P<\w+>|\(\?[:=!]|\[([^\]]+)\]|([A-Za-z0-9'~%:#&])")
_SKIPPED = "(?:<(?=[^>]*f)[^>]*>)*"
"""Matches any number of fillers, each written as its classes: `<f>`."""


@cache
def _pattern(order: str) -> re.Pattern[str]:
    """Return the pattern of an order, over words written as their classes, `<cQ>`; fillers may come anywhere."""

    def expanded(found: re.Match[str]) -> str:
        letters = found[1] or found[2]
        return found[0] if letters is None else f"(?:<(?=[^>]*[{letters.replace('Z', '0')}])[^>]*>{_SKIPPED})"

    return re.compile(_SKIPPED + _LETTER.sub(expanded, order))


class Told(NamedTuple):
    """The resulting `line`: ` ;; ` between several, `-` for no event, `?` for a question; `what`: permanents' ids."""

    line: str
    what: str = ""


def told(text: str, lookups: Lookups) -> Told | None:
    """Return the line of the notation for a text, by the classes of its words; None if no order and no gist fits.

    Raises:
        UnreadableError: where a name in it is ambiguous, or where the user has to be asked what is meant.
    """
    if len(text) > MOST or not set("[]{}").isdisjoint(text) or text.count("(") != text.count(")"):
        return None
    words = words_of(_timed(text, lookups), lookups)
    if not words or any(word.classes == UNKNOWN for word in words) or words[-1].text in _OPEN or _has_some(words):
        return None
    if _HANDS_ON.search(folded(text)) is not None:
        return None
    if len(words) > 1 and "j" in words[0].classes:
        words = words[1:]
    codes = "".join(f"<{''.join(word.classes)}>" for word in words)
    for reading in readings():
        found = _pattern(reading.order).fullmatch(codes)
        if found is not None:
            if _misfits(reading.line, text, found, words):
                continue
            if reading.line == "-" and (_turning(text, lookups) or _happens(words) or _sacrifices(words)):
                return None
            if reading.line == "{P1} casts {C1}" and (had := _only_had(words)) is not None:
                raise UnreadableError(cast_or_there(*had))
            return _filled(reading.line, found, words, lookups)
    loose = gist(words)
    if loose is None or (" casts " in loose.line and MOVED.search(text) is not None):
        return None
    if loose.line == "-" and (_turning(text, lookups) or _happens(words)):
        return None
    return _loosely(loose, lookups)


_HANDS_ON = re.compile(
    r"(?:エンド|終了|\bpass(?:es|e)?|\bends?)(?: .*)?[、,] ?.*(?:のターン|の番|'s (?:own )?turn|\btour d)"
)
"""Somebody ends a turn, and what follows is in the turn of another one."""
_OPEN = frozenset(",;、")
"""Separators: after one of them at the end of a text, something is missing."""


def _misfits(line: str, text: str, found: re.Match[str], words: Sequence[Word]) -> bool:
    """Return whether a pattern must not be used for a text, although the classes of its words fit it."""
    if " says " in line:
        return _retold(words)
    return " casts " in line and (_at_hand(text, found, words) or MOVED.search(text) is not None)


def _retold(words: Sequence[Word]) -> bool:
    """Return whether a line quotes somebody who quotes somebody else: `Ana says Bo says night`."""
    return sum(_SPEAKS.search(folded(word.text)) is not None for word in words) > 1


_SPEAKS = re.compile(r"\bsay|\bsaid|claim|think|believ|\bdit\b|pense|croit|affirme|言|主張")


def _at_hand(text: str, found: re.Match[str], words: Sequence[Word]) -> bool:
    """Return whether a card is already on the battlefield, and no clear word says that another one is cast."""
    if _PLAIN.search(folded(text)) is not None:
        return False
    names = [word for name, word in _named(found, words) if name[0] in "CO"]
    return any("M" in word.classes for word in names)


def _named(found: re.Match[str], words: Sequence[Word]) -> Iterator[tuple[str, Word]]:
    """Yield the placeholders of a matching reading, each with its word."""
    for name, code in found.groupdict().items():
        if code is not None and name not in ("what", "second"):
            yield name, words[found.string.count("<", 0, found.start(name))]


def _only_had(words: Sequence[Word]) -> tuple[str, str] | None:
    """Return the player and the card of `Ana has Village Watch out`; None for another text, or if a cast is said."""
    said = [word for word in words if word.classes != {"f"} or word.text.lower() in _HAD]
    if len(said) < _FEWEST or "P" not in said[0].classes or said[1].text.lower() not in _HAD:
        return None
    cards = [word for word in said if "C" in word.classes]
    if any(not word.classes.isdisjoint("cqQ3wk") for word in said[1:]):
        return None
    if "O" not in cards[0].classes and (len(said) > _FEWEST or any(word.text.lower() in _THE for word in words)):
        # He had the Counterspell, or Shock for w1: so he cast it.
        return None
    return said[0].value, cards[0].text


def _has_some(words: Sequence[Word]) -> bool:
    """Return whether a text says that a player has a spell, to cast it perhaps later: `Ana has something`."""
    said = [word for word in words if "f" not in word.classes or word.text.lower() in _HAD | {"a"}]
    if len(said) != _FEWEST or "P" not in said[0].classes or "s" not in said[2].classes:
        return False
    # In French `a` is has, in English an article.
    french = said[1].text == "a" and (said[2].text.startswith("quelque") or any(word.text in _FRENCH for word in words))
    return french or said[1].text.lower() in _HAD


_HAD = frozenset({"has", "had", "have", "has got", "avait"})
_FRENCH = frozenset({"un", "une", "son", "sa"})
_THE = frozenset({"the", "le", "la"})
_FEWEST = 3
"""The fewest words in a statement that a player has a card: `Ana has Opt`."""


_PLAIN = re.compile(
    "cast|play|slam|summon|hand|another|second|tries|resolv|drop|deploy|jam|runs|taps|sticks"
    "|lance|joue|invoque|pose|tente|met|resou|autre|唱え|キャスト|プレイ|使|召喚|出|2枚目|展開|着地"
)


def _turning(text: str, lookups: Lookups) -> bool:
    """Return whether a text contains a card that makes it day or night."""
    return any(folded(name) in folded(text) for name in lookups.turning)


def _happens(words: Sequence[Word]) -> bool:
    """Return whether words certainly tell of an event: a cast, a token, a move, a copy, a transformation, or a step."""
    kinds = frozenset().union(*(word.classes for word in words))
    if "C" in kinds and any(word.classes & {"c", "q"} and word.classes.isdisjoint("n5fkwC") for word in words):
        return True
    if any(word.classes >= {"C", "n"} and word.text[0].isupper() for word in words):
        return True
    if any(
        word.classes >= {"n"} and re.search("プレイ|キャスト|唱え|打|撃", after.text) for word, after in pairwise(words)
    ):
        return True
    if "M" in kinds and "g" in kinds and not kinds.isdisjoint("GXHB"):
        return True
    if any(_UNTAPS.match(folded(word.text)) and "P" in before.classes for before, word in _neighbours(words)):
        return True
    if _goes_on(words):
        return True
    if "R" in kinds and "m" in kinds and kinds.isdisjoint("Yu5"):
        return True
    return any(word.classes & set("dDxhlFVEry67$") and word.classes.isdisjoint("nfkw") for word in words) or any(
        "V" in verb.classes and "M" in what.classes for verb, what in pairwise(words)
    )


def _sacrifices(words: Sequence[Word]) -> bool:
    """Return whether words may tell of a sacrificed creature, not only of a Treasure or the like: `sacs the bird`."""
    kinds = [token_name(word.text) for word in words if "R" in word.classes]
    return any("u" in word.classes for word in words) and not ARTIFACTS.issuperset(kinds)


def _goes_on(words: Sequence[Word]) -> bool:
    """Return whether a line about passing also tells whose turn comes, or which step: `Ana passes, Bo to upkeep`."""
    said = [word for word in words if word.classes - {"f"}]
    if not any(_PASSES.match(folded(word.text)) is not None for word in said):
        return False
    ends = len(said) > _FEWEST and "P" in said[-1].classes and not said[-2].classes.isdisjoint("4jJT8b")
    return ends or any(_STEPS.search(folded(word.text)) is not None for word in said)


_PASSES = re.compile("pass|ends?$|fini|done|エンド|終")
_STEPS = re.compile("upkeep|untap|entretien|degag|アップキープ|アンタップ")


def _neighbours(words: Sequence[Word]) -> Iterator[tuple[Word, Word]]:
    """Yield each pair of neighbouring words, ignoring fillers."""
    return pairwise(word for word in words if word.classes - set("f#"))


_UNTAPS = re.compile("untap|degage|アンタップ")


def _loosely(found: Found, lookups: Lookups) -> Told:
    """Return the line of a gist with its names filled in."""
    what = ", ".join(quoted(word.value) for word in found.permanents)
    there = {name: _value("C" if name == "@1" else name[0], word, lookups) for name, word in found.names.items()}
    if found.line.startswith("!"):
        return _lost(there["P1"], lookups)
    there |= {"what": what}
    if "{crowd}" in found.line:
        there["crowd"] = ", ".join([f"{there['R1']} (token)"] * int(there["N1"]))
    return Told(re.sub(r"\{([\w@]+)\}", lambda named: there[named[1]], found.line), what)


def _filled(line: str, found: re.Match[str], words: Sequence[Word], lookups: Lookups) -> Told:
    there: dict[str, str] = {}
    for name, code in found.groupdict().items():
        if code is None:
            continue
        first = found.string.count("<", 0, found.start(name))
        span = words[first : first + code.count("<")]
        if name in ("what", "second"):
            there["what2" if name == "second" else name] = ", ".join(
                quoted(word.value) for word in span if "M" in word.classes and "P" not in word.classes
            )
        else:
            there[name] = _value(name[0], span[0], lookups)
    if "{all}" in line:
        raise UnreadableError(each_that(lookups))
    ids = [value for name, value in there.items() if name.startswith("Z")]
    there["id"] = f"({ids[0]})" if ids else ""
    if "{crowd}" in line:
        there["crowd"] = ", ".join([f"{there['R1']} (token)"] * int(there["N1"]))
    if line.startswith("! loses"):
        return _lost(there["P1"], lookups)
    return Told(re.sub(r"\{(\w+)\}", lambda named: there[named[1]], line), there.get("what", ""))


def _lost(who: str, lookups: Lookups) -> Told:
    """Return the line about a player who has lost: with two players the other one wins, else `who` leaves the game."""
    others = [player for player in lookups.players if quoted(player) != who]
    return Told(f"{quoted(others[0])} wins" if len(others) == 1 else f"{who} leaves the game")


def _value(kind: str, word: Word, lookups: Lookups) -> str:
    """Return the text in the line for a word of this class."""
    if kind in "CO":
        return quoted(lookups.card(WrittenName(word.text, False, 1, 1)))
    if kind in "PLMR":
        return token_name(word.text) if kind == "R" else quoted(word.value)
    if kind == "N":
        return str(number_of(re.sub("(?<=[0-9])[xX]$", "", word.text)))
    if kind == "U":
        found = re.search("[0-9]+", word.text)
        return str(int(found[0])) if found is not None else str(_in_words(folded(word.text)))
    return word.value or word.text


def _in_words(text: str) -> int:
    """Return the number in a text with a number in words: `turn four`, `tour quatre`, `四ターン目`."""
    return next(COUNTS[part] for part in (*text.split()[1:], text[0]) if part in COUNTS)


_WHEN = (
    r"(?:at|on|in|during|before|after) (?:the )?(?:end of |beginning of )?{who}'s (?:own )?(?:next )?"
    r"(?:end of turn|end step|upkeep|draw step|turn|main(?: phase)?|combat)"
    r"|(?:a|pendant|durant|au|dans|en) (?:la |le |l')?(?:fin (?:du|de) tour|tour|entretien|etape de fin|fin"
    r"|phase principale) (?:de |d'){who}"
    r"|{who}の(?:ターン(?:中|終了時|エンド)?|アップキープ|エンド(?:ステップ)?|終了ステップ|メイン(?:フェイズ)?)(?:に|で)"
)


def _timed(text: str, lookups: Lookups) -> str:
    """Return `text` with `in Bo's upkeep` replaced by the remark `eot`, `(Ana)` by ` by Ana `, `Ana2` by `Ana 2`."""
    plain = folded(text)
    for player, name in ((one, one.replace("\\", r"\\")) for one in lookups.players):
        text = re.sub(rf"\({re.escape(player)}\)", f" by {name} ", text)
        text = re.sub(rf"(?<!\w){re.escape(player)}(?=[0-9])", f"{name} ", text, flags=re.IGNORECASE)
        plain = folded(text)
        found = re.search(_WHEN.replace("{who}", re.escape(folded(player))), plain)
        if (found is not None and found.end() < len(text.rstrip(" ."))) or (found is not None and found.start()):
            text = f"{text[: found.start()]} eot {text[found.end() :]}"
            plain = folded(text)
    return text


def is_remark(text: str, lookups: Lookups) -> bool:
    """Return whether a text in brackets is only a remark: it has no names, negations or turns, nor day or night."""
    if len(text) > MOST or _TIME.search(folded(text)) is not None:
        return False
    return all(word.classes.isdisjoint("PMCLRUA0~") for word in words_of(text, lookups))


_TIME = re.compile(r"\b(?:day|night|jour|nuit)|昼|夜")


def not_understood(text: str, lookups: Lookups) -> str | None:
    """Return the message for an unreadable line: its unknown words, and a similar line; None if no line is similar."""
    if len(text) > MOST:
        return None
    words = words_of(text, lookups)
    unknown = [word.text for word in words if word.classes == UNKNOWN]
    line = _nearest(words)
    if line is None:
        return None
    if not unknown:
        return _("each word is known, but not what they say together; the nearest line is like: {form}").format(
            form=line
        )
    sentence = _("not understood: {words}; the nearest line is like: {form}. What is no event begins with #")
    return sentence.format(words=", ".join(repr(word) for word in dict.fromkeys(unknown[:3])), form=line)


def _nearest(words: Sequence[Word]) -> str | None:
    """Return an example line made of the names in these words; None if it is not clear which kind of line is meant."""

    def first(kind: str) -> str | None:
        return next((word.value or word.text for word in words if kind in word.classes), None)

    who, what, card, land = first("P"), first("M"), first("C"), first("L")
    kinds = frozenset().union(*(word.classes for word in words))
    if what is not None:
        zones = {"graveyard": "dDuGt", "exile": "xXF", "hand": "hH", "library": "lB"}
        for zone, letters in zones.items():
            if not kinds.isdisjoint(letters):
                return f"{quoted_if(what)} leaves to {zone}"
        if "V" in kinds and who is not None:
            return f"{quoted_if(who)} controls {quoted_if(what)}"
    if who is not None and card is not None:
        return f"{quoted_if(who)} casts {card}"
    if who is not None and land is not None:
        return f"{quoted_if(who)}: {land} enters"
    if who is not None and not kinds.isdisjoint("cqsS"):
        return f"{quoted_if(who)} casts a spell"
    return None


def each_that(lookups: Lookups) -> str:
    """Return the error message that asks to name each permanent that leaves, with an example of such a line."""
    ids = dict.fromkeys(id for ids in lookups.words_of_permanents().values() for id in ids)
    sentence = _("a record names each that leaves; write a line like: {form}")
    return sentence.format(form=f"{', '.join([*ids][:3] or ['w1'])} leave to graveyard")


def cast_or_there(who: str, card: str) -> str:
    """Return the question whether a player cast a permanent now, or has had it on the battlefield."""
    sentence = _("did {who} cast it, or is it on the battlefield? Write {cast}, or {there}")
    name, what = quoted_if(who), quoted_if(card)
    return sentence.format(who=who, cast=f"{name} casts {what}", there=f"{name}: {what} enters")


def quoted_if(name: str) -> str:
    """Return a name, in quotation marks if it needs them."""
    return name if re.fullmatch(r"[\w' -]+", name) else quoted(name)
