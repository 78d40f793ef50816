"""Section 2 of the contract, one possibility (`world`) at a time, in the contract's order.

A world is `{"designation", "faces": {id: face}, "turned": {id: event}, "assumed": [class], "past": {key: sure}}`:
its designation, which face of each permanent is up, and at which event each last transformed. `assumed` says how many
spells the active player of the previous turn may have cast in this world (of a team, the player with most): a list of
0, 1, and 2 for two or more. `past` has the changes and triggers that happened in it; True means that they happened in
all worlds that were merged into it. During an event a world also has `did` and `set_off`: the event's changes of
designation, and the triggers that these set off.
"""

from typing import Any

from .vocabulary import HOLDS_NIGHT, HOLDS_WEREWOLVES

Face = dict[str, Any]
State = dict[str, Any]
World = dict[str, Any]
Permanent = dict[str, Any]


def new_world(designation: str) -> World:
    """A new world with this designation and nothing on the battlefield."""
    return {"designation": designation, "faces": {}, "turned": {}, "assumed": [], "past": {}}


def copy_world(world: World) -> World:
    """A copy of a world that shares no mutable object with it."""
    copy = {
        "designation": world["designation"],
        "faces": dict(world["faces"]),
        "turned": dict(world["turned"]),
        "assumed": list(world["assumed"]),
        "past": dict(world["past"]),
    }
    if "did" in world:
        copy["did"], copy["set_off"] = list(world["did"]), list(world["set_off"])
    return copy


def face_up(world: World, permanent: Permanent) -> Face:
    """The face that the permanent shows: its copied values, or the face that is up."""
    copied: Face | None = permanent["copy"]
    own: Face = permanent[world["faces"][permanent["id"]]]
    return own if copied is None else copied


def ability(world: World, permanent: Permanent, name: str) -> Any:
    """The value of a field of the shown face; None if the face lacks it or the permanent has no abilities.

    It has none without a controller, phased out, face down, or if it lost them.
    """
    if permanent["controller"] is None or not permanent["phased_in"]:
        return None
    if permanent["face_down"] or permanent["losses"]:
        return None
    return face_up(world, permanent).get(name)


def has(world: World, permanent: Permanent, keyword: str) -> bool:
    """Return whether the permanent has `keyword`: daybound or nightbound."""
    return keyword in (ability(world, permanent, "keywords") or [])


def some_has(state: State, world: World, keyword: str) -> bool:
    """Return whether any permanent has this keyword."""
    return any(has(world, permanent, keyword) for permanent in state["battlefield"])


def night_is_held(state: State, world: World) -> bool:
    """Return whether a permanent forbids that it becomes night."""
    return any(ability(world, permanent, "holds") == HOLDS_NIGHT for permanent in state["battlefield"])


def forbidden(state: State, world: World, permanent: Permanent) -> bool:
    """Return whether the permanent can't transform: by an effect, or by another permanent, such as Immerwolf."""
    for held in state["forbidden"].values():
        if permanent["id"] in held:
            return True
    subtypes = face_up(world, permanent).get("subtypes") or []
    if "Werewolf" in subtypes and "Human" not in subtypes:
        for holder in state["battlefield"]:
            if holder["controller"] == permanent["controller"]:
                if ability(world, holder, "holds") == HOLDS_WEREWOLVES:
                    return True
    return False


def can_transform(state: State, world: World, permanent: Permanent) -> bool:
    """Return whether a permanent can transform: the conditions of the contract, one after another."""
    if permanent["controller"] is None:
        return False
    if not permanent["double_faced"] or not permanent["phased_in"] or permanent["face_down"]:
        return False
    if forbidden(state, world, permanent):
        return False
    other = "back" if world["faces"][permanent["id"]] == "front" else "front"
    return bool(permanent[other].get("permanent", True))


def transform(state: State, world: World, permanents: list[Permanent]) -> None:
    """Transform these permanents, all at once."""
    for permanent in permanents:
        name = permanent["id"]
        world["faces"][name] = "back" if world["faces"][name] == "front" else "front"
        world["turned"][name] = state["event"]


def transform_by_keyword(state: State, world: World) -> bool:
    """At night transform all front faces with daybound, by day all back faces with nightbound, that can transform.

    Returns whether one transformed.
    """
    wanted = {"night": ("front", "daybound"), "day": ("back", "nightbound")}.get(world["designation"])
    if wanted is None:
        return False
    face, keyword = wanted
    turning = []
    for permanent in state["battlefield"]:
        if world["faces"][permanent["id"]] == face and has(world, permanent, keyword):
            if can_transform(state, world, permanent):
                turning.append(permanent)
    transform(state, world, turning)
    return bool(turning)


def become(state: State, world: World, designation: str, rule: str) -> bool:
    """Change the world's designation and note it in `did`; return whether it changed.

    It does not change if it is the same, or if a permanent forbids night and `rule` is not a judge's ruling.
    """
    was = world["designation"]
    if was == designation:
        return False
    if designation == "night" and rule != "judge" and night_is_held(state, world):
        return False
    world["designation"] = designation
    world["did"].append((was, designation, rule))
    return True


def become_and_trigger(state: State, world: World, designation: str, rule: str) -> None:
    """Call `become`; if the designation changed, transform by keyword and add triggers to `set_off`.

    Permanents with `watches` trigger, but not if it was neither before, and not on a judge's ruling.
    """
    was = world["designation"]
    if not become(state, world, designation, rule):
        return
    transform_by_keyword(state, world)
    if was == "neither" or rule == "judge":
        return
    for permanent in state["battlefield"]:
        if ability(world, permanent, "watches"):
            world["set_off"].append((permanent["id"], was, designation))


def enter(state: State, world: World, arriving: list[Permanent]) -> None:
    """Set the face with which each arriving permanent enters.

    An arriving permanent with `day_if_neither` makes it day from neither. At night daybound cards, but no tokens,
    enter with their back face up.
    """
    for permanent in arriving:
        world["faces"][permanent["id"]] = permanent["enters_with"]
    if world["designation"] == "neither":
        if any(ability(world, permanent, "day_if_neither") for permanent in arriving):
            become(state, world, "day", "day-if-neither")
    if world["designation"] == "night":
        for permanent in arriving:
            if permanent["double_faced"] and not permanent["token"] and has(world, permanent, "daybound"):
                if permanent["back"].get("permanent", True):
                    world["faces"][permanent["id"]] = "back"


def instruct(state: State, world: World, ids: list[str], own_since: int | None) -> None:
    """Transform the permanents `ids`, as a spell or ability says, except those with daybound or nightbound.

    With `own_since` it is their own ability, on the stack since that event: those that transformed after it do not.
    """
    turning = []
    for permanent in state["battlefield"]:
        if permanent["id"] not in ids:
            continue
        if has(world, permanent, "daybound") or has(world, permanent, "nightbound"):
            continue
        if not can_transform(state, world, permanent):
            continue
        if own_since is not None and world["turned"].get(permanent["id"], 0) > own_since:
            continue
        turning.append(permanent)
    transform(state, world, turning)


def resolve(state: State, world: World, becomes: str, only_if: str | None) -> None:
    """Apply an effect that makes it day or night, or switches. If it is neither, a switch makes it night.

    The effect does nothing if `only_if` is given and is not the world's designation.
    """
    if only_if is not None and world["designation"] != only_if:
        return
    if becomes == "switch":
        becomes = "day" if world["designation"] == "night" else "night"
    become_and_trigger(state, world, becomes, "becomes")


def rest(state: State, world: World) -> None:
    """Apply daybound and nightbound until nothing changes: from neither to day or night, then transform permanents."""
    while True:
        happened = False
        if world["designation"] == "neither":
            if some_has(state, world, "daybound"):
                happened = become(state, world, "day", "daybound-starts-day")
            elif some_has(state, world, "nightbound"):
                happened = become(state, world, "night", "nightbound-starts-night")
        if not happened and not transform_by_keyword(state, world):
            return


def spells_of(turn: dict[str, Any], player: str) -> tuple[int, int | None]:
    """The minimum and the maximum number of spells that a player cast in a turn (None: no maximum)."""
    least = most = sum(1 for _, caster in turn["casts"] if caster == player)
    bounded = True
    for _, caster, at_least, at_most in turn["doubts"]:
        if caster == player:
            least += at_least
            if at_most is None:
                bounded = False
            else:
                most += at_most
    return least, most if bounded else None


def classes(turn: dict[str, Any]) -> list[int]:
    """How many spells the active player with most of them may have cast in a turn: of 0, 1, and 2 for two or more."""
    if turn["unknown"]:
        return [0, 1, 2]
    least, most = 0, 0
    for player in turn["active"]:
        at_least, at_most = spells_of(turn, player)
        least = max(least, at_least)
        most = max(most, 2 if at_most is None else at_most)
    return [number for number in (0, 1, 2) if min(least, 2) <= number <= min(most, 2)]


def check(state: State, world: World) -> list[World]:
    """The worlds after the untap step's check of day and night: two if `assumed` allows a change and none, else one."""
    if len(state["turns"]) < 2 or world["designation"] == "neither":
        return [world]
    if world["designation"] == "day":
        changing, staying, becomes, rule = (0,), (1, 2), "night", "check-day"
    else:
        changing, staying, becomes, rule = (2,), (0, 1), "day", "check-night"
    found = []
    for part in (changing, staying):
        agreeing = [number for number in world["assumed"] if number in part]
        if agreeing:
            branch = copy_world(world)
            branch["assumed"] = agreeing
            if part == changing:
                become_and_trigger(state, branch, becomes, rule)
            found.append(branch)
    return found


def looked_at(state: State) -> list[int]:
    """The sorted numbers of the events that a check reads: the previous turn's beginning, its active players' casts.

    An uncertain number of spells counts as a cast here.
    """
    turn = state["turns"][-2]
    if turn["unknown"]:
        return [turn["event"]]
    casts = [event for event, player in turn["casts"] if player in turn["active"]]
    doubts = [event for event, player, _, _ in turn["doubts"] if player in turn["active"]]
    return sorted([turn["event"], *casts, *doubts])


def begin_to_happen(worlds: list[World]) -> None:
    """Empty `did` and `set_off` in these worlds, before the consequences of an event."""
    for world in worlds:
        world["did"], world["set_off"] = [], []


def untap_step(state: State, worlds: list[World]) -> list[World]:
    """The worlds after an untap step whose phasing is already in the state: `rest`, the check, and `rest` again."""
    begin_to_happen(worlds)
    result = []
    for world in worlds:
        rest(state, world)
        for branch in check(state, world):
            rest(state, branch)
            result.append(branch)
    return result


def consequences(
    state: State, worlds: list[World], event: dict[str, Any], arriving: list[Permanent], with_rulings: bool
) -> list[World]:
    """The worlds after an event whose facts are already in the state; judges' rulings only count if `with_rulings`."""
    if event["type"] == "step-began" and event["step"] == "untap":
        return untap_step(state, worlds)
    begin_to_happen(worlds)
    for world in worlds:
        match event["type"]:
            case "game-joined":
                world["faces"] = {permanent["id"]: permanent["enters_with"] for permanent in arriving}
            case "permanents-entered":
                enter(state, world, arriving)
            case "transform-instructed":
                instruct(state, world, event["permanents"], event.get("own_since"))
            case "effect-resolved":
                resolve(state, world, event["becomes"], event.get("only_if"))
            case "judge-ruled":
                if with_rulings:
                    become_and_trigger(state, world, event["designation"], "judge")
        rest(state, world)
    return worlds
