"""Day and night as a `Mechanic`: one value with everything that the framework needs."""

from __future__ import annotations

from daynight.events import Action, Claim, Consequence, Event, JudgeAct, actions, rulings
from daynight.framework.language.language import Language
from daynight.framework.mechanic import Mechanic
from daynight.referee.due import seen
from daynight.referee.parts import PARTS, says
from daynight.referee.places import PLACES
from daynight.referee.referee import HANDLERS, restores, run, step
from daynight.referee.refusals import check_first
from daynight.referee.snapshots.frozen import forgets, freeze, thaw
from daynight.referee.snapshots.remembered import recall, remember
from daynight.referee.state import State
from daynight.rules import RULES
from daynight.rules.designation import CHART

DAYNIGHT: Mechanic[State, Event, Consequence] = Mechanic(
    name="day-and-night",
    language=Language(Action | Claim | JudgeAct, opening="game-started", example="spell-cast"),
    start=State,
    step=step,
    run=run,
    handlers=HANDLERS,
    parts=PARTS,
    begins=check_first,
    says=says,
    restores=restores,
    names={rulings.GameBackedUp: ("to",), actions.TransformInstructed: ("own_since",)},
    seals={
        actions.TurnBegan: "before",
        actions.GameRestarted: "before",
        rulings.JudgeRuled: "after",
        rulings.GameBackedUp: "after",
        actions.GameEnded: "end",
    },
    freeze=freeze,
    thaw=thaw,
    remember=remember,
    recall=recall,
    version=RULES,
    forgets=forgets,
    place=PLACES,
    title=lambda event: event.game if isinstance(event, actions.GameStarted) else "",
    chart=CHART,
    seen=seen,
)
"""The mechanic of day and night."""
