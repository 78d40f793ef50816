"""Finds the claims and rulings that rest on a doubt in the record: a contradiction of them is then not certain.

A doubt is a card that the writer of the record did not know, or a turn that nobody wrote (`Doubts`). A designation
rests on a permanent with such a card if it was, or may have been, neither day nor night when that permanent arrived or
became a copy, and no effect and no ruling set it since then. (The designation by rules alone ignores rulings, except
those that a back-up made the starting point.) A face rests on a doubt when the designation does; the face of such a
permanent itself also whenever it may be night. After a turn that nobody wrote each designation is a guess.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from daynight.events import BecameCopy, Designation, EffectResolved, Event, GameJoined, PermanentsEntered, TurnBegan
from daynight.framework.audit import Finding
from daynight.referee.parts import only_as_ruled
from daynight.referee.state import State, own_line, possible_in
from daynight.rules.holding import night_is_barred


class _Doubted(NamedTuple):
    """The doubts of event `number`, by their `names`; `ids` are the permanents that they are about.

    `ruled`: the designation may rest on them; `own`: the designation by the rules alone may.
    """

    number: int
    names: tuple[str, ...]
    ids: tuple[str, ...]
    ruled: bool
    own: bool


class _Set(NamedTuple):
    """Event `number`, an effect or a ruling, set the designation.

    `own`: it set the designation by the rules alone too. `uncertain`: it is a ruling that rests on a doubt.
    """

    number: int
    own: bool
    uncertain: bool = False


class Resting:
    """The events of a record that have a doubt, and those that set its designation, without undone ones."""

    def __init__(self) -> None:
        self._doubted: list[_Doubted] = []
        self._set: list[_Set] = []
        self._restarts: list[int] = []

    def note(self, state: State, event: Event, number: int, names: tuple[str, ...]) -> None:
        """Note the doubts of an event, given by their `names`; `state` is the state before it."""
        if isinstance(event, TurnBegan):
            self._doubted.append(_Doubted(number, names, (), ruled=True, own=True))
            return
        ids: tuple[str, ...] = ()
        open_ = [Designation.NEITHER in line for line in (state.possible, possible_in(own_line(state)))]
        if isinstance(event, PermanentsEntered | GameJoined):
            ids = tuple([one.id for one in event.permanents if one.card in names or _is_plain(one)])
        elif isinstance(event, BecameCopy):
            ids = event.permanents
        if isinstance(event, GameJoined):
            open_ = [Designation.NEITHER in event.possible] * 2
        self._doubted.append(_Doubted(number, names, ids, *open_))

    def effect(self, state: State, event: EffectResolved, number: int) -> None:
        """Note an effect that surely makes it day or night.

        Ignore a switch, an effect with a condition, and a night that a permanent may prevent.
        """
        barred = event.becomes == "night" and any(
            night_is_barred(state.battlefield, possibility.backs) for possibility in state.possibilities
        )
        if event.only_if is None and event.becomes != "switch" and not barred:
            self._set.append(_Set(number, own=True))

    def ruling(self, number: int, *, uncertain: bool) -> None:
        """Note that a judge ruled; `uncertain`: the ruling itself rests on a doubt."""
        self._set.append(_Set(number, own=False, uncertain=uncertain))

    def undo(self, to: int) -> None:
        """Remove what came after event `to`: it is undone."""
        self._doubted = [one for one in self._doubted if one.number <= to]
        self._set = [one for one in self._set if one.number <= to]
        self._restarts = [number for number in self._restarts if number <= to]

    def restore(self, to: int) -> None:
        """Note a back-up to event `to`: the rulings up to it now also count for the designation by rules alone."""
        self._set = [one._replace(own=True) if one.number <= to else one for one in self._set]

    def restart(self, number: int) -> None:
        """Note that another game begins: doubts of the earlier game do not matter to it."""
        self._restarts.append(number)

    def names(self, found: Finding) -> tuple[str, ...]:
        """Return the names of the doubts that a contradicted claim or ruling rests on; () if it is surely wrong."""
        part, state = found.said.part, found.state
        if not self._doubted or part not in ("designation", "ruled", "face"):
            return ()
        began = self._restarts[-1] if self._restarts else 0
        there = [one for one in self._doubted if one.number > began]
        last = max((one.number for one in self._set if one.own or part != "ruled"), default=0)
        resting = [one for one in there if one.number > last and (one.own if part == "ruled" else one.ruled)]
        if part == "face":
            status = state.battlefield.get(found.said.subject)
            by_night = Designation.NIGHT in state.possible
            itself = [one for one in there if found.said.subject in one.ids and (by_night or one in resting)]
            resting = resting if status is not None and status.matters else []
            resting = [one for one in there if one in resting or one in itself]
        return tuple(dict.fromkeys(name for one in resting for name in one.names))

    def settles_nothing(self, state: State) -> bool:
        """Return whether a right claim confirms nothing, as a ruling that rests on a doubt made the designation."""
        return bool(self._set) and self._set[-1].uncertain and only_as_ruled(state)


def _is_plain(permanent: Any) -> bool:
    return permanent.front is None or permanent.front.name is None
