"""The moves of a random walk: each function adds one or a few events of a kind, mostly as in real games."""

from .cast import DOUBLE_FACED, EDITIONS, SOURCES, arrival, copied_face
from .vocabulary import DESIGNATIONS, STEPS, Event
from .walk import Walk

TABLES: list[tuple[list[str], list[list[str]] | None]] = [
    (["Ana", "Bo"], None),
    (["Ana", "Bo"], None),
    (["Ana", "Bo", "Cy", "Di"], [["Ana", "Bo"], ["Cy", "Di"]]),
    (["Ana", "Bo", "Cy"], None),
    (["Ana", "Bo", "Cy", "Di"], [["Ana", "Cy"], ["Bo"], ["Di"]]),
]
CAN_BE_SAID_BY = ("Ana", "arena", "helper card")


def begin(walk: Walk) -> None:
    """Add game-started, and in some walks game-joined, after which the record begins in the middle of a game."""
    players, teams = walk.pick(TABLES)
    event: Event = {"type": "game-started", "format": 1, "game": "walk", "players": players}
    if teams is not None:
        event["teams"] = teams
    if walk.chance(20):
        edition = walk.pick(EDITIONS)
        event |= {} if walk.newest else {"edition": edition}
    walk.add(event)
    if walk.doubtful and walk.chance(70):
        join(walk)


def join(walk: Walk) -> None:
    """Add game-joined: possible designations, mostly permanents, sometimes effects that forbid to transform."""
    event: Event = {"type": "game-joined"}
    event["possible"] = sorted(walk.some(DESIGNATIONS), key=DESIGNATIONS.index)
    if walk.chance(70):
        event["permanents"] = [found(walk) for _ in range(walk.chooser.number(0, 4))]
        ids = [permanent["id"] for permanent in event["permanents"]]
        if ids and walk.chance(40):
            event["forbids"] = [{"source": source, "permanents": walk.some(ids)} for source in walk.some(SOURCES, 2)]
    walk.add(event)


def found(walk: Walk) -> Event:
    """Return a permanent for game-joined: it may have its back face up or be phased out."""
    permanent = arrival(walk, walk.new_id(), walk.pick(walk.playing()))
    if "face" not in permanent and permanent.get("back", {}).get("permanent", True) and walk.chance(20):
        if permanent.get("double_faced") or permanent["card"] in DOUBLE_FACED:
            permanent["face"] = "back"
    if walk.chance(25):
        permanent["phased_out"] = True
    return permanent


def turn(walk: Walk) -> None:
    """Add the beginning of a turn, mostly the next player's, and often its untap step."""
    state, playing = walk.state, walk.playing()
    teams = state["teams"] or [[player] for player in playing]
    sides = [[player for player in team if player in playing] for team in teams]
    sides = [side for side in sides if side]
    following = sides[(sides.index(state["active"]) + 1) % len(sides)] if state["active"] in sides else sides[0]
    active = following if walk.chance(85) else walk.pick(sides)
    number = state["turn"] + (walk.chooser.number(2, 3) if walk.chance(10) else 1)
    event: Event = {"type": "turn-began", "turn": number, "active": active}
    if walk.chance(12):
        event["skips"] = walk.some(("untap", "upkeep", "draw"))
    walk.add(event)
    if "skips" not in event and walk.chance(45):
        untap(walk)


def untap(walk: Walk) -> None:
    """Add an untap step; it may list permanents that phase in, phase out or stay out."""
    event: Event = {"type": "step-began", "step": "untap"}
    away, here = walk.ids(phased_in=False), walk.ids(phased_in=True)
    if away and walk.chance(25):
        event["stays_out"] = walk.some(away)
        away = [name for name in away if name not in event["stays_out"]]
    if away and walk.chance(40):
        event["phased_in"] = walk.some(away)
    if here and walk.chance(12):
        event["phased_out"] = walk.some(here)
    walk.add(event)


def step(walk: Walk) -> None:
    """Add a step other than untap, most often the upkeep."""
    walk.add({"type": "step-began", "step": walk.pick(STEPS[1:]) if walk.chance(40) else "upkeep"})


def cast(walk: Walk) -> None:
    """A player casts one or two spells."""
    player = walk.caster()
    walk.add({"type": "spell-cast", "player": player, "card": walk.pick(("Opt", "Tavern Ruffian"))})
    if walk.chance(40):
        walk.add({"type": "spell-cast", "player": player, "spell": "s1"})


def copy_spell(walk: Walk) -> None:
    """Add a copy of a spell, which is not cast."""
    walk.add({"type": "spell-copied", "player": walk.caster()})


def doubt(walk: Walk) -> None:
    """Add spells-uncertain: a player cast at least, and mostly at most, so many spells."""
    event: Event = {"type": "spells-uncertain", "player": walk.caster(), "at_least": walk.chooser.number(0, 2)}
    if walk.chance(70):
        event["at_most"] = event["at_least"] + walk.chooser.number(0, 2)
    walk.add(event)


def arrive(walk: Walk) -> None:
    """Add one to three permanents that enter together."""
    permanents: list[Event] = []
    for _ in range(walk.pick((1, 1, 1, 2, 3))):
        name = walk.new_id()
        while any(other["id"] == name for other in permanents):
            name = walk.new_id()
        permanents.append(arrival(walk, name, walk.pick(walk.playing())))
    walk.add({"type": "permanents-entered", "permanents": permanents})


def depart(walk: Walk) -> None:
    """Permanents leave."""
    event: Event = {"type": "permanents-left", "permanents": walk.some(walk.ids(), 2)}
    if walk.chance(50):
        event["to"] = walk.pick(("graveyard", "exile"))
    walk.add(event)


def change_control(walk: Walk) -> None:
    """Any player, perhaps the same as before, gets control of permanents."""
    ids, player = walk.some(walk.ids(), 2), walk.pick(walk.playing())
    walk.add({"type": "control-changed", "permanents": ids, "controller": player})


def abilities(walk: Walk) -> None:
    """Abilities are lost or regained."""
    lacking = [one["id"] for one in walk.state["battlefield"] if one["losses"]]
    back = bool(lacking) and walk.chance(60)
    event: Event = {"type": "abilities-regained" if back else "abilities-lost"}
    event["permanents"] = walk.some(lacking if back else walk.ids())
    if walk.chance(60):
        event["source"] = walk.pick(SOURCES)
    walk.add(event)


def copy_permanent(walk: Walk) -> None:
    """Permanents become copies, or stop being copies."""
    copies = [one["id"] for one in walk.state["battlefield"] if one["copy"] is not None]
    if copies and walk.chance(50):
        walk.add({"type": "copy-ended", "permanents": walk.some(copies)})
    else:
        walk.add({"type": "became-copy", "permanents": walk.some(walk.ids(), 2), "front": copied_face(walk)})


def turn_face(walk: Walk) -> None:
    """Permanents are turned face up or face down."""
    down, up = walk.ids(face_down=True), walk.ids(face_down=False, double_faced=False)
    if down and (not up or walk.chance(60)):
        walk.add({"type": "turned-face-up", "permanents": walk.some(down)})
    else:
        walk.add({"type": "turned-face-down", "permanents": walk.some(up, 2)})


def phase(walk: Walk) -> None:
    """Add permanents that phase in or out by another event than the untap step."""
    away, here = walk.ids(phased_in=False), walk.ids(phased_in=True)
    if away and (not here or walk.chance(50)):
        walk.add({"type": "phased-in", "permanents": walk.some(away)})
    else:
        walk.add({"type": "phased-out", "permanents": walk.some(here, 2)})


def instruct(walk: Walk) -> None:
    """Something tells permanents to transform, sometimes their own ability."""
    ids = walk.some(walk.ids(double_faced=True) or walk.ids())
    event: Event = {"type": "transform-instructed", "permanents": ids, "source": walk.pick(SOURCES)}
    if walk.chance(40):
        since = max(one["arrived"] for one in walk.state["battlefield"] if one["id"] in ids)
        event["own_since"] = walk.pick(walk.standing(since))
    walk.add(event)


def forbid(walk: Walk) -> None:
    """An effect that forbids to transform begins or ends."""
    if walk.chance(40):
        walk.add({"type": "transform-allowed", "source": walk.pick(SOURCES)})
    else:
        ids = walk.some(walk.ids(double_faced=True) or walk.ids())
        walk.add({"type": "transform-forbidden", "source": walk.pick(SOURCES), "permanents": ids})


def effect(walk: Walk) -> None:
    """An effect makes it day, makes it night, or switches it."""
    event: Event = {"type": "effect-resolved", "becomes": walk.pick(("night", "day", "switch"))}
    if walk.chance(25):
        event["only_if"] = walk.pick(DESIGNATIONS)
    walk.add(event)


def leave(walk: Walk) -> None:
    """Add a player who leaves, mostly with permanents. `settle` may deal later with those that stay behind."""
    event: Event = {"type": "player-left", "player": walk.pick(walk.playing())}
    theirs = walk.ids(controller=event["player"])
    if theirs and walk.chance(60):
        event["permanents"] = walk.some(theirs)
    elif walk.ids() and walk.chance(40):
        event["permanents"] = walk.some(walk.ids())
    walk.add(event)


def meanwhile(walk: Walk) -> None:
    """Add an event of a type that does not show whether the untap step is over: if it is pending, it stays so.

    Permanents leave or change control, abilities are lost or regained, a copy ends, or an effect that forbids to
    transform begins or ends.
    """
    walk.pick((depart, change_control, abilities, copy_ends, copy_ends, forbid))(walk)


def copy_ends(walk: Walk) -> None:
    """Add the end of a copy effect for copies; if there are none, for other permanents, which it does not change."""
    copies = [one["id"] for one in walk.state["battlefield"] if one["copy"] is not None]
    walk.add({"type": "copy-ended", "permanents": walk.some(copies or walk.ids())})


def leave_what_waits(walk: Walk) -> None:
    """Add the departure of a player who controls a trigger that is not on the stack yet."""
    waiting = [trigger["controller"] for trigger in walk.state["triggers"] if trigger["waits"]]
    walk.add({"type": "player-left", "player": walk.pick(waiting)})


def settle(walk: Walk) -> None:
    """Add what happens to permanents of a departed player: they leave, or another player gets control."""
    ids = walk.some(walk.ids(controller=None))
    if walk.chance(50):
        walk.add({"type": "permanents-left", "permanents": ids})
    else:
        walk.add({"type": "control-changed", "permanents": ids, "controller": walk.pick(walk.playing())})


def restart(walk: Walk) -> None:
    """The game is restarted."""
    walk.add({"type": "game-restarted"})


def end(walk: Walk) -> None:
    """The game ends."""
    event: Event = {"type": "game-ended"}
    if walk.chance(50):
        event["winner"] = [walk.pick(walk.playing())]
    walk.add(event)


def claim_designation(walk: Walk) -> None:
    """Add a claim that it is day, night or neither, often a right one."""
    said = walk.pick(walk.naive.possible()) if walk.chance(65) else walk.pick(DESIGNATIONS)
    walk.add({"type": "designation-claimed", "designation": said, "by": walk.pick(CAN_BE_SAID_BY)})


def claim_face(walk: Walk) -> None:
    """Somebody claims which face is up."""
    name = walk.pick(walk.ids(face_down=False))
    walk.add({"type": "face-claimed", "permanent": name, "face": walk.pick(("front", "back")), "by": "Ana"})


def claim_tally(walk: Walk) -> None:
    """Somebody claims how many spells a player has cast."""
    player = walk.pick(walk.state["players"])
    event: Event = {"type": "tally-claimed", "player": player, "spells": walk.chooser.number(0, 3), "by": "Bo"}
    if walk.chance(50):
        event["turn"] = walk.pick([one["number"] for one in walk.state["turns"] if not one["unknown"]])
    walk.add(event)


def rule(walk: Walk) -> None:
    """Add a judge's ruling: day or night, or neither where that is possible."""
    doubt = "neither" in walk.naive.possible() and walk.chance(60)
    walk.add({"type": "judge-ruled", "by": "judge", "designation": "neither" if doubt else walk.pick(("night", "day"))})


def back_up(walk: Walk) -> None:
    """Add a judge's back-up to an event that is not undone, mostly one of the last six."""
    standing = walk.standing(1)
    target = walk.pick(standing[-6:]) if walk.chance(75) else walk.pick(standing)
    walk.add({"type": "game-backed-up", "to": target, "by": "judge"})
