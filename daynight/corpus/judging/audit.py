"""The audit of corpora: every part judged by an engine, and what is found put together."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec

from daynight import __version__
from daynight.corpus.building.build import locked
from daynight.corpus.engines.local import Deadly
from daynight.corpus.judging.part import Counts, Judging, judge
from daynight.corpus.judging.results import SUMMARY, Done, check_target, made_by, put_together
from daynight.corpus.manifest import Manifest, Part, begun
from daynight.corpus.sources import addresses
from daynight.framework.language.wording import _, language

Engine: TypeAlias = Callable[
    [Callable[[Judging], Counts], Sequence[Judging]], Iterator[tuple[Judging, Counts | Deadly]]
]
"""Gives every task to `judge`, wherever that runs, and answers what it said, as it comes."""


class Asked(NamedTuple):
    """What is to be judged, and how."""

    folders: Sequence[str]
    edition: str | None = None
    assumed: str | None = None


def audit(
    asked: Asked, result: Path, engine: Engine, progress: Callable[[int, int], None] = lambda done, all: None
) -> dict[str, Any]:
    """Judge corpora, or go on with it; answers the summary. A result that is there already and the same stays.

    Raises:
        NotFoundError, UnreadableError: where there is no such corpus, or other rules made it.
        AskedError: where the result may not be put there, or somebody is making it.
        OSError: where something cannot be read or written.
    """
    manifests = []
    for folder in asked.folders:
        manifests.append(Manifest.read(folder))
        manifests[-1].check(folder)
    shown = [addresses.shown(folder) for folder in asked.folders]
    job = _digest(asked._replace(folders=shown), manifests)
    check_target(result)
    if made_by(result) == job:
        found: dict[str, Any] = msgspec.json.decode((result / SUMMARY).read_bytes())
        if not found["damaged"]:
            return found
    work = result.absolute().with_name(f".{result.name}.{job[:16]}")
    work.mkdir(parents=True, exist_ok=True)
    with locked(work, result), _kept_until_done(work):
        tasks = [
            Judging(
                shown[place], addresses.absolute(folder), part, _key(place, part), str(work), *asked[1:], language()
            )
            for place, (folder, manifest) in enumerate(zip(asked.folders, manifests, strict=True))
            for part in manifest.parts
        ]
        counts = {task.key: done for task in tasks if (done := _done(work, task)) is not None}
        waiting = [task for task in tasks if task.key not in counts]
        progress(len(counts), len(tasks))
        for task, answer in engine(judge, waiting) if waiting else ():
            killed = Counts(problem=_("it killed its worker three times"))
            counts[task.key] = killed if isinstance(answer, Deadly) else answer
            progress(len(counts), len(tasks))
        facts = {"corpora": shown, "edition": asked.edition, "assumed": asked.assumed}
        return put_together([Done(task, counts[task.key]) for task in tasks], result, work, job, facts)


def _key(place: int, part: Part) -> str:
    return f"{place:04d}-{part.part:05d}"


def _done(work: Path, task: Judging) -> Counts | None:
    """What was found of a part by a run that was interrupted."""
    path = work / f"{task.key}.json"
    found = msgspec.json.decode(path.read_bytes(), type=Counts) if path.exists() else None
    # What could not be read is tried again.
    if found is None or found.problem is not None:
        return None
    pieces = {name: work / f"{task.key}.{name}" for name in found.sizes}
    whole = all(piece.exists() and piece.stat().st_size == found.sizes[name] for name, piece in pieces.items())
    return found if whole else None


def _digest(asked: Asked, manifests: Sequence[Manifest]) -> str:
    """What stands for all that a result depends on."""
    ours = begun([], "0" * 64)
    said = [__version__, ours.pyarrow, list(asked.folders), asked.edition, asked.assumed, language(), manifests]
    return sha256(msgspec.json.encode(said)).hexdigest()


@contextmanager
def _kept_until_done(work: Path) -> Iterator[None]:
    """What is half done lies beside the result until that is whole."""
    yield
    shutil.rmtree(work)
