"""The backup plan: the events that a back-up would undo, newest first, without gaps.

It lists and counts; only a judge decides whether to back up. A record contains neither draws nor the other effects of
spells, so many entries are marked unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from daynight.events import DisputeRuled, Event, OfTheRecord, actions
from daynight.framework.folding.standing import never_stood
from daynight.framework.language.codec import document_of
from daynight.framework.language.errors import AskedError
from daynight.framework.language.grammar import also, paragraph, semicolons
from daynight.framework.language.happening import tag_of
from daynight.framework.language.wording import _
from daynight.framework.positions import Position
from daynight.projections.transcript import Line, told
from daynight.questions.disputes import disputes
from daynight.questions.proceedings import LeftStanding
from daynight.referee.documents import count_document
from daynight.referee.state import PlayedRecord
from daynight.speech.reversals import reversal_sentence

Hidden: TypeAlias = Literal["yes", "no", "unknown"]
"""Whether an event is about hidden or random information; unknown: the record does not say."""


class PlanError(AskedError):
    """The target of the plan is after its start; exit code 2."""


@dataclass(frozen=True, slots=True)
class Reversal:
    """One event that a back-up undoes, with its consequences; `line` is its line of the transcript.

    `decisions`: the fewest and the most (None: no bound) decisions of players behind it. `stands`: if it is a
    ruling that leaves the game as it is, the judge's acts that carried out earlier rulings and stay in force.
    """

    line: Line
    decisions: tuple[int, int | None]
    stands: tuple[LeftStanding, ...] = ()

    @property
    def event(self) -> int:
        """The number of the event."""
        return self.line.number

    @property
    def tag(self) -> str:
        """The tag of the event's type, such as `spell-cast`."""
        return tag_of(self.line.event)

    @property
    def sentence(self) -> str:
        """The recorded event, in the reader's language."""
        return self.line.sentence

    @property
    def taken_back(self) -> tuple[str, ...]:
        """What is restored by undoing the event: a sentence for each fact."""
        told = [reversal_sentence(one, self.line.named) for one in self.line.followed]
        return tuple(sentence for sentence in told if sentence is not None)

    @property
    def hidden(self) -> Hidden:
        """Whether the event is about hidden or random information."""
        return _hidden(self.line.event)[0]

    @property
    def reason(self) -> str | None:
        """Why the event is about hidden information or not, and the acts that it leaves in force; None if neither."""
        _touches, reason = _hidden(self.line.event)
        return also(reason or "", semicolons([one.sentence for one in self.stands])) if self.stands else reason

    def document(self) -> dict[str, Any]:
        """The reversal as JSON."""
        names = "event type sentence taken_back hidden reason decisions"
        return document_of(self, names, type=self.tag, decisions=count_document(*self.decisions))


@dataclass(frozen=True, slots=True)
class BackupPlan:
    """What a back-up undoes: the events from after `to` up to `start` that no other back-up undid, newest first."""

    game: str
    start: int
    to: int
    reversals: tuple[Reversal, ...]

    @property
    def decisions(self) -> tuple[int, int | None]:
        """The fewest and the most decisions (None: no bound) among these events.

        A decision is a spell cast, a declare attackers or declare blockers step, and an arrival that no spell cast
        before explains (a land played, a permanent put there) and that is not of tokens alone.
        """
        least = sum(reversal.decisions[0] for reversal in self.reversals)
        bounds = [reversal.decisions[1] for reversal in self.reversals]
        known = [bound for bound in bounds if bound is not None]
        return least, sum(known) if len(known) == len(bounds) else None

    def touching(self, hidden: Hidden) -> tuple[int, ...]:
        """The numbers of the events whose `hidden` equals the parameter: `yes`, `no` or `unknown`."""
        return tuple(reversal.event for reversal in self.reversals if reversal.hidden == hidden)

    @property
    def unknown(self) -> str:
        """What no record contains, and so no plan can show, in sentences."""
        return paragraph(
            _("Cards drawn or looked at otherwise, shuffles, dice, coins, life, mana and abilities are not recorded."),
            _("The people at the table know more than the record."),
        )

    @property
    def policy(self) -> str:
        """The sentence about who decides on a back-up."""
        return _("Whether a game is backed up, and how far, is tournament policy: no rule of the game derives it.")

    def document(self, each: Callable[[Reversal], Any] = Reversal.document) -> dict[str, Any]:
        """The plan as `daynight backup-plan --json` prints it; `each` makes the entry of a reversal."""
        own: dict[str, Any] = {"from": self.start, "hidden": self.touching("yes"), "unknown": self.touching("unknown")}
        own |= {"decisions": count_document(*self.decisions), "not_recorded": self.unknown}
        names = "game from to reversals hidden unknown decisions not_recorded policy"
        own |= {"reversals": (), "policy": {"rule": None, "sentence": self.policy}}
        return document_of(self, names, **own) | {"reversals": [each(reversal) for reversal in self.reversals]}


def backup_plan(game: PlayedRecord, to: Position | str | int, start: Position | str | int | None = None) -> BackupPlan:
    """Return the events that a back-up from after `start` (default: the last event) to after `to` would undo.

    >>> from daynight import Game
    >>> plan = backup_plan(Game.load("demo"), 120, 122)
    >>> [(reversal.event, reversal.hidden) for reversal in plan.reversals]
    [(122, 'no'), (121, 'unknown')]

    Raises:
        PositionError, NotFoundError: where a position does not exist.
        PlanError: where `to` is after `start`.
        ImpossibleError: where `to` was undone: a back-up to it is impossible.
    """
    target, end = game.number(to), game.number(start)
    if target > end:
        raise PlanError(_("event {to} is after event {start}; a plan goes back").format(to=target, start=end))
    upto = game if end == len(game) else game.what_if(end, ())
    if not upto.stands(target):
        raise never_stood(target, end + 1)
    reversals: list[Reversal] = []
    ruled = _left_standing(upto)
    cast: Counter[str] = Counter()
    for line in told(upto.moments()):
        # Standing events only depend on earlier standing ones, so the rest need not be examined.
        if not upto.stands(line.number):
            continue
        decisions = _decisions(line.event, cast)
        if line.number > target:
            reversals.append(Reversal(line, decisions, ruled.get(line.number, ())))
    return BackupPlan(upto.state.game, end, target, tuple(reversed(reversals)))


def _left_standing(game: PlayedRecord) -> dict[int, tuple[LeftStanding, ...]]:
    """Return by event, for rulings that leave the game as it is, the judge's acts that stay in force because of it."""
    if not any(isinstance(event, DisputeRuled) and event.outcome == "leave" for event in game.events):
        return {}
    return {dispute.rulings[-1].event: dispute.stands for dispute in disputes(game) if dispute.stands}


def _decisions(event: Event, cast: Counter[str]) -> tuple[int, int | None]:
    """Return the fewest and most decisions behind an event. `cast` counts cast cards until they enter."""
    made = 0
    if isinstance(event, actions.SpellCast):
        made = 1
        cast.update([event.card] if event.card else [])
    elif isinstance(event, actions.SpellsUncertain):
        return event.at_least, event.at_most
    elif isinstance(event, actions.StepBegan):
        made = int(event.step in ("declare-attackers", "declare-blockers"))
    elif isinstance(event, actions.GameRestarted):
        cast.clear()
    elif isinstance(event, actions.PermanentsEntered):
        for card in [permanent.card for permanent in event.permanents if not permanent.token]:
            if cast[card]:
                cast[card] -= 1
            else:
                made = 1
    return made, made


_Answer = tuple[Hidden, str | None]
_NO: _Answer = ("no", None)


def _hidden(event: Event) -> _Answer:
    """Return whether an event is about hidden or random information, and why (None: no reason to give)."""
    look = _LOOKS.get(type(event))
    return _NO if look is None else look(event)


def _step(event: actions.StepBegan) -> _Answer:
    return ("yes", _("unless it was skipped, a card was drawn here and seen")) if event.step == "draw" else _NO


def _cast(event: actions.SpellCast) -> _Answer:
    if event.card is None:
        return "unknown", _("which card it was, from where, and what it did, is not recorded")
    return "yes", _("its card was shown; from which zone it came and what it did is not recorded")


def _entered(event: actions.PermanentsEntered) -> _Answer:
    if any(permanent.face_down for permanent in event.permanents):
        return "yes", _("something is face down: what it is, not everybody knows")
    if all(permanent.token for permanent in event.permanents):
        return _NO
    return "unknown", _("from which zone it came, and what came of it, is not recorded")


_HIDDEN_ZONES = ("hand", "library")
_PUBLIC_ZONES = ("graveyard", "exile", "command")


def _left(event: actions.PermanentsLeft) -> _Answer:
    zone = (event.to or "").strip().lower()
    if zone in _HIDDEN_ZONES:
        return "yes", _("it went to a hidden zone")
    return _NO if zone in _PUBLIC_ZONES else ("unknown", _("to which zone it went is not recorded"))


def _by_effect(event: Event) -> _Answer:
    return "unknown", _("what else its source did (draw, search, shuffle, chance) is not recorded")


_LOOKS: dict[type, Callable[[Any], _Answer]] = {
    actions.StepBegan: _step,
    actions.SpellCast: _cast,
    actions.SpellsUncertain: lambda event: ("unknown", _("which cards they were is not recorded")),
    actions.PermanentsEntered: _entered,
    actions.PermanentsLeft: _left,
    actions.TurnedFaceUp: lambda event: ("yes", _("what was face down was shown")),
    actions.PlayerLeft: lambda event: ("unknown", _("what that player showed on leaving is not recorded")),
    actions.GameRestarted: lambda event: ("yes", _("libraries were shuffled and hands drawn")),
    actions.GameEnded: lambda event: ("unknown", _("what the players showed after the game is not recorded")),
    **dict.fromkeys(get_args(OfTheRecord), lambda event: ("no", _("of the record, not of the game: it stays"))),
    **dict.fromkeys(
        (
            actions.SpellCopied,
            actions.ControlChanged,
            actions.AbilitiesLost,
            actions.BecameCopy,
            actions.TurnedFaceDown,
            actions.PhasedOut,
            actions.PhasedIn,
            actions.TransformInstructed,
            actions.TransformForbidden,
            actions.EffectResolved,
        ),
        _by_effect,
    ),
}
"""The function for each type of event; for others (turns, claims, judge's acts, ending effects) the answer is `no`."""
