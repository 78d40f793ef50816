"""Moves of a random walk that add disputes and notes. An act is an event of a dispute."""

from .disputing import acts_of, last_ruling, status
from .vocabulary import DESIGNATIONS, Event
from .walk import Walk


def names(walk: Walk) -> list[str]:
    """The names of the disputes that the walk has opened."""
    return [event["dispute"] for _, event in walk.naive.acts if event["type"] == "dispute-opened"]


def note(walk: Walk) -> None:
    """Add a note, in half of the calls about an earlier event."""
    event: Event = {"type": "note-added", "by": "Ana", "says": "looked it up"}
    if walk.chance(50):
        event["about"] = walk.chooser.number(1, len(walk.events))
    walk.add(event)


def call(walk: Walk) -> None:
    """Add the event that opens a dispute: a judge is called, sometimes about an earlier event."""
    event: Event = {"type": "dispute-opened", "dispute": f"d{len(names(walk)) + 1}", "by": "Ana"}
    if walk.chance(40):
        event["about"] = walk.chooser.number(1, len(walk.events))
    walk.add(event)


def speak(walk: Walk) -> None:
    """Add a claim, a ruling, an appeal or the closing to one of the disputes; sometimes `carry_out` the ruling."""
    name = walk.pick(names(walk))
    now, ruling = status(walk.naive.acts, name), last_ruling(walk.naive.acts, name)
    kind = walk.pick(("claimed", "ruled", "ruled", "appealed", "closed"))
    if kind in ("appealed", "closed") and (now != "ruled" or ruling is None):
        kind = "ruled"
    event: Event = {"type": f"dispute-{kind}", "dispute": name, "by": "Jo"}
    if kind == "claimed":
        event |= walk.pick(({"says": "no"}, {"designation": "night"}, {"designation": "day", "says": "yes"}))
    if kind == "ruled":
        event["outcome"] = walk.pick(("fix", "leave", "back-up"))
        if event["outcome"] == "fix" and walk.chance(85):
            event["designation"] = walk.pick(DESIGNATIONS if walk.chance(20) else ("night", "day"))
        if event["outcome"] == "back-up":
            event["to"] = walk.pick(walk.standing(1))
    if kind == "closed" and ruling is not None:
        event["outcome"] = ruling[1]["outcome"]
    walk.add(event)
    if kind == "ruled" and walk.chance(35):
        carry_out(walk, event)


def carry_out(walk: Walk, ruling: Event) -> None:
    """Add the judge's ruling on the game, or the back-up, that the dispute's `ruling` asks for."""
    if "designation" in ruling:
        walk.add({"type": "judge-ruled", "by": "Jo", "designation": ruling["designation"]})
    if "to" in ruling:
        walk.add({"type": "game-backed-up", "to": ruling["to"], "by": "Jo"})


def open_disputes(walk: Walk) -> bool:
    """Return whether the walk has opened a dispute. A closed one counts, so that acts in it are tried and refused."""
    return any(acts_of(walk.naive.acts, name) for name in names(walk))
