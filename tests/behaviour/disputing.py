"""Random disputes: events of disputes ("acts"), a naive check whether they are possible, records that contain them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

from daynight.framework.language.errors import RecordError
from daynight.game import Game
from tests.rules.judges import appeals, argues, closes, opens, ruled, rules_on
from tests.rules.words import Event

__all__ = ["OUTCOMES", "Naive", "disputed", "fixing", "some_act"]

OUTCOMES = ("leave", "fix", "back-up")


def some_act(luck: random.Random, number: int, ids: Sequence[str] = ("d1", "d2")) -> Event:
    """A random act of a dispute in `ids`, as event `number`; a ruling to back up goes to event 1, never undone."""
    id, outcome = luck.choice(ids), luck.choice(OUTCOMES)
    more = {"to": 1} if outcome == "back-up" else {}
    return luck.choice([
        opens(id, luck.choice([None, luck.randrange(1, number)])), argues(id, luck.choice(["neither", "day", "night"])),
        rules_on(id, outcome, **more), rules_on(id, outcome, **more), appeals(id), closes(id, outcome),
    ])  # fmt: skip


class Naive:
    """A naive check of the life cycle of disputes, written from its description and nothing else."""

    def __init__(self) -> None:
        self.told: dict[str, list[Event]] = {}

    def may(self, act: Event) -> bool:
        """Return whether the act is possible now; if so, apply it."""
        kind, id = act["type"].removeprefix("dispute-"), act["dispute"]
        before = self.told.get(id)
        if kind == "opened":
            if before is not None:
                return False
            self.told[id] = []
            return True
        if before is None or any(one["type"] == "dispute-closed" for one in before):
            return False
        ruled = [one for one in before if one["type"] in ("dispute-ruled", "dispute-appealed")]
        stands = bool(ruled) and ruled[-1]["type"] == "dispute-ruled"
        if kind in ("appealed", "closed") and not stands:
            return False
        if kind == "closed" and ruled[-1]["outcome"] != act["outcome"]:
            return False
        before.append(act)
        return True


def disputed(luck: random.Random, events: Iterable[Event]) -> tuple[list[Event], dict[int, int]]:
    """A record with dispute events inserted between its events, and the new number of each old event."""
    found: list[Event] = []
    moved: dict[int, int] = {}
    naive = Naive()
    for number, event in enumerate(events, 1):
        named: dict[str, Any] = {key: moved[event[key]] for key in ("to", "own_since", "about") if _names(event, key)}
        found.append(event | named)
        moved[number] = len(found)
        # game-joined must be line 2.
        while number > 1 and luck.random() < 0.4:
            act = some_act(luck, len(found) + 1, ("x1", "x2")) if naive.told else opens("x1")
            if naive.may(act):
                found.append(act)
    return found, moved


def fixing(luck: random.Random, events: Iterable[Event]) -> Game:
    """A game of `events`, up to the first impossible one, with a dispute: random rulings, and acts that carry them out.

    Some of the rulings are not carried out, and some of the acts have no ruling.
    """
    game, moved = Game(), dict[int, int]()
    for number, event in enumerate(events, 1):
        named: dict[str, Any] = {key: moved[event[key]] for key in ("to", "own_since", "about") if _names(event, key)}
        try:
            game.record(event | named)
        except RecordError:
            return game
        moved[number] = len(game)
        if number == 2:
            game.record(opens("x"))
        elif number > 2 and luck.random() < 0.3:
            what = luck.choice(["day", "night"])
            acts = [rules_on("x", "fix", designation=what), ruled(what)]
            for act in luck.choice([acts, acts, acts[:1], acts[1:]]):
                game.record(act)
    return game


def _names(event: Event, key: str) -> bool:
    return isinstance(event.get(key), int)
