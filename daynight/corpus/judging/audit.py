"""Audits corpora: an engine judges every part, and the results are put together."""

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
from daynight.corpus.building.writers import placed
from daynight.corpus.engines.local import Deadly
from daynight.corpus.judging.part import Judging, judge
from daynight.corpus.judging.pieces import Counts, Piece, Pieces
from daynight.corpus.judging.results import SUMMARY, Done, check_target, put_together
from daynight.corpus.manifest import Manifest, WholePart, begun, checked
from daynight.corpus.sources import addresses
from daynight.framework.language.wording import _, language
from daynight.languages.speaking import LANGUAGES

Engine: TypeAlias = Callable[[Callable[[Judging], Piece], Sequence[Judging]], Iterator[tuple[Judging, Piece | Deadly]]]
"""Calls the given function with every task, in this process or in others; yields each finished task with its answer."""


class AuditTask(NamedTuple):
    """The options of an audit: the corpora, the edition to cite, and the designation to assume at the start."""

    folders: Sequence[str]
    edition: str | None = None
    assumed: str | None = None


def audit(
    asked: AuditTask,
    result: Path,
    engine: Engine,
    progress: Callable[[int, int], None] = lambda done, all: None,
    *,
    any_language: bool = False,
) -> dict[str, Any]:
    """Audit corpora, or continue an interrupted audit; return what `summary.json` in the folder `result` says.

    An existing result of the same audit is reused, unless a part of it was damaged; with `any_language` even if its
    sentences are in another language. `progress` is called with the number of judged parts and that of all parts.

    Raises:
        NotFoundError, UnreadableError: where there is no such corpus, or another version of the rules made it.
        AskedError: where `result` holds something else, a folder is given twice, a corpus is not finished, or another
            command makes the result.
        OSError: where something cannot be read or written.
    """
    manifests = checked(asked.folders)
    shown = [addresses.shown(folder) for folder in asked.folders]
    jobs = {each: _digest(asked._replace(folders=shown), manifests, each) for each in LANGUAGES}
    job = jobs[language()]
    before = check_target(result, [*jobs.values()] if any_language else [job])
    if before:
        found: dict[str, Any] = msgspec.json.decode((result / SUMMARY).read_bytes())
        if not found["damaged"]:
            return found
    work = result.absolute().with_name(f".{result.name}.{job[:16]}")
    work.mkdir(parents=True, exist_ok=True)
    with placed(result), locked(work, result), _kept_until_done(work), Pieces(work / _KEPT) as pieces:
        tasks = [
            Judging(shown[place], addresses.absolute(folder), part, _key(place, part), *asked[1:], language())
            for place, (folder, manifest) in enumerate(zip(asked.folders, manifests, strict=True))
            for part in manifest.parts
        ]
        counts = dict(pieces.counts)
        waiting = [task for task in tasks if task.key not in counts]
        progress(len(counts), len(tasks))
        for task, answer in engine(judge, waiting) if waiting else ():
            killed = Piece(Counts(problem=_("it killed its worker three times")))
            piece = killed if isinstance(answer, Deadly) else answer
            counts[task.key] = piece.counts
            if piece.counts.problem is None:
                pieces.add(task.key, piece)
            progress(len(counts), len(tasks))
        facts = {"corpora": shown, "edition": asked.edition, "assumed": asked.assumed}
        return put_together([Done(task, counts[task.key]) for task in tasks], pieces, result, work, job, facts)


def _key(place: int, part: WholePart) -> str:
    return f"{place:04d}-{part.part:05d}"


def _digest(asked: AuditTask, manifests: Sequence[Manifest], language: str) -> str:
    """Return a digest of everything that determines a result."""
    ours = begun([], "0" * 64)
    said = [__version__, ours.pyarrow, list(asked.folders), asked.edition, asked.assumed, language, manifests]
    return sha256(msgspec.json.encode(said)).hexdigest()


@contextmanager
def _kept_until_done(work: Path) -> Iterator[None]:
    """Remove the work folder at the end; after an error only if it has no result from which an audit can go on."""
    try:
        yield
    except BaseException:
        kept = work / _KEPT
        if not kept.exists() or not kept.stat().st_size:
            shutil.rmtree(work)
        raise
    shutil.rmtree(work)


_KEPT = "pieces"
