"""Disputes and notes, computed anew each time from their acts: the events of disputes, with their numbers."""

from typing import Any

from .vocabulary import OF_THE_RECORD, Event, must

MOST_DISPUTES = 1_000
Acts = list[tuple[int, Event]]


def acts_of(acts: Acts, name: str) -> Acts:
    """The acts of the dispute `name`, each with its event number."""
    return [(here, event) for here, event in acts if event.get("dispute") == name]


def status(acts: Acts, name: str) -> str:
    """The status of a dispute after its last act: "open", "ruled", "appealed" or "closed"."""
    now = "open"
    for _, event in acts_of(acts, name):
        now = {"dispute-ruled": "ruled", "dispute-appealed": "appealed", "dispute-closed": "closed"}.get(
            event["type"], now
        )
    return now


def last_ruling(acts: Acts, name: str) -> tuple[int, Event] | None:
    """The last ruling of a dispute, as its event number and the event; None if there is none."""
    rulings = [(here, event) for here, event in acts_of(acts, name) if event["type"] == "dispute-ruled"]
    return rulings[-1] if rulings else None


def take_act(acts: Acts, event: Event, here: int) -> None:
    """Append an act with the event number `here` to `acts`, or raise `Refused`."""
    for field in ("about", "to"):
        must(field not in event or 1 <= event[field] < here, f"{field} is not an earlier event")
    if event["type"] == "dispute-opened":
        names = [other["dispute"] for _, other in acts if other["type"] == "dispute-opened"]
        must(event["dispute"] not in names, "there is such a dispute already")
        must(len(names) < MOST_DISPUTES, "there are too many disputes")
    elif event["type"] != "note-added":
        name = event["dispute"]
        must(acts_of(acts, name) != [], f"no dispute {name!r}")
        now, ruling = status(acts, name), last_ruling(acts, name)
        must(now != "closed", f"the dispute {name!r} is closed")
        if event["type"] == "dispute-claimed":
            must("designation" in event or "says" in event, "a claim says something")
        if event["type"] == "dispute-ruled":
            must("designation" not in event or event["outcome"] == "fix", "only a fix has a designation")
            must(("to" in event) == (event["outcome"] == "back-up"), "a back-up has a to, and only that")
        if event["type"] in ("dispute-appealed", "dispute-closed"):
            must(ruling is not None and now == "ruled", "there is no ruling, or it is under appeal")
        if event["type"] == "dispute-closed" and ruling is not None:
            must(event["outcome"] == ruling[1]["outcome"], "that is not the last ruling")
    acts.append((here, event))


def carried_out(events: list[Event], here: int) -> bool:
    """Return whether the game event just before or after the ruling at event `here` does what it says.

    Events of disputes and notes are skipped.
    """
    ruling = events[here - 1]
    before = [event for event in events[: here - 1] if event["type"] not in OF_THE_RECORD]
    after = [event for event in events[here:] if event["type"] not in OF_THE_RECORD]
    for event in [*before[-1:], *after[:1]]:
        if ruling["outcome"] == "fix" and event["type"] == "judge-ruled":
            if event["designation"] == ruling.get("designation"):
                return True
        if ruling["outcome"] == "back-up" and event["type"] == "game-backed-up":
            if event["to"] == ruling["to"]:
                return True
    return False


def counts(acts: Acts, events: list[Event], here: int) -> bool:
    """Return whether the audit counts the ruling at event `here`: its dispute's last, not appealed, not carried out."""
    name = events[here - 1]["dispute"]
    last = last_ruling(acts, name)
    return last is not None and last[0] == here and status(acts, name) != "appealed" and not carried_out(events, here)


def disputes(acts: Acts, possible_at: Any) -> list[dict[str, Any]]:
    """Every dispute as `audit --json` prints it.

    Its claims are compared with the designations that `possible_at` returns for the event that the dispute is about.
    """
    printed = []
    for opened, opening in acts:
        if opening["type"] != "dispute-opened":
            continue
        name, about = opening["dispute"], opening.get("about", opened - 1)
        possible, claims, ruling = possible_at(about), [], last_ruling(acts, name)
        for here, event in acts_of(acts, name):
            if event["type"] == "dispute-claimed":
                said = event.get("designation")
                derived = possible[0] if len(possible) == 1 else None
                agrees = None if said is None else False if said not in possible else derived and True
                claim = {"event": here, "by": event["by"], "designation": said, "says": event.get("says")}
                claims.append(claim | {"derived": derived, "agrees": agrees})
        entry = {"dispute": name, "opened": opened, "about": about, "status": status(acts, name)}
        entry |= {"outcome": ruling[1]["outcome"] if ruling else None, "claims": claims}
        printed.append(entry)
    return printed
