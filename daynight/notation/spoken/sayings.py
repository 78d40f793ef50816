"""Converts everyday sentences to lines of the notation: the phrases are data, one file per language.

A row is `phrase => line`. Rows are tried in order, those of every language, whatever the reader's language is.
The phrase is a regular expression with names in braces:

| name | what stands there | in the line |
| --- | --- | --- |
| `{who}`, `{by}` | a player; somebody who speaks | the player |
| `{what}`, `{one}` | permanents, one permanent | their ids |
| `{card}` | a card; rows are first tried with known names only | its English name |
| `{known}`, `{other}` | a card whose name is known, and a second one | its English name |
| `{ours}`, `{land}` | a card of the catalogue; a basic land | its English name |
| `{effect}` | a card whose effect makes it day or night | its English name |
| `{arrival}`, `{token}` | a card and brackets; a token | as it is |
| `{next}`, `{prev}` | nothing, they stand in the line only | the number of the next turn, of the one before this |
| `{side}` | a face of a card of the catalogue | `front` or `back` |
| `{source}`, `{owner}` | any name | the name; for a card of the catalogue the English one |
| `{time}`, `{steps}` | day, night; steps, with anything between them | the words of the notation |

Any other name in braces stands for the words of that name in `words.txt`. The line may be `-` (no event), several with
` ;; ` between them, a question that begins with `?` (`? claim night`), and `! concedes Ana` (this player has lost).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.notation.lookups import Lookups
from daynight.notation.spoken.filling import STEPS, TIMES, AskedBackError, filled
from daynight.notation.spoken.words import pattern, plainly, words

LANGUAGES = ("en", "fr", "ja")

_NAME = r"[^\"(){}\[\]:：;「」]+?"
_LANDS = "Plains|Island|Swamp|Mountain|Forest|Wastes|Plaine|[ÎI]le|Marais|Montagne|For[êe]t|平地|島|沼|山|森"
_STEP = "|".join(sorted(STEPS, key=len, reverse=True))
_MEANT = {
    "who": r"[^\W\d][^\"(){}\[\]:：;「」,、]*?", "whom": r"[^\W\d][^\"(){}\[\]:：;「」,、]*?", "by": _NAME,
    "what": _NAME, "one": _NAME, "card": _NAME, "known": _NAME, "other": _NAME, "ours": _NAME, "effect": _NAME,
    "source": _NAME,
    "owner": _NAME, "side": _NAME, "token": _NAME, "arrival": rf"{_NAME}(?: ?\([^()]*\))?",
    "land": _LANDS, "time": "|".join(TIMES),
    "steps": rf"(?:{_STEP})(?:・?ステップ)?(?:(?: *[,、・] *| and | et | puis | then | )(?:and |et |puis |then )?"
    rf"(?:{_STEP})(?:・?ステップ)?)+",
    "tail": words()["tail"],
}  # fmt: skip
_WORDS = {name: pattern for name, pattern in words().items() if name not in _MEANT}
_END = re.compile(r"[ .!。!]+$")


class Saying(NamedTuple):
    """A phrase, and the resulting line."""

    said: str
    line: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """The phrase as a regular expression; it is compiled when a text is first compared with this row."""
        return _compiled(self.said)


@cache
def sayings() -> tuple[Saying, ...]:
    """Return every row of the files of all languages, in the order in which they are tried."""
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
    """Compile the regular expression of a row: a repeated name gets a number from its second use on."""
    times: dict[str, int] = {}

    def named(found: re.Match[str]) -> str:
        times[found[1]] = times.get(found[1], 0) + 1
        return f"(?P<{found[1]}{times[found[1]] if times[found[1]] > 1 else ''}>{_MEANT[found[1]]})"

    plain = re.sub(r"\{([a-z]+)\}", lambda found: _WORDS.get(found[1], found[0]), said)
    return re.compile(re.sub(r"\{([a-z]+)\}", named, plain), re.IGNORECASE)


def lines(text: str, lookups: Lookups, *, known: bool) -> Iterator[str | UnreadableError]:
    """Yield the possible lines for a text, the likeliest first; `-` for no event; an error if a name is refused.

    A line may be several, with ` ;; ` between them. With `known`, every card must have a known name.
    """
    said = plainly(text)
    plain = _END.sub("", said)
    texts = [plain]
    for name in ("filler", "before", "filler"):
        if (found := pattern(name).match(texts[-1])) is not None and found.end() < len(texts[-1]):
            texts.append(texts[-1][found.end() :])
    for player in lookups.players if "さん" in plain else ():
        texts[-1] = texts[-1].replace(f"{player}さん", player)
    for player in lookups.players:
        adverb = re.match(rf"{re.escape(player)} (?:{words()['adverb']} )+", texts[-1], re.IGNORECASE)
        if adverb is not None and adverb.end() < len(texts[-1]):
            texts.append(f"{player} {texts[-1][adverb.end() :]}")
    for shorter in dict.fromkeys(texts) if len(said) <= NAME_LENGTH else ():
        yield from _said(shorter, lookups, known)
        if shorter != " ".join(text.split()):
            yield shorter


def _said(text: str, lookups: Lookups, known: bool) -> Iterator[str | UnreadableError]:
    for saying in sayings():
        found = saying.pattern.fullmatch(text)
        if found is None:
            continue
        try:
            line = filled(saying.line, found, lookups, known=known)
        except UnreadableError as error:
            if isinstance(error, AskedBackError):
                yield error
                return
            # A sentence that begins with any name may be anything, so errors in its names are not reported.
            if not saying.said.startswith(("{source}", "{card}", "{known}")):
                yield error
        else:
            if line is not None:
                yield line
