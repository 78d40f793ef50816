"""What is printed of a state: the replay document, its changes and triggers, and how a claim compares."""

from typing import Any

from .citations import number
from .rules import Permanent, State, World, face_up, has, looked_at, spells_of
from .states import new_turn
from .vocabulary import DESIGNATIONS, Event


def either(values: list[Any]) -> Any:
    """The one value that all agree on, else None."""
    return values[0] if all(value == values[0] for value in values) else None


def spells_json(bounds: tuple[int, int | None]) -> Any:
    """A count if it is known, else its bounds."""
    least, most = bounds
    return least if least == most else {"at_least": least, "at_most": most}


def merged(worlds: list[World]) -> list[World]:
    """The worlds, each kept once."""
    kept: list[World] = []
    for world in worlds:
        del world["did"], world["set_off"]
        if world not in kept:
            kept.append(world)
    return kept


def write_down(state: State, worlds: list[World], waits: bool) -> None:
    """Add what changed and what triggered in any of the worlds; certain is what did so in all of them."""
    here = state["event"]
    for change in sorted(
        {change for world in worlds for change in world["did"]},
        key=lambda item: (DESIGNATIONS.index(item[0]), DESIGNATIONS.index(item[1]), item[2]),
    ):
        was, became, rule = change
        because = looked_at(state) if rule in ("check-day", "check-night") else [here]
        entry = {
            "event": here,
            "turn": state["turn"],
            "was": was,
            "became": became,
            "rule": rule,
            "cr": number(rule, state["edition"]),
            "because": because,
        }
        if not all(change in world["did"] for world in worlds):
            entry["certain"] = False
        state["changes"].append(entry)
    for permanent in state["battlefield"]:
        for was, became in (("day", "night"), ("night", "day")):
            trigger = (permanent["id"], was, became)
            if not any(trigger in world["set_off"] for world in worlds):
                continue
            entry = {
                "event": here,
                "permanent": permanent["id"],
                "was": was,
                "became": became,
                "stacked": None if waits else here,
                "waits": waits,
            }
            if not all(trigger in world["set_off"] for world in worlds):
                entry["certain"] = False
            state["triggers"].append(entry)


def tally(state: State, turn: dict[str, Any]) -> dict[str, Any]:
    """A turn's spells, player by player."""
    spells = {player: spells_json(spells_of(turn, player)) for player in state["players"]}
    return {"active": list(turn["active"]), "spells": spells}


def shown(state: State, permanent: Permanent) -> dict[str, Any]:
    """A permanent as the document shows it."""
    worlds = state["ruled"]
    face = either([world["faces"][permanent["id"]] for world in worlds])
    name, keywords = None, None
    if face is not None:
        name = face_up(worlds[0], permanent).get("name", permanent["card"])
        keywords = [word for word in ("daybound", "nightbound") if has(worlds[0], permanent, word)]
    return {
        "permanent": permanent["id"],
        "card": permanent["card"],
        "name": None if permanent["face_down"] else name,
        "controller": permanent["controller"],
        "face": face,
        "face_down": permanent["face_down"],
        "phased_in": permanent["phased_in"],
        "keywords": keywords,
    }


def compare(before: State, event: Event, here: int) -> dict[str, Any]:
    """Hold a claim against the state just before it as ruled, or a ruling against the rules' own line."""
    entry: dict[str, Any] = {"event": here, "about": event["type"].removesuffix("-claimed"), "subject": None}
    entry["by"] = event["by"]
    if event["type"] == "tally-claimed":
        numbered = [turn for turn in before["turns"] if turn["number"] == event.get("turn", before["turn"])]
        least, most = spells_of(numbered[-1] if numbered else new_turn(0, 0, []), event["player"])
        claimed, derived = event["spells"], spells_json((least, most))
        may_be = claimed >= least and (most is None or claimed <= most)
        exact = least == most
        entry["subject"] = event["player"]
    else:
        if event["type"] == "face-claimed":
            values = [world["faces"][event["permanent"]] for world in before["ruled"]]
            claimed = event["face"]
            entry["subject"] = event["permanent"]
        else:
            line = "own" if event["type"] == "judge-ruled" else "ruled"
            values = [world["designation"] for world in before[line]]
            claimed = event["designation"]
        derived = either(values)
        may_be, exact = claimed in values, derived is not None
    if event["type"] == "judge-ruled":
        entry["about"] = "ruling"
    outcome = "differs" if not may_be else "agrees" if exact else "open"
    entry.update({"claimed": claimed, "derived": derived, "outcome": outcome})
    return entry


def possible(state: State) -> list[str]:
    """The designations that are possible, in the order neither, day, night."""
    return [name for name in DESIGNATIONS if name in [world["designation"] for world in state["ruled"]]]


def document(state: State) -> dict[str, Any]:
    """The document of `replay --json` for a state."""
    names = possible(state)
    printed: dict[str, Any] = {
        "game": state["game"],
        "event": state["event"],
        "turn": state["turn"],
        "active": list(state["active"]),
        "step": state["step"],
        "designation": names[0] if len(names) == 1 else None,
        "possible": names,
    }
    if len(names) > 1:
        printed["policy"] = {"rule": "MTR 4.9", "designation": "night"}
    printed["tallies"] = {"previous": None, "current": tally(state, new_turn(0, 0, []))}
    if state["turns"] and not state["turns"][-1]["unknown"]:
        printed["tallies"]["current"] = tally(state, state["turns"][-1])
    if len(state["turns"]) > 1 and not state["turns"][-2]["unknown"]:
        printed["tallies"]["previous"] = tally(state, state["turns"][-2])
    printed["battlefield"] = [shown(state, permanent) for permanent in state["battlefield"]]
    printed["changes"] = [dict(change) for change in state["changes"]]
    printed["triggers"] = [
        {key: value for key, value in trigger.items() if key != "waits"} for trigger in state["triggers"]
    ]
    return printed
