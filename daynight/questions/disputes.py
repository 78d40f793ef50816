"""Collects each dispute: claims, derived designation, rulings, appeals, and outcome."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from daynight.disputes.docket import Stage
from daynight.disputes.hearings import Heard, Hearing, Hearings
from daynight.events import Designation, DesignationClaimed, DisputeRuled, GameBackedUp, JudgeRuled
from daynight.framework.folding.history import states
from daynight.projections.audit.findings import sides
from daynight.questions.explain import explained
from daynight.questions.proceedings import Appeal, Dispute, LeftStanding, Ruling
from daynight.referee.due import shown
from daynight.referee.parts import designation_ways, only_as_ruled
from daynight.referee.state import PlayedRecord, State, own_line, possible_in
from daynight.rules.citations import DEFAULT_EDITION


def disputes(game: PlayedRecord, *, edition: str | None = None) -> tuple[Dispute, ...]:
    """Return every dispute of a game in the order of opening, also those in undone stretches: no back-up undoes one.

    >>> from daynight import Game
    >>> game = Game.start("g1", ["Ana", "Bo"])
    >>> moment = game.record({"type": "dispute-opened", "dispute": "d1", "by": "Ana"})
    >>> moment = game.record({"type": "dispute-claimed", "dispute": "d1", "by": "Bo", "designation": "day"})
    >>> [(one.about, one.derived, one.claims[0].right) for one in disputes(game)]
    [(1, Designation.NEITHER, False)]
    """
    hearings = Hearings()
    said: dict[int, tuple[int, Designation] | None] = {}
    # The claims at the table that were not undone up to here.
    claims: list[tuple[int, Designation]] = []
    for number, event in enumerate(game.events, 1):
        if isinstance(event, DisputeRuled):
            said[number] = _claimed(claims, event, number)
        elif isinstance(event, GameBackedUp):
            del claims[bisect_right(claims, event.to, key=lambda claim: claim[0]) :]
        elif isinstance(event, DesignationClaimed):
            claims.append((number, event.designation))
        if isinstance(event, Heard):
            hearings.take(event, number)
    asked = {_place(hearing, number, ruling) for hearing in hearings for number, ruling in hearing.rulings}
    asked |= {hearing.about for hearing in hearings}
    there = states(game, asked)
    cited_in = edition or game.state.edition or DEFAULT_EDITION
    return tuple([_dispute(game, hearing, said, there, cited_in) for hearing in hearings])


_Said: TypeAlias = tuple[int, Designation] | None
"""The last claim at the table before a ruling: its event and the designation."""


def _dispute(
    game: PlayedRecord, hearing: Hearing, said: Mapping[int, _Said], there: Mapping[int, State], edition: str
) -> Dispute:
    assert hearing.opened is not None
    number, opened = hearing.opened
    state = shown(there[hearing.about])
    rulings = [
        _ruling(hearing, event, ruling, said[event], there[_place(hearing, event, ruling)])
        for event, ruling in hearing.rulings
    ]
    closed, closing = hearing.closed or (None, None)
    return Dispute(
        dispute=opened.dispute,
        event=number,
        by=opened.by,
        at=opened.at,
        about=hearing.about,
        possible=state.possible,
        why=explained(state, hearing.about, edition),
        claims=sides(hearing, state.possible),
        rulings=tuple(rulings),
        appeals=tuple([Appeal(event, appeal.by, appeal.at) for event, appeal in hearing.appeals]),
        stage=hearing.stage,
        closed=closed,
        closed_by=None if closing is None else closing.by,
        closed_at=None if closing is None else closing.at,
        trail=hearing.trail,
        stands=tuple(_left_standing(game, hearing)),
        as_ruled=only_as_ruled(state),
    )  # fmt: skip


def _left_standing(game: PlayedRecord, hearing: Hearing) -> Iterator[LeftStanding]:
    if hearing.outcome != "leave" or hearing.stage is Stage.APPEALED:
        return
    for number in dict.fromkeys(hearing.carried_out.get(ruling) for ruling, _event in hearing.rulings):
        act = None if number is None or not game.stands(number) else game.events[number - 1]
        if number is not None and isinstance(act, (GameBackedUp, JudgeRuled)):
            yield LeftStanding(number, act)


def _claimed(claims: list[tuple[int, Designation]], ruling: DisputeRuled, number: int) -> _Said:
    """Return the last claim up to event `number`, the ruling, or up to the event that it backs up to; None if none."""
    place = bisect_right(claims, number if ruling.to is None else ruling.to, key=lambda claim: claim[0])
    return claims[place - 1] if place else None


def _place(hearing: Hearing, number: int, ruling: DisputeRuled) -> int:
    """Return the event after which a ruling is compared with the rules.

    It is the target of a back-up; else the event before the ruling, or before the act that carries it out.
    """
    return hearing.carried_out.get(number, number) - 1 if ruling.to is None else ruling.to


def _ruling(hearing: Hearing, number: int, ruling: DisputeRuled, said: _Said, state: State) -> Ruling:
    there = shown(state)
    changes = [way.event for way in designation_ways(there.possibilities) if way is not None]
    stands = ruling.designation
    if ruling.outcome != "fix":
        stands = there.designation
        if said is not None and said[0] >= max(changes, default=there.began):
            stands = said[1]
    return Ruling(
        event=number,
        by=ruling.by,
        at=ruling.at,
        outcome=ruling.outcome,
        designation=ruling.designation,
        to=ruling.to,
        says=ruling.says,
        stands=stands,
        possible=possible_in(own_line(there)),
        carried_out=hearing.carried_out.get(number),
        untapped=there.possible != state.possible,
    )
