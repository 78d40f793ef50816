"""Random events that may be impossible: the oracle accepts or refuses each, and daynight must do the same."""

from collections.abc import Callable

from .cast import SOURCES, arrival, copied_face
from .vocabulary import DESIGNATIONS, STEPS, Event
from .walk import Walk

LISTS = (
    "permanents-left", "control-changed", "abilities-lost", "abilities-regained", "became-copy", "copy-ended",
    "turned-face-down", "turned-face-up", "turned-face-up", "phased-out", "phased-in", "phased-in",
    "transform-instructed", "transform-forbidden",
)  # fmt: skip


def anybody(walk: Walk) -> str:
    """Any player, also one who has left; rarely an unknown one."""
    return "Eve" if walk.chance(5) else walk.pick(walk.state["players"])


def anything(walk: Walk, most: int = 2) -> list[str]:
    """The ids of any permanents, at most `most`; rarely an unknown id."""
    return walk.some([*walk.ids(), "x"] if walk.chance(5) or not walk.ids() else walk.ids(), most)


def somewhere(walk: Walk) -> int:
    """The number of an event, which may be undone; rarely of an event that does not exist."""
    return walk.chooser.number(0 if walk.chance(10) else 1, len(walk.events) + walk.chance(10))


def a_list(walk: Walk) -> Event:
    """An event of a type in `LISTS`, about any permanents."""
    kind = walk.pick(LISTS)
    event: Event = {"type": kind, "permanents": anything(walk)}
    if kind == "control-changed":
        event["controller"] = anybody(walk)
    if kind == "became-copy":
        event["front"] = copied_face(walk)
    if kind == "transform-forbidden":
        event["source"] = walk.pick(SOURCES)
    if kind == "transform-instructed" and walk.chance(50):
        event["own_since"] = somewhere(walk)
    return event


def a_step(walk: Walk) -> Event:
    """Any step, with any phasing; most often the untap step."""
    event: Event = {"type": "step-began", "step": "untap" if walk.chance(80) else walk.pick(STEPS)}
    for name in ("phased_in", "phased_out", "stays_out"):
        if walk.chance(35):
            event[name] = anything(walk)
    return event


def a_turn(walk: Walk) -> Event:
    """Any turn of any player."""
    number = walk.state["turn"] + walk.chooser.number(-1 if walk.chance(20) else 1, 2)
    event: Event = {"type": "turn-began", "turn": number, "active": [anybody(walk)]}
    if walk.state["teams"] is not None and walk.chance(70):
        event["active"] = walk.pick(walk.state["teams"])
    if walk.chance(30):
        event["skips"] = [walk.pick(STEPS[:3]) for _ in range(walk.chooser.number(1, 2))]
    return event


def a_cast(walk: Walk) -> Event:
    """A spell that any player casts or copies, or an uncertain number of spells."""
    event: Event = {"type": walk.pick(("spell-cast", "spell-copied", "spells-uncertain")), "player": anybody(walk)}
    if event["type"] == "spells-uncertain":
        event |= {"at_least": walk.chooser.number(0, 2), "at_most": walk.chooser.number(0, 3)}
    return event


def an_arrival(walk: Walk) -> Event:
    """A permanent of any player enters, sometimes under an id in use, or phased out, which only game-joined allows."""
    name = walk.pick(walk.ids()) if walk.ids() and walk.chance(20) else walk.new_id()
    permanent = arrival(walk, name, anybody(walk))
    if walk.chance(15):
        permanent["phased_out"] = True
    return {"type": "permanents-entered", "permanents": [permanent]}


def a_departure(walk: Walk) -> Event:
    """Any player leaves with any permanents; if only one player is in the game, one who left before or is unknown."""
    gone = [*walk.state["left"], "Eve"]
    event: Event = {"type": "player-left", "player": anybody(walk) if len(walk.playing()) > 1 else walk.pick(gone)}
    if walk.chance(60):
        event["permanents"] = anything(walk, 3)
    return event


def a_claim(walk: Walk) -> Event:
    """Any claim or ruling."""
    kind = walk.pick(("face", "tally", "ruling", "ruling"))
    if kind == "face":
        return {"type": "face-claimed", "permanent": anything(walk, 1)[0], "face": "back", "by": "Ana"}
    if kind == "tally":
        event: Event = {"type": "tally-claimed", "player": anybody(walk), "spells": 1, "by": "Ana"}
        return event | ({"turn": walk.chooser.number(0, walk.state["turn"] + 1)} if walk.chance(60) else {})
    return {"type": "judge-ruled", "by": "judge", "designation": walk.pick((*DESIGNATIONS, "neither"))}


def a_back_up(walk: Walk) -> Event:
    """A back-up to any event."""
    return {"type": "game-backed-up", "to": somewhere(walk), "by": "judge"}


def an_act(walk: Walk) -> Event:
    """Any dispute act or note."""
    name = f"d{walk.chooser.number(1, 3)}"
    event: Event = {"type": walk.pick(ACTS), "by": "Jo", "dispute": name}
    if event["type"] in ("dispute-ruled", "dispute-closed"):
        event["outcome"] = walk.pick(("leave", "fix", "back-up"))
    if event["type"] in ("dispute-ruled", "dispute-claimed") and walk.chance(50):
        event["designation"] = walk.pick(DESIGNATIONS)
    if event["type"] == "dispute-ruled" and walk.chance(40):
        event["to"] = somewhere(walk)
    if event["type"] in ("dispute-opened", "note-added") and walk.chance(50):
        event["about"] = somewhere(walk)
    if event["type"] == "note-added":
        del event["dispute"]
        event["says"] = "so it was"
    return event


ACTS = ("dispute-opened", "dispute-claimed", "dispute-ruled", "dispute-appealed", "dispute-closed", "note-added")
ANY: tuple[Callable[[Walk], Event], ...] = (
    a_list, a_list, a_list, a_step, a_step, a_turn, a_cast, an_arrival, a_departure, a_claim, a_back_up,
    lambda _: {"type": "game-joined", "possible": ["day"]},
)  # fmt: skip


def wild(walk: Walk) -> None:
    """Add any event of the functions in `ANY`, or any act in a walk with acts."""
    walk.add(walk.pick((*ANY, an_act) if walk.acts else ANY)(walk))
