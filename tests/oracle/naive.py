"""The plainest referee: every state kept, every possibility apart, every rule in the contract's order."""

from typing import Any

from .rules import State, consequences, copy_world
from .states import copy_state, start, take_in
from .views import compare, document, merged, possible, write_down
from .vocabulary import (
    CLAIMS_AND_ACTS,
    Catalogue,
    Event,
    Refused,
    check_shape,
    find_catalogue,
    load_catalogue,
    must,
)

__all__ = ["Naive", "Refused"]


class Naive:
    """A record taken in event by event; `states[n - 1]` is the state after event n and never changes."""

    def __init__(self, catalogue: Catalogue | None = None) -> None:
        self.catalogue = load_catalogue(find_catalogue()) if catalogue is None else catalogue
        self.states: list[State] = []
        self.compared: list[dict[str, Any]] = []
        self.undone: set[int] = set()

    def copy(self) -> "Naive":
        """Another one in the same state; applying to one leaves the other alone."""
        other = Naive(self.catalogue)
        other.states, other.compared, other.undone = list(self.states), list(self.compared), set(self.undone)
        return other

    @property
    def state(self) -> State:
        """The state now."""
        return self.states[-1]

    def possible(self, at: int | None = None) -> list[str]:
        """The designations that are possible after event `at`, in the order neither, day, night."""
        return possible(self.states[-1 if at is None else at - 1])

    def document(self, at: int | None = None) -> dict[str, Any]:
        """What `replay --json` prints after event `at` (the last one if not given)."""
        return document(self.states[-1 if at is None else at - 1])

    def apply(self, event: Event) -> None:
        """Take in the next event, or raise `Refused` and stay as it was."""
        check_shape(event)
        here = len(self.states) + 1
        must((event["type"] == "game-started") == (here == 1), "a record has one game-started, on line 1")
        if event["type"] == "game-started":
            self.states.append(start(event))
            return
        before = self.states[-1]
        must(not before["ended"] or event["type"] in CLAIMS_AND_ACTS, "the game has ended")
        if event["type"] == "game-backed-up":
            must(1 <= event["to"] < here, f"event {event['to']} is not an earlier event")
            must(event["to"] not in self.undone, f"event {event['to']} is undone itself")
            state = copy_state(self.states[event["to"] - 1])
            state["event"] = here
            state["own"] = [copy_world(world) for world in state["ruled"]]
            self.undone.update(range(event["to"] + 1, here))
            self.states.append(state)
            return
        state = copy_state(before)
        state["event"] = here
        arriving = take_in(state, event, self.catalogue)
        if event["type"].endswith("-claimed") or event["type"] == "judge-ruled":
            self.compared.append(compare(before, event, here))
        ruled = consequences(state, state["ruled"], event, arriving, with_rulings=True)
        own = consequences(state, state["own"], event, arriving, with_rulings=False)
        write_down(state, ruled, waits=event.get("step") == "untap")
        state["ruled"], state["own"] = merged(ruled), merged(own)
        self.states.append(state)

    def findings(self) -> dict[str, Any]:
        """What `audit --json` finds: the verdict, what differs, and what cannot be settled."""
        listed: dict[str, list[dict[str, Any]]] = {"differs": [], "open": [], "agrees": []}
        standing = []
        for entry in self.compared:
            finding = {key: value for key, value in entry.items() if key != "outcome"}
            if entry["event"] in self.undone:
                finding["undone"] = True
            else:
                standing.append(entry["outcome"])
            listed[entry["outcome"]].append(finding)
        verdict = "disputed" if "differs" in standing else "exact" if "agrees" in standing else "unverified"
        return {"verdict": verdict, "findings": listed["differs"], "unsettled": listed["open"]}
