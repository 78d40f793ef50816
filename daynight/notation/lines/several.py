"""Reads lines with several events part by part, and lines that begin with a turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.notation.lines.lines import TypedLine
from daynight.notation.lines.making import Fields
from daynight.notation.lookups import Lookups
from daynight.notation.spelling import A_JUDGE
from daynight.notation.spoken.classes import Word, words_of
from daynight.notation.spoken.words import plainly


class Read(Protocol):
    """A function that reads a part of a line as a line of its own."""

    def __call__(self, line: TypedLine, lookups: Lookups, *, several: bool = True) -> list[Fields]:
        """Return the fields of the events of `line`; without `several` it may have only one event."""
        ...


def together(line: TypedLine, lookups: Lookups, read: Read) -> list[Fields] | None:
    """Split a line at `and`, a comma or the like; return the fields of the first split that `read` accepts, or None."""
    text = line.text.strip()
    if line.json or not {'"', "@", "(", "{"}.isdisjoint(text) or len(text) > NAME_LENGTH:
        return None
    text = plainly(text)
    words = words_of(text, lookups)
    who = words[0].value if words and "P" in words[0].classes else None
    joints = [*_JOINTS.finditer(text)]
    for joint in joints if len(joints) <= _PARTS else ():
        first, then = text[: joint.start()], text[joint.end() :]
        # Each part is one event; the next part may have another subject, or none.
        try:
            made = read(TypedLine(first, {}, None), lookups, several=False)
        except UnreadableError:
            continue
        if made and _ANOTHER.fullmatch(then.strip(" .!")) is not None:
            return None if "card" in made[-1] or made[-1]["type"] != "spell-cast" else [*made, made[-1]]
        if (not made and _BUT.search(joint[0]) is not None) or _PAID.fullmatch(then) is not None:
            # Nothing but something is something.
            continue
        # A card behind a card that was not cast was none either: `cycles Opt, Consider`.
        listed = not made and _has_card(then, lookups, first=True) and _has_card(first, lookups)
        if (turn := _turn_in(then, line, lookups, read)) is not None:
            return [*made, *turn]
        if made and _is_no_name(first, then, made, lookups):
            continue
        if who is not None and _unnamed(made) and _has_card(then, lookups, first=True):
            if (named := _names_of(made, f"{who} {then}", line, lookups, read)) is not None:
                return named
            continue
        for rest in _rests(None if listed else who, then, lookups):
            if (more := _rest(rest, then, line, lookups, read)) is not None:
                # Out of cards, and loses: it ends once. And a turn begins once: Ana's turn, untap.
                over = bool(made) and made[-1]["type"] in ("game-ended", "turn-began") and made[-1:] == more[:1]
                return [*made, *more[over:]]
    return None


def _is_no_name(first: str, then: str, made: Sequence[Fields], lookups: Lookups) -> bool:
    """Return whether a part only looks like a card in lower case, as another part of the line has capital letters.

    `Unholy Heat, delirium`: the second part. `Bo, furious, concedes`: the first part, read as the cast in `made`.
    """
    looks = then[:1].islower() and _has_card(then, lookups, first=True) and first != first.lower()
    return looks or (_HOW.search(first) is not None and str(made[-1].get("card")).islower())


def _rests(who: str | None, then: str, lookups: Lookups) -> list[str]:
    """Return how a line's second part may be read: with the first part's subject `who` if it has none, and as typed."""
    rests = [then]
    judge = A_JUDGE.match(_ARTICLE.sub("", then)) is not None
    if who is not None and not judge and not _has_player(then, lookups) and _PRONOUN.match(then) is None:
        rests.insert(0, f"{who} {then}")
    return rests


def _rest(rest: str, then: str, line: TypedLine, lookups: Lookups, read: Read) -> list[Fields] | None:
    """Return the fields of the events of `rest`: `then`, or a subject and `then`; None if it is no line.

    None also if the added subject would leave or end the game, and `then` has no word such as `concedes`.
    """
    with suppress(UnreadableError):
        more = read(TypedLine(rest, {}, line.comment), lookups)
        return None if rest is not then and _ends_with(more) and not _has_lost(then, lookups) else more
    return None


def _ends_with(made: Sequence[Fields]) -> bool:
    """Return whether the first of these events is the end of the game, or that a player leaves it."""
    return bool(made) and made[0]["type"] in ("game-ended", "player-left")


def _has_lost(text: str, lookups: Lookups) -> bool:
    """Return whether a text has a word such as `concedes`, said only of players; `dead` is said of permanents, too."""
    return any("o" in word.classes and "d" not in word.classes for word in words_of(text, lookups))


def _turn_in(text: str, line: TypedLine, lookups: Lookups, read: Read) -> list[Fields] | None:
    """Return the fields of the events of a text that begins a turn, such as `Bo untaps`; else None."""
    with suppress(UnreadableError):
        turn = read(TypedLine(text, {}, line.comment), lookups, several=False)
        if turn and turn[0]["type"] == "turn-began":
            return turn
    return None


def _unnamed(made: Sequence[Fields]) -> bool:
    """Return whether all these events are casts without a card."""
    return bool(made) and all(fields["type"] == "spell-cast" and "card" not in fields for fields in made)


def _names_of(made: Sequence[Fields], text: str, line: TypedLine, lookups: Lookups, read: Read) -> list[Fields] | None:
    """Return the casts in `text` that name those of `made`: `two spells, Opt and Shock`; None if the numbers differ."""
    with suppress(UnreadableError):
        named = read(TypedLine(text, {}, line.comment), lookups)
        if len(named) == len(made):
            return named
    return None


def _has_player(text: str, lookups: Lookups) -> bool:
    """Return whether a text begins with a player."""
    words = words_of(text, lookups)
    return bool(words) and "P" in words[0].classes


def _has_card(text: str, lookups: Lookups, *, first: bool = False) -> bool:
    """Return whether a text contains a card; with `first`, at its beginning."""
    words = words_of(text, lookups)
    return any("C" in word.classes for word in (words[:1] if first else words))


def turn_first(words: Sequence[Word]) -> tuple[str, int] | None:
    """Return the player whose turn a line begins, and the index of the last word about the turn; None for no turn."""
    kinds = ["P" if "P" in word.classes else "U" if "U" in word.classes else "" for word in words[:3]]
    if not {"P", "U"} <= {*kinds}:
        return None
    place = kinds.index("P")
    return words[place].value, max(place, kinds.index("U"))


def after_turn(text: str, words: Sequence[Word], line: TypedLine, lookups: Lookups, read: Read) -> list[Fields] | None:
    """Return the fields of the turn and the events in a line like `T4 Bo: Opt, Consider`; None for another line."""
    if (begun := turn_first(words)) is None:
        return None
    who, last = begun
    end = last
    while end + 1 < len(words) and not words[end + 1].classes.isdisjoint(":j"):
        end += 1
    if end + 1 >= len(words):
        return None
    rest = text[words[end].end :].strip()
    with suppress(UnreadableError):
        turn = read(TypedLine(text[: words[last].end], {}, line.comment), lookups, several=False)
        if [fields["type"] for fields in turn] != ["turn-began"]:
            return None
        for then in (rest, f"{who} {rest}") if "P" in words[end + 1].classes else (f"{who} {rest}", rest):
            with suppress(UnreadableError):
                more = read(TypedLine(_PRONOUN.sub("", then), {}, line.comment), lookups)
                # An untap step may begin the turn that the line has begun already: one event is enough.
                again = all("U" not in word.classes for word in words[end + 1 :])
                if again and more and all(more[0].get(name) == turn[0][name] for name in ("type", "active")):
                    more = more[1:]
                if more:
                    turn[0].pop("note", None)
                return [*turn, *more]
    return None


_ANOTHER = re.compile(
    r"(?:(?:and|then|et|puis) )*(?:(?:yet )?another(?: one| spell)?|one more|(?:encore )?une? autre|une? deuxième"
    r"|もう1つ)",
    re.IGNORECASE,
)
AND_ANOTHER = re.compile(rf"(?: (?:and|then|et|puis) |[,;、] ?){_ANOTHER.pattern}[ .!]*$", re.IGNORECASE)
_PRONOUN = re.compile(r"(?<= )(?:he|she|they|il|elle) (?=\w)|^(?:he|she|they|il|elle) (?=\w)")
_HOW = re.compile(r"^[A-Z]\w*, [a-z]+$")
_ARTICLE = re.compile("the |le |la |l'", re.IGNORECASE)
_BUT = re.compile("but|mais", re.IGNORECASE)
_PAID = re.compile(r"(?:une? |an? |the |deux |two )?[\w ]+ (?:engagée?s?|tapped)[ .!]*", re.IGNORECASE)
"""Matches a land that was tapped for a spell, which is no event: `an Island tapped`."""
_PARTS = 6
"""The most connecting words between events of one line."""

_JOINTS = re.compile(
    r"[,;.]? (?:and then|and|then|but|while|et puis|et|puis|mais|tandis que|alors que|[+&/|–—-]) |[,;.、] ?|。",
    re.IGNORECASE,
)
