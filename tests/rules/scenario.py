"""A small language for tests: given these events, when this event happens, then that follows."""

from __future__ import annotations

from typing import Any

from daynight.events import consequences as derived
from daynight.game import Game

from .words import Event, started


class Scenario:
    """A game built event by event; line 1 is the opening, so the first given event is number 2."""

    def __init__(self, opening: Event, *events: Event) -> None:
        self.game = Game([opening])
        self.followed: tuple[str, ...] = ()
        self.when(*events)

    def when(self, *events: Event) -> Scenario:
        """Add these events and return this game; `followed` then holds the consequences of the last one, in words."""
        for event in events:
            self.followed = tuple(map(in_words, self.game.record(event).consequences))
        return self

    def __getattr__(self, name: str) -> Any:
        """A field of the state's JSON document: `designation`, `possible`, `changes`, `triggers`, `tallies`, ..."""
        return self.game.document()[name]

    def each(self, field: str) -> dict[str, Any]:
        """The value of `field` (`face`, `name`, `keywords`, ...) for every permanent on the battlefield, by its id."""
        return {shown["permanent"]: shown[field] for shown in self.game.document()["battlefield"]}


def given(*events: Event, **opening: Any) -> Scenario:
    """A game with these events after line 1; `opening` gives fields of line 1, such as `players` (default: Ana, Bo)."""
    return Scenario(started(*opening.pop("players", ()), **opening), *events)


def in_words(found: derived.Consequence) -> str:
    """A consequence as one line of text; the previous turn that a check looked at, and its players, are left out."""
    if isinstance(found, derived.Changed):
        what = f"{found.was} becomes {found.became} in turn {found.turn}"
    elif isinstance(found, derived.Triggered):
        where = "waits" if found.stacked is None else f"is stacked at {found.stacked}"
        what = f"{found.permanent} sees {found.was} become {found.became} in turn {found.turn} and {where}"
    elif isinstance(found, derived.PutOnStack):
        what = "what waited is stacked"
    elif isinstance(found, derived.Restored):
        what = f"restored to {found.to}"
    else:
        if isinstance(found, derived.Transformed):
            done = f"turn to {found.face}"
        elif isinstance(found, derived.EnteredTransformed):
            done = "enter back face up"
        else:
            done = {derived.Refused: "stay", derived.PhasedBack: "phase in"}[type(found)]
        what = f"{' '.join(found.permanents)} {done}"
    reasons = " ".join(map(str, found.because))
    return f"{'' if found.certain else 'perhaps '}{found.event}: {what} ({found.rule} because {reasons})"
