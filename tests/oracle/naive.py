"""The oracle: it keeps the state after every event, and applies the contract to each possibility separately."""

from typing import Any

from . import disputing
from .rules import State, consequences, copy_world, untap_step
from .states import copy_state, phase_at_untap, start, take_in
from .views import compare, document, possible, write_down
from .vocabulary import (
    CLAIMS_AND_ACTS,
    LEAVES_DUE,
    OF_THE_RECORD,
    Catalogue,
    Event,
    Refused,
    check_shape,
    find_catalogue,
    load_catalogue,
    must,
)
from .worlds import merged

__all__ = ["Naive", "Refused"]


def untap_unwritten(state: State) -> State:
    """A copy of the state; if an untap step is pending, the step is done in the copy and marked as implied.

    Equal possibilities are not merged here but after the event that follows, so that each keeps its own changes.
    """
    after = copy_state(state)
    if not state["due"]:
        return after
    after["due"] = False
    phase_at_untap(after, {})
    after["ruled"], after["own"] = untap_step(after, after["ruled"]), untap_step(after, after["own"])
    write_down(after, after["ruled"], waits=True, implied=True)
    return after


class Naive:
    """A record processed event by event; `states[n - 1]` is the state after event n and never changes."""

    def __init__(self, catalogue: Catalogue | None = None) -> None:
        self.catalogue = load_catalogue(find_catalogue()) if catalogue is None else catalogue
        self.states: list[State] = []
        self.events: list[Event] = []
        self.acts: disputing.Acts = []
        self.compared: list[dict[str, Any]] = []
        self.undone: set[int] = set()

    def copy(self) -> "Naive":
        """An independent copy."""
        other = Naive(self.catalogue)
        other.states, other.events, other.acts = list(self.states), list(self.events), list(self.acts)
        other.compared, other.undone = list(self.compared), set(self.undone)
        return other

    @property
    def state(self) -> State:
        """The state after the last event."""
        return self.states[-1]

    def possible(self, at: int | None = None) -> list[str]:
        """The designations possible after event `at` (by default the last one), in the order neither, day, night."""
        return possible(self.states[-1 if at is None else at - 1])

    def document(self, at: int | None = None) -> dict[str, Any]:
        """The document that `replay --json` prints after event `at` (by default the last one)."""
        return document(self.states[-1 if at is None else at - 1])

    def apply(self, event: Event) -> None:
        """Process the next event, or raise `Refused` without a change."""
        check_shape(event)
        here = len(self.states) + 1
        must((event["type"] == "game-started") == (here == 1), "a record has one game-started, on line 1")
        self.states.append(start(event) if here == 1 else self.after(event, here))
        self.events.append(event)

    def after(self, event: Event, here: int) -> State:
        """The state after `event`, which has the number `here` and is not the first; raises `Refused`."""
        state = copy_state(self.states[-1]) | {"event": here}
        if event["type"] in OF_THE_RECORD:
            must(event.get("to") not in self.undone, f"event {event.get('to')} is undone itself")
            disputing.take_act(self.acts, event, here)
            if event["type"] == "dispute-ruled" and "designation" in event:
                self.compared.append(compare(untap_unwritten(state), event, here))
            return state
        must(not state["ended"] or event["type"] in CLAIMS_AND_ACTS, "the game has ended")
        if event["type"] == "game-backed-up":
            must(1 <= event["to"] < here, f"event {event['to']} is not an earlier event")
            must(event["to"] not in self.undone, f"event {event['to']} is undone itself")
            state = copy_state(self.states[event["to"] - 1]) | {"event": here}
            state["own"] = [copy_world(world) for world in state["ruled"]]
            self.undone.update(range(event["to"] + 1, here))
            return state
        untaps = event["type"] == "step-began" and event["step"] == "untap"
        if not untaps and event["type"] not in LEAVES_DUE:
            state = untap_unwritten(state)
        just_before = copy_state(state)
        arriving = take_in(state, event, self.catalogue)
        if event["type"].endswith("-claimed") or event["type"] == "judge-ruled":
            self.compared.append(compare(just_before, event, here))
        ruled = consequences(state, state["ruled"], event, arriving, with_rulings=True)
        own = consequences(state, state["own"], event, arriving, with_rulings=False)
        write_down(state, ruled, waits=untaps, implied=False)
        state["ruled"], state["own"] = merged(ruled), merged(own)
        return state

    def findings(self) -> dict[str, Any]:
        """The result of `audit --json`: verdict, findings, unsettled claims, disputes."""
        listed: dict[str, list[dict[str, Any]]] = {"differs": [], "open": [], "agrees": []}
        standing = []
        for entry in self.compared:
            finding = {key: value for key, value in entry.items() if key != "outcome"}
            here = entry["event"]
            disputed = self.events[here - 1]["type"] == "dispute-ruled"
            if disputed and not disputing.counts(self.acts, self.events, here):
                continue
            if here in self.undone and not disputed:
                finding["undone"] = True
            else:
                standing.append(entry["outcome"])
            listed[entry["outcome"]].append(finding)
        verdict = "disputed" if "differs" in standing else "exact" if "agrees" in standing else "unverified"
        found = {"verdict": verdict, "findings": listed["differs"], "unsettled": listed["open"]}
        return found | {"disputes": disputing.disputes(self.acts, self.claimable)}

    def claimable(self, at: int) -> list[str]:
        """The designations possible after event `at`; if an untap step is pending then, after that step."""
        return possible(untap_unwritten(self.states[at - 1]))
