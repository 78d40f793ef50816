"""The printed form of a state: the replay document, its changes and triggers, and the comparison of claims."""

from typing import Any

from .citations import number
from .rules import Permanent, State, World, face_up, has, looked_at, spells_of
from .states import new_turn
from .vocabulary import DESIGNATIONS, Event


def either(values: list[Any]) -> Any:
    """The value if all of `values` are equal, else None."""
    return values[0] if all(value == values[0] for value in values) else None


def spells_json(bounds: tuple[int, int | None]) -> Any:
    """The count if both bounds are equal, else an object with `at_least` and `at_most`."""
    least, most = bounds
    return least if least == most else {"at_least": least, "at_most": most}


def write_down(state: State, worlds: list[World], waits: bool, implied: bool) -> None:
    """Add the changes in `did` and the triggers in `set_off` of each world to its `past` and to the lists of the state.

    With `waits` the triggers are not on the stack yet; with `implied` nobody wrote the untap step down.
    """
    key: tuple[Any, ...]
    here = state["event"]
    for world in worlds:
        for was, became, rule in world["did"]:
            key = ("change", here, implied, was, became, rule)
            world["past"][key] = True
            if all(change["key"] != key for change in state["changes"]):
                state["changes"].append(change_of(state, key))
        for name, was, became in world["set_off"]:
            earlier = [key for key in world["past"] if key[:3] == ("trigger", here, name)]
            key = ("trigger", here, name, len(earlier))
            world["past"][key] = True
            note_trigger(state, key, (was, became), waits)
    state["changes"].sort(key=lambda change: change["order"])


def change_of(state: State, key: tuple[Any, ...]) -> dict[str, Any]:
    """A change as printed, with `key` and, for sorting, `order`: changes of an implied untap step come first."""
    _, here, implied, was, became, rule = key
    order = (here, not implied, DESIGNATIONS.index(was), DESIGNATIONS.index(became), rule)
    entry = {"key": key, "order": order, "event": here, "turn": state["turn"], "was": was, "became": became}
    entry |= {"rule": rule, "cr": number(rule, state["edition"])}
    entry["because"] = looked_at(state) if rule in ("check-day", "check-night") else [here]
    return entry | ({"implied": True} if implied else {})


def note_trigger(state: State, key: tuple[Any, ...], way: tuple[str, str], waits: bool) -> None:
    """Add a trigger to the state; if one with this key is there, add `way`, its old and new designation, to that."""
    _, here, name, _ = key
    for trigger in state["triggers"]:
        if trigger["key"] == key:
            if way not in trigger["ways"]:
                trigger["ways"].append(way)
            return
    (controller,) = [one["controller"] for one in state["battlefield"] if one["id"] == name]
    entry = {"key": key, "ways": [way], "controller": controller, "waits": waits}
    state["triggers"].append(entry | {"event": here, "permanent": name, "stacked": None if waits else here})


def happened(state: State, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of `entries` that happened in at least one world; `certain` is False in those that not all worlds have."""
    listed = []
    for entry in entries:
        pasts = [world["past"] for world in state["ruled"]]
        if any(entry["key"] in past for past in pasts):
            sure = all(past.get(entry["key"], False) for past in pasts)
            listed.append(entry if sure else entry | {"certain": False})
    return listed


def without(entry: dict[str, Any], *names: str) -> dict[str, Any]:
    """The entry without the fields `names`."""
    return {name: value for name, value in entry.items() if name not in names}


def trigger_shown(trigger: dict[str, Any]) -> dict[str, Any]:
    """A trigger as printed; its direction is null if the designation may have changed either way."""
    was, became = (either([way[number] for way in trigger["ways"]]) for number in (0, 1))
    return without(trigger, "key", "ways", "controller", "waits") | {"was": was, "became": became}


def tally(state: State, turn: dict[str, Any]) -> dict[str, Any]:
    """A turn's active players, and the number or bounds of the spells that each player cast in it."""
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
        "permanent": permanent["id"], "card": permanent["card"], "name": None if permanent["face_down"] else name,
        "controller": permanent["controller"], "face": face, "face_down": permanent["face_down"],
        "phased_in": permanent["phased_in"], "keywords": keywords,
    }  # fmt: skip


def compare(before: State, event: Event, here: int) -> dict[str, Any]:
    """Compare a claim with the `ruled` worlds of the state before it, a ruling with the `own` ones.

    Returns the entry for the audit, with an `outcome`: agrees, differs, or open (possible, but uncertain).
    """
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
            line = "ruled" if event["type"] == "designation-claimed" else "own"
            values = [world["designation"] for world in before[line]]
            claimed = event["designation"]
        derived = either(values)
        may_be, exact = claimed in values, derived is not None
    if event["type"] in ("judge-ruled", "dispute-ruled"):
        entry.update({"about": "ruling", "subject": event.get("dispute")})
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
        "game": state["game"], "event": state["event"], "turn": state["turn"], "active": list(state["active"]),
        "step": state["step"], "designation": names[0] if len(names) == 1 else None, "possible": names,
    }  # fmt: skip
    if len(names) > 1 and "night" in names:
        printed["policy"] = {"rule": "MTR 4.9", "designation": "night"}
    printed["tallies"] = {"previous": None, "current": tally(state, new_turn(0, 0, []))}
    if state["turns"] and not state["turns"][-1]["unknown"]:
        printed["tallies"]["current"] = tally(state, state["turns"][-1])
    if len(state["turns"]) > 1 and not state["turns"][-2]["unknown"]:
        printed["tallies"]["previous"] = tally(state, state["turns"][-2])
    printed["battlefield"] = [shown(state, permanent) for permanent in state["battlefield"]]
    printed["changes"] = [without(change, "key", "order") for change in happened(state, state["changes"])]
    printed["triggers"] = [trigger_shown(trigger) for trigger in happened(state, state["triggers"])]
    return printed
