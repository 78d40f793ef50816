"""Hostile Forge logs: an answer in limited time, and never a traceback.

| promise | test |
| --- | --- |
| a changed log is read into legal games, or refused in a sentence | test_mutations |
| ten thousand changed logs are read or refused | test_many_mutations |
| names and numbers that no game has do not hinder reading | test_odd_values |
| time is linear in the log's size, whatever is repeated in it | test_floods, test_taken_up_again_and_again |
| time is linear for logs four times as long | test_whole_floods |
| a game with too many lines is refused | test_bounds |
"""

import io
import random
import time
from functools import cache

import pytest

import daynight.importers.forge.log as forge
from daynight.cards import bundled
from daynight.framework.language.errors import UnreadableError
from daynight.game import Game
from daynight.importers.forge.log import IMPORTER
from daynight.importers.importing import Import
from daynight.importers.sources import Source
from daynight.logs import known_of
from tests.importers import answering
from tests.importers.forge_logs import Log, day_and_night
from tests.sampling import sampled


@cache
def everything():
    """Return a log of two games with all kinds of lines, the older format and the newer one."""
    logs = []
    for new in (False, True):
        log = day_and_night(Log(["Ana", "Bo", "Ai(3)-Kess' Cats"], new=new))
        log.lines = [line for line in log.lines if not line.startswith(("Game ", "Match "))]
        log.turn().put("cast", "Moonbolt", 61).put("triggered", "Moonbolt", 61, mana=0)
        log.put("cast", "Moonbolt", 62, mana=0).resolve("Storm (copy it for each spell cast before it this turn.)")
        log.resolve("Scry 1. It becomes night.").resolve("You may scry 1. If you do, it becomes day.")
        log.attack("Wolf Token (400)", "Village Watch (401)", "Tavern Ruffian (12)").rest()
        log.say("Zone Change: Tavern Ruffian (12) was put into Graveyard from Battlefield.")
        logs += log.turn().creature("Village Watch", 402).rest().turn(number=log.number + 3).over().lines
    return "\n".join(logs).encode()


def answered(data):
    """Import a log of Forge; return the number of its games, or 0 if it is refused, as `answering.answered`."""
    return answering.answered(IMPORTER, data, known_of(bundled(), None))


WORDS = [
    b"0", b"-1", b"999999999", b"9" * 40, b"(", b")", b" (1)", b"Ana", b" cast ", b" played ", b" targeting [", b"'s ",
    b"Turn 1", b"Turn: Turn 9 (Cy)", b"\xff", b"\0", b"\xe2\x80\xae", b"x" * 300, b": ", b"", b"Tavern Smasher", b", ",
    b" and ",
]  # fmt: skip


def mutated(data, rng):
    """Return a log with some lines deleted, swapped, doubled, changed or reversed."""
    lines = data.split(b"\n")
    for _change in range(rng.choice([1, 2, 5, 20])):
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        line = lines[at]
        place = rng.randrange(len(line) + 1)
        match rng.randrange(6):
            case 0:
                del lines[at : at + rng.choice([1, 2, 10])]
            case 1:
                lines[at], lines[other] = lines[other], line
            case 2:
                lines.insert(other, line)
            case 3:
                words = line.split(b" ")
                words[rng.randrange(len(words))] = rng.choice(lines[other].split(b" "))
                lines[at] = b" ".join(words)
            case 4:
                lines[at] = line[:place] + rng.choice(WORDS) + line[place + rng.choice([0, 1, 4]) :]
            case _:
                if not rng.randrange(20):
                    lines.reverse()
        lines = lines or [b""]
    return b"\n".join(lines)


def mutate(seed, logs):
    rng = random.Random(seed)
    games = 0
    for _log in range(logs):
        data = mutated(everything(), rng)
        before = time.process_time()
        games += answered(data)
        assert time.process_time() - before < 2
    assert games > logs


def test_mutations():
    """A few changed logs are read into legal games, or refused with a RecordError."""
    assert answered(everything()) == 2
    assert answered(b"\x1b[31m no log\n" * 50) == 0
    mutate(1, 12)


@pytest.mark.slow
def test_many_mutations():
    """Ten thousand changed logs, always the same, are read into legal games, or refused with a RecordError."""
    mutate(11, 10_000)


@pytest.mark.wide(but=5)
@pytest.mark.parametrize("before, after", [
    (b"Ana", b"\xe2\x80\xae"), (b"Ana", b"Bo"), (b"Ana", b""), (b"Ana", b"A" * 201), (b"Ana", b".*|(a+)+$"),
    (b"Turn 3", b"Turn 999999999"), (b"Turn 3", b"Turn " + b"9" * 30), (b"Turn 3", b"Turn 0"), (b"(12)", b"(0)"),
    (b"(12)", b"(1)"), (b"(12)", b"(999999999999)"), (b"Tavern Ruffian", b""), (b"Tavern Ruffian", b"x" * 5000),
    (b"Tavern Ruffian", b"\x1b[31m"), (b"Tavern Ruffian", b" Token"),
    (b"Tavern Ruffian", b"Tavern Ruffian // Tavern Smasher"), (b"Graveyard", b"\xc2\xad"), (b"has won", b"has lost"),
    (b"has lost", b"has won"),
])  # fmt: skip
def test_odd_values(before, after):
    """All values of one kind are replaced by odd ones: the log is read into at least its two games."""
    assert before in everything()
    assert 2 <= answered(everything().replace(before, after))


FLOODS = {
    "casts": lambda n: Log().turn().say(*["Add to stack: Ana cast Opt (1)"] * 5_000 * n),
    "lands": lambda n: Log().turn().say(*(f"Land: Ana played Forest ({at})" for at in range(5_000 * n))),
    "turns": lambda n: Log(hands=False).say(*(f"Turn: Turn {at} (Ana)" for at in range(1, 5_000 * n))),
    "games": lambda n: Log(hands=False).say(*["Turn: Turn 1 (Ana)"] * 750 * n),
    "players": lambda n: Log(hands=False).say(*(f"Turn: Turn {at} (P{at})" for at in range(1, 2_500 * n))),
    "attacks": lambda n: (
        Log().turn().say(*["Combat: Ana assigned " + "Bear (7), " * 1_900 + "to attack Bo."] * n, *["x"] * 9)
    ),
    "assigned": lambda n: Log().turn().say(*["Ana assigned" + " assigned" * 2_200 + " to attack "] * 75 * n),
    "brackets": lambda n: Log().turn().say(*["Zone Change: " + "x (1) was put into " * 900] * 75 * n),
    "apostrophes": lambda n: Log().turn().say(*["Phase: " + "'s x" * 4_000] * 75 * n),
    "effects": lambda n: Log().turn().say(*["Resolve stack: If so, it becomes night."] * 2_500 * n),
    "alike": lambda n: (
        Log().turn().say(*["Add To Stack: Ana cast Bear", "Resolve Stack: Bear - Creature 2 / 2"] * 750 * n)
    ),
    "left": lambda n: (
        Log()
        .turn()
        .say(
            *["Add To Stack: Ana cast Bear", "Resolve Stack: Bear - Creature 2 / 2"] * 1_000 * n,
            *(f"Zone Change: Bear ({at}) was put into Exile from Battlefield." for at in range(500 * n)),
        )
    ),
}


def flooded(flood, times):
    """Import the flood at `times` its smallest size; it must take less than 0.75 seconds of CPU time, times `times`."""
    data = FLOODS[flood](times).bytes()
    running = Import(IMPORTER, known_of(bundled(), None))
    before = time.process_time()
    games = list(running.games([Source("x", io.BytesIO(data))]))
    assert time.process_time() - before < 0.75 * times
    for game in games[:2]:
        assert len(game.events) < 100_000
        Game(game.events[:20_000])


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("flood", sampled(FLOODS, 4))
def test_floods(flood):
    """A flood of about a megabyte is read in three quarters of a second."""
    flooded(flood, 1)


@pytest.mark.slow
@pytest.mark.parametrize("flood", FLOODS)
def test_whole_floods(flood):
    """A flood four times as large is read in three seconds."""
    flooded(flood, 4)


@pytest.mark.wide
def test_taken_up_again_and_again():
    """Each of some 3000 turns has an effect on an unknown condition: the log is still read in three seconds."""
    log = Log(hands=False)
    for number in range(1, 3_000):
        log.say(f"Turn: Turn {number} (Ana)", "Resolve stack: If so, it becomes night.")
    before = time.process_time()
    assert 1 == answered(log.bytes())
    assert time.process_time() - before < 3


@pytest.mark.parametrize("bound", ["LINES", "LETTERS"])
@pytest.mark.parametrize("newest_first", [False, True])
def test_bounds(monkeypatch, bound, newest_first):
    """A game with too many lines or letters raises UnreadableError with the line; one within the limits is read."""
    log = day_and_night(Log())
    assert answered(log.bytes(newest_first=newest_first)) == 1
    monkeypatch.setattr(forge, bound, 40)
    with pytest.raises(UnreadableError, match=r"^x:\d+: .*a game of more than"):
        list(Import(IMPORTER).games([Source("x", io.BytesIO(log.bytes(newest_first=newest_first)))]))
