"""Finds the events of a line: by the grammar or, if it is no line of the notation, by everyday phrases."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import pairwise
from typing import Any

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _
from daynight.notation.lines.arrivals import NoIdError
from daynight.notation.lines.happenings import parsed, parsed_lines
from daynight.notation.lines.hints import remark, told_or_said, who_says
from daynight.notation.lines.lines import TypedLine, behind_words
from daynight.notation.lines.making import Fields
from daynight.notation.lines.parsing import AskedError, MeantError, NoLineError, VagueError
from daynight.notation.lines.several import AND_ANOTHER, after_turn, together, turn_first
from daynight.notation.lookups import Lookups
from daynight.notation.loose.reading import denied_card, dies_behind, loosely, tells
from daynight.notation.loose.vocabulary import listed
from daynight.notation.spelling import quoted
from daynight.notation.spoken.classes import folded, words_of
from daynight.notation.spoken.clauses import Clauses, UncertainError, by_clauses, is_aside
from daynight.notation.spoken.filling import AskedBackError
from daynight.notation.spoken.readings import is_remark, not_understood, told
from daynight.notation.spoken.remainder import apart, countering, mended, nobody, not_done, remainder
from daynight.notation.spoken.sayings import lines
from daynight.notation.spoken.spelled import spelled
from daynight.notation.spoken.words import pattern, plainly


def fields_of(line: TypedLine, lookups: Lookups) -> list[Fields]:
    """Return the fields of every event of a line: mostly one event.

    Raises:
        UnreadableError: with the column, where it is not a line of the notation, or a name is unknown or ambiguous.
    """
    try:
        found = strictly(line, lookups)
        sentence = apart(line.text, lookups) if {fields["type"] for fields in found} & _HAPPENED else None
        if sentence is None:
            sentence = next((said for one in found if (said := nobody(one, line.text)) is not None), None)
            loose = _loosely(line, lookups) if sentence is not None else None
            if loose is not None and {one["type"] for one in loose} <= {"judge-ruled", "effect-resolved"}:
                return loose
        if sentence is not None:
            raise AskedError(sentence, column=len(line.text) - len(line.text.lstrip()) + 1)
        if not found and line.text.strip():
            return _unsaid(line, lookups)
        return [mended(fields, line.text, lookups.players) for fields in found]
    except AskedError:
        if _EFFECT_OR_LAST_TURN.search(folded(line.text)) is None or (loose := _loosely(line, lookups)) is None:
            raise
        return loose
    except UnreadableError:
        if (loose := _loosely(line, lookups)) is None:
            raise
        return loose


def _unsaid(line: TypedLine, lookups: Lookups) -> list[Fields]:
    """Return the fields of events in a line that was read as one without, if it tells of some.

    Raises:
        AskedError: where it says that a named card was not cast.
    """
    text = plainly(behind_words(line)[0])
    if (denied := denied_card(text, lookups)) is not None:
        raise AskedError(not_done(denied), column=1)
    if dies_behind(text, lookups):
        sentence = _("a part of this line is about something that it does not name; write each on a line of its own")
        raise AskedError(sentence, column=1)
    loose = _loosely(line, lookups) or []
    return loose if {fields["type"] for fields in loose} <= _UNSAID else []


_UNSAID = frozenset({"permanents-entered", "spell-cast", "game-ended"})
"""The events that a line may have though a stricter reading found none."""
_EFFECT_OR_LAST_TURN = re.compile(rf"{listed('effects').pattern}|{listed('last-turn').pattern}")
_HAPPENED = frozenset({"spell-cast", "permanents-left", "permanents-entered", "control-changed"})


def _loosely(line: TypedLine, lookups: Lookups) -> list[Fields] | None:
    """Return the fields of the events of a line, read clause by clause; [] for none, None if one is uncertain."""
    text, behind = behind_words(line)
    if line.json:
        return None

    def read(said: str) -> list[Fields] | None:
        with suppress(UnreadableError):
            return strictly(TypedLine(said, {}, None), lookups)
        return None

    with suppress(UnreadableError):
        found = loosely(plainly(text), lookups, read)
        if not found:
            return None if found is None else []
        note = "; ".join([text.strip(), *([] if line.note is None else [line.note])])
        made: list[Fields] = []
        for one in found:
            none = TypedLine("", {}, None)
            made += [one | behind] if isinstance(one, dict) else parsed_lines(one, none, lookups, behind)
        return None if countering(text, made, lookups) else [made[0] | {"note": note}, *made[1:]]
    return None


def strictly(line: TypedLine, lookups: Lookups, *, several: bool = True) -> list[Fields]:
    """Return the fields of every event of a line, each word of which must be known; without `several`, only of one.

    Raises:
        UnreadableError: as `fields_of`.
    """
    try:
        found = parsed(line, lookups)
    except MeantError:
        text = plainly(behind_words(line)[0])
        for way in (_as_spelled, _told_whole, _again):
            if (read := way(text, line, lookups)) is not None:
                return read
        raise
    except UnreadableError as error:
        known = not isinstance(error, NoLineError)
        return _spoken(line, lookups, known=known, refused=error, several=several) or []
    if len(found) > 1 or line.json:
        return found
    if _SOMEBODY.match(line.text) is not None:
        raise AskedError(who_says(found[0].get("designation", "night")), column=1)
    if _SAYS_IT.search(line.text) is not None and _COURT.fullmatch(str(found[0].get("by"))) is not None:
        return [_ruled(fields, line) for fields in found]
    if _of_a_judge(found[0].get("by"), line):
        return _spoken(line, lookups, known=True, refused=None) or found
    if found[0]["type"] not in ("spell-cast", "spell-copied"):
        return found
    # Any text may be the name of a card that is cast: so readings with known cards go first.
    card = found[0].get("card")
    if card is None or quoted(card) in line.text or lookups.is_card(card, ours=False):
        return found
    return _spoken(line, lookups, known=True, refused=None) or found


_COURT = re.compile(r"(?:(?:the|le|la) |l')?(?:judge|HJ|FJ|arbitre|juge)|ジャッジ|審判", re.IGNORECASE)
_SAYS_IT = re.compile(r" says (?:it|that)", re.IGNORECASE)
_SOMEBODY = re.compile(
    r" *(?:some(?:one|body)|any(?:one|body)|he|she|they|(?:one|some|either|both) of [\w ]+) says (?:that |it)",
    re.IGNORECASE,
)


def _told_whole(text: str, line: TypedLine, lookups: Lookups) -> list[Fields] | None:
    """Return the fields of an ambiguous line's events if the classes of its words allow one reading only, else None."""
    behind = behind_words(line)[1]
    if not {'"', "{"}.isdisjoint(text) or _TIMED.search(text) is not None:
        return None
    with suppress(UnreadableError):
        return _by_classes(text, line, lookups, behind)
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
    """Return the fields of the events of a line in everyday words; None if it is not read.

    `refused` is the error of the grammar, None if the grammar has read the line. `known`: try only phrases with known
    cards. A line that begins with a turn is refused rather than read as no event.
    """
    text = plainly(behind_words(line)[0])
    if refused is not None and (found := _as_spelled(text, line, lookups)) is not None:
        return found
    found = _by_clauses(text, line, lookups)
    if found is None:
        try:
            found = _with_turn(line, lookups, known=known, refused=refused, several=several)
        except UnreadableError:
            if (again := _again(text, line, lookups)) is None:
                raise
            return again
    if not found and (again := _again(text, line, lookups, whole=found is not None)) is not None:
        return again
    if found is not None and {'"', "{"}.isdisjoint(text):
        found = [_ruled(fields, line) for fields in _once(found)]
        others = [other] if refused is not None and (other := spelled(text, lookups)) is not None else []
        sentences = (remainder(said, found, lookups) for said in (text, *others))
        if (sentence := next((one for one in sentences if one is not None), None)) is not None:
            raise NoLineError(sentence, column=len(line.text) - len(line.text.lstrip()) + 1)
    return found


def _by_clauses(text: str, line: TypedLine, lookups: Lookups) -> list[Fields] | None:
    """Return the fields of the events of a line with dependent clauses, `Bo casts Shock on w1, it dies`; else None."""
    behind = behind_words(line)[1]
    if line.json and not behind:
        return None
    read = lambda said: strictly(TypedLine(said, {}, line.comment), lookups)  # noqa: E731
    try:
        made = by_clauses(text, Clauses(lookups, read, lambda said: parsed_lines(said, line, lookups, behind)))
    except UncertainError as error:
        raise NoLineError(error.sentence, column=len(line.text) - len(line.text.lstrip()) + 1) from None
    except UnreadableError:
        return None
    return None if made is None else [fields | behind for fields in made]


def _ruled(fields: Fields, line: TypedLine) -> Fields:
    """Return a judge's claim of day or night as a ruling; any other fields unchanged."""
    claimed = fields["type"] == "designation-claimed" and f'"{fields["by"]}"' not in line.text
    claimed = claimed and (_of_a_judge(fields["by"], line) or _COURT.fullmatch(fields["by"]) is not None)
    if not claimed:
        return fields
    by = "the judge" if fields["by"].casefold() in ("judge", "hj", "fj") else fields["by"]
    return fields | {"type": "judge-ruled", "by": by}


def _once(made: list[Fields]) -> list[Fields]:
    """Return the events of a line, with each turn beginning only once: `Bo untaps, turn 4`."""
    turns = [fields for fields in made if fields["type"] == "turn-began"]
    again = {id(fields) for first, fields in pairwise(turns)
             if fields["turn"] == first["turn"] and fields["active"] == first["active"]}  # fmt: skip
    return [fields for fields in made if id(fields) not in again]


def _with_turn(
    line: TypedLine, lookups: Lookups, *, known: bool, refused: UnreadableError | None, several: bool
) -> list[Fields] | None:
    """Return the fields of the events of a line that may begin with a turn; the parameters are those of `_spoken`."""
    if refused is None or _NUMBERED.search(line.text) is None:
        return _said(line, lookups, known=known, refused=refused, several=several)
    said, behind = behind_words(line)
    words = words_of(text := plainly(said), lookups)
    if {'"', "@", "{"}.isdisjoint(text) and (found := after_turn(text, words, line, lookups, strictly)) is not None:
        return [fields | behind for fields in found]
    found = _said(line, lookups, known=known, refused=refused, several=several)
    if not found and turn_first(words) is not None:
        raise refused
    return found


_NUMBERED = re.compile(r"[0-9]|turn |tour |ターン", re.IGNORECASE)


def _said(
    line: TypedLine, lookups: Lookups, *, known: bool, refused: UnreadableError | None, several: bool
) -> list[Fields] | None:
    if line.json and known and refused is not None:
        # The grammar has read the words, so something is wrong with the JSON, or with a name beside it.
        raise refused
    text, behind = behind_words(line)
    start = len(line.text) - len(line.text.lstrip()) + 1
    plain = {'"', "{"}.isdisjoint(text) and _TIMED.search(text) is None
    told_otherwise = plain and not isinstance(refused, NoIdError)
    meant: UnreadableError | None = None
    if several and refused is not None and AND_ANOTHER.search(text) is not None:
        return together(line, lookups, strictly)
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
    if several and (found := together(line, lookups, strictly)) is not None:
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
    """Return the fields of the events of a line that matches a phrase, and the first error; either may be None.

    `asking`: raise AskedError where a phrase asks what is meant.
    """
    meant: UnreadableError | None = None
    for one in lines(text, lookups, known=known):
        if isinstance(one, AskedBackError) and asking:
            raise AskedError(one.sentence, column=len(line.text) - len(line.text.lstrip()) + 1)
        if isinstance(one, UnreadableError):
            meant = meant or one
        elif one == "-":
            return [], meant
        else:
            try:
                return parsed_lines(one, line, lookups, behind), meant
            except NoLineError:
                continue
            except UnreadableError as error:
                meant = meant or error
    return None, meant


def _by_classes(text: str, line: TypedLine, lookups: Lookups, behind: Fields) -> list[Fields] | None:
    """Return the fields of the events of a line, read by the classes of its words; None if no known order fits."""
    start = len(line.text) - len(line.text.lstrip()) + 1
    if _OTHERWISE.search(text) is not None:
        return None
    try:
        # A word for a prompt, or a question, is no happening.
        found = None if remark(text) is not None else told(text, lookups)
    except UnreadableError as error:
        raise AskedError(error.sentence, column=start) from None
    if found is None:
        return None
    if found.line == "-":
        return []
    if found.line.startswith("?"):
        raise AskedError(told_or_said(found.what.split(", ")[0].strip('"')), column=start)
    return parsed_lines(found.line, line, lookups, behind)


_OTHERWISE = re.compile(r"場に戻|'s go(?: now)?(?![\w ])|\w[^、。]*で[^、。]+を追放(?!し(?:ながら|つつ))")
"""Matches what the classes of words do not tell: who comes back, whose turn it is, by what means something leaves."""


def _without_remarks(text: str, line: TypedLine, lookups: Lookups) -> list[Fields] | None:
    """Return the fields of the events of a line, its bracketed remarks as note; None if it has none, or is refused."""
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
        return strictly(TypedLine(rest, {}, comment), lookups)
    return None


def _as_spelled(text: str, line: TypedLine, lookups: Lookups) -> list[Fields] | None:
    """Return the fields of the events of the respelled line; None if nothing is respelled, or it is refused too."""
    if line.json or not {'"', "{", "@"}.isdisjoint(text) or (other := spelled(text, lookups)) is None:
        return None
    with suppress(UnreadableError):
        return strictly(line._replace(text=other), lookups)
    return None


def _again(text: str, line: TypedLine, lookups: Lookups, *, whole: bool = False) -> list[Fields] | None:
    """Return the fields of the events of a line without its remark, or with its names respelled; None if refused.

    `whole`: the line was read as no event, so return None.
    """
    if whole or line.json or not {'"', "{"}.isdisjoint(text):
        return None
    led = pattern("lead").match(text)
    if led is not None and any(word.classes & set("MCR") for word in words_of(led[0], lookups)):
        # Whose permanent it is stands there too: no beginning of a sentence.
        return _without_aside(text, line, lookups)
    rest = text[led.end() :] if led is not None else (wished := _WISHED.sub(r"\1が", text)) * (wished != text)
    if rest:
        with suppress(UnreadableError):
            return strictly(line._replace(text=rest), lookups)
    return _without_aside(text, line, lookups)


def _without_aside(text: str, line: TypedLine, lookups: Lookups) -> list[Fields] | None:
    """Return the fields of the events of a line that ends with a remark, which becomes the note; else None."""
    for joint in [*_ASIDE.finditer(text)][::-1]:
        rest, aside = text[: joint.start()].strip(), text[joint.end() :].strip()
        if rest.count("「") > rest.count("」"):
            rest, aside = f"{rest}」", aside.rstrip("」 ")
        if rest and is_aside(aside, rest, lookups) and not tells(aside, lookups):
            comment = "; ".join([aside, *([] if line.note is None else [line.note])])
            with suppress(UnreadableError):
                return strictly(TypedLine(rest, {}, comment), lookups)
    return None


_WISHED = re.compile(r"^([^\W\d]\w*?)(?:は|が)(?:(?!唱え|撃|打|死|追放|戻|夜|昼|[、A-Z]).)+?(?:ので|から|けど)、?(?=.)")
"""Matches a player and the reason for what follows: the beginning of `Anaは土地が欲しいのでOptを唱えた`."""
_ASIDE = re.compile(
    r" *[,;] +|[.!] +| [-–—] |[、。]| (?=(?:because|since|parce qu|puisqu|car|vu qu|idk|before |after |avant |après "
    r"|but (?:i|we|it|its|it's|the|his|her|nobody)\b|mais (?:je|j'|on|sa|son|la|le|les|il|elle)"
    r"|(?:that |which )?(?:i|we) (?:didn|couldn|can|don)|que (?:je|j'|on) |je (?:ne )?sais "
    r"|so (?:we|it) (?:stay|keep|remain)s?|pour (?:rester|garder))(?!\w))",
    re.IGNORECASE,
)
_TIMED = re.compile("@(?! )")
_REMARK = re.compile(r"[(（]([^()（）]*)[)）]")
