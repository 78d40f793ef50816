"""Describes a timeline in words: for a screen reader, and for a pointer over the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from daynight.events import Changed, Designation, Face
from daynight.framework.language.grammar import labelled, paragraph
from daynight.framework.language.wording import _, counted
from daynight.pictures.course import Column, MarkedAct, MarkedClaim
from daynight.pictures.drawing.drawing import plain
from daynight.pictures.drawing.signs import said
from daynight.projections.audit.findings import Audit
from daynight.referee.state import State
from daynight.rules.citations import with_number
from daynight.speech.sentences import designation_word, either_word, face_word, listed, reason, spells_word

MOST_TOLD = 60
"""The most changes, and the most wrong claims, that a picture's description lists one by one."""

LONGEST = 16_000
"""The most characters of a description."""

_LONGEST_SENTENCE = 1_000


def story(game_name: str, every: Sequence[Column], audit: Audit, edition: str, state: State, gathers: int) -> str:
    """Describe the game in sentences: each change, each wrong claim, and the designation at the end.

    `state` is the state at the end; a column of the picture stands for up to `gathers` turns.
    """
    told = [*_changes(every, edition), *_differing(audit), *_undone(every), *_disputes(every)]
    if gathers > 1:
        words = counted("Each column stands for up to {n} turn.", "Each column stands for up to {n} turns.", gathers)
        told.insert(0, words)
    if state.designation is Designation.NEITHER:
        ending = _("In the end it is neither day nor night.")
    else:
        ending = _("In the end it is {designation}.").format(designation=either_word(state.possible))
    whole = ""
    for sentence in told:
        safe = plain(sentence)[:_LONGEST_SENTENCE]
        if len(whole) + len(safe) > LONGEST:
            whole = paragraph(whole, "\N{HORIZONTAL ELLIPSIS}")
            break
        whole = paragraph(whole, safe)
    return paragraph(whole, ending)


def _changes(every: Sequence[Column], edition: str) -> Iterator[str]:
    changes = [(column, change) for column in every for change in column.changes]
    if not changes:
        yield _("It never became day or night.")
    for column, change in changes[:MOST_TOLD]:
        yield _change(change, edition, undone=column.undone)
    more = len(changes) - MOST_TOLD
    if more > 0:
        yield counted("And {n} more change.", "And {n} more changes.", more)


def _change(change: Changed, edition: str, *, undone: bool) -> str:
    words = {
        "event": change.event,
        "turn": change.turn,
        "designation": designation_word(change.became),
        "reason": with_number(reason(change), change.rule, edition),
    }
    if change.turn == 0:
        if undone:
            return _("Event {event}, undone later: it becomes {designation}: {reason}.").format(**words)
        if not change.certain:
            return _("Event {event}: perhaps it becomes {designation}: {reason}.").format(**words)
        return _("Event {event}: it becomes {designation}: {reason}.").format(**words)
    if undone:
        return _("Turn {turn}, event {event}, undone later: it becomes {designation}: {reason}.").format(**words)
    if not change.certain:
        return _("Turn {turn}, event {event}: perhaps it becomes {designation}: {reason}.").format(**words)
    return _("Turn {turn}, event {event}: it becomes {designation}: {reason}.").format(**words)


def _differing(audit: Audit) -> Iterator[str]:
    disputes = audit.disputes
    for finding in disputes[:MOST_TOLD]:
        yield _("What the table says differs: {sentence}").format(sentence=finding.sentence)
    more = len(disputes) - MOST_TOLD
    if more > 0:
        yield counted("And {n} more claim or ruling differs.", "And {n} more claims and rulings differ.", more)


def _undone(every: Sequence[Column]) -> Iterator[str]:
    # Disputes belong to the record, and backing up does not undo them.
    undone = sum(
        column.last - column.first + 1 - sum(act.dispute is not None for act in column.acts)
        for column in every
        if column.undone
    )
    if undone:
        yield counted("{n} event was undone by backing up.", "{n} events were undone by backing up.", undone)


def _disputes(every: Sequence[Column]) -> Iterator[str]:
    events: dict[str, list[int]] = {}
    for act in (act for column in every for act in column.acts):
        if act.dispute is not None:
            events.setdefault(act.dispute, []).append(act.event)
    for dispute, acts in list(events.items())[:MOST_TOLD]:
        yield _("Dispute {dispute}: events {first} to {last}.").format(dispute=dispute, first=acts[0], last=acts[-1])


def turn_word(column: Column) -> str:
    """Return the turn numbers of a column; a sign for the time before the first turn."""
    if column.turn is None:
        return "·"
    if column.turns == 1 or column.last_turn == column.turn:
        return str(column.turn)
    return f"{column.turn}–{column.last_turn}"


def numbers(count: tuple[int, int | None]) -> str:
    """Return a number of spells, or its bounds, in few characters."""
    least, most = count
    return f"{least}+" if most is None else str(least) if least == most else f"{least}–{most}"


def act_word(act: MarkedAct) -> str:
    """Return a few words about a judge's act."""
    if act.kind == "back-up":
        return _("back to e{event}").format(event=act.to)
    if act.dispute is not None:
        return {
            "dispute-opened": _("{dispute} opened"),
            "dispute-claimed": _("{dispute} claim"),
            "dispute-ruled": _("{dispute} ruled"),
            "dispute-appealed": _("{dispute} appeal"),
            "dispute-closed": _("{dispute} closed"),
        }.get(act.kind, "{dispute}").format(dispute=act.dispute)
    return {"ruling": _("ruling"), "restart": _("restart")}[act.kind]


def acts_word(acts: Sequence[MarkedAct]) -> str:
    """Return a few words about acts of a judge; for several acts of a dispute, only their number."""
    if len(acts) == 1:
        return act_word(acts[0])
    many = counted("{dispute}: {n} act", "{dispute}: {n} acts", len(acts))
    return many.format(dispute=acts[0].dispute)


def column_title(column: Column) -> str:
    """Return the text that a browser shows when the pointer is over a column."""
    lines = [_heading(column)]
    if column.turns > 1:
        lines += [
            _("{what}: {n}").format(what=_("undone") if possible is None else said(possible), n=number)
            for possible, number in column.ended.items()
        ]
    else:
        lines += [
            _("from event {event} on: {what}").format(event=run.event, what=said(run.possible)) for run in column.runs
        ]
    for player, count in column.spells.items():
        lines.append(labelled(player, spells_word(*count)))
    lines += [_claim(claim) for claim in column.claims[:8]]
    lines += [_("event {event}: {what}").format(event=act.event, what=act_word(act)) for act in column.acts[:8]]
    return "\n".join(plain(line)[: _LONGEST_SENTENCE // 4] for line in lines[:24])


def _heading(column: Column) -> str:
    words = {"first": column.first, "last": column.last, "turn": turn_word(column), "players": listed(column.active)}
    if column.turn is None:
        return _("before the first turn: events {first} to {last}").format(**words)
    if column.turns > 1:
        return _("turns {turn}: events {first} to {last}").format(**words)
    if column.undone:
        return _("turn {turn}, {players}: events {first} to {last}, undone").format(**words)
    return _("turn {turn}, {players}: events {first} to {last}").format(**words)


def _claim(claim: MarkedClaim) -> str:
    claimed = claim.claimed
    if claim.about in ("designation", "ruling"):
        claimed = designation_word(Designation(claimed))
    elif claim.about == "face":
        claimed = face_word(Face(claimed))
    else:
        claimed = counted("{n} spell", "{n} spells", int(claimed))
    answers = {
        "right": _("✓ event {event}: {by} says {claimed}, and so it is"),
        "wrong": _("✗ event {event}: {by} says {claimed}, which contradicts the rules"),
        "open": _("? event {event}: {by} says {claimed}, which the record cannot settle"),
    }
    return answers[claim.answer].format(event=claim.event, by=claim.by, claimed=claimed)
