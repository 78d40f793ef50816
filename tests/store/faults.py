"""Stores whose database may fail at any call, and clients that retry until they get an answer.

`python -m tests.store.faults FOLDER FIRST MANY` runs MANY seeds from FIRST on and prints the outcome. The seed decides
everything: which client sends what to which store, and which call fails how. The SQLite file is real; the failures are
injected between it and the store. No other randomness and no clock is used.
"""

import json
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Self

from daynight.framework.language.errors import RecordError
from daynight.games import Store
from daynight.store.database.settings import Settings
from daynight.store.errors import ConflictError, StoreError, UnavailableError
from daynight.store.moments.past import Past, frozen

from .acknowledged import Json, Told, began, found, intact, noted
from .failing import Killed, Process

GAMES = ("friday", "saturday")
PLAYERS = ("Ana", "Bo", "Cleo")
"""The names of the clients."""

COMMANDS = 4
"""How many commands each client sends."""


@dataclass
class Command:
    """A command that a client wants stored; `sent` and `answered` are logical times."""

    game: str
    id: str
    events: list[Json]
    expected: int | None = None
    impossible: bool = False
    sent: int = 0
    answered: int = 0
    told: Told | None = None


@dataclass
class Outcome:
    """The outcome of some seeds: failures that `fired` and answers, both counted by kind, and broken promises."""

    seeds: int = 0
    fired: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def add(self, other: Self) -> None:
        """Add the figures of another outcome to this one."""
        self.seeds += other.seeds
        self.fired += other.fired
        self.answers += other.answers
        self.problems += other.problems


class World:
    """A simulation of one seed: two processes on one file, three clients in two games."""

    def __init__(self, folder: Path, seed: int, *, ids: bool = True) -> None:
        self.random = Random(seed)
        self.outcome = Outcome(seeds=1)
        self.database = folder / f"{seed}.db"
        self.ids = ids
        self.commands: list[Command] = []
        self.moment = 0
        self.extra = 0
        # Writers must not wait: the simulated lock is not released while somebody waits.
        settings = replace(Settings.parse(self.database), snapshots=self.random.choice((3, 5, 1000)), timeout=0)
        with Store(settings) as store:
            for game in GAMES:
                began(store, game, PLAYERS)
        self.processes = [Process(settings, self.random, self.outcome.fired) for _each in range(2)]
        rate = self.random.choice((0.005, 0.02, 0.05))
        for process in self.processes:
            process.faults.rate = rate
        self.rate = rate

    def problem(self, text: str) -> None:
        """Add the text about a broken promise to the outcome's problems."""
        self.outcome.problems.append(f"seed {self.database.stem}: {text}")

    def go(self) -> Outcome:
        """Let the clients send until each command is answered; compare answers and store; return the outcome."""
        left = dict.fromkeys(PLAYERS, COMMANDS)
        current: dict[str, Command] = {}
        while left:
            player = self.random.choice(sorted(left))
            process = self.random.choice(self.processes)
            process.faults.overtake = partial(self.overtaken, process)
            if player not in current:
                current[player] = self.command(player, COMMANDS - left[player])
            if self.attempt(current[player], process):
                del current[player]
                left[player] -= 1
                if not left[player]:
                    del left[player]
            process.faults.unlock()
            if self.random.random() < 0.1:
                self.read(process)
        self.check()
        return self.outcome

    def command(self, player: str, number: int) -> Command:
        """Return a client's command with this number: legal in every state of its game, or `impossible` in all."""
        random, id = self.random, f"{player}-{number}"
        events: list[Json] = [{"type": "spell-cast", "player": player}] * random.randint(0, 3)
        permanent = {"id": id, "card": random.choice(("Tavern Ruffian", "Brutal Cathar")), "controller": player}
        entered: Json = {"type": "permanents-entered", "permanents": [permanent]}
        events.insert(random.randint(0, len(events)), entered)
        command = Command(random.choice(GAMES), id, [])
        kind = random.random()
        if kind < 0.1:
            command.impossible = True
            events.insert(random.randint(0, len(events)), {"type": "spell-cast", "player": "Eve"})
        elif kind < 0.2:
            events.append({"type": "game-backed-up", "to": 2, "by": player})
        elif kind < 0.5:
            command.expected = self.last(command.game) - (random.random() < 0.2)
        command.events = noted(id, events)
        return command

    def attempt(self, command: Command, process: Process) -> bool:
        """Send a command; return whether the answer is final: False if the client must retry."""
        self.moment += 1
        command.sent = command.sent or self.moment
        answers = self.outcome.answers
        try:
            id = command.id if self.ids else None
            stored = process.store.append(command.game, command.events, command=id, expected=command.expected)
        except Killed:
            process.gone()
            process.start()
            process.faults.rate = self.rate
            answers["killed"] += 1
            return False
        except UnavailableError as error:
            answers["not available"] += 1
            if self.ids and f"command {command.id}" not in str(error):
                self.problem(f"{error} does not name {command.id}")
            return False
        except ConflictError as error:
            answers["conflict"] += 1
            if command.expected is None or command.expected == self.last(command.game):
                self.problem(f"{command} met {error}")
        except RecordError as error:
            answers["refused"] += 1
            if not command.impossible:
                self.problem(f"{command} was refused: {error}")
        except Exception as error:
            self.problem(f"{type(error).__name__} escaped: {error}")
        else:
            answers["repeated" if stored.repeated else "stored"] += 1
            command.told = Told(command.game, command.id, stored.first, stored.last)
            if command.impossible or command.expected not in (None, stored.first - 1):
                self.problem(f"{command} was stored")
        self.moment += 1
        command.answered = self.moment
        self.commands.append(command)
        return True

    def overtaken(self, process: Process) -> None:
        """Let the other process store a command just before `process` begins to write."""
        (other,) = (each for each in self.processes if each is not process)
        self.extra += 1
        id = f"other-{self.extra}"
        command = Command(self.random.choice(GAMES), id, noted(id, [{"type": "step-began", "step": "upkeep"}]))
        rate, other.faults.rate = other.faults.rate, 0.0
        self.attempt(command, other)
        other.faults.rate = rate

    def read(self, process: Process) -> None:
        """Read from the store of `process`, whose calls may fail; any error but StoreError and Killed is a problem."""
        game = self.random.choice(GAMES)
        reads: tuple[Callable[[], Any], ...] = (
            lambda: process.store.at(game, 1), lambda: process.store.load(game),
            lambda: list(process.store.events(game, 2)), process.store.games,
            lambda: process.store.take_snapshots(game),
        )  # fmt: skip
        try:
            self.random.choice(reads)()
        except Killed:
            process.gone()
            process.start()
            process.faults.rate = self.rate
        except StoreError:
            self.outcome.answers["not read"] += 1
        except Exception as error:
            self.problem(f"{type(error).__name__} escaped from reading: {error}")
        process.faults.unlock()

    def last(self, game: str) -> int:
        """Return the number of the game's last event, read by plain SQL."""
        with closing(sqlite3.connect(self.database)) as connection:
            statement = "SELECT max(originator_version) FROM stored_events WHERE originator_id = ?"
            number: int = connection.execute(statement, (game,)).fetchone()[0]
            return number

    def check(self) -> None:
        """Note a problem if a command is not stored once, where its answer said, or a game in memory differs from its
        rows."""
        for process in self.processes:
            process.faults.rate = 0.0
            for game, (live, _seen) in process.store.application.writer.lives.items():
                again = Past(process.store.recorder, game, snapshots=False).live(live.number)
                if frozen(live) != frozen(again):
                    self.problem(f"{game} in memory is not what is stored")
        stored = [command.told for command in self.commands if command.told is not None]
        seen = found(self.database, stored)
        if seen.faults != (0, 0, 0):
            self.problem(f"{seen}")
        # Each game was begun by two events; refused commands are absent.
        if seen.commands != len(stored) + 2 * len(GAMES):
            self.problem(f"{len(stored)} commands were acknowledged, {seen.commands} are there")
        for one in self.commands:
            for other in self.commands:
                if one.told is None or other.told is None or one.game != other.game:
                    continue
                if one.answered < other.sent and one.told.last >= other.told.first:
                    self.problem(f"{one.id} was answered before {other.id} was sent, and stored after it")
        if not intact(self.processes[0].store):
            self.problem("nothing is there")
        for process in self.processes:
            process.gone()


def run(folder: Path, first: int, many: int, *, ids: bool = True) -> Outcome:
    """Run `many` seeds from `first` on; return the sum. Without `ids`, the store can't recognize a retry: a problem."""
    outcome = Outcome()
    for seed in range(first, first + many):
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            outcome.add(World(Path(scratch), seed, ids=ids).go())
    return outcome


def document(outcome: Outcome) -> Json:
    """Return an outcome as a JSON object."""
    return {
        "seeds": outcome.seeds, "fired": dict(sorted(outcome.fired.items())),
        "answers": dict(sorted(outcome.answers.items())), "problems": outcome.problems,
    }  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(document(run(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))))
