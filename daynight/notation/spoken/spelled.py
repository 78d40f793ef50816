"""Respells a typed line: players' names in kana, short or translated names of cards, no chatter.

Only a line that the notation refuses is respelled. If the new spelling is refused too, the line is read as typed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files

from daynight.notation.lookups import Lookups
from daynight.notation.loose.vocabulary import kinds_at
from daynight.notation.spoken.classes import folded, spells

_CHATTER = re.compile(
    r"(?:[ ,.!、]*(?<![\w])(?:ggs?|ggwp|wp|lol|lmao|haha|xd|mdr|ptdr|btw|imo|tbh|dude|bro|man|folks|guys|quoi|hein)"
    r"[ .!]*|[ 、!]*(?:ｗ+|w+|笑|草)(?<=[\u3040-\u9fff]w|.笑|.草|ww)|[、 ]*(?:お疲れ様(?:でした|です)?|対ありでした)"
    r"|[ !]*!!+)+$",
    re.IGNORECASE,
)
_ELIDED = re.compile(r"\b(c|d|l|n|s|j|qu) (?=[aeiouyhéèêàâA-Z])")
_SHORT = (
    (re.compile(r"\b(?:c|ct) (?=(?:la |le |de )?(?:nuit|jour))"), "c'est "),
    (re.compile(r"\bits (?=(?:now |still )?(?:day|night))", re.IGNORECASE), "it's "),
    (re.compile(r"\bacc to\b", re.IGNORECASE), "according to"),
    (re.compile("(?:せえ|しや)へん(?=かった|$|[。、わでしけや])"), "しない"),
    (re.compile("ないかった"), "なかった"),
    (re.compile("(?<=[えけせてねべめれ])へん(?=$|[。、わでしけや])"), "ない"),
    (re.compile("(?<=[えけせてねべめれ])へんかった"), "なかった"),
    (re.compile("(?<=[てで])(?:し(?:も|もう)た|もうた)"), "しまった"),
    (re.compile(r"\b(?:ths|tihs|thsi)\b"), "this"),
    (re.compile(r"\b(?:teh|hte)\b"), "the"),
    (re.compile(r"\b(?:adn|nad)\b"), "and"),
    (re.compile(r"\b(?:wiht|wtih|w/)(?= )"), "with"),
    (re.compile(r"\bpr (?=(?:la |le |un |une |son |sa )?\w)"), "pour "),
)
_KANA = re.compile("[\u30a1-\u30fc]+")
_BOLTS = re.compile(r"\b(?:snap[- ]?)?bolt(?:s|ed)(?: back)?\b", re.IGNORECASE)


def spelled(text: str, lookups: Lookups, *, creatures: bool = False) -> str | None:
    """Return a text in the usual spelling; None if it has it already. `creatures`: also short names of permanents.

    >>> from daynight.notation.lookups import Names
    >>> spelled("ana joue consider", Names())
    'ana joue Consider'
    """
    said = _CHATTER.sub("", text) or text
    if not said.isascii():
        said = _with_players(said, lookups)
    for short, whole in _SHORT:
        said = short.sub(whole, said)
    if said.islower() or " c est" in said or " qu il" in said:
        said = _ELIDED.sub(r"\1'", said)
    said = _verbed(_swapped(said, lookups), lookups)
    said = _to(said, lookups)
    said = _with_names(said, _called("names.txt"))
    if creatures:
        there = lookups.words_of_permanents()
        said = _with_names(said, [row for row in _called("creatures.txt") if row[0].casefold() in there])
    if text.islower() or text.isupper():
        said = _with_cards(said if not text.isupper() else said.lower(), lookups)
    said = " ".join(said.split())
    return None if said == text else said


@cache
def _called(file: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = files("daynight.notation.spoken").joinpath(file).read_text("utf-8").splitlines()
    parted = (row.partition(" => ") for row in rows if not row.startswith("#"))
    return tuple(
        (name, re.compile(rf"(?<![a-z0-9'-])(?:{pattern})(?![a-z0-9'-])|(?=[\u3040-\u9fff])(?:{pattern})"))
        for name, arrow, pattern in parted
        if arrow
    )


def _swapped(text: str, lookups: Lookups) -> str:
    """Return a text with the verb for casting behind a player in which two letters had changed places: `Ana csats`."""
    players = "|".join(map(re.escape, lookups.players))
    found = re.match(rf"((?:{players}) )([a-zé]{{5,}})(?= )", text, re.IGNORECASE) if players else None
    if found is None or kinds_at(folded(found[2]), 0)[1] or lookups.is_card(found[2], ours=False):
        return text
    word = folded(found[2])
    swaps = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)} - {word}
    verbs = sorted(swap for swap in swaps if kinds_at(swap, 0) == (len(swap), ("cast",)))
    return f"{found[1]}{verbs[0]}{text[found.end() :]}" if len(verbs) == 1 else text


def _verbed(text: str, lookups: Lookups) -> str:
    """Return a text in which a card of two words or more that is used as a verb is cast on what follows.

    `Bo infernal grasps the crow` becomes `Bo casts Infernal Grasp on the crow`. Any other text is returned unchanged.
    """
    players = "|".join(map(re.escape, lookups.players))
    found = re.match(rf"((?:{players}) )((?:[A-Za-z'-]+ ){{2,5}})", text, re.IGNORECASE) if players else None
    if found is None:
        return text
    words = found[2].split()
    for end in range(len(words), 1, -1):
        name = folded(" ".join(words[:end]))
        if not name.endswith("s"):
            continue
        known = (one for one in (name[:-1], name[:-2]) if one in spells() or lookups.is_card(one.title(), ours=True))
        stem = next(known, None)
        if stem is not None and not lookups.is_permanent(stem.title()):
            return f"{found[1]}casts {stem.title()} on {text[len(found[1]) + len(name) + 1 :]}"
    return text


def _to(text: str, lookups: Lookups) -> str:
    """Return a text that says whose turn it is in full: `passe, tour de Bo` for `passe, à Bo` and `passe, a Bo`."""
    players = "|".join(map(re.escape, lookups.players))
    return re.sub(rf"(^|, )[aà] (?=(?:{players})(?:$|,))", r"\1tour de ", text, flags=re.IGNORECASE)


def _with_names(text: str, called: Iterable[tuple[str, re.Pattern[str]]]) -> str:
    """Return a text, short or translated names in `called` replaced by the English one if the text lacks that one."""
    text = _BOLTS.sub("casts Lightning Bolt on", text) if "Bolt" not in text else text
    for name, pattern in called:
        plain = folded(text)
        for found in [*pattern.finditer(plain)][::-1]:
            if len(plain) == len(text) and not re.search(rf"(?<![a-z]){re.escape(name.casefold())}(?![a-z])", plain):
                before, behind = text[: found.start()], text[found.end() :]
                text = f"{before}{' ' * before[-1:].isascii()}{name}{' ' * behind[:1].isascii()}{behind}"
    return text


def _with_players(text: str, lookups: Lookups) -> str:
    """Return a text with the players' own names in place of kana: Ana for `アナ`."""
    names = {_sound(folded(player)): player for player in lookups.players if player.isascii()}

    def named(found: re.Match[str]) -> str:
        run = found[0]
        for end in range(len(run), 1, -1):
            if (player := names.get(_sound(_romanised(run[:end])))) is not None:
                after = found.string[found.end() : found.end() + 1]
                return f"{player} {run[end:]}" if run[end:] or after not in "がはのをにもと、さ" else player
        return run

    return _KANA.sub(named, text)


def _sound(name: str) -> str:
    """Return a name reduced to what kana can write: no doubled letters, no long vowels, r for l."""
    plain = name.replace("l", "r").replace("v", "b").replace("h", "").replace("-", "")
    return re.sub(r"(.)\1+", r"\1", plain)


def _romanised(kana: str) -> str:
    """Return kana in Latin letters, from their Unicode names."""
    letters = [_syllable(letter) for letter in kana]
    return "".join(letters)


@cache
def _syllable(letter: str) -> str:
    if letter == "ー":
        return ""
    name = unicodedata.name(letter, "").rpartition(" ")[2].lower()
    return {"n": "n", "ti": "chi", "si": "shi", "tu": "tsu", "hu": "fu", "zi": "ji"}.get(name, name)


def _with_cards(text: str, lookups: Lookups) -> str:
    """Return a lower-case text with players' and cards' names capitalised, at each word the longest possible card."""
    words = text.split(" ")
    players = {folded(player): player for player in lookups.players}
    found, there, at = words[:], lookups.words_of_permanents(), 0
    while at < len(words):
        if (bare := words[at].strip(",.:;!")) in players:
            found[at] = words[at].replace(bare, players[bare])
        end = next((end for end in _ends(words, at) if _is_card(words, at, end, lookups, {*players, *there})), at)
        for place in range(at, end):
            found[place] = words[place][:1].upper() + words[place][1:]
        at = max(end, at + 1)
    return " ".join(found)


def _ends(words: Sequence[str], at: int) -> Iterator[int]:
    yield from range(min(len(words), at + 6), at, -1)


def _is_card(words: Sequence[str], at: int, end: int, lookups: Lookups, others: set[str]) -> bool:
    """Return whether words are a card, not one of `others`; one alone must be a spell or follow `casts` or a player."""
    name = " ".join(words[at:end]).strip(",.:;!")
    if len(name) < _FEWEST or name in others or _CASTS.fullmatch(name) is not None:
        return False
    if end - at > 1:
        return lookups.is_card(name, ours=False)
    before = words[at - 1] if at else ""
    if name in spells():
        return True
    end_of, kinds = kinds_at(name, 0)
    if end_of == len(name) and not {"die", "pass", "day", "night", "concede"}.isdisjoint(kinds):
        return False
    stem = name.removesuffix("s") if _is_player(before, lookups) else name
    return lookups.is_card(stem, ours=False) and (_CASTS.fullmatch(before) is not None or _is_player(before, lookups))


def _is_player(word: str, lookups: Lookups) -> bool:
    return word.strip(",:").casefold() in {player.casefold() for player in lookups.players}


_FEWEST = 3
"""A name in lower case with fewer letters is not taken for a card."""
_CASTS = re.compile(
    r"(?:re)?(?:casts?|casted|casting|plays?|played|lance|joue|caste|lances|met|with|avec|on|off|for|and|then|et|puis|into"
    r"|tente|claque|balance|repond|répond|nope,|non,|[:>+&-]|->|/)$|.*[:,]"
)
