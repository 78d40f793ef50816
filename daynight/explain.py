"""Why: what it is, since when, by which rule, because of which events, who else says so, and almost what."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace as replaced

from daynight.almost import almost
from daynight.documents import policy
from daynight.events.consequences import Changed
from daynight.events.grammar import full_stop, paragraph, semicolons
from daynight.events.terms import Designation
from daynight.events.wording import _, counted, translated
from daynight.projections.sentences import designation_word, either_word, names, since_sentence, way_sentence
from daynight.rules.citations import cited, enters_if, transforms_if, with_number
from daynight.rules.holding import barring
from daynight.state import State

if TYPE_CHECKING:
    from daynight.game import Game

__all__ = ["Explanation", "Source", "explain", "sources_for"]

RANKS = ("Comprehensive Rules", "release notes", "card ruling", "judge article", "source document")
"""The kinds of source, the weightiest first: where they disagree the rules win."""


class Source(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one source says of a rule, in our words, and whether it agrees with the rules."""

    rules: tuple[str, ...]
    kind: str
    source: str
    says: str
    agrees: bool
    date: str | None = None

    @property
    def named(self) -> str:
        """The source by its name, in the reader's language."""
        return translated(self.source).replace(RANKS[0], _("Comprehensive Rules"))

    def document(self) -> dict[str, Any]:
        """The source as `daynight why --json` prints it; rank 1 is the weightiest."""
        return {
            "rank": RANKS.index(self.kind) + 1,
            "kind": self.kind,
            "source": self.source,
            "date": self.date,
            "says": self.says,
            "agrees": self.agrees,
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why the designation is what it is after an event.

    `designation` is None where more than one is possible, and `possibilities` then has an answer for each. `since` is
    the event of the last change, or of the game's beginning; `since` and `rule` are None where several may be meant.
    """

    event: int
    designation: Designation | None
    since: int | None
    rule: str | None
    cr: str | None
    because: tuple[int, ...]
    sources: tuple[Source, ...]
    almost: str | None
    sentence: str
    possibilities: tuple[Explanation, ...] = ()

    def document(self) -> dict[str, Any]:
        """The explanation as `daynight why --json` prints it."""
        document: dict[str, Any] = {
            "event": self.event,
            "designation": None if self.designation is None else self.designation.value,
            "since": self.since,
            "rule": self.rule,
            "cr": self.cr,
            "because": list(self.because),
            "sources": [source.document() for source in self.sources],
            "almost": self.almost,
            "sentence": self.sentence,
        }
        if self.designation is None:
            document["possible"] = [str(answer.designation) for answer in self.possibilities]
            document["policy"] = policy()
            document["possibilities"] = [answer.document() for answer in self.possibilities]
        return document

    def __str__(self) -> str:
        return self.sentence


@cache
def _sources() -> tuple[Source, ...]:
    data = files("daynight.rules").joinpath("sources.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[Source, ...])


def sources_for(rule: str | None, edition: str) -> tuple[Source, ...]:
    """Every source for a rule, the weightiest first; one that conflicts is among them, marked."""
    number = cited(rule, edition)
    if rule is None or number is None:
        return ()
    rules = (
        Source(
            rules=(rule,),
            kind=RANKS[0],
            source=f"Comprehensive Rules {edition}, {number}",
            date=edition,
            says=_said(rule, edition),
            agrees=True,
        ),
    )
    others = sorted(
        (replaced(source, says=translated(source.says)) for source in _sources() if rule in source.rules),
        key=lambda source: (RANKS.index(source.kind), source.source),
    )
    return (*rules, *others)


def _said(rule: str, edition: str) -> str:
    return {
        "no-designation": _("a game starts with neither designation"),
        "becomes": _("an effect makes it day or night"),
        "day-if-neither": _("if it is neither, it becomes day as that permanent enters"),
        "check-day": _("day, and no active player of the previous turn cast a spell in it: it becomes night"),
        "check-night": _("night, and an active player of the previous turn cast two or more in it: it becomes day"),
        "daybound-starts-day": _("neither, and somebody controls a permanent with daybound: it becomes day"),
        "nightbound-starts-night": _("neither, nightbound and no daybound on the battlefield: it becomes night"),
        "change-triggers": _(
            "only day becoming night and night becoming day trigger; neither becoming either does not"
        ),
        "check-neither": _("neither: nothing is checked"),
        "untap-check": _("the check is the second part of the untap step, after its phasing"),
        "phasing": _("in the untap step what phases does so first, all at once"),
        "daybound-enters": {
            "anything": _("by night what has daybound enters with its back face up"),
            "double-faced card": _(
                "by night what has daybound and is a double-faced card enters with its back face up"
            ),
            "transforming double-faced card": _(
                "by night what has daybound and is a transforming double-faced card enters with its back face up"
            ),
        }[enters_if(edition)],
        "daybound-as-night": _("as it becomes night, what has daybound transforms if its front face is up"),
        "daybound-at-night": _("by night what has daybound and shows its front face transforms at once"),
        "nightbound-as-day": _("as it becomes day, what has nightbound transforms if its back face is up"),
        "nightbound-at-day": _("by day what has nightbound and shows its back face transforms at once"),
        "daybound-refuses": _("what has daybound can't transform except by its daybound"),
        "nightbound-refuses": _("what has nightbound can't transform except by its nightbound"),
        "transforms": {
            "transforming card": _("only what is represented by a transforming double-faced card transforms"),
            "transforming card or token": _(
                "only what is represented by a transforming double-faced card or a double-faced token transforms"
            ),
            "card or token": _("only what is represented by a double-faced card or token transforms"),
        }[transforms_if(edition)],
        "transformed-since": _("a permanent's own ability transforms it only if it has not done so since"),
    }[rule]


def explain(game: Game, number: int, edition: str) -> Explanation:
    """Why the designation is what it is after event `number` of a game, whatever was recorded later."""
    if number < len(game):
        game = game.what_if(number, ())
    state = game.state
    answers = []
    for designation in state.possible:
        causes: list[Changed] = []
        unchanged = False
        for possibility in state.possibilities:
            if possibility.designation is designation:
                causes += [change for change in possibility.causes if change is not None and change not in causes]
                unchanged = unchanged or None in possibility.causes
        causes.sort(key=lambda change: change.event)
        answers.append(_answer(designation, causes, unchanged, number, state.began, state.joined, edition))
    if len(answers) == 1:
        [answer] = answers
        sentence = answer.sentence
        if answer.designation is not Designation.NIGHT:
            sentence = paragraph(sentence, _barred(state))
        return replace(answer, almost=almost(game, number), sentence=sentence)
    either = either_word(answer.designation for answer in answers)
    sentence = _("The record leaves open whether it is {either} after event {event}.").format(
        either=either, event=number
    )
    told = _("Where nobody can tell, the judge assumes night ({rule}: policy, not derived).")
    sentence = paragraph(sentence, *(answer.sentence for answer in answers), told.format(rule=policy()["rule"]))
    return Explanation(
        event=number,
        designation=None,
        since=None,
        rule=None,
        cr=None,
        because=tuple(sorted({event for answer in answers for event in answer.because})),
        sources=(),
        almost=almost(game, number),
        sentence=sentence,
        possibilities=tuple(answers),
    )


def _barred(state: State) -> str:
    """What keeps it from becoming night in every possibility, if anything does."""
    there = [barring(state.battlefield, possibility.backs) for possibility in state.possibilities]
    ids = [id for id in there[0] if all(id in others for others in there)]
    return (
        counted(
            "While {names} is there with its abilities, it can't become night.",
            "While {names} are there with their abilities, it can't become night.",
            len(ids),
        ).format(names=names(ids, {id: state.battlefield[id].permanent for id in ids}))
        if ids
        else ""
    )


def _answer(
    designation: Designation,
    causes: list[Changed],
    unchanged: bool,
    number: int,
    began: int,
    joined: bool,
    edition: str,
) -> Explanation:
    word = designation_word(designation)
    if not causes:
        rule = "no-designation" if designation is Designation.NEITHER and not joined else None
        if not joined:
            sentence = _(
                "It is neither day nor night: nothing has made it day or night since the game began, at event {event}"
            )
        elif designation is Designation.NEITHER:
            sentence = _("It is neither day nor night: so it was when the record took the game up, at event {event}")
        else:
            sentence = _("It is {designation}: so it was when the record took the game up, at event {event}")
        sentence = with_number(sentence.format(designation=word, event=began), rule, edition)
        return _explained(number, designation, began, rule, (began,), full_stop(sentence), edition)
    if len(causes) == 1 and not unchanged:
        [cause] = causes
        sentence = with_number(since_sentence(cause), cause.rule, edition)
        return _explained(number, designation, cause.event, cause.rule, cause.because, full_stop(sentence), edition)
    ways = [with_number(way_sentence(cause), cause.rule, edition) for cause in causes]
    if unchanged:
        ways.insert(0, _("so it was from the beginning"))
    sentence = _("It is {designation}, for one of these reasons: {ways}.").format(
        designation=word, ways=semicolons(ways)
    )
    because = tuple(sorted({event for cause in causes for event in cause.because}))
    return _explained(number, designation, None, None, because, sentence, edition)


def _explained(
    number: int,
    designation: Designation,
    since: int | None,
    rule: str | None,
    because: tuple[int, ...],
    sentence: str,
    edition: str,
) -> Explanation:
    return Explanation(
        event=number,
        designation=designation,
        since=since,
        rule=rule,
        cr=cited(rule, edition),
        because=because,
        sources=sources_for(rule, edition),
        almost=None,
        sentence=sentence,
    )
