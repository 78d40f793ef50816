"""The course of a game in columns: a turn each, or an undone part of one; of a very long game many each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from daynight.audit.findings import Audit
from daynight.events.actions import GameRestarted, GameStarted, StepBegan, TurnBegan
from daynight.events.claims import DesignationClaimed, FaceClaimed, TallyClaimed
from daynight.events.consequences import Changed
from daynight.events.rulings import GameBackedUp, JudgeRuled
from daynight.events.terms import Designation
from daynight.events.vocabulary import Event
from daynight.projections.tallies import Tally

if TYPE_CHECKING:
    from daynight.game import Game

MOST_COLUMNS, GATHERED = 400, 120
"""Up to how many turns each have a column; and how many columns there are at the most where there are more turns."""

Answer: TypeAlias = Literal["right", "wrong", "open"]
"""How a claim or ruling stands against what is derived."""

Spells: TypeAlias = tuple[int, int | None]
"""The fewest and the most spells; None: no bound."""

_ABOUT = {DesignationClaimed: "designation", FaceClaimed: "face", TallyClaimed: "tally", JudgeRuled: "ruling"}


@dataclass(frozen=True, slots=True)
class Run:
    """What was possible from an event on, within a column."""

    event: int
    possible: tuple[Designation, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim or ruling at an event: what it is about, what it says, and how that stands against what is derived."""

    event: int
    about: str
    claimed: str
    answer: Answer
    by: str
    undone: bool


@dataclass(frozen=True, slots=True)
class Act:
    """A judge's act at an event: a ruling, a back-up (`to` an event), or an act of a dispute (`dispute` is its id)."""

    event: int
    kind: str
    to: int | None = None
    dispute: str | None = None


@dataclass(slots=True)
class Column:
    """Events `first` to `last` of one turn, all standing or all `undone`; of `turns` turns in a gathered column.

    `turn` is None before the first turn. `goes_on`: the turn began in an earlier column. `ended` counts, in a gathered
    column, the turns by what was possible as they ended (None: undone ones).
    """

    first: int
    turn: int | None = None
    active: tuple[str, ...] = ()
    undone: bool = False
    goes_on: bool = False
    last: int = 0
    runs: list[Run] = field(default_factory=list)
    spells: dict[str, Spells] = field(default_factory=dict)
    changes: list[Changed] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    turns: int = 1
    last_turn: int | None = None
    ended: Counter[tuple[Designation, ...] | None] = field(default_factory=Counter)


def columns(game: Game, audit: Audit) -> list[Column]:
    """Every turn of the record in order, undone stretches apart; and what comes before the first if it tells."""
    answers: dict[int, Answer] = {finding.event: "open" for finding in audit.unsettled}
    answers |= {finding.event: "wrong" for finding in audit.findings}
    found: list[Column] = []
    now = Column(first=1)
    for moment, state in game.walk():
        event, number = moment.event, moment.number
        undone = not game.stands(number)
        changes = [one for one in moment.consequences if isinstance(one, Changed)]
        possible = state.possible
        if isinstance(event, TurnBegan) and changes and undone is now.undone:
            # The untap step of the turn that ends, which is not written down.
            _checked(now, number, possible)
            now.changes += changes
            changes = []
        starts = isinstance(event, (TurnBegan, GameRestarted))
        if starts or undone is not now.undone:
            if now.last:
                found.append(now)
            now = Column(first=number, undone=undone, goes_on=not starts)
        now.last = number
        now.turn, now.active = (state.turn or None), state.active
        if not now.runs or now.runs[-1].possible != possible:
            written = isinstance(event, StepBegan) and event.step == "untap"
            if written or (changes and all(change.implied for change in changes)):
                _checked(now, number, possible)
            else:
                now.runs.append(Run(number, possible))
        now.changes += changes
        _note(now, event, number, answers.get(number, "right"))
        if state.tallies.current is not None:
            now.spells = _spells(state.tallies.current, state.players)
    if now.last:
        found.append(now)
    return [column for column in found if column.turn is not None or _says_something(game, column)]


def _checked(column: Column, number: int, possible: tuple[Designation, ...]) -> None:
    """What the check made it, the turn began with: nobody sees the moment before."""
    if column.goes_on or column.turn is None:
        column.runs.append(Run(number, possible))
    else:
        column.runs = [Run(column.first, possible)]


def _note(column: Column, event: Event, number: int, answer: Answer) -> None:
    about = _ABOUT.get(type(event))
    if isinstance(event, (DesignationClaimed, JudgeRuled)):
        column.claims.append(Claim(number, str(about), str(event.designation), answer, event.by, column.undone))
    elif isinstance(event, FaceClaimed):
        column.claims.append(Claim(number, str(about), event.face.value, answer, event.by, column.undone))
    elif isinstance(event, TallyClaimed):
        column.claims.append(Claim(number, str(about), str(event.spells), answer, event.by, column.undone))
    if isinstance(event, JudgeRuled):
        column.acts.append(Act(number, "ruling"))
    elif isinstance(event, GameBackedUp):
        column.acts.append(Act(number, "back-up", to=event.to))
    elif isinstance(event, GameRestarted):
        column.acts.append(Act(number, "restart"))
    else:
        tag = str(event.__struct_config__.tag)
        if tag.startswith("dispute-"):
            column.acts.append(Act(number, tag, dispute=str(getattr(event, "dispute", ""))))


def _spells(tally: Tally, players: Sequence[str]) -> dict[str, Spells]:
    return {player: tally.range(player) for player in players}


def _says_something(game: Game, column: Column) -> bool:
    if column.changes or column.claims or column.acts or len(column.runs) > 1:
        return True
    return column.last > column.first or not isinstance(game.events[column.first - 1], GameStarted)


def gathered(every: Sequence[Column]) -> list[Column]:
    """The columns as they are, or, of more than MOST_COLUMNS, each standing for as many turns in a row."""
    if len(every) <= MOST_COLUMNS:
        return list(every)
    size = -(-len(every) // GATHERED)
    return [_together(every[start : start + size]) for start in range(0, len(every), size)]


def _together(some: Sequence[Column]) -> Column:
    numbered = [column.turn for column in some if column.turn is not None]
    ended = Counter(None if column.undone else column.runs[-1].possible for column in some)
    places = tuple(Designation)
    order = sorted(ended, key=lambda one: (one is None, len(one or ()), [places.index(each) for each in one or ()]))
    return Column(
        first=some[0].first,
        last=some[-1].last,
        turn=numbered[0] if numbered else None,
        last_turn=numbered[-1] if numbered else None,
        undone=all(column.undone for column in some),
        runs=[Run(some[0].first, some[-1].runs[-1].possible)],
        spells=_sums(column.spells for column in some if not column.undone),
        changes=[change for column in some for change in column.changes if not column.undone],
        claims=[claim for column in some for claim in column.claims],
        acts=[act for column in some for act in column.acts],
        turns=len(some),
        ended=Counter({one: ended[one] for one in order}),
    )


def _sums(tallies: Iterable[dict[str, Spells]]) -> dict[str, Spells]:
    sums: dict[str, Spells] = {}
    for player, (least, most) in _pairs(tallies):
        fewest, greatest = sums.get(player, (0, 0))
        sums[player] = (fewest + least, None if most is None or greatest is None else greatest + most)
    return sums


def _pairs(tallies: Iterable[dict[str, Spells]]) -> Iterator[tuple[str, Spells]]:
    for tally in tallies:
        yield from tally.items()
