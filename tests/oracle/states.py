"""The state after an event: known facts, and the possibilities in `ruled` and `own`.

`ruled` are the possibilities with the judges' rulings, `own` those by the rules alone.
"""

from typing import Any

from .citations import DAY_AND_NIGHT_SECTION, DEFAULT_EDITION
from .rules import Permanent, State, classes, copy_world, new_world
from .vocabulary import DESIGNATIONS, Catalogue, Event, filled_in, must
from .worlds import merged


def copy_state(state: State) -> State:
    """A copy without shared mutable objects."""
    copy = dict(state)
    copy["left"] = list(state["left"])
    copy["turns"] = [turn | {"casts": list(turn["casts"]), "doubts": list(turn["doubts"])} for turn in state["turns"]]
    copy["battlefield"] = [permanent | {"losses": list(permanent["losses"])} for permanent in state["battlefield"]]
    copy["forbidden"] = {source: list(ids) for source, ids in state["forbidden"].items()}
    copy["ruled"] = [copy_world(world) for world in state["ruled"]]
    copy["own"] = [copy_world(world) for world in state["own"]]
    copy["changes"] = [dict(change) for change in state["changes"]]
    copy["triggers"] = [trigger | {"ways": list(trigger["ways"])} for trigger in state["triggers"]]
    return copy


def begin_anew(state: State) -> None:
    """Reset a state for a new game: neither, no permanents, no turns; the changes of the game before stay listed."""
    state.update({"turn": 0, "active": [], "step": None, "turns": [], "battlefield": [], "forbidden": {}})
    earlier = [new_world("neither") | {"past": world["past"]} for world in state.get("ruled", [])]
    state.update({"ruled": merged(earlier) or [new_world("neither")], "own": [new_world("neither")], "due": False})


def new_turn(event: int, turn: int, active: list[str], unknown: bool = False) -> dict[str, Any]:
    """A turn that begins at `event`, without casts. `unknown` means that its casts are not known (see `join`)."""
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
    state: State = {"event": 1, "game": event["game"], "players": list(players), "teams": teams, "edition": edition}
    state.update({"left": [], "ended": False, "changes": [], "triggers": []})
    begin_anew(state)
    return state


def remaining(state: State, player: str) -> None:
    """Raise `Refused` for an unknown player, or one who has left."""
    must(player in state["players"], f"no player {player!r}; players are {', '.join(state['players'])}")
    must(player not in state["left"], f"{player} has left the game")


def found(state: State, ids: list[str]) -> list[Permanent]:
    """The permanents of these ids; raises `Refused` for one that is not on the battlefield."""
    on_battlefield = {permanent["id"]: permanent for permanent in state["battlefield"]}
    for name in ids:
        must(name in on_battlefield, f"no permanent {name!r}")
    return [on_battlefield[name] for name in ids]


def present(state: State, ids: list[str]) -> list[Permanent]:
    """The permanents of these ids; raises `Refused` for one that is phased out or not on the battlefield."""
    permanents = found(state, ids)
    for permanent in permanents:
        must(permanent["phased_in"], f"{permanent['id']} is phased out")
    return permanents


def phase(state: State, phased_in: list[str], phased_out: list[str]) -> None:
    """Phase these in and those out at once; remember the controller of each that phases out."""
    arriving, leaving = found(state, phased_in), present(state, phased_out)
    for permanent in arriving:
        must(not permanent["phased_in"], f"{permanent['id']} is phased in already")
    for permanent in arriving:
        permanent["phased_in"] = True
    for permanent in leaving:
        permanent.update({"phased_in": False, "phased_under": permanent["controller"]})


def phase_at_untap(state: State, event: Event) -> None:
    """Do the phasing of an untap step: what the event lists, and what phased out under an active player phases in.

    Permanents in the event's `stays_out` do not phase in.
    """
    into, out = event.get("phased_in", []), event.get("phased_out", [])
    stays = event.get("stays_out", [])
    for permanent in found(state, stays):
        must(not permanent["phased_in"], f"{permanent['id']} is phased in")
        must(permanent["id"] not in into, f"{permanent['id']} can't both stay out and phase in")
    active = [player for player in state["active"] if player not in state["left"]]
    by_itself = [
        permanent["id"]
        for permanent in state["battlefield"]
        if not permanent["phased_in"] and permanent["phased_under"] in active and permanent["id"] not in [*stays, *into]
    ]
    phase(state, [*into, *by_itself], out)


def begin_turn(state: State, event: Event) -> None:
    """Begin a turn, with its untap step pending. Triggers that still wait get no `stacked`: see `stop_waiting`."""
    must(event["turn"] > state["turn"], f"turn {event['turn']} does not come after turn {state['turn']}")
    for player in event["active"]:
        remaining(state, player)
    if state["teams"] is None:
        must(len(event["active"]) == 1, "one player is active")
    else:
        still_in = [sorted(set(team) - set(state["left"])) for team in state["teams"]]
        must(event["active"] != [] and sorted(event["active"]) in still_in, "the active players are one team's")
    state.update({"turn": event["turn"], "active": list(event["active"]), "step": None})
    state["due"] = "untap" not in event.get("skips", [])
    for world in [*state["ruled"], *state["own"]]:
        world["assumed"] = classes(state["turns"][-1]) if state["turns"] else []
    state["turns"].append(new_turn(state["event"], event["turn"], list(event["active"])))
    stop_waiting(state)


def stop_waiting(state: State, controller: str | None = None) -> None:
    """Set `waits` of the triggers of `controller`, or of all, to False: their `stacked` stays None.

    A later event that shows that somebody had priority is then not taken as the one at which they were on the stack.
    """
    for trigger in state["triggers"]:
        if controller in (None, trigger["controller"]):
            trigger["waits"] = False


def shows_the_stack(event: Event) -> bool:
    """Return whether this event shows that somebody had priority."""
    match event["type"]:
        case "step-began":
            return bool(event["step"] != "untap")
        case "spells-uncertain":
            return bool(event["at_least"] > 0)
    return event["type"] in ("spell-cast", "spell-copied", "effect-resolved", "transform-instructed")


def remove(state: State, ids: list[str]) -> None:
    """Remove these permanents from the battlefield, from effects that forbid them to transform, and from each world."""
    for permanent in found(state, ids):
        state["battlefield"].remove(permanent)
        for held in state["forbidden"].values():
            if permanent["id"] in held:
                held.remove(permanent["id"])
        for world in [*state["ruled"], *state["own"]]:
            del world["faces"][permanent["id"]]
            world["turned"].pop(permanent["id"], None)


def put(state: State, given: Event, catalogue: Catalogue) -> Permanent:
    """Put one more permanent onto the battlefield, filled in from the catalogue, and return it."""
    ids = [other["id"] for other in state["battlefield"]]
    must(given["id"] not in ids, f"{given['id']} is there twice")
    remaining(state, given["controller"])
    permanent = filled_in(given, catalogue, state["event"], state["edition"])
    state["battlefield"].append(permanent)
    return permanent


def join(state: State, event: Event, catalogue: Catalogue) -> list[Permanent]:
    """Apply game-joined, with a world for each possible designation; return the permanents that it lists."""
    must(state["event"] == 2, "game-joined is line 2 or nowhere")
    possible = event["possible"]
    must(possible != [] and len(set(possible)) == len(possible), "possible names designations, each once")
    for line in ("ruled", "own"):
        state[line] = [new_world(name) for name in DESIGNATIONS if name in possible]
    state["turns"].append(new_turn(state["event"], 0, [], unknown=True))
    there = [put(state, given, catalogue) for given in event.get("permanents", [])]
    for effect in event.get("forbids", []):
        must(effect["source"] not in state["forbidden"], f"{effect['source']} stands twice")
        found(state, effect["permanents"])
        state["forbidden"][effect["source"]] = list(effect["permanents"])
    return there


def take_in(state: State, event: Event, catalogue: Catalogue) -> list[Permanent]:
    """Apply to `state` what an event says, without its consequences; return the permanents that arrive."""
    here, ids = state["event"], event.get("permanents", [])
    if shows_the_stack(event):
        for trigger in state["triggers"]:
            if trigger["waits"]:
                trigger.update({"stacked": here, "waits": False})
    match event["type"]:
        case "game-joined":
            return join(state, event, catalogue)
        case "turn-began":
            begin_turn(state, event)
        case "step-began":
            must(state["turn"] > 0, "no turn has begun")
            untap = event["step"] == "untap"
            named = [name for name in ("phased_in", "phased_out", "stays_out") if event.get(name)]
            must(untap or not named, "this phasing belongs to the untap step")
            if untap:
                phase_at_untap(state, event)
                state["due"] = False
            state["step"] = event["step"]
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
            return [put(state, given, catalogue) for given in ids]
        case "permanents-left":
            remove(state, ids)
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
            for permanent in present(state, ids):
                permanent["copy"] = event["front"]
        case "copy-ended":
            for permanent in found(state, ids):
                permanent["copy"] = None
        case "turned-face-down":
            for permanent in present(state, ids):
                must(not permanent["face_down"], f"{permanent['id']} is face down already")
                must(not permanent["double_faced"], f"{permanent['id']} is double-faced")
                permanent["face_down"] = True
        case "turned-face-up":
            for permanent in present(state, ids):
                must(permanent["face_down"], f"{permanent['id']} is not face down")
                permanent["face_down"] = False
                for world in [*state["ruled"], *state["own"]]:
                    world["faces"][permanent["id"]] = "front"
        case "phased-out":
            phase(state, [], ids)
        case "phased-in":
            phase(state, ids, [])
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
            remove(state, ids)
            state["left"].append(event["player"])
            for permanent in state["battlefield"]:
                if permanent["controller"] == event["player"]:
                    permanent["controller"] = None
            stop_waiting(state, event["player"])
        case "judge-ruled":
            if event["designation"] == "neither":
                state["ruled"] = [world for world in state["ruled"] if world["designation"] == "neither"]
                must(state["ruled"] != [], "it can't be neither")
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
            must(state["turn"] > 0 or "turn" in event, "no turn has begun")
            numbers = [turn["number"] for turn in state["turns"] if not turn["unknown"]]
            must(event.get("turn") is None or event["turn"] in numbers, f"there was no turn {event.get('turn')}")
    return []
