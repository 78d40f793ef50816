"""`replay-test` for any mechanic: writes a baseline, or lists the parts to which current code gives other values."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import click

from daynight.cli.asking import Mechanic, stored_game, tell
from daynight.cli.terminal import options
from daynight.cli.terminal.exits import UNREADABLE
from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.output import print_json, to_its_end
from daynight.framework.baselines.lines import BEGINS, Counts
from daynight.framework.baselines.replaying import Replay
from daynight.framework.baselines.taking import EVERY, Sample, write_baseline
from daynight.framework.language.grammar import commas
from daynight.framework.language.source import Source
from daynight.framework.language.wording import _, counted
from daynight.keeping.files import check_target, written

Completing: TypeAlias = Callable[[click.Context, click.Parameter, str], Any]
"""Completes a word on the command line."""

_write = options.a_file("--write", "target", help="Write a baseline of the games into this file.")
_every = click.option(
    "--every",
    metavar="N",
    type=Whole(min=1),
    help=f"With --write: keep the parts at each Nth event; by default {EVERY}.",
)
_ways = click.option("--ways", is_flag=True, help="Also compare by which event and rule each part got its value.")


_HELP = """Check that the current code gives the values of a baseline.

--write BASE writes a baseline: the whole games of each FILE, with the values of all parts at every Nth event, at the
last event, before and after each back-up, and before each claim. Without --write, replay-test replays the games of BASE
with the current code, and lists the parts that have other values now. Exit code 1 if a part differs, and 3 if the
current code refuses an event.
"""


def replay_testing(*examples: str, complete: Completing | None = None) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function the command `replay-test`, with its help, these examples and its options.

    The function itself brings any further options for finding records. `complete` completes the names of records.
    """
    epilog = "\b\n" + "\n".join(f"daynight replay-test {example}" for example in examples)
    names = click.argument("names", metavar="BASE|FILE...", nargs=-1, required=True, shell_complete=complete)

    def made(function: Callable[..., Any]) -> click.Command:
        named = names(_write(_every(_ways(options.as_json(options.from_store(function))))))
        return click.command("replay-test", help=_HELP, epilog=epilog)(named)

    return made


@to_its_end
def answered(
    mechanic: Mechanic, names: Sequence[str], *, samples: Callable[[str], Iterable[Sample]], target: Path | None,
    every: int | None, ways: bool, as_json: bool,
) -> int:  # fmt: skip
    """Write a baseline of the records `names` to `target`; or, with no target, replay the baseline `names[0]`.

    `samples` yields the records of a name. A baseline keeps the parts at each event number that `every` divides; with
    `ways`, a replay compares also how each part came about. Return the exit code.

    Raises:
        click.UsageError: where options do not go together.
    """
    if target is not None:
        if ways:
            raise click.UsageError(_("--write keeps the ways too; give --ways when the baseline is replayed"))
        return _written(mechanic, target, (one for name in names for one in samples(name)), every or EVERY, as_json)
    if every is not None:
        raise click.UsageError(_("--every is for --write"))
    if len(names) > 1:
        raise click.UsageError(_("give one baseline, or --write BASE and games"))
    return _replayed(mechanic, names[0], ways, as_json)


def _written(mechanic: Mechanic, target: Path, records: Iterable[Sample], every: int, as_json: bool) -> int:
    check_target(target)
    if target.is_file() and target.stat().st_size and not _is_baseline(target):
        # Whoever names the games alone would lose the first of them.
        raise click.UsageError(_("{file} is there and is no baseline; name another file").format(file=target))
    with written(target) as stream:
        counts = write_baseline(mechanic, stream, records, every=every)
    if as_json:
        print_json({"file": str(target), "mechanic": mechanic.name} | _document(counts))
    else:
        tell(_("written: {file}: {counts}").format(file=target, counts=_counted(counts)))
    return 0


def _is_baseline(file: Path) -> bool:
    with file.open("rb") as stream:
        return stream.read(len(BEGINS)) == BEGINS


def _replayed(mechanic: Mechanic, name: str, ways: bool, as_json: bool) -> int:
    replay = Replay(mechanic, BytesIO(sys.stdin.buffer.read()) if name == "-" else name, ways=ways)
    found = []
    code, number = 0, 0
    for one in replay:
        code, number = max(code, UNREADABLE if one.stops else 1), number + 1
        if as_json:
            found.append(one.document())
        else:
            tell(str(one))
    if as_json:
        document = {"baseline": name, "mechanic": mechanic.name} | _document(replay.counts)
        print_json(document | {"new_parts": replay.new_parts, "differences": found})
        return code
    if replay.new_parts:
        tell(_("not in the baseline, and not compared: {parts}").format(parts=commas(list(replay.new_parts))))
    if number:
        sentence = counted("{n} difference: {counts}", "{n} differences: {counts}", number)
    else:
        sentence = _("replays as it was: {counts}")
    tell(sentence.format(counts=_counted(replay.counts)))
    return code


def _counted(counts: Counts) -> str:
    records = counted("{n} record", "{n} records", counts.records)
    moments = counted("{n} moment", "{n} moments", counts.moments)
    return commas([records, moments, counted("{n} part", "{n} parts", counts.parts)])


def _document(counts: Counts) -> dict[str, Any]:
    return {"records": counts.records, "moments": counts.moments, "parts": counts.parts}


def _samples(name: str) -> Iterator[Sample]:
    there = stored_game(name)
    if there is None and name == "-":
        yield Sample.read(name, BytesIO(sys.stdin.buffer.read()))
        return
    source = there or Source(name)
    with source.locating(), source.open() as stream:
        yield Sample.read(source.name, stream, filled=there is not None)


@replay_testing("--write friday.base friday.jsonl saturday.jsonl", "friday.base")
@click.pass_obj
def replay_test(mechanic: Mechanic, /, names: tuple[str, ...], **asked: Any) -> int:
    """Replay a baseline of any mechanic, or write one."""
    return answered(mechanic, names, samples=_samples, **asked)
