"""Differences: two records, two moments or two branches beside each other, first event first.

Records are aligned by turn and step, as far as both have them; what is compared is what follows, not what was written:
the designation, the permanents with their faces, this turn's tallies, and what triggered in this turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, Literal, TypeAlias

from msgspec import to_builtins

from daynight.cards import Catalogue
from daynight.documents import count_document
from daynight.events.actions import GameRestarted, StepBegan, TurnBegan
from daynight.events.grammar import commas, labelled
from daynight.events.terms import Designation
from daynight.events.wording import _, card_word
from daynight.game import Game
from daynight.projections.sentences import count_word, designation_word, either_word, face_word, step_word
from daynight.rules.citations import cited
from daynight.state import State

__all__ = [
    "Difference",
    "Parting",
    "catalogues_apart",
    "differences",
    "editions_apart",
    "events_apart",
    "games_apart",
    "merged",
    "place_words",
]

About: TypeAlias = Literal["designation", "permanent", "face", "controller", "tally", "trigger", "turn"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is `left` in one game and `right` in the other; None: it is not there, or not certain.

    `subject` is the permanent or the player it is about, None for the game's designation.
    """

    about: About
    subject: str | None
    left: Any
    right: Any
    sentence: str

    def document(self) -> dict[str, Any]:
        """The difference as JSON."""
        return {
            "about": self.about,
            "subject": self.subject,
            "left": self.left,
            "right": self.right,
            "sentence": self.sentence,
        }


@dataclass(frozen=True, slots=True)
class Parting:
    """A place that both games have and where they differ; `until` is the last one up to which that stays the same.

    `left` and `right` are the numbers of the last event of each game there, None where it has no such place.
    """

    turn: int
    step: str | None
    left: int | None
    right: int | None
    differences: tuple[Difference, ...]
    until: int

    def document(self) -> dict[str, Any]:
        """The place as JSON."""
        return {
            "turn": self.turn,
            "step": self.step,
            "left": self.left,
            "right": self.right,
            "until": self.until,
            "differences": [difference.document() for difference in self.differences],
        }


def differences(left: State, right: State) -> tuple[Difference, ...]:
    """What two states differ in.

    >>> game = Game.start("g1", ["Ana", "Bo"])
    >>> moment = game.record({"type": "effect-resolved", "becomes": "night"})
    >>> [difference.sentence for difference in differences(game.at(1), game.at(2))]
    ['neither day nor night / night']
    """
    return (*_designations(left, right), *_permanents(left, right), *_tallies(left, right), *_triggers(left, right))


def _designations(left: State, right: State) -> Iterator[Difference]:
    if left.possible != right.possible:
        mine, other = [[str(designation) for designation in state.possible] for state in (left, right)]
        sentence = f"{either_word(left.possible)} / {either_word(right.possible)}"
        yield Difference("designation", None, _one(mine), _one(other), sentence)


def _one(possible: list[str]) -> str | list[str]:
    return possible[0] if len(possible) == 1 else possible


def _permanents(left: State, right: State) -> Iterator[Difference]:
    mine, other = left.battlefield, right.battlefield
    if mine.permanents == other.permanents and left.possibilities == right.possibilities:
        return
    for status in mine:
        id, card = status.id, card_word(status.permanent.card)
        there = other.get(id)
        if there is None:
            yield _is_there(id, card, True)
            continue
        if (faces := (_face(left, id), _face(right, id)))[0] != faces[1]:
            words = [_face_words(state, id) for state in (left, right)]
            yield Difference("face", id, *faces, labelled(f"{card} ({id})", f"{words[0]} / {words[1]}"))
        if status.controller != there.controller:
            sentence = _("{card} ({id}) is controlled by {left} / {right}").format(
                card=card, id=id, left=status.controller, right=there.controller
            )
            yield Difference("controller", id, status.controller, there.controller, sentence)
    for status in other:
        if status.id not in mine:
            yield _is_there(status.id, card_word(status.permanent.card), False)


def _is_there(id: str, card: str, left: bool) -> Difference:
    words = (_("there"), _("not there")) if left else (_("not there"), _("there"))
    return Difference("permanent", id, left, not left, labelled(f"{card} ({id})", f"{words[0]} / {words[1]}"))


def _face(state: State, id: str) -> str | None:
    if state.battlefield[id].face_down:
        return "face-down"
    face = state.face(id)
    return None if face is None else face.value


def _face_words(state: State, id: str) -> str:
    status = state.battlefield[id]
    if status.face_down:
        return _("face down")
    face = state.face(id)
    return (
        face_word(face)
        if face is None
        else commas((face_word(face), card_word(status.name(state.possibilities[0].backs))))
    )


def _tallies(left: State, right: State) -> Iterator[Difference]:
    mine, other = left.tallies.current, right.tallies.current
    for player in dict.fromkeys((*left.players, *right.players)):
        counts = [(0, 0) if tally is None else tally.range(player) for tally in (mine, other)]
        if counts[0] != counts[1]:
            words = [count_word(*count) for count in counts]
            sentence = _("spells of {player} in this turn: {left} / {right}").format(
                player=player, left=words[0], right=words[1]
            )
            yield Difference("tally", player, count_document(*counts[0]), count_document(*counts[1]), sentence)


def _triggers(left: State, right: State) -> Iterator[Difference]:
    mine, other = [_triggered(state) for state in (left, right)]
    for key in dict.fromkeys((*mine, *other)):
        here, there = mine.get(key, 0), other.get(key, 0)
        if here != there:
            permanent, was, became = key
            sentence = _("triggers of {permanent}, as {was} became {became}: {left} / {right}").format(
                permanent=permanent,
                was=designation_word(was),
                became=designation_word(became),
                left=here,
                right=there,
            )
            yield Difference("trigger", permanent, here, there, sentence)


def _triggered(state: State) -> dict[tuple[str, Designation | None, Designation | None], int]:
    found: dict[tuple[str, Designation | None, Designation | None], int] = {}
    for trigger in state.triggers.latest(state.turn, state.began):
        key = (trigger.permanent, trigger.was, trigger.became)
        found[key] = found.get(key, 0) + 1
    return found


# --------------------------------------------------------------------------------------------- whole games


_Key: TypeAlias = tuple[int, int]
"""How often the game was restarted before a turn, and the turn."""


_StepKey: TypeAlias = tuple[str | None, int]
"""A step, None before the first one of a turn, and which one of its kind it is."""


@dataclass(slots=True)
class _Turn:
    """A turn that stands: the state at the end of each of its steps, by the step and which one of its kind it is."""

    key: _Key
    steps: dict[_StepKey, tuple[int, State]]
    last: tuple[int, State]


def _turns(game: Game) -> Iterator[_Turn]:
    restarts = 0
    here = _Turn((0, 0), {}, (0, State()))
    at: tuple[str | None, int] = (None, 0)
    seen: dict[str, int] = {}
    for moment, state in game.walk():
        if not game.stands(moment.number):
            continue
        event = moment.event
        if isinstance(event, (TurnBegan, GameRestarted)):
            yield here
            restarts += isinstance(event, GameRestarted)
            here, at, seen = _Turn((restarts, state.turn), {}, (0, state)), (None, 0), {}
        elif isinstance(event, StepBegan):
            seen[event.step] = seen.get(event.step, 0) + 1
            at = (event.step, seen[event.step])
        here.last = here.steps[at] = (moment.number, state.copy())
    yield here


def games_apart(left: Game, right: Game, *, by_step: bool = True) -> Iterator[Parting]:
    """Where two games differ, turn by turn; with `by_step` at the end of each step both have, too.

    >>> game = Game.load("demo")
    >>> [parting.turn for parting in games_apart(game, game)]
    []
    """
    mine, other = _turns(left), _turns(right)
    here, there = next(mine, None), next(other, None)
    while here is not None or there is not None:
        if there is None or (here is not None and here.key < there.key):
            assert here is not None
            yield from _lonely(here, left=True)
            here = next(mine, None)
        elif here is None or there.key < here.key:
            yield from _lonely(there, left=False)
            there = next(other, None)
        else:
            yield from _in_turn(here, there, by_step)
            here, there = next(mine, None), next(other, None)


def _lonely(turn: _Turn, left: bool) -> Iterator[Parting]:
    number = turn.key[1]
    if number:
        words = (_("there"), _("not there")) if left else (_("not there"), _("there"))
        sentence = labelled(_("turn {turn}").format(turn=number), f"{words[0]} / {words[1]}")
        found = Difference("turn", str(number), left, not left, sentence)
        event = turn.last[0]
        yield Parting(number, None, event if left else None, None if left else event, (found,), number)


def _in_turn(here: _Turn, there: _Turn, by_step: bool) -> Iterator[Parting]:
    number = here.key[1]
    places = _alike([*here.steps], [*there.steps]) if by_step else []
    pairs = [(place[0], here.steps[place], there.steps[place]) for place in places]
    if (here.last, there.last) not in [(mine, other) for _step, mine, other in pairs]:
        pairs.append((here.last[1].step, here.last, there.last))
    for step, (mine, left), (other, right) in pairs:
        if found := differences(left, right):
            yield Parting(number, step, mine, other, found, number)


def _alike(mine: Sequence[_StepKey], other: Sequence[_StepKey]) -> Sequence[_StepKey]:
    """The first steps of a turn, as long as both games have the same ones.

    What one of them writes into a step, the other may have before it, or after: so only where the next step is the same
    as well is there anything to compare, and the turn's end is compared in any case.
    """
    for place, (one, another) in enumerate(zip(mine, other, strict=False)):
        if one != another:
            return mine[: max(place - 1, 0)]
    return mine if len(mine) == len(other) else mine[: min(len(mine), len(other)) - 1]


def events_apart(left: Game, right: Game, origins: tuple[int | None, ...]) -> Iterator[Parting]:
    """Where a game and a branch of it differ, event by event; `origins` as a branch has them.

    They are compared after each event that both have, and once more after what one of them has alone behind it.
    """
    mine, other = _Walk(left), _Walk(right)
    for here, there in _places(len(left), origins):
        state, beside = mine.at(here), other.at(there)
        if found := differences(state, beside):
            yield Parting(state.turn, state.step, here, there, found, state.turn)


def _places(events: int, origins: tuple[int | None, ...]) -> Iterator[tuple[int, int]]:
    both = [(origin, number) for number, origin in enumerate(origins, 1) if origin is not None]
    for (mine, other), (next_mine, next_other) in pairwise([(0, 0), *both, (events + 1, len(origins) + 1)]):
        if mine:
            yield mine, other
        before = (next_mine - 1, next_other - 1)
        if before != (mine, other) and all(before):
            yield before


class _Walk:
    """The states of a game, asked for in their order; each is lent until the next is asked for."""

    def __init__(self, game: Game) -> None:
        self._moments = game.walk()
        self._number = 0
        self._state = State()

    def at(self, number: int) -> State:
        """The state after an event, which is none before the one asked for last."""
        while self._number < number:
            moment, self._state = next(self._moments)
            self._number = moment.number
        return self._state


def merged(partings: Iterator[Parting]) -> list[Parting]:
    """The places, those in a row in which the same things differ as one."""
    found: list[Parting] = []
    for _same, group in groupby(partings, key=lambda parting: [one.sentence for one in parting.differences]):
        places = list(group)
        first, last = places[0], places[-1]
        found.append(
            Parting(first.turn, first.step, first.left, first.right, first.differences, max(first.turn, last.turn))
        )
    return found


def place_words(parting: Parting) -> str:
    """Where it is, in words: `turn 21, precombat main phase`."""
    if parting.turn == 0:
        return _("before turn 1")
    if parting.step is None:
        return _("turn {turn}").format(turn=parting.turn)
    return _("turn {turn}, {step}").format(turn=parting.turn, step=step_word(parting.step))


def editions_apart(game: Game, left: str, right: str) -> list[dict[str, Any]]:
    """What follows in a game and is cited by another number, or only in one of the two, between editions of the rules.

    >>> rows = editions_apart(Game.load("demo"), "2024-06-07", "2026-08-07")
    >>> [(row["event"], row["rule"]) for row in rows]
    [(106, 'check-day'), (149, 'check-night')]
    """
    found: list[dict[str, Any]] = []
    for moment in game:
        for consequence in moment.consequences:
            numbers: Mapping[str, str | None] = {name: cited(consequence.rule, name) for name in (left, right)}
            if numbers[left] != numbers[right]:
                row = {"event": moment.number, "rule": consequence.rule}
                row |= {"left": numbers[left], "right": numbers[right]}
                if row not in found[-1:]:
                    found.append(row)
    return found


def catalogues_apart(left: Catalogue, right: Catalogue) -> list[dict[str, Any]]:
    """The cards that two catalogues do not have alike, each with what differs; None: there is no such card."""
    mine, other = [{card.name: to_builtins(card) for card in catalogue} for catalogue in (left, right)]
    found: list[dict[str, Any]] = []
    for name in dict.fromkeys((*mine, *other)):
        here, there = mine.get(name), other.get(name)
        if here is None or there is None:
            found.append({"card": name, "left": here, "right": there})
        elif fields := [field for field in dict.fromkeys((*here, *there)) if here.get(field) != there.get(field)]:
            found.append({"card": name} | {
                side: {field: card.get(field) for field in fields} for side, card in (("left", here), ("right", there))
            })  # fmt: skip
    return found
