"""Naive answers about one or two games: every prefix is replayed from the first event, and compared as a whole."""

from __future__ import annotations

import random
from typing import Any

from daynight.events.actions import GameRestarted, TurnBegan
from daynight.events.consequences import Changed, EnteredTransformed, Transformed
from daynight.events.rulings import GameBackedUp
from daynight.framework.branches import Branch, EditError
from daynight.framework.edits import Edit, drop, insert, replace
from daynight.framework.language.errors import RecordError
from daynight.game import Game
from tests.oracle.walks import random_walk
from tests.rules.wolves import IMMERWOLF, VANDAL

Json = dict[str, Any]
Parts = dict[tuple[Any, ...], Any]

_ABOUT_ONE = ("card", "face", "controller", "abilities", "phasing", "copy", "keywords")


class Prefixes:
    """The prefixes of a game, each replayed on its own from the first event."""

    def __init__(self, game: Game) -> None:
        self.events = game.events
        self._parts: dict[int, Parts] = {}

    def parts(self, number: int) -> Parts:
        """Every part of the state after an event, by kind and subject."""
        if number not in self._parts:
            self._parts[number] = parts(Game().extended(self.events[:number]))
        return self._parts[number]

    def standing(self) -> list[int]:
        """The events that no back-up undid."""
        line: list[int] = []
        for number, event in enumerate(self.events, 1):
            if isinstance(event, GameBackedUp):
                line = [one for one in line if one <= event.to]
            line.append(number)
        return line

    def turns(self) -> dict[tuple[int, int], tuple[int, Parts]]:
        """For each turn that is not undone, by restarts before it and its number: the last event, and the state then.

        If another turn follows, the untap step is over, written or not: a claim is recorded to end it, because a claim
        changes nothing else.
        """
        found: dict[tuple[int, int], tuple[int, Parts]] = {}
        restarts = turn = 0
        for number in self.standing():
            event = self.events[number - 1]
            if isinstance(event, GameRestarted):
                restarts, turn = restarts + 1, 0
            elif isinstance(event, TurnBegan):
                if turn:
                    ended = Game().extended(self.events[: found[restarts, turn][0]])
                    ended.record({"type": "designation-claimed", "designation": "day", "by": "Jo"})
                    found[restarts, turn] = found[restarts, turn][0], parts(ended)
                turn = event.turn
            found[restarts, turn] = number, {}
        return {key: (number, there or self.parts(number)) for key, (number, there) in found.items()}


def parts(game: Game) -> Parts:
    """Every part of the state at the end, by kind and subject, from the replay document and the battlefield."""
    document, state = game.document(), game.state
    found: Parts = {
        ("turn",): document["turn"],
        ("active",): document["active"],
        ("game",): not state.over,
        ("designation",): document["possible"][0] if len(document["possible"]) == 1 else document["possible"],
    }
    found |= {("player", player): player in state.present for player in state.players}
    found |= {("tally", player): count for player, count in document["tallies"]["current"]["spells"].items()}
    for one in document["battlefield"]:
        id, status = one["permanent"], state.battlefield[one["permanent"]]
        lost = bool(status.losses) or status.lost or status.entered_without
        found["permanent", id] = True
        found["card", id] = one["card"]
        found["face", id] = "face-down" if one["face_down"] else one["face"]
        found["controller", id] = one["controller"]
        found["abilities", id] = not lost
        found["phasing", id] = one["phased_in"]
        found["copy", id] = None if status.copy is None else status.copy.name or ""
        found["keywords", id] = one["keywords"]
    for source, ids in state.battlefield.forbidden.items():
        if ids:
            found["hold", source] = sorted(ids)
    for trigger in document["triggers"]:
        if trigger["turn"] == document["turn"] and trigger["event"] > state.began:
            key = ("trigger", trigger["permanent"], trigger["was"], trigger["became"])
            least, most = found.get(key, (0, 0))
            found[key] = (least + trigger.get("certain", True), most + 1)
    return found


def apart(left: Parts, right: Parts) -> list[tuple[str, str | None, Any, Any]]:
    """The differences of two states: the kind, its subject, and both values."""
    found = []
    for key in {**left, **right}:
        about, subject = key[0], key[1] if len(key) > 1 else None
        one, other = left.get(key), right.get(key)
        if about in _ABOUT_ONE and not (("permanent", subject) in left and ("permanent", subject) in right):
            continue
        if about == "active" and left["turn",] != right["turn",]:
            continue
        if about == "keywords" and any(
            left[part, subject] != right[part, subject] for part in _ABOUT_ONE if part != "keywords"
        ):
            continue
        if about == "permanent":
            one, other = one is not None, other is not None
        elif about == "hold":
            one, other = one or [], other or []
        elif about == "trigger":
            one, other = [_count(*(count or (0, 0))) for count in (one, other)]
        if one != other:
            found.append((about, subject, one, other))
    return sorted(found, key=repr)


def _count(least: int, most: int) -> Any:
    return least if least == most else {"at_least": least, "at_most": most}


def edited(game: Game, seed: int) -> Branch[Game]:
    """A branch of `game` with one to three random edits, which are possible."""
    chance = random.Random(seed)
    while True:
        edits = [_edit(game, chance) for _number in range(chance.randint(1, 3))]
        try:
            return game.branch(*edits, leave_out=chance.random() < 0.5)
        except (RecordError, EditError):
            continue


def _edit(game: Game, chance: random.Random) -> Edit:
    at = chance.randint(1, len(game))
    kind = chance.random()
    if kind < 0.25 and at > 1:
        return drop(at)
    event = _event(game, at, chance)
    return replace(at, event) if kind < 0.35 and at > 1 else insert(at, event)


def _event(game: Game, at: int, chance: random.Random) -> Json:
    state = game.at(at)
    players = sorted(state.present)
    player = chance.choice(players) if players else "Ana"
    ids = [status.id for status in state.battlefield] or ["nothing"]
    some = [chance.choice(ids)]
    card = chance.choice(("Tavern Ruffian", "Brutal Cathar", IMMERWOLF["card"], VANDAL["card"], "Bear"))
    return chance.choice([
        *[{"type": "effect-resolved", "becomes": becomes} for becomes in ("day", "night", "switch")] * 3,
        *[{"type": "spell-cast", "player": player}] * 4,
        {"type": "spells-uncertain", "player": player, "at_least": 0, "at_most": chance.randint(0, 2)},
        *[{"type": "permanents-entered", "permanents": [{"id": "x1", "card": card, "controller": player}]}] * 3,
        {"type": "permanents-left", "permanents": some},
        {"type": "control-changed", "permanents": some, "controller": player},
        {"type": "abilities-lost", "permanents": some, "source": "Humility"},
        {"type": "abilities-regained", "permanents": some},
        {"type": "phased-out", "permanents": some},
        {"type": "phased-in", "permanents": some},
        {"type": "became-copy", "permanents": some, "front": {"name": "Wolf", "keywords": ["daybound"]}},
        {"type": "turned-face-down", "permanents": some},
        {"type": "transform-forbidden", "permanents": some, "source": "Moonlight"},
        {"type": "transform-instructed", "permanents": some},
        {"type": "step-began", "step": chance.choice(("untap", "upkeep", "end"))},
        {"type": "judge-ruled", "designation": chance.choice(("day", "night")), "by": "Jo"},
        {"type": "designation-claimed", "designation": "day", "by": "Jo"},
    ])  # fmt: skip


def since(game: Game) -> tuple[Parts, Parts, bool]:
    """The value of each part, the last event, not undone, that changed each part, and whether all was always certain.

    A part is identified by its object: a permanent by its id and arrival, a tally by the event at which its turn began.
    A change that is reversed within one event still counts as a change there.
    """
    prefixes = Prefixes(game)
    before: Parts = {}
    changed: Parts = {}
    certain = True
    for number in prefixes.standing():
        beginning = Game().extended(game.events[:number])
        now = _set(beginning)
        certain = certain and len(beginning.state.possibilities) == 1
        turned = {key for key in now if key[0] in ("designation", "face") and key[1] in _turned(beginning)}
        changed |= {key: number for key in now if key in turned or key not in before or now[key] != before[key]}
        before = now
    return before, changed, certain


def _turned(game: Game) -> set[str | None]:
    """The permanents that the last event transformed; the result contains None too if the designation changed."""
    found: set[str | None] = set()
    for consequence in next(game.moments(len(game) - 1)).consequences:
        if isinstance(consequence, Changed):
            found.add(None)
        elif isinstance(consequence, (Transformed, EnteredTransformed)):
            found |= {*consequence.permanents}
    return found


def _set(game: Game) -> Parts:
    """The value of every part of the state at the end, by its kind and its object."""
    state, battlefield = game.state, game.state.battlefield
    found: Parts = {("designation", None, state.began): [str(designation) for designation in state.possible]}
    for one in game.document()["battlefield"]:
        status = battlefield[one["permanent"]]
        object_ = (one["permanent"], status.arrived)
        lost = bool(status.losses) or status.lost or status.entered_without
        found["face", *object_] = "face-down" if one["face_down"] else one["face"]
        found["controller", *object_] = one["controller"]
        found["abilities", *object_] = not lost
        found["phasing", *object_] = one["phased_in"]
        found["copy", *object_] = status.copy
        sides = {"front": [status.permanent.front], "back": [status.permanent.back]}.get(
            one["face"], [status.permanent.front, status.permanent.back]
        )
        shown = [status.copy] if status.copy is not None else sides
        holds = {None if side is None else side.holds for side in shown}
        works = one["phased_in"] and not one["face_down"] and not lost and one["controller"] is not None
        found["holds", *object_] = holds.pop() if works and len(holds) == 1 else None
        for source, ids in battlefield.forbidden.items():
            found["hold", source, *object_] = one["permanent"] in ids
    for tally in (state.tallies.current, state.tallies.previous):
        if tally is not None:
            found |= {("tally", player, tally.began): tally.range(player) for player in state.players}
    return found


def random_game(seed: int, length: int) -> Game:
    """A random game of `length` events, with written and unwritten untap steps."""
    return Game(random_walk(seed, length, newest=True))
