"""Engines for tests: `python -m tests.conformance.engines NAME` answers cases on its standard input.

| name | engine |
| --- | --- |
| `referee` | the referee of daynight |
| `naive` | the naive oracle of the tests, written from the contract alone |
| `machine` | the machine of the tests; `machine MISTAKE` with a mistake |
| `echo` | returns the case itself |
| `crash`, `silent`, `garbage` | at the third case it ends, is silent or prints garbage; else the machine |
| `flood` | reads nothing, and writes lines without an end |
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

Case = dict[str, Any]


def by_documents(case: Case, document: Callable[[int], dict[str, Any]]) -> dict[str, Any]:
    """Make an answer from states as `replay --json` prints them."""
    seen, last = [], 0
    for at in case["ask"]:
        state = document(at)
        faces = {one["permanent"]: one["face"] for one in state["battlefield"]}
        triggered = [one["permanent"] for one in state["triggers"] if last < one["event"] <= at]
        seen.append({"at": at, "designation": state["designation"], "faces": faces, "triggered": triggered})
        last = at
    return {"id": case["id"], "seen": seen}


def referee(case: Case) -> dict[str, Any]:
    """The referee's answer."""
    from daynight.events.language import decode
    from daynight.game import Game

    game = Game([decode(json.dumps(event).encode()) for event in case["events"]])
    return by_documents(case, game.document)


def naive(case: Case) -> dict[str, Any]:
    """The oracle's answer."""
    from tests.oracle.naive import Naive

    oracle = Naive()
    for event in case["events"]:
        oracle.apply(event)
    return by_documents(case, oracle.document)


def machine(case: Case, mistake: str = "") -> dict[str, Any]:
    """The machine's answer."""
    from tests.conformance.machine import Machine

    return Machine(mistake).answer(case)


def main(name: str, mistake: str = "") -> None:
    """Answer each line."""
    while name == "flood":
        sys.stdout.write("{}\n" * 1000)
    for number, line in enumerate(sys.stdin, 1):
        case = json.loads(line)
        if number == 3 and name == "crash":
            sys.exit(9)
        if number == 3 and name == "silent":
            time.sleep(60)
        answers: dict[str, Callable[[Case], Case]] = {"referee": referee, "naive": naive, "echo": dict}
        answer = answers[name](case) if name in answers else machine(case, mistake)
        print("yes" if number == 3 and name == "garbage" else json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
