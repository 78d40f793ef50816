"""Puts the grounds of a value into words: since when, by which rule and events, and what prevents another value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from daynight.events import Changed, Designation, EnteredTransformed
from daynight.events.terms import Face, Keyword
from daynight.framework.language.grammar import capital, commas, full_stop, paragraph, uncapital
from daynight.framework.language.wording import _, card_word
from daynight.projections.battlefield import Status
from daynight.referee.alternatives import CAUSES
from daynight.referee.parts import How
from daynight.referee.state import State
from daynight.referee.worlds.possibilities import Possibility
from daynight.rules import holding
from daynight.rules.citations import with_number
from daynight.rules.holding import holders, is_held
from daynight.speech import sentences
from daynight.speech.sentences import names


def since_words(ways: Sequence[Changed | None], edition: str) -> str:
    """Say since when and why the designation is as it is, without a full stop; `ways` as for `ways_words`."""
    if len(ways) == 1 and ways[0] is not None:
        return with_number(sentences.since_sentence(ways[0]), ways[0].rule, edition)
    return _("The record leaves open since when: {ways}").format(ways=ways_words(ways, edition))


def ways_words(ways: Sequence[Changed | None], edition: str) -> str:
    """Say how it may have become so: `since event 6, turn 2: ...`, `either from the beginning of the record, or ...`.

    A way is a change, or None for the beginning of the record.
    """
    told = [
        _("from the beginning of the record")
        if way is None
        else with_number(sentences.way_sentence(way), way.rule, edition)
        for way in ways[: CAUSES - 1]
    ]
    if len(ways) == 1:
        return told[0]
    return sentences.either(told if len(ways) < CAUSES else [*told, _("in yet another way")])


def _how_clause(how: How, edition: str, *, token: bool) -> str:
    """Say how a permanent came to its face, with the rule's number, without a full stop; `token`: it is a token."""
    sentence = _how(how)
    if how.rule == "daybound-at-night" and token:
        sentence = sentences.token_sentence(sentence)
    return with_number(sentence, how.rule, edition)


def face_words(ways: Sequence[How | None], status: Status, edition: str) -> Iterator[str]:
    """Yield one sentence, without a full stop, that says how a permanent came to its face; none if it never turned."""
    if len(ways) == 1:
        if ways[0] is not None:
            yield _how_clause(ways[0], edition, token=status.permanent.token)
        return
    yield _("The record leaves open how it came to that: {ways}").format(ways=face_ways_words(ways, status, edition))


def face_ways_words(ways: Sequence[How | None], status: Status, edition: str) -> str:
    """Say the ways: `either nothing has turned it over since event 4, or it transformed as it became night, ...`."""
    unturned = _("nothing has turned it over since event {event}").format(event=status.arrived)
    token = status.permanent.token
    told = [
        unturned if way is None else uncapital(_how_clause(way, edition, token=token)) for way in ways[: CAUSES - 1]
    ]
    return sentences.either(told if len(ways) < CAUSES else [*told, _("in yet another way")])


def remarks(ways: Sequence[Changed | How | None], possibilities: Sequence[Possibility], state: State) -> str:
    """Say which casts do not count, and which untap steps the record leaves out; empty if there are none."""
    return paragraph(*dict.fromkeys((*_uncounted(ways, possibilities, state), *_implied(ways))))


def _uncounted(
    ways: Sequence[Changed | How | None], possibilities: Sequence[Possibility], state: State
) -> Iterator[str]:
    for way in ways:
        if isinstance(way, Changed) and way.uncounted:
            yield sentences.uncounted_sentence(way.uncounted, way.players)
    previous, current = state.tallies.previous, state.tallies.current
    if previous is None or current is None or state.due or not previous.uncounted():
        return
    # The latest check, if it left it night: by day the casts of others could not have changed its result.
    for possibility in possibilities:
        if possibility.designation is Designation.NIGHT and all(
            cause is None or cause.event < current.began for cause in possibility.causes
        ):
            yield sentences.uncounted_sentence(previous.uncounted(), previous.active)
            return


def _implied(ways: Sequence[Changed | How | None]) -> Iterator[str]:
    """Yield a sentence about the unrecorded untap steps that changed the designation, with their turns.

    Yield another about those that only turned permanents over, with the event after each. Nothing if there are none.
    """
    implied = [way for way in ways if way is not None and way.implied]
    turns = {way.event: way.turn for way in implied if isinstance(way, Changed)}
    events = sorted({way.event for way in implied} - turns.keys())
    if turns:
        numbers = sorted(set(turns.values()))
        sentence = (
            _("turn {turn}'s untap step is not written down; every turn has one unless it is skipped")
            if len(numbers) == 1
            else _("the untap steps of turns {turn} are not written down; every turn has one unless it is skipped")
        )
        yield full_stop(capital(sentence.format(turn=sentences.listed([str(number) for number in numbers]))))
    if events:
        sentence = (
            _("the untap step before event {event} is not written down; every turn has one unless it is skipped")
            if len(events) == 1
            else _(
                "the untap steps before events {event} are not written down; every turn has one unless it is skipped"
            )
        )
        yield full_stop(capital(sentence.format(event=sentences.listed([str(number) for number in events]))))


def _how(how: How) -> str:
    if isinstance(how, EnteredTransformed):
        if how.rule == "daybound-enters":
            return _(
                "It entered at event {event} while it was night, and what has daybound and is represented by a"
                " double-faced card then enters with its back face up"
            ).format(event=how.event)
        return _("It entered at event {event} with its back face up").format(event=how.event)
    return {
        "daybound-as-night": _("It transformed as it became night, at event {event}"),
        "daybound-at-night": _("It had daybound by night and so transformed at once, at event {event}"),
        "nightbound-as-day": _("It transformed as it became day, at event {event}"),
        "nightbound-at-day": _("It had nightbound by day and so transformed at once, at event {event}"),
    }.get(how.rule, _("It was told to transform at event {event}")).format(event=how.event)


def obstacle(state: State, status: Status) -> str:
    """Say what keeps a permanent with daybound or nightbound from transforming.

    Empty if its face fits the designation, if it has neither keyword, or if face or designation is uncertain.
    """
    face = state.face(status.id)
    keyword = _keyword(state.designation, face)
    if keyword is None or status.face_down or not _concerned(status, keyword):
        return ""
    battlefield, backs = state.battlefield, state.possibilities[0].backs
    held = holders(battlefield, backs)
    kept = holding.obstacle(status, battlefield, backs, held)
    if kept == "phased-out":
        return _("It is phased out, and what is phased out does not follow day and night.")
    if kept == "no-controller":
        return _("Its controller left the game; until the record says who controls it, it can't transform.")
    if not status.acts:
        return _("It has lost its abilities, and does not follow day and night without them.")
    if status.copy is not None and keyword not in status.copy.keywords:
        return _("It is a copy, and follows day and night only as what it copies does.")
    if kept == "one-face":
        return _("It is not double-faced, and only what is double-faced transforms.")
    if kept == "no-permanent":
        return _("Its other face is an instant or sorcery, and nothing transforms into that.")
    sources = [card_word(source) for source, ids in battlefield.forbidden.items() if status.id in ids]
    if is_held(status, backs, held):
        there = {id: battlefield[id].permanent for id in holding.holding(battlefield, backs, status.controller)}
        sources += [names((id,), there) for id in there]
    return _("It can't transform, because of {sources}.").format(sources=commas(sources)) if sources else ""


def _keyword(designation: Designation | None, face: Face | None) -> Keyword | None:
    """Return the keyword that would turn `face` over: daybound by night, nightbound by day.

    None if the face fits the designation, or if it is neither day nor night, or if one of the two is not certain.
    """
    if designation is Designation.NIGHT and face is Face.FRONT:
        return "daybound"
    return "nightbound" if designation is Designation.DAY and face is Face.BACK else None


def _concerned(status: Status, keyword: Keyword) -> bool:
    """Return whether the face that is up, or the copied card, has this keyword."""
    printed = status.permanent.front if keyword == "daybound" else status.permanent.back
    return any(face is not None and keyword in face.keywords for face in (printed, status.copy))
