"""The number of function calls inside daynight for some operations, and the modules of these functions.

A longer call chain is harder to read, and costs a little time at each event. Lambdas and comprehensions are not
counted; a generator counts each time it resumes. Every operation runs once before it is counted, so cached things are
not included. `make bench` prints them with the others, `python tests/bench/walks.py` alone.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import partial
from io import BytesIO, StringIO
from itertools import pairwise
from pathlib import Path
from types import FrameType

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import daynight
from daynight.cli.commands import run
from daynight.events import SpellCast
from daynight.game import Game
from daynight.games import Store
from daynight.importers.arena import log as arena
from daynight.importers.frame import Observed, Options
from daynight.importers.sources import Source
from daynight.projections.audit.audit import Auditor
from daynight.records import Record
from tests.importers import arena_logs

RECORD = """{"type":"game-started","format":1,"game":"g","players":["Ana","Bo"]}
{"type":"turn-began","turn":1,"active":["Ana"]}
{"type":"designation-claimed","designation":"day","by":"Bo"}
"""
"""A record with one claim, which is wrong: it is neither day nor night."""


def walked(work: Callable[[], object]) -> list[str]:
    """Run `work`; return the source file of each function of daynight that is called, in the order of the calls."""
    home = str(Path(daynight.__file__).parent)
    calls: list[str] = []

    def heard(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(home) and not code.co_name.startswith("<"):
            calls.append(code.co_filename)

    sys.setprofile(heard)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def row(title: str, work: Callable[[], object]) -> None:
    """Print a line: how many calls `work` makes, of how many modules, and how often the module changes."""
    work()
    calls = walked(work)
    switches = sum(one != other for one, other in pairwise(calls))
    print(f"  {title:<34}{len(calls):>8}{len(set(calls)):>10}{switches:>10}")


def silently(words: list[str]) -> None:
    """Run a command line without its output."""
    with redirect_stdout(StringIO()):
        run(words)


def spell_of_a_log() -> Iterator[object]:
    """Return an iterator over what the importer reads from a made-up log; its next item is the spell that was cast."""
    log = arena_logs.Log()
    game = arena_logs.Game(log)
    game.begin()
    game.cast(game.active, arena_logs.OPT)
    game.over()
    data = log.bytes()

    def items() -> Iterator[object]:
        return arena.read([Source("Player.log", BytesIO(data))], Options())

    spells = (isinstance(item, Observed) and isinstance(item.event, SpellCast) for item in items())
    first = next(place for place, is_spell in enumerate(spells) if is_spell)
    said = items()
    for _before in range(first):
        next(said)
    return said


def main() -> None:
    """Count the calls and print them."""
    print(f"the walks through daynight {'':<9}calls   modules  switches")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "claimed.jsonl"
        path.write_text(RECORD)
        row("a line to a verdict", lambda: Auditor().record(Record(path)).document())
        with Store.open(Path(folder) / "walks.db") as store:
            store.new("g", ["Ana", "Bo"])
            store.append("g", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
            row("an append to the disk", lambda: store.append("g", ['{"type":"spell-cast","player":"Ana"}']))
            row("a stored state", lambda: store.at("g", 2))
        before = [spell_of_a_log() for _time in range(2)]
        row("a log message to an event", lambda: next(before.pop()))
        game = Game.load(path)
        row("an event to memory", lambda: game.record('{"type":"spell-cast","player":"Ana"}'))
        row("the command line to a verdict", partial(silently, ["audit", str(path)]))
        row("a claim to a sentence", lambda: [str(finding.sentence) for finding in game.audit().findings])


if __name__ == "__main__":
    main()
