"""Engines for tests: `python -m tests.conformance.engines NAME` answers cases on its standard input.

| name | engine |
| --- | --- |
| `referee` | the referee of daynight |
| `naive` | the naive oracle of the tests, written from the contract alone |
| `machine` | the machine of the tests; `machine MISTAKE` with that mistake planted |
| `echo` | prints the case itself |
| `crash`, `silent`, `garbage` | the machine, but at the third case it exits, is silent or prints garbage |
| `flood` | reads no input, and prints lines for ever |
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

Case = dict[str, Any]


def by_documents(case: Case, document: Callable[[int], dict[str, Any]], turned: dict[int, list[str]]) -> dict[str, Any]:
    """Return an answer; `document` gives the state after an event as `replay --json` prints it, and `turned` the ids of
    the permanents that transformed at each event."""
    seen, last = [], 0
    for at in case["ask"]:
        state = document(at)
        faces = {one["permanent"]: one["face"] for one in state["battlefield"]}
        triggered = [one["permanent"] for one in state["triggers"] if last < one["event"] <= at]
        transformed = [id for number in range(last + 1, at + 1) for id in turned.get(number, [])]
        happened = {"triggered": triggered, "transformed": transformed}
        seen.append({"at": at, "designation": state["designation"], "faces": faces, **happened})
        last = at
    return {"id": case["id"], "seen": seen}


def referee(case: Case) -> dict[str, Any]:
    """Return the answer of daynight's referee."""
    from daynight.events import Transformed
    from daynight.events.language import decode
    from daynight.game import Game

    game = Game([decode(json.dumps(event).encode()) for event in case["events"]])
    turned = {
        moment.number: [id for each in moment.consequences if isinstance(each, Transformed) for id in each.permanents]
        for moment in game.moments()
    }
    return by_documents(case, game.document, turned)


def naive(case: Case) -> dict[str, Any]:
    """Return the answer of the naive oracle."""
    from tests.oracle.naive import Naive

    oracle = Naive()
    turned: dict[int, list[str]] = {}
    for number, event in enumerate(case["events"], 1):
        oracle.apply(event)
        [world] = oracle.state["ruled"]
        turned[number] = [id for id, last in world["turned"].items() if last == number]
    return by_documents(case, oracle.document, turned)


def machine(case: Case, mistake: str = "") -> dict[str, Any]:
    """Return the machine's answer, with a planted mistake if one is named."""
    from tests.conformance.machine import Machine

    return Machine(mistake).answer(case)


def main(name: str, mistake: str = "") -> None:
    """Print the answer of the engine `name` to each case on standard input."""
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
