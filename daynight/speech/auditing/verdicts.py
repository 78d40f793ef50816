"""Puts a finding into words: the claim, its author, the derived value, since when, and by which rule."""

from __future__ import annotations

from collections.abc import Sequence

from daynight.events.consequences import Changed
from daynight.framework.audit import Finding
from daynight.framework.language.grammar import full_stop, paragraph
from daynight.framework.language.wording import _, card_word, counted
from daynight.projections.battlefield import Status
from daynight.referee.parts import bounds, designation_ways, face_ways, only_as_ruled, words
from daynight.referee.state import State, own_line, possible_in
from daynight.rules.citations import with_number
from daynight.speech.auditing.grounds import face_words, obstacle, remarks, since_words
from daynight.speech.sentences import face_word, state_clause, step_word


def finding_sentence(finding: Finding, edition: str) -> str:
    """Return a finding in words: what was claimed, and what follows by the rules."""
    said = finding.said
    if said.part == "face":
        return _of_a_face(finding, edition)
    return _of_a_tally(finding) if said.part == "tally" else _of_a_designation(finding, edition)


def finding_short(finding: Finding, edition: str) -> str:
    """Return a finding in at most 140 characters, if the names in it have at most 20."""
    said, state = finding.said, finding.state
    if said.part == "tally":
        derived = "" if finding.derived is None else _counted(*bounds(finding.derived))
        sentence = _("Event {event}: {by} says {player} cast {claimed}; the record has {derived}.")
        player = words(said.subject)[0]
        told = sentence.format(event=finding.event, by=said.by, player=player, claimed=said.value, derived=derived)
    elif said.part == "face":
        face = state.face(said.subject) if not state.battlefield[said.subject].face_down else None
        sentence = _("Event {event}: {by} shows {permanent} with its {claimed}; derived: {derived}.")
        claimed, derived = face_word(said.value), face_word(face)
        told = sentence.format(
            event=finding.event, by=said.by, permanent=said.subject, claimed=claimed, derived=derived
        )
    else:
        line = state.possibilities if said.part == "designation" else own_line(state)
        way = designation_ways(line)[0] if len(designation_ways(line)) == 1 else None
        sentence = _("Event {event}: {by} says that {claimed}; derived: {derived}.")
        if said.part == "ruled":
            sentence = _("Event {event}: {by} rules that {claimed}; derived: {derived}.")
        derived = state_clause(possible_in(line))
        told = sentence.format(event=finding.event, by=said.by, claimed=state_clause((said.value,)), derived=derived)
        if way is not None and not finding.doubt:
            told = paragraph(
                told, full_stop(with_number(_("Since event {event}").format(event=way.event), way.rule, edition))
            )
    return paragraph(told, _("Not certain: it rests on a doubt.")) if finding.doubt else told


def _of_a_designation(finding: Finding, edition: str) -> str:
    state: State = finding.state
    said = finding.said
    line = state.possibilities if said.part == "designation" else own_line(state)
    possible, ways = possible_in(line), designation_ways(line)
    says = _("{by} says that {claimed}")
    if said.part == "ruled":
        says = _("{by} rules that {claimed}")
        if said.subject is not None:
            says = _("{by} rules in dispute {dispute} that {claimed}")
    if said.part == "designation" and only_as_ruled(state):
        answer = _("{place}: {says}; as ruled {derived}.")
        if len(possible) > 1:
            answer = _("{place}: {says}; as ruled the record leaves it open: {derived}.")
    else:
        answer = _("{place}: {says}; by the rules {derived}.")
        if len(possible) > 1:
            answer = _("{place}: {says}; by the rules the record leaves it open: {derived}.")
    sentence = answer.format(
        place=_place(finding),
        says=says.format(by=said.by, claimed=state_clause((said.value,)), dispute=said.subject),
        derived=state_clause(possible),
    )
    since = "" if len(possible) > 1 else _since(state, ways, edition)
    return paragraph(sentence, since, remarks(ways, line, state))


def _of_a_face(finding: Finding, edition: str) -> str:
    said, state = finding.said, finding.state
    status = state.battlefield[said.subject]
    card = f"{card_word(status.permanent.card)} ({status.id})"
    says = _("{by} shows the {claimed} of {card}").format(by=said.by, claimed=face_word(said.value), card=card)
    answer = _face_answer(state, status, edition)
    return _("{place}: {says}; {answer}").format(place=_place(finding), says=says, answer=answer)


def _of_a_tally(finding: Finding) -> str:
    said, found = finding.said, finding.derived
    player, turn = words(said.subject)
    sentence = _("{place}: {by} says that {player} cast {claimed} in turn {turn}; the record has {derived}.")
    return sentence.format(
        place=_place(finding),
        by=said.by,
        player=player,
        claimed=counted("{n} spell", "{n} spells", said.value),
        turn=turn or finding.state.turn,
        derived="" if found is None else _counted(*bounds(found)),
    )


def _place(finding: Finding) -> str:
    state = finding.state
    if state.turn == 0:
        return _("event {event}").format(event=finding.event)
    place = _("event {event} (turn {turn}, {step})")
    return place.format(event=finding.event, turn=state.turn, step=step_word(state.step))


def _since(state: State, ways: Sequence[Changed | None], edition: str) -> str:
    """Say since when and why the one possible designation is as it is; a way is a change, None: from the beginning."""
    if len(ways) > 1 or ways[0] is not None:
        return full_stop(since_words(ways, edition))
    if state.joined:
        return _("So it was when the record took the game up.")
    return full_stop(with_number(_("Nothing has made it day or night yet"), "no-designation", edition))


def _face_answer(state: State, status: Status, edition: str) -> str:
    """Answer a claim about a face: which face is up by the rules, its name, how it came up, and what keeps it so."""
    if status.face_down:
        return _("by the rules it is face down, and shows neither.")
    ruled = only_as_ruled(state, status.id)
    derived = state.face(status.id)
    ways = face_ways(state.possibilities, status.id)
    if derived is None:
        open_ = _("as ruled either face may be up.") if ruled else _("by the rules either face may be up.")
        return paragraph(open_, remarks(ways, (), state))
    answer = _("as ruled its {face}, {name}, is up.") if ruled else _("by the rules its {face}, {name}, is up.")
    told = [answer.format(face=face_word(derived), name=card_word(status.name(state.possibilities[0].backs)))]
    told += [full_stop(sentence) for sentence in face_words(ways, status, edition)]
    told.append(obstacle(state, status))
    designations = designation_ways(state.possibilities)
    if state.designation is not None and status.matters:
        more = remarks((*ways, *designations), state.possibilities, state)
        told += [_since(state, designations, edition), more]
    else:
        told.append(remarks(ways, (), state))
    return paragraph(*told)


def _counted(least: int, most: int | None) -> str:
    if most is None:
        return counted("at least {n}", "at least {n}", least)
    return str(least) if least == most else _("{least} to {most}").format(least=least, most=most)
