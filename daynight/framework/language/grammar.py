"""Joins words and sentences by the rules of the chosen language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from daynight.framework.language.wording import _


def commas(words: Sequence[str]) -> str:
    """Join words with commas, without a word before the last: `A, B, C`."""
    return _(", ").join(words)


def first_of(words: Sequence[str], most: int) -> str:
    """List the first `most` words, and say how many more there are: `A, B and 3 more`."""
    names, more = commas(words[:most]), len(words) - most
    return names if more <= 0 else _("{names} and {n} more").format(names=names, n=more)


def semicolons(clauses: Sequence[str]) -> str:
    """Join clauses with semicolons: `it was day; it is night`."""
    return reduce(also, clauses) if clauses else ""


def also(sentence: str, more: str) -> str:
    """Join two sentences: `it is day; it was night`."""
    return _("{sentence}; {more}").format(sentence=sentence, more=more)


def either(conditions: Iterable[str]) -> str:
    """Join conditions of which one is enough: `Ana does it, and all agree; or a judge does it`."""
    return reduce(lambda one, other: _("{condition}; or {other}").format(condition=one, other=other), conditions)


def labelled(label: str, text: str) -> str:
    """Join a topic and a statement about it: `this turn: 2 spells`."""
    return _("{label}: {text}").format(label=label, text=text)


def capital(sentence: str) -> str:
    """Return the sentence with a capital letter at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def uncapital(sentence: str) -> str:
    """Return the sentence with a small letter at its beginning, to follow other words."""
    return sentence[:1].lower() + sentence[1:]


def full_stop(sentence: str) -> str:
    """Return the sentence with a full stop at its end."""
    return _("{sentence}.").format(sentence=sentence)


def paragraph(*sentences: str) -> str:
    """Join whole sentences to a paragraph; empty ones are left out."""
    there = [sentence for sentence in sentences if sentence]
    return reduce(lambda one, next: _("{sentence} {more}").format(sentence=one, more=next), there) if there else ""
