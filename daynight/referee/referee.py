"""The referee applies an event to a state, in the order of the rules, and returns the consequences.

First comes an untap step that the record leaves out, if the event shows that it is over. Then the event is checked
(`refusals`), its own facts are recorded, and the rules are applied in every possibility: entering, instructed
transforms, becoming, the check, the continuous rules, triggers. `HANDLERS` has a function for each type of event. A
refused event may leave the state half-updated; copy it first to continue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeAlias, get_args

from daynight.events import Designation, Event, OfTheRecord, StepBegan, actions, claims, rulings
from daynight.events.consequences import Consequence, Restored
from daynight.events.vocabulary import untap_is_over
from daynight.framework.folding.fold import BacksUpError
from daynight.framework.language.errors import RecordError
from daynight.framework.language.happening import ByType
from daynight.framework.language.wording import _
from daynight.projections.tallies import Tally
from daynight.referee import arrivals, refusals, turns
from daynight.referee.alternatives import Alternative, settle
from daynight.referee.state import State
from daynight.referee.worlds.possibilities import Possibility
from daynight.rules.becoming import by_effect, by_ruling
from daynight.rules.holding import night_is_barred

Found = tuple[Consequence, ...]
Handler: TypeAlias = Callable[[State, Any, int], Found]
"""Applies an event of one type: `(state, event, number) -> consequences`."""

Handlers: TypeAlias = Mapping[type, Handler]
"""For each type of event the function that applies it."""


def step(state: State, event: Event, number: int, handlers: Handlers | None = None) -> Found:
    """Apply an event to the state, in place, and return the consequences.

    `number` is the event's number. For an event that backs the game up, `state` already is the state that the back-up
    restores.

    Raises:
        ImpossibleError: where the event cannot happen here.
    """
    try:
        if number == 1:
            refusals.check_first(event)
        before: Found = ()
        if state.due and _untap_is_over(event):
            before = turns.untap_unwritten(state, number)
        found = (handlers or HANDLERS)[type(event)](state, event, number)
    except RecordError as error:
        raise error.located(line=number) from None
    state.event = number
    return (*before, *found) if before else found


def run(
    state: State,
    events: Sequence[Event],
    number: int,
    found: list[Consequence] | None = None,
    handlers: Handlers | None = None,
) -> None:
    """Apply events `number` + 1, `number` + 2, ... to the state; append the consequences to `found`, if given.

    Raises:
        ImpossibleError: with its line, at the first event that cannot happen here.
    """
    table = HANDLERS if handlers is None else handlers
    triggers = state.triggers
    last = number + len(events)
    calm = not state.due and state.casters and not triggers.waiting
    # Counting every event takes time. The iterator knows how many are left, so a number is computed where it is needed.
    coming: Any = iter(events if type(events) in (list, tuple) else tuple(events))
    try:
        if number == 0 and events and type(events[0]) is not actions.GameStarted:
            number = 1
            refusals.check_first(events[0])
        for event in coming:
            # Most events of a long record are steps that set nothing off. Only they take this shortcut.
            if calm and type(event) is StepBegan:
                begun = event.step
                if begun != "untap" and not (event.phased_in or event.phased_out or event.stays_out):
                    state.step = begun
                    continue
            number = last - coming.__length_hint__()
            if state.due and _untap_is_over(event):
                consequences = turns.untap_unwritten(state, number)
                if consequences and found is not None:
                    found += consequences
            consequences = table[type(event)](state, event, number)
            calm = not state.due and state.casters and not triggers.waiting
            if consequences and found is not None:
                found += consequences
    except RecordError as error:
        raise error.located(line=number) from None
    except BacksUpError:
        state.event = number - 1
        raise
    state.event = last


def _untap_is_over(event: Event) -> bool:
    """Return whether an unrecorded untap step must be applied before an event.

    Not before a resolved effect: the handler of that event applies the step, to count the triggers of both together.
    """
    return untap_is_over(event) and type(event) is not actions.EffectResolved


restores: ByType[int | None] = ByType({rulings.GameBackedUp: attrgetter("to")}, lambda event: None)
"""The number of the event that this one backs the game up to; None for all other events."""


def _game_started(state: State, event: actions.GameStarted, number: int) -> Found:
    if number != 1:
        refusals.refuse("$.type", _("game-started stands on line 1 and only there; one record is one game"))
    refusals.check_opening(event)
    state.game = event.game
    state.edition = event.edition
    state.players = event.players
    state.known = frozenset(event.players)
    state.present = frozenset(event.players)
    state.teams = event.teams
    return ()


def _game_joined(state: State, event: actions.GameJoined, number: int) -> Found:
    if number != 2:
        refusals.refuse("$.type", _("game-joined stands on line 2 or nowhere"))
    if not event.possible:
        refusals.refuse("$.possible", _("no designation; at least one of neither, day and night was possible"))
    refusals.check_once(event.possible, "$.possible")
    state.joined = True
    state.began = number
    state.tallies.previous = Tally(0, (), number, unknown=True)
    backs = arrivals.permanents_found(state, event, number)
    possible = [designation for designation in Designation if designation in event.possible]
    state.possibilities = tuple([Possibility(designation=designation, backs=backs) for designation in possible])
    return settle(state, arrivals.only_rests, number) if event.permanents else ()


def _effect_resolved(state: State, event: actions.EffectResolved, number: int) -> Found:
    refusals.check_acting(state)
    # An effect resolves from the stack. So earlier triggers are on the stack by now, and new ones go there at once.
    phased, untap = turns.unwritten(state, number, waits=False) if state.due else ((), None)

    def act(course: Alternative) -> Sequence[Alternative]:
        courses = (course,) if untap is None else untap(course)
        for one in courses:
            one.implied = False
            designation, backs = one.possibility.designation, one.possibility.backs
            barred = night_is_barred(state.battlefield, backs)
            one.becomes(by_effect(designation, event, barred=barred, event=number, turn=state.turn))
        return courses

    stacked = turns.put_on_stack(state, number)
    return (*phased, *stacked, *settle(state, act, number))


def _player_left(state: State, event: actions.PlayerLeft, number: int) -> Found:
    refusals.check_acting(state)
    refusals.check_present(state, event.player, "$.player")
    arrivals.check_named(state, event.permanents)
    state.present -= {event.player}
    state.casters -= {event.player}
    state.triggers.leave(event.player)
    return arrivals.left_with(state, event, number)


def _game_restarted(state: State, event: actions.GameRestarted, number: int) -> Found:
    refusals.check_acting(state)
    state.triggers.expire()
    state.joined = False
    state.renew(state.tallies.keep, began=number)
    return ()


def _game_ended(state: State, event: actions.GameEnded, number: int) -> Found:
    refusals.check_acting(state)
    if event.winner is not None:
        refusals.check_once(event.winner, "$.winner")
        for index, player in enumerate(event.winner):
            refusals.check_player(state, player, f"$.winner[{index}]")
    state.triggers.expire()
    state.over = True
    state.casters = frozenset()
    return ()


def _face_claimed(state: State, event: claims.FaceClaimed, number: int) -> Found:
    state.permanent(event.permanent, "$.permanent")
    return ()


def _tally_claimed(state: State, event: claims.TallyClaimed, number: int) -> Found:
    refusals.check_player(state, event.player, "$.player")
    turn = state.turn if event.turn is None else event.turn
    if state.tallies.find(turn) is None:
        if event.turn is None:
            refusals.refuse("$", _("before the first turn; say which turn is meant, or record turn-began first"))
        # A state from a snapshot does not know earlier turns. The claim was checked when it was stored.
        if not state.tallies.forgot:
            refusals.refuse("$.turn", _("turn {turn} never was in this game"), turn=turn)
    return ()


def _judge_ruled(state: State, event: rulings.JudgeRuled, number: int) -> Found:
    unruled = state.possibilities if state.unruled is None else state.unruled
    if event.designation is Designation.NEITHER:
        refusals.check_ruling(state)
        state.possibilities = tuple([one for one in state.possibilities if one.designation is Designation.NEITHER])
        # If it is neither, nothing changed so far: every change belongs to a possibility that this ruling excludes.
        state.timeline.forget(state.began)
        state.triggers.forget(state.began)
    state.unruled = None

    def act(course: Alternative) -> Sequence[Alternative]:
        course.becomes(by_ruling(course.possibility.designation, event, event=number, turn=state.turn))
        return (course,)

    found = settle(state, act, number)
    state.unruled = unruled
    return found


def _game_backed_up(state: State, event: rulings.GameBackedUp, number: int) -> Found:
    if not event.corrects:
        state.unruled = None
    return (Restored(event=number, rule="backed-up", because=(event.to,), to=event.to),)


def _nothing(state: State, event: Event, number: int) -> Found:
    # A claim changes nothing. Notes and disputes are checked by the second mechanic.
    return ()


HANDLERS: Handlers = {
    actions.GameStarted: _game_started,
    actions.GameJoined: _game_joined,
    actions.TurnBegan: turns.turn_began,
    actions.StepBegan: turns.step_began,
    actions.SpellCast: turns.spell_cast,
    actions.SpellCopied: turns.spell_copied,
    actions.SpellsUncertain: turns.spells_uncertain,
    actions.PermanentsEntered: arrivals.permanents_entered,
    actions.PermanentsLeft: arrivals.permanents_left,
    actions.ControlChanged: arrivals.control_changed,
    actions.AbilitiesLost: arrivals.abilities_lost,
    actions.AbilitiesRegained: arrivals.abilities_regained,
    actions.BecameCopy: arrivals.became_copy,
    actions.CopyEnded: arrivals.copy_ended,
    actions.TurnedFaceDown: arrivals.turned_face,
    actions.TurnedFaceUp: arrivals.turned_face,
    actions.PhasedOut: arrivals.phased,
    actions.PhasedIn: arrivals.phased,
    actions.TransformInstructed: arrivals.transform_instructed,
    actions.TransformForbidden: arrivals.transform_forbidden,
    actions.TransformAllowed: arrivals.transform_allowed,
    actions.EffectResolved: _effect_resolved,
    actions.PlayerLeft: _player_left,
    actions.GameRestarted: _game_restarted,
    actions.GameEnded: _game_ended,
    claims.DesignationClaimed: _nothing,
    claims.FaceClaimed: _face_claimed,
    claims.TallyClaimed: _tally_claimed,
    rulings.JudgeRuled: _judge_ruled,
    rulings.GameBackedUp: _game_backed_up,
    **dict.fromkeys(get_args(OfTheRecord), _nothing),
}
