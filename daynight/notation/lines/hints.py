"""Texts that are no line of the notation, though it is clear what they mean: `it is night`, `Bo passes`.

A line that is refused is looked up here first, wherever it stands: in a file, as an EVENT of a command, at the prompt
of `daynight record`. That prompt also acts on some of them.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias

from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.wording import _

Kind: TypeAlias = Literal["claim", "nothing", "pass", "what", "why", "undo", "help", "quit"]
"""What is meant: that it is day or night; that nothing happens; that a turn ends; a question; a word for a prompt."""


class Meaning(NamedTuple):
    """What somebody means; `subject` is the day, night or neither, the player or the permanent that it is about."""

    kind: Kind
    subject: str = ""


_PATTERNS: tuple[tuple[Kind, str], ...] = (
    ("claim", r"(?:it(?: is|'s|s)? )?(?:now )?(day|night|neither)(?: now)?"),
    ("nothing", r"(.+) (?:does|did|do) nothing"),
    ("nothing", r"(.+) (?:does|did)(?: not|n't) (?:cast|do|play)(?: .+)?"),
    ("nothing", r"(?:there (?:is|was) )?(?:no (?:spells?|casts?)(?: .+)?|nothing(?: happens| happened)?)"),
    ("nothing", r"(.+) passes priority"),
    ("pass", r"(?:pass|next)(?: (?:the )?turn)?|(?:end|ends) (?:of )?(?:the )?turn"),
    ("pass", r"(.+) (?:passes(?: the)?(?: turn)?|ends (?:the |his |her |their )?turn)"),
    ("what", r"what(?: is|'s) it(?: now)?|is it (?:now )?(?:day|night|neither)(?: .+)?|(?:day or night|state|status)"),
    ("why", r"why(?: (?!is |so).+)?|why (?:is|so)(?: .+)?"),
    ("undo", r"undo|oops|take (?:it|that) back"),
    ("help", r"help|\?|commands"),
    ("quit", r"quit|exit|bye"),
)


def remark(text: str) -> Meaning | None:
    """What a line means that the notation does not have; None where it is nothing of the kind.

    >>> remark("it's night")
    Meaning(kind='claim', subject='night')
    >>> remark("Ana casts Opt") is None
    True
    """
    words = " ".join(text.split())
    words = words.rstrip(" .!?") or words
    if len(words) > NAME_LENGTH:
        return None
    for kind, pattern in _PATTERNS:
        if (found := re.fullmatch(pattern, words, re.IGNORECASE)) is not None:
            subject = next((group for group in found.groups() if group), "")
            if kind == "why" and not re.match("why (?:is|so)", words, re.IGNORECASE):
                subject = words[4:].strip()
            return Meaning(kind, subject.casefold() if kind == "claim" else subject)
    return None


def hint(text: str) -> str | None:
    """What to write instead of a line that the notation does not have; None where it is not clear what is meant."""
    meant = remark(text)
    if meant is None:
        return None
    if meant.kind == "claim":
        sentence = _("who says so? A line is like: {claim}; of a judge: {ruling}; of a card: {effect}")
        effect = "it becomes day" if meant.subject == "neither" else f"it becomes {meant.subject}"
        return sentence.format(claim=f"Ana says {meant.subject}", ruling=f"Jo rules {meant.subject}", effect=effect)
    if meant.kind == "nothing":
        sentence = _(
            "what does not happen has no line; a turn ends where the next one begins: {turn}; at the prompt of daynight"
            " record: {word}"
        )
        return sentence.format(turn="turn 5 Ana", word="pass")
    if meant.kind == "pass":
        sentence = _(
            "a turn ends where the next one begins, with a line like: {turn}; at the prompt of daynight record: {word}"
        )
        return sentence.format(turn="turn 5 Ana", word="pass")
    if meant.kind in ("why", "what"):
        command = "daynight why FILE" if meant.kind == "why" else "daynight replay FILE"
        return _("this is no line of a record; {command} answers it").format(command=command)
    if meant.kind == "undo":
        sentence = _("a record takes events back with a line like: {line}; at the prompt of daynight record: {word}")
        return sentence.format(line="Jo backs up to e12", word="undo")
    sentence = _("this is a word for the prompt of daynight record; a line of a record is like: {line}")
    return sentence.format(line="Ana casts Opt")
