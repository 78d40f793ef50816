"""Makes up a league of many games, builds a corpus of it, audits it, asks about it, and draws its statistics.

`make corpus-demo` runs it. `python examples/league.py FOLDER [GAMES]` writes everything into FOLDER. Of a hundred games
about five have an effect that only the ordinary referee judges, and about one has a wrong claim, which the audit then
finds.
"""

from __future__ import annotations

import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from random import Random

STEPS = (
    "untap", "upkeep", "draw", "precombat-main", "beginning-of-combat", "declare-attackers", "combat-damage",
    "end-of-combat", "postcombat-main", "end", "cleanup",
)  # fmt: skip
BEFORE = b"".join(b'{"type":"step-began","step":"%b"}\n' % step.encode() for step in STEPS[:4])
AFTER = b"".join(b'{"type":"step-began","step":"%b"}\n' % step.encode() for step in STEPS[4:])
SPELLS = (b"Lightning Bolt", b"Opt", b"Ranger Class", b"Augur of Autumn", b"Flame Slash", b"Elite Spellbinder")
WEREWOLVES = (b"Tavern Ruffian", b"Brutal Cathar", b"Village Watch", b"Baneblade Scoundrel", b"Grizzly Bears")
FORMATS = (b"draft", b"sealed", b"standard")


def game(number: int, random: Random, *, odd: bool = False, wrong: bool = False) -> bytes:
    """Return a game of 7 to 10 turns as JSON lines, some 115 events. `wrong`: one claim is wrong.

    `odd`: it has an effect that only the ordinary referee can judge, not the fast way for plain games of a corpus.
    """
    began = (
        b'{"type":"game-started","format":1,"game":"league %d","players":["Ana","Bo"],"edition":"2024-06-07",' % number
    )
    pieces = [
        began + b'"at":"2024-%02d-07T19:30:00Z","meta":{"kind":"%b"}}\n' % (number % 12 + 1, random.choice(FORMATS))
    ]
    arrived = 0
    for turn in range(1, random.randint(8, 11)):
        player = b"Bo" if turn % 2 else b"Ana"
        pieces += (b'{"type":"turn-began","turn":%d,"active":["%b"]}\n' % (turn, player), BEFORE)
        casts = random.choice((0, 1, 1, 2))
        for _cast in range(casts):
            pieces.append(b'{"type":"spell-cast","player":"%b","card":"%b"}\n' % (player, random.choice(SPELLS)))
        if random.random() < 0.3:
            arrived += 1
            pieces.append(
                b'{"type":"permanents-entered","permanents":[{"id":"p%d","card":"%b","controller":"%b"}]}\n'
                % (arrived, random.choice(WEREWOLVES), player)
            )
        if random.random() < 0.2:
            pieces.append(b'{"type":"tally-claimed","player":"%b","spells":%d,"by":"app"}\n' % (player, casts))
        if odd and turn == 3:
            pieces.append(b'{"type":"effect-resolved","becomes":"switch","source":"The Celestus"}\n')
        if wrong and turn == 4:
            pieces.append(b'{"type":"tally-claimed","player":"%b","spells":%d,"by":"Jo"}\n' % (player, casts + 3))
        pieces.append(AFTER)
    return b"".join(pieces)


def league(games: int, *, odd: int = 5, wrong: int = 1, seed: int = 7) -> Iterator[bytes]:
    """Yield `games` games; of a hundred about `odd` need the ordinary referee, and about `wrong` have a wrong claim."""
    random = Random(seed)  # noqa: S311  # made up, and the same every time
    for number in range(games):
        place = random.randrange(100)
        yield game(number, random, odd=place < odd, wrong=odd <= place < odd + wrong)


def written(path: Path, games: int, **how: int) -> None:
    """Write a league to one JSON Lines file; `how` are further arguments of `league`."""
    with path.open("wb") as stream:
        for one in league(games, **how):
            stream.write(one)


def main() -> None:
    """Make the league, and ask about it."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path, help="where the games, the corpus and the results are written")
    parser.add_argument(
        "games", type=int, nargs="?", default=100_000, help="how many games are made up (default: 100,000)"
    )
    asked = parser.parse_args()
    folder, games = asked.folder, asked.games
    folder.mkdir(parents=True, exist_ok=True)
    records, corpus, result = folder / "league.jsonl", folder / "league", folder / "result"
    began = time.monotonic()
    written(records, games)
    print(f"{records}: {games} games made up in {time.monotonic() - began:.0f} s")
    for command in (
        ["build", str(records), "-o", str(corpus)],
        ["audit", str(corpus), "-o", str(result)],
        ["stats", str(corpus), "-o", str(result), "--by", "meta.kind", "--picture", str(folder / "kinds.svg")],
        ["stats", str(corpus), "-o", str(result), "--by", "month", "--picture", str(folder / "months.svg")],
        ["find", str(corpus), "-o", str(result), "--disputed", "--turn", "4", "--claimed-by", "Jo", "--json"],
    ):
        print("\n$ daynight corpus", *command, flush=True)
        began = time.monotonic()
        program = [sys.executable, "-m", "daynight", "corpus"]
        ran = subprocess.run([*program, *command], stdout=subprocess.PIPE, check=False)  # noqa: S603
        lines = ran.stdout.decode().splitlines()
        print(*lines[:12], *([f"... and {len(lines) - 12} more"] if len(lines) > 12 else []), sep="\n")
        print(f"({time.monotonic() - began:.0f} s, exit code {ran.returncode})")
        if ran.returncode not in (0, 1):
            sys.exit(ran.returncode)
    print(f"\nThe pictures: {folder / 'kinds.svg'}, {folder / 'months.svg'}")


if __name__ == "__main__":
    main()
