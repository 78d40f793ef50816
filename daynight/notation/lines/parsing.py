"""Parses a line with the grammar, `grammar.lark`, and explains errors in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.grammar import commas
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.wording import _
from daynight.notation.lines.forms import BEGINNINGS, PLAYED, form_beginning, meant_form, meant_steps, nearest_word
from daynight.notation.lines.hints import about, hint

Branch = Tree[Any]
"""The result of the grammar for a line, or a part of one."""


@cache
def parser() -> Lark:
    """Return the parser; the first call makes it, so a file of frequent lines alone never needs it."""
    return Lark(
        files("daynight.notation.lines").joinpath("grammar.lark").read_text("utf-8"),
        parser="lalr",
        lexer="contextual",
        maybe_placeholders=True,
    )


class NoLineError(UnreadableError):
    """The error for a text that is not a line of the notation."""


class VagueError(NoLineError):
    """The error for a line that ends too early, and for which there is no short list of what could follow."""


class MeantError(UnreadableError):
    """The error for a text of which only a name or the speaker is unclear: its sentence asks for that."""


class AskedError(MeantError):
    """The error for a text with two meanings: its sentence asks for one of them, so no other reading is tried."""


def tree_of(text: str) -> Branch:
    """Return the tree of a line; `text` is the line without comment and with spaces inside the braces of its JSON.

    Raises:
        NoLineError: with the column, what was expected, and what may have been meant.
    """
    try:
        return parser().parse(text)
    except UnexpectedInput as error:
        raise _refused(text, error) from None


def _refused(text: str, error: UnexpectedInput) -> NoLineError:
    """Return the error for a line: it names a word similar to a keyword, or the first word that does not fit."""
    if (sentence := hint(text)) is not None:
        return NoLineError(sentence, column=len(text) - len(text.lstrip()) + 1)
    column = _column(text, error)
    expected = _expected(error)
    # A misspelt keyword is read as a part of the name before it, so the words up to there are examined.
    said = [(found[0], found.start() + 1) for found in _WORDS.finditer(text) if found.start() < column]
    first = said[0][0].casefold() if said else ""
    found = _plainly_meant(text, said, expected) or nearest_word(said[1:], expected)
    if found is None and first in BEGINNINGS and (beginning := form_beginning(text, first)) is not None:
        place = next((place for _word, place in said[1:2]), column)
        sentence = _("this is not understood; a line that begins so is like: {form}")
        return NoLineError(sentence.format(form=beginning), column=place)
    found = found or nearest_word(said, expected) or nearest_word(said[:1], {"START"})
    if found is not None and (near := about(found[0])) is not None and found[2] not in near[0].split():
        # A word of another form is not a misspelt keyword.
        found = None
    if found is not None:
        word, place, meant = found
        sentence = _("{word} is not understood; did you mean {meant}? A line is like: {form}")
        if word.casefold() in PLAYED:
            sentence = _("{word} is not understood; did you mean {cast}? A land is not cast, it enters: {land}")
            cast, land = _cast(text, place - 1, len(word)), "Ana: Forest (f1) enters"
            return NoLineError(sentence.format(word=repr(word), cast=cast, land=land), column=place)
        if ", " in meant:
            sentence = _("{word} is not understood; did you mean {meant}?")
        form = meant_form(text[: place - 1] + meant + text[place - 1 + len(word) :], meant)
        return NoLineError(sentence.format(word=repr(word[:NAME_LENGTH]), meant=meant, form=form), column=place)
    if said and said[-1][0].casefold() == "rules" and column > len(text):
        sentence = _("the line ends here, and something is missing; expected {expected}")
        return NoLineError(sentence.format(expected=commas(["day", "night"])), column=column)
    return _vague(text, column, [label for terminal, label in _labels() if terminal in expected])


def _vague(text: str, column: int, labels: Sequence[str]) -> NoLineError:
    """Return the error for a line in which no word is similar to a keyword."""
    near = about(text)
    form = meant_form(text, None) if near is None else near[0]
    if column > len(text):
        sentence = _("the line ends here, and something is missing; a line is like: {form}")
        if near is not None and not labels:
            sentence = _("this is not understood; the nearest line is like: {form}")
        if 0 < len(labels) <= _FEW:
            sentence = _("the line ends here, and something is missing; expected {expected}")
        if not 0 < len(labels) <= _FEW:
            return VagueError(sentence.format(form=form), column=column)
        return NoLineError(sentence.format(form=form, expected=commas(labels)), column=column)
    sentence = _("{word} is not understood here; a line is like: {form}. A name with such signs is in quotation marks")
    if 0 < len(labels) <= _FEW:
        sentence = _("{word} is not understood here; expected {expected}")
    rest = text[column - 1 :].split(" ", 1)[0][:NAME_LENGTH]
    return NoLineError(sentence.format(word=repr(rest), form=form, expected=commas(labels)), column=column)


def _cast(text: str, begins: int, length: int) -> str:
    """Return `text` with `casts` for the `length` characters from `begins`, if it is then a cast; else an example."""
    meant = f"{text[:begins]}casts{text[begins + length :]}".strip()
    try:
        happening = parser().parse(meant).children[0]
        is_cast = isinstance(happening, Tree) and happening.data in ("cast", "cast_times")
    except UnexpectedInput:
        is_cast = False
    return meant if is_cast and len(meant) <= NAME_LENGTH and "{" not in meant else "Ana casts Opt"


def _plainly_meant(text: str, said: Sequence[tuple[str, int]], expected: frozenset[str]) -> tuple[str, int, str] | None:
    """Return the wrong word, its column and its correction if that is certain: `turn1`, `Ana cast Opt`; else None."""
    if (steps := meant_steps(text)) is not None:
        return text.strip(), said[0][1], steps
    if said and (found := _TURN.fullmatch(said[0][0])) is not None:
        return *said[0], f"turn {found[1]}"
    if "says" in {word.casefold() for word, _column in said}:
        return None
    past = [(word, column, "casts") for word, column in said[1:] if word.casefold() == "cast"]
    # The past tense is that of tallies: Ana cast 2 in turn 4 claimed by Bo.
    return past[0] if past and not expected.isdisjoint(("NUMBER", "_CLAIMED")) else None


_TURN = re.compile("turn([0-9]{1,16})", re.IGNORECASE)
_WORDS = re.compile(r"[^ \t\"(){}\[\],:;·@]+")
_FEW = 4


def _labels() -> tuple[tuple[str, str], ...]:
    """Return pairs of a terminal that is not a keyword, and its name in errors."""
    return (
        ("NUMBER", _("a number")),
        ("EVENT", _("an event such as e12")),
        ("WORD", _("a name")),
        ("TEXT", _("a name")),
        ("CLOSE", _("a closing bracket")),
        ("AT", _("a time such as @2024-06-07T19:30:00Z")),
        ("JSON", _("JSON in braces")),
        ("OUTCOME", _("leave, fix or back up")),
    )


def _column(text: str, error: UnexpectedInput) -> int:
    ended = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    return error.column if error.column > 0 and not ended else len(text) + 1


def _expected(error: UnexpectedInput) -> frozenset[str]:
    """Return the names of the terminals that the parser would have accepted at the error."""
    if isinstance(error, UnexpectedToken):
        return frozenset(error.accepts or error.expected)
    if isinstance(error, UnexpectedCharacters):
        return frozenset(error.allowed or ())
    return frozenset()
