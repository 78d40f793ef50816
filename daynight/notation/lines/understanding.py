"""Finds the events of a line: by the grammar or, if it is no line of the notation, by everyday phrases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import msgspec

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.notation.lines.arrivals import NoIdError
from daynight.notation.lines.happenings import parsed
from daynight.notation.lines.hints import remark
from daynight.notation.lines.lines import TypedLine, parted
from daynight.notation.lines.making import Fields
from daynight.notation.lines.parsing import MeantError, NoLineError, VagueError
from daynight.notation.lookups import Lookups
from daynight.notation.spelling import quoted
from daynight.notation.spoken.classes import Word, words_of
from daynight.notation.spoken.filling import AskedBackError, told_or_said
from daynight.notation.spoken.readings import is_remark, not_understood, told
from daynight.notation.spoken.remainder import remainder
from daynight.notation.spoken.sayings import lines
from daynight.notation.spoken.words import plainly


def fields_of(line: TypedLine, lookups: Lookups, *, several: bool = True) -> list[Fields]:
    """Return the fields of every event of a line: mostly one event. Without `several`, only one is allowed.

    Raises:
        UnreadableError: with the column, where it is not a line of the notation, or a name is unknown or ambiguous.
    """
    try:
        found = parsed(line, lookups)
    except MeantError:
        if (told_whole := _told_whole(line, lookups)) is not None:
            return told_whole
        raise
    except UnreadableError as error:
        known = not isinstance(error, NoLineError)
        return _spoken(line, lookups, known=known, refused=error, several=several) or []
    if len(found) > 1 or line.json:
        return found
    if _of_a_judge(found[0].get("by"), line):
        return _spoken(line, lookups, known=True, refused=None) or found
    if found[0]["type"] not in ("spell-cast", "spell-copied"):
        return found
    # Any text may be the name of a card that is cast: so readings with known cards go first.
    card = found[0].get("card")
    if card is None or quoted(card) in line.text or lookups.is_card(card, ours=False):
        return found
    return _spoken(line, lookups, known=True, refused=None) or found


def _told_whole(line: TypedLine, lookups: Lookups) -> list[Fields] | None:
    """Return the fields of an ambiguous line's events, if its words allow only one reading after all."""
    text, behind = _behind(line)
    if not {'"', "{"}.isdisjoint(text) or _TIMED.search(text) is not None:
        return None
    with suppress(UnreadableError):
        return _by_classes(plainly(text), line, lookups, behind)
    return None


def _of_a_judge(by: Any, line: TypedLine) -> bool:
    """Return whether the speaker is called a judge, without quotation marks: such a statement is a ruling."""
    return isinstance(by, str) and f'"{by}"' not in line.text and _JUDGE.match(by) is not None


_JUDGE = re.compile(
    r"(?:the )?(?:judge|HJ|FJ) .|the judge$|l'arbitre|l'arbitre .|le juge|dit$|.* décide$", re.IGNORECASE
)


def _spoken(
    line: TypedLine, lookups: Lookups, *, known: bool, refused: UnreadableError | None, several: bool = False
) -> list[Fields] | None:
    """Return the fields of the events of a line in everyday words.

    A line that begins with a turn begins that turn, whatever else it says.
    """
    found = _with_turn(line, lookups, known=known, refused=refused, several=several)
    text = plainly(_behind(line)[0])
    if found is not None and {'"', "{"}.isdisjoint(text):
        found = _once(found)
        if (sentence := remainder(text, found, lookups)) is not None:
            raise NoLineError(sentence, column=len(line.text) - len(line.text.lstrip()) + 1)
    return found


def _once(made: list[Fields]) -> list[Fields]:
    """Return the events of a line, with each turn beginning only once: `Bo untaps, turn 4`."""
    turns = [fields for fields in made if fields["type"] == "turn-began"]
    again = {id(fields) for first, fields in pairwise(turns)
             if fields["turn"] == first["turn"] and fields["active"] == first["active"]}  # fmt: skip
    return [fields for fields in made if id(fields) not in again]


def _with_turn(
    line: TypedLine, lookups: Lookups, *, known: bool, refused: UnreadableError | None, several: bool
) -> list[Fields] | None:
    """Return the fields of the events of a line that may begin with a turn."""
    if refused is None or _NUMBERED.search(line.text) is None:
        return _said(line, lookups, known=known, refused=refused, several=several)
    said, behind = _behind(line)
    words = words_of(text := plainly(said), lookups)
    if {'"', "@", "{"}.isdisjoint(text) and (found := _after_turn(text, words, line, lookups)) is not None:
        return [fields | behind for fields in found]
    found = _said(line, lookups, known=known, refused=refused, several=several)
    if not found and _turn_first(words) is not None:
        raise refused
    return found


_NUMBERED = re.compile(r"[0-9]|turn |tour |ターン", re.IGNORECASE)


def _said(
    line: TypedLine, lookups: Lookups, *, known: bool, refused: UnreadableError | None, several: bool
) -> list[Fields] | None:
    if line.json and known and refused is not None:
        # The grammar has read the words, so something is wrong with the JSON, or with a name beside it.
        raise refused
    text, behind = _behind(line)
    start = len(line.text) - len(line.text.lstrip()) + 1
    plain = {'"', "{"}.isdisjoint(text) and _TIMED.search(text) is None
    told_otherwise = plain and not isinstance(refused, NoIdError)
    meant: UnreadableError | None = None
    if several and refused is not None and _AND_ANOTHER.search(text) is not None:
        return _together(line, lookups)
    for only in (True,) if known else (True, False):
        if plain:
            found, error = _by_rows(text, line, lookups, behind, known=only, asking=refused is not None)
            meant = meant or error
            if found is None and only and told_otherwise:
                found = _by_classes(plainly(text), line, lookups, behind)
            if found is not None:
                return found
    if refused is None:
        return None
    if several and (found := _together(line, lookups)) is not None:
        return found
    if told_otherwise and (found := _without_remarks(text, line, lookups)) is not None:
        return [fields | behind for fields in found]
    if meant is not None and not known:
        raise MeantError(meant.sentence, column=start)
    if isinstance(refused, VagueError) and (sentence := not_understood(plainly(text), lookups)) is not None:
        raise NoLineError(sentence, column=refused.column)
    raise refused


def _by_rows(
    text: str, line: TypedLine, lookups: Lookups, behind: Fields, *, known: bool, asking: bool
) -> tuple[list[Fields] | None, UnreadableError | None]:
    """Return the fields of the events of a line that matches a row; and the first error in a matching row."""
    meant: UnreadableError | None = None
    for one in lines(text, lookups, known=known):
        if isinstance(one, AskedBackError) and asking:
            raise MeantError(one.sentence, column=len(line.text) - len(line.text.lstrip()) + 1)
        if isinstance(one, UnreadableError):
            meant = meant or one
        elif one == "-":
            return [], meant
        else:
            try:
                return _written(one, line, lookups, behind), meant
            except NoLineError:
                continue
            except UnreadableError as error:
                meant = meant or error
    return None, meant


def _by_classes(text: str, line: TypedLine, lookups: Lookups, behind: Fields) -> list[Fields] | None:
    """Return the fields of the events of a line that is read by the classes of its words; None if it is not."""
    start = len(line.text) - len(line.text.lstrip()) + 1
    try:
        # A word for a prompt, or a question, is no happening.
        found = None if remark(text) is not None else told(text, lookups)
    except UnreadableError as error:
        raise MeantError(error.sentence, column=start) from None
    if found is None:
        return None
    if found.line == "-":
        return []
    if found.line.startswith("?"):
        raise MeantError(told_or_said(found.what.split(", ")[0].strip('"')), column=start)
    return _written(found.line, line, lookups, behind)


def _without_remarks(text: str, line: TypedLine, lookups: Lookups) -> list[Fields] | None:
    """Return the fields of the events of a line whose bracketed remarks become notes; None if it has no remarks."""
    remarks = [remark.strip() for remark in _REMARK.findall(text)]
    rest = _REMARK.sub(" ", text).strip()
    if text.startswith("//"):
        remarks, rest = [text.lstrip("/ ")], ""
    if not remarks or not all(is_remark(plainly(remark), lookups) for remark in remarks):
        return None
    if not rest:
        return []
    comment = "; ".join([*remarks, *([] if line.note is None else [line.note])])
    with suppress(UnreadableError):
        return fields_of(TypedLine(rest, {}, comment), lookups)
    return None


_TIMED = re.compile("@(?! )")
_REMARK = re.compile(r"[(（]([^()（）]*)[)）]")


def _behind(line: TypedLine) -> tuple[str, Fields]:
    """Return the words of a line, and the time and the object behind them."""
    found = _AT_AND_META.fullmatch(line.text)
    behind: Fields = {}
    if found is None or len(line.json) > (found["meta"] is not None):
        return line.text if not line.json else "{", behind
    if found["at"] is not None:
        behind["at"] = found["at"]
    if found["meta"] is not None:
        behind["meta"] = msgspec.Raw(line.json[found.start("meta") + 1].encode("utf-8", "surrogatepass"))
    return _SAID_TIME.sub(r"\1", found["words"]), behind


_AT_AND_META = re.compile(r"(?P<words>[^@{}]*?)(?:[ \t]+@(?P<at>[0-9][-0-9T:.Z+]*))?(?:[ \t]+(?P<meta>\{ *\}))?[ \t]*")
# A time in quotation marks is what somebody said, and no name.
_SAID_TIME = re.compile(
    r'"((?:it(?:\'s| is) |il fait |c\'est )?(?:day|night|jour|nuit|昼|夜)(?:だ|です)?)[.!]?"', re.IGNORECASE
)


def _written(text: str, line: TypedLine, lookups: Lookups, behind: Fields) -> list[Fields]:
    """Return the fields of the events of the notation lines made from a spoken line, with the notes of both."""
    made: list[Fields] = []
    for each in text.split(" ;; "):
        said = parted(each)
        notes = [note for note in (said.note, line.note) if note is not None]
        made += parsed(said._replace(comment="; ".join(notes) if notes else None), lookups)
    return [fields | behind for fields in made]


def _together(line: TypedLine, lookups: Lookups) -> list[Fields] | None:
    """Return the fields of the events of a line about several events; None if a part of it is not an event."""
    text = line.text.strip()
    if line.json or not {'"', "@", "(", "{"}.isdisjoint(text) or len(text) > NAME_LENGTH:
        return None
    text = plainly(text)
    words = words_of(text, lookups)
    who = words[0].value if words and "P" in words[0].classes else None
    joints = [*_JOINTS.finditer(text)]
    for joint in joints if len(joints) <= _PARTS else ():
        first, then = text[: joint.start()], text[joint.end() :]
        # Each part is one happening, and what follows it may have another subject, or none of its own.
        try:
            made = fields_of(TypedLine(first, {}, None), lookups, several=False)
        except UnreadableError:
            continue
        if made and _ANOTHER.fullmatch(then.strip(" .!")) is not None:
            return None if "card" in made[-1] or made[-1]["type"] != "spell-cast" else [*made, made[-1]]
        if not made and _BUT.search(joint[0]) is not None:
            # `nothing but Opt` does mean a cast.
            continue
        # A card behind a card that was not cast was none either: `cycles Opt, Consider`.
        listed = not made and _has_card(then, lookups, first=True) and _has_card(first, lookups)
        if (turn := _turn_in(then, line, lookups)) is not None:
            return [*made, *turn]
        if made and then[:1].islower() and _has_card(then, lookups, first=True) and first != first.lower():
            # Unholy Heat, delirium: a word that is a card's name too.
            continue
        if who is not None and _unnamed(made) and _has_card(then, lookups, first=True):
            if (named := _names_of(made, f"{who} {then}", line, lookups)) is not None:
                return named
            continue
        for rest in _rests(None if listed else who, then, lookups):
            if (more := _rest(rest, then, line, lookups)) is not None:
                # Out of cards, and loses: it ends once. And a turn begins once: Ana's turn, untap.
                over = bool(made) and made[-1]["type"] in ("game-ended", "turn-began") and made[-1:] == more[:1]
                return [*made, *more[over:]]
    return None


def _rests(who: str | None, then: str, lookups: Lookups) -> list[str]:
    """Return the readings of a line's second part: as typed, and with the subject of the first part added."""
    rests = [then]
    if who is not None:
        rests.insert(int(_has_player(then, lookups)), f"{who} {then}")
    return rests


def _rest(rest: str, then: str, line: TypedLine, lookups: Lookups) -> list[Fields] | None:
    """Return the fields of the events of `then`, with a subject added in `rest`; None if it is no line."""
    with suppress(UnreadableError):
        more = fields_of(TypedLine(rest, {}, line.comment), lookups)
        return None if rest is not then and _ends_with(more) and not _has_lost(then, lookups) else more
    return None


def _ends_with(made: Sequence[Fields]) -> bool:
    """Return whether these events begin with the end of the game, or with a player leaving it."""
    return bool(made) and made[0]["type"] in ("game-ended", "player-left")


def _has_lost(text: str, lookups: Lookups) -> bool:
    """Return whether a text without a subject is about a player: a permanent may die, but only a player concedes."""
    return any("o" in word.classes and "d" not in word.classes for word in words_of(text, lookups))


def _turn_in(text: str, line: TypedLine, lookups: Lookups) -> list[Fields] | None:
    """Return the fields of the events of a text that begins a turn: `Ana passes, Bo untaps`."""
    with suppress(UnreadableError):
        turn = fields_of(TypedLine(text, {}, line.comment), lookups, several=False)
        if turn and turn[0]["type"] == "turn-began":
            return turn
    return None


def _unnamed(made: Sequence[Fields]) -> bool:
    """Return whether all these events are casts without a card."""
    return bool(made) and all(fields["type"] == "spell-cast" and "card" not in fields for fields in made)


def _names_of(made: Sequence[Fields], text: str, line: TypedLine, lookups: Lookups) -> list[Fields] | None:
    """Return counted casts with their names: `two spells, Opt and Shock`; None if the numbers differ."""
    with suppress(UnreadableError):
        named = fields_of(TypedLine(text, {}, line.comment), lookups)
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


def _turn_first(words: Sequence[Word]) -> tuple[str, int] | None:
    """Return the player of the turn that a line begins, and where that part ends; None if it begins no turn."""
    kinds = ["P" if "P" in word.classes else "U" if "U" in word.classes else "" for word in words[:3]]
    if not {"P", "U"} <= {*kinds}:
        return None
    place = kinds.index("P")
    return words[place].value, max(place, kinds.index("U"))


def _after_turn(text: str, words: Sequence[Word], line: TypedLine, lookups: Lookups) -> list[Fields] | None:
    """Return the fields of the events of `T4 Bo: Opt, Consider`: a turn, and the events in it."""
    if (begun := _turn_first(words)) is None:
        return None
    who, last = begun
    end = last
    while end + 1 < len(words) and not words[end + 1].classes.isdisjoint(":j"):
        end += 1
    if end + 1 >= len(words):
        return None
    rest = text[words[end].end :].strip()
    with suppress(UnreadableError):
        turn = fields_of(TypedLine(text[: words[last].end], {}, line.comment), lookups, several=False)
        if [fields["type"] for fields in turn] != ["turn-began"]:
            return None
        for then in (rest, f"{who} {rest}") if "P" in words[end + 1].classes else (f"{who} {rest}", rest):
            with suppress(UnreadableError):
                more = fields_of(TypedLine(then, {}, line.comment), lookups)
                # Whose untap step it is has begun a turn already: it is this one.
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
_AND_ANOTHER = re.compile(rf"(?: (?:and|then|et|puis) |[,;、] ?){_ANOTHER.pattern}[ .!]*$", re.IGNORECASE)
_BUT = re.compile("but|mais", re.IGNORECASE)
_PARTS = 6
"""The most connecting words between events of one line."""

_JOINTS = re.compile(r"[,;.]? (?:and then|and|then|but|et puis|et|puis|mais|[+&/|–—-]) |[,;.、] ?|。", re.IGNORECASE)
