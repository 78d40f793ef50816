"""The state after an event: what is known, and in `ruled` and `own` what is possible.

`ruled` is the line in which the judges' rulings stand, `own` the line of the rules alone.
"""

from typing import Any

from .citations import DAY_AND_NIGHT_SECTION, DEFAULT_EDITION
from .rules import Permanent, State, classes, copy_world, new_world
from .vocabulary import DESIGNATIONS, Catalogue, Event, filled_in, must


def copy_state(state: State) -> State:
    """A state that shares nothing that is ever changed in place."""
    copy = dict(state)
    copy["left"] = list(state["left"])
    copy["turns"] = [turn | {"casts": list(turn["casts"]), "doubts": list(turn["doubts"])} for turn in state["turns"]]
    copy["battlefield"] = [permanent | {"losses": list(permanent["losses"])} for permanent in state["battlefield"]]
    copy["forbidden"] = {source: list(ids) for source, ids in state["forbidden"].items()}
    copy["ruled"] = [copy_world(world) for world in state["ruled"]]
    copy["own"] = [copy_world(world) for world in state["own"]]
    copy["changes"] = [dict(change) for change in state["changes"]]
    copy["triggers"] = [dict(trigger) for trigger in state["triggers"]]
    return copy


def begin_anew(state: State) -> None:
    """A game begins: neither, no permanents, no tallies, turn 0."""
    state.update({"turn": 0, "active": [], "step": None, "turns": [], "battlefield": [], "forbidden": {}})
    state.update({"ruled": [new_world("neither")], "own": [new_world("neither")]})


def new_turn(event: int, turn: int, active: list[str], unknown: bool = False) -> dict[str, Any]:
    """A turn in which nobody has cast anything yet."""
    return {"number": turn, "event": event, "active": active, "casts": [], "doubts": [], "unknown": unknown}


def start(event: Event) -> State:
    """The state after game-started."""
    players, teams = event["players"], event.get("teams")
    must(len(players) > 0, "a game needs players")
    if teams is not None:
        members = sorted(player for team in teams for player in team)
        must(members == sorted(players), "every player is in exactly one team")
        must(all(teams), "a team has players")
    edition = event.get("edition", DEFAULT_EDITION)
    must(edition in DAY_AND_NIGHT_SECTION, f"unknown edition {edition!r}")
    state: State = {
        "event": 1,
        "game": event["game"],
        "players": list(players),
        "teams": teams,
        "edition": edition,
    }
    state.update({"left": [], "ended": False, "changes": [], "triggers": []})
    begin_anew(state)
    return state


def remaining(state: State, player: str) -> None:
    """Refuse a player whom the game does not know or who has left."""
    must(player in state["players"], f"no player {player!r}; players are {', '.join(state['players'])}")
    must(player not in state["left"], f"{player} has left the game")


def found(state: State, ids: list[str]) -> list[Permanent]:
    """The permanents of these ids; refuse one that is not on the battlefield."""
    on_battlefield = {permanent["id"]: permanent for permanent in state["battlefield"]}
    for name in ids:
        must(name in on_battlefield, f"no permanent {name!r}")
    return [on_battlefield[name] for name in ids]


def phase(state: State, ids: list[str], phased_in: bool) -> None:
    """Phase these in or out."""
    for permanent in found(state, ids):
        must(
            permanent["phased_in"] != phased_in,
            f"{permanent['id']} is phased {'in' if phased_in else 'out'} already",
        )
        permanent["phased_in"] = phased_in


def begin_turn(state: State, event: Event) -> None:
    """A turn begins; what waited for a step of the old one is gone."""
    must(event["turn"] > state["turn"], f"turn {event['turn']} does not come after turn {state['turn']}")
    for player in event["active"]:
        remaining(state, player)
    if state["teams"] is None:
        must(len(event["active"]) == 1, "one player is active")
    else:
        still_in = [sorted(set(team) - set(state["left"])) for team in state["teams"]]
        must(event["active"] != [] and sorted(event["active"]) in still_in, "the active players are one team's")
    state.update({"turn": event["turn"], "active": list(event["active"]), "step": None})
    for world in [*state["ruled"], *state["own"]]:
        world["assumed"] = classes(state["turns"][-1]) if state["turns"] else []
    state["turns"].append(new_turn(state["event"], event["turn"], list(event["active"])))
    stop_waiting(state)


def stop_waiting(state: State) -> None:
    """What is not on the stack yet never goes there."""
    for trigger in state["triggers"]:
        trigger["waits"] = False


def take_in(state: State, event: Event, catalogue: Catalogue) -> list[Permanent]:
    """The event's own facts; returns the permanents that arrive."""
    here, ids = state["event"], event.get("permanents", [])
    match event["type"]:
        case "game-joined":
            must(here == 2, "game-joined is line 2 or nowhere")
            possible = event["possible"]
            must(
                possible != [] and len(set(possible)) == len(possible),
                "possible names designations, each once",
            )
            state["ruled"] = [new_world(name) for name in DESIGNATIONS if name in possible]
            state["own"] = [new_world(name) for name in DESIGNATIONS if name in possible]
            state["turns"].append(new_turn(here, 0, [], unknown=True))
        case "turn-began":
            begin_turn(state, event)
        case "step-began":
            must(state["turn"] > 0, "no turn has begun")
            phased_in, phased_out = event.get("phased_in"), event.get("phased_out")
            untap = event["step"] == "untap"
            must(untap or (phased_in is None and phased_out is None), "this phasing belongs to the untap step")
            must(not set(phased_in or []) & set(phased_out or []), "nothing phases in and out at once")
            phase(state, phased_in or [], True)
            phase(state, phased_out or [], False)
            state["step"] = event["step"]
            for trigger in state["triggers"]:
                if trigger["waits"] and not untap:
                    trigger.update({"stacked": here, "waits": False})
        case "spell-cast" | "spell-copied" | "spells-uncertain":
            must(state["turn"] > 0, "no turn has begun")
            remaining(state, event["player"])
            if event["type"] == "spell-cast":
                state["turns"][-1]["casts"].append((here, event["player"]))
            if event["type"] == "spells-uncertain":
                least, most = event["at_least"], event.get("at_most")
                must(most is None or most >= least, "at_most is below at_least")
                state["turns"][-1]["doubts"].append((here, event["player"], least, most))
        case "permanents-entered":
            arriving = []
            for given in ids:
                must(
                    all(given["id"] != other["id"] for other in state["battlefield"]),
                    f"{given['id']} enters twice",
                )
                remaining(state, given["controller"])
                arriving.append(filled_in(given, catalogue, here))
                state["battlefield"].append(arriving[-1])
            return arriving
        case "permanents-left":
            for permanent in found(state, ids):
                state["battlefield"].remove(permanent)
                for held in state["forbidden"].values():
                    if permanent["id"] in held:
                        held.remove(permanent["id"])
                for world in [*state["ruled"], *state["own"]]:
                    del world["faces"][permanent["id"]]
                    world["turned"].pop(permanent["id"], None)
        case "control-changed":
            remaining(state, event["controller"])
            for permanent in found(state, ids):
                permanent["controller"] = event["controller"]
        case "abilities-lost":
            for permanent in found(state, ids):
                permanent["losses"].append(event.get("source"))
        case "abilities-regained":
            for permanent in found(state, ids):
                source = event.get("source")
                left = [loss for loss in permanent["losses"] if loss is not True and loss != source]
                permanent["losses"] = [] if source is None else left
        case "became-copy":
            for permanent in found(state, ids):
                permanent["copy"] = event["front"]
        case "copy-ended":
            for permanent in found(state, ids):
                permanent["copy"] = None
        case "turned-face-down":
            for permanent in found(state, ids):
                must(not permanent["face_down"], f"{permanent['id']} is face down already")
                must(not permanent["double_faced"], f"{permanent['id']} is double-faced")
                permanent["face_down"] = True
        case "turned-face-up":
            for permanent in found(state, ids):
                must(permanent["face_down"], f"{permanent['id']} is not face down")
                permanent["face_down"] = False
                for world in [*state["ruled"], *state["own"]]:
                    world["faces"][permanent["id"]] = "front"
        case "phased-out" | "phased-in":
            phase(state, ids, event["type"] == "phased-in")
        case "transform-instructed":
            found(state, ids)
            must(1 <= event.get("own_since", 1) < here, "own_since is not an earlier event")
        case "transform-forbidden":
            found(state, ids)
            state["forbidden"][event["source"]] = list(ids)
        case "transform-allowed":
            state["forbidden"].pop(event["source"], None)
        case "player-left":
            remaining(state, event["player"])
            state["left"].append(event["player"])
        case "game-restarted":
            begin_anew(state)
            stop_waiting(state)
        case "game-ended":
            for player in event.get("winner", []):
                must(player in state["players"], f"no player {player!r}")
            state["ended"] = True
            stop_waiting(state)
        case "face-claimed":
            found(state, [event["permanent"]])
        case "tally-claimed":
            must(event["player"] in state["players"], f"no player {event['player']!r}")
            numbers = [turn["number"] for turn in state["turns"] if not turn["unknown"]]
            must(
                event.get("turn") is None or event["turn"] in numbers,
                f"there was no turn {event.get('turn')}",
            )
    return []
