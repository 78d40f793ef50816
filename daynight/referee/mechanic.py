"""Day and night as a mechanic: what the framework asks of it, as one value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from daynight.events import actions, claims, rulings
from daynight.events.consequences import Changed, Consequence, EnteredTransformed, Transformed
from daynight.events.terms import Designation
from daynight.events.vocabulary import Action, Claim, Event, JudgeAct
from daynight.framework.language.language import Language
from daynight.framework.mechanic import Derived, Mechanic, Part, Said, Way
from daynight.projections.possibilities import Possibility
from daynight.referee.due import shown
from daynight.referee.grounds import designation_ways, face_ways
from daynight.referee.places import place
from daynight.referee.referee import restores, run, step
from daynight.referee.refusals import check_first
from daynight.referee.state import State, own_line, possible_in
from daynight.rules import RULES
from daynight.rules.designation import CHART


def says(event: Event) -> Iterable[Said]:
    """What a claim or a ruling says."""
    if isinstance(event, claims.DesignationClaimed):
        yield Said("designation", None, event.designation, event.by)
    elif isinstance(event, claims.FaceClaimed):
        yield Said("face", event.permanent, event.face, event.by)
    elif isinstance(event, claims.TallyClaimed):
        yield Said("tally", f"{event.player}/{event.turn}" if event.turn else event.player, event.spells, event.by)
    elif isinstance(event, rulings.JudgeRuled):
        yield Said("ruled", None, Designation(event.designation), event.by)


def _ways(ways: Sequence[Changed | Transformed | EnteredTransformed | None], began: int) -> tuple[Way, ...]:
    return tuple(Way(began, None, (began,)) if way is None else Way(way.event, way.rule, way.because) for way in ways)


def _line(line: Sequence[Possibility], state: State) -> Derived:
    ways = designation_ways(line)
    if ways == (None,):
        rule = None if state.joined else "no-designation"
        return Derived(possible_in(tuple(line)), (Way(state.began, rule, (state.began,)),))
    return Derived(possible_in(tuple(line)), _ways(ways, state.began))


def _designation(state: State, subject: str | None) -> Derived:
    return _line(state.possibilities, state)


def _ruled(state: State, subject: str | None) -> Derived:
    return _line(own_line(state), state)


def _face(state: State, id: str) -> Derived | None:
    status = state.battlefield.get(id)
    if status is None:
        return None
    faces = {possibility.face(id): None for possibility in state.possibilities}
    return Derived(tuple(faces), _ways(face_ways(state.possibilities, id), status.arrived))


def _tally(state: State, player: str) -> Derived | None:
    name, _slash, turn = player.rpartition("/") if "/" in player and player not in state.known else (player, "", "")
    tally = state.tallies.find(int(turn) if turn else state.turn)
    if tally is None:
        return None
    least, most = tally.range(name)
    told = tally.told_of(name)
    counts = range(least, (least + MANY if most is None else most) + 1)
    return Derived(tuple(counts), (Way(told[-1] if told else tally.began, None, tuple(told)),))


MANY = 100
"""Up to how many more spells are listed where nobody knows how many there were."""


DAYNIGHT: Mechanic[State, Event, Consequence] = Mechanic(
    name="daynight",
    language=Language(Action | Claim | JudgeAct, opening="game-started", example="spell-cast"),
    start=State,
    step=step,
    run=run,
    parts={
        "designation": Part(_designation),
        "ruled": Part(_ruled),
        "face": Part(_face, lambda state: [status.id for status in state.battlefield]),
        "tally": Part(_tally, lambda state: state.players),
    },
    begins=check_first,
    says=says,
    restores=restores,
    names={rulings.GameBackedUp: ("to",), actions.TransformInstructed: ("own_since",)},
    seals={
        actions.TurnBegan: "before",
        actions.GameRestarted: "before",
        rulings.JudgeRuled: "after",
        rulings.GameBackedUp: "after",
        actions.GameEnded: "after",
    },
    version=RULES,
    place=place,
    title=lambda event: event.game if isinstance(event, actions.GameStarted) else "",
    chart=CHART,
    seen=shown,
)
"""The first mechanic."""
