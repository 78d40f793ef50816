"""Builds a corpus part by part; a part is written whole or not at all, and an interrupted build can be continued."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from daynight.corpus.building import card
from daynight.corpus.building.part import PartTask, bad_name, done_name, make
from daynight.corpus.building.writers import placed
from daynight.corpus.engines.local import Deadly, here, spread
from daynight.corpus.manifest import MANIFEST, Manifest, WholePart, begun
from daynight.corpus.parts import sync_folder
from daynight.corpus.schema import TABLES
from daynight.corpus.sources import addresses, kept, logs
from daynight.corpus.sources.listing import PASSED, File, digest, listed, nothing_in
from daynight.corpus.sources.planning import Planned, planned
from daynight.framework.language.errors import AskedError, UnreadableError
from daynight.framework.language.wording import _
from daynight.keeping.files import written

BAD = "bad.jsonl"
"""The name of the file that lists the refused records."""

_WORK = ".building"
_FILES = (MANIFEST, BAD, card.CARD)
_OURS = {*_FILES, _WORK, *TABLES}
_HALF = re.compile(rf"(?:{'|'.join(map(re.escape, _FILES))})\.\d+")
"""Matches the names of unfinished copies of the files in `_FILES`, which a killed build may leave."""


def build(
    sources: Sequence[str],
    folder: Path,
    *,
    store: str = "",
    licence: str | None = None,
    workers: int = 1,
    progress: Callable[[WholePart], None] = lambda part: None,
    passed: Callable[[Sequence[File]], None] = lambda files: None,
) -> Manifest:
    """Build a corpus from `sources` in `folder`, or continue to build it.

    `store` is the store that `db:` means; `licence` is the licence of the data, and appears in the data card.
    `progress` is called with each part that is made. `passed` is called with the skipped files of folders, if any:
    those that are neither records nor logs, and whole corpora.

    Raises:
        NotFoundError: where a source does not exist, or there are no records in the sources.
        AskedError: where the folder holds something else, or is being built.
        UnreadableError: where `corpus.json` is not valid, or a part crashed its worker three times.
        OSError: where something cannot be read or written.
    """
    _check_place(folder)
    # A source may be a folder above the corpus: its own files are no sources.
    ours = os.path.join(folder.resolve(), "")  # noqa: PTH118  # with the separator at its end
    found = [file for file in listed(sources, store) if not _is_below(file, ours)]
    listing = [file for file in found if file.kind not in PASSED]
    others = [file for file in found if file.kind in PASSED]
    if not listing:
        raise nothing_in(sources, others)
    if others:
        passed(others)
    begin = begun([addresses.shown(source) for source in sources], digest(listing), licence)
    before = _begun(folder, begin)
    work = folder / _WORK
    if before is not None and before.complete and before.licence == licence:
        shutil.rmtree(work, ignore_errors=True)
        return before
    work.mkdir(parents=True, exist_ok=True)
    with placed(folder), locked(work, folder):
        for left in folder.iterdir():
            if _HALF.fullmatch(left.name):
                left.unlink()
        if before is None:
            begin.write(folder)
        if before is None or not before.complete:
            parts = _made(planned(_files(listing, work)), folder, work, workers, begin, progress, _alone(listing))
            with written(folder / BAD) as stream:
                for part in parts:
                    stream.write((work / bad_name(part.part)).read_bytes())
            before = msgspec.structs.replace(begin, parts=parts, complete=True)
        done = _finished(before, folder, licence)
        shutil.rmtree(work)
    return done


def _finished(whole: Manifest, folder: Path, licence: str | None) -> Manifest:
    """Put `licence` into the manifest `whole`, write the data card, then `corpus.json`; return the new manifest."""
    done = msgspec.structs.replace(whole, licence=licence)
    card.write(done, folder)
    done.write(folder)
    sync_folder(folder)
    return done


def _check_place(folder: Path) -> None:
    """Refuse a folder that holds anything but a complete or unfinished corpus.

    Raises:
        AskedError: where the folder is refused.
    """
    if not folder.exists():
        return
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else {folder.name}
    foreign = not folder.is_dir() or any(name not in _OURS and not _HALF.fullmatch(name) for name in names)
    if foreign or (names and names.isdisjoint({MANIFEST, _WORK})):
        raise AskedError(_("{folder} holds something else; name a folder that is new").format(folder=folder))


def _begun(folder: Path, begin: Manifest) -> Manifest | None:
    """Return the manifest that an earlier build of the same corpus wrote into `folder`; None if there is none.

    Raises:
        AskedError: where it has other sources or another version than `begin`, the manifest of this build.
    """
    if not (folder / MANIFEST).exists():
        return None
    found = Manifest.read(str(folder))
    same = msgspec.structs.replace(found, parts=[], complete=False, licence=begin.licence)
    if same == begin:
        return found
    if (same.sources, same.inputs) != (begin.sources, begin.inputs):
        sentence = _("{folder} was begun from other sources, or from sources of other sizes; name another folder")
    else:
        sentence = _("{folder} was begun by another version; name another folder")
    raise AskedError(sentence.format(folder=folder))


def _files(listing: Sequence[File], work: Path) -> Iterator[File]:
    for number, files in enumerate(logs.together(listing)):
        if files[0].kind == "log":
            yield from logs.retold(files, work, number)
        elif files[0].kind == "archive":
            yield from kept.unpacked(files[0], work, number)
        else:
            yield from files


def _is_below(file: File, folder: str) -> bool:
    # A nested corpus is the folder itself, and has no separator at its end.
    place = os.path.join(os.path.realpath(file.address), "")  # noqa: PTH118
    return file.kind not in ("stored", "corpus") and place.startswith(folder)


def _alone(listing: Sequence[File]) -> bool:
    """Return whether one of the files has an address in memory, which no other process can read."""
    return any(addresses.is_own(file.address) for file in listing)


def _made(
    plan: Iterator[Planned], folder: Path, work: Path, workers: int, begin: Manifest,
    progress: Callable[[WholePart], None], alone: bool,
) -> list[WholePart]:  # fmt: skip
    """Make those parts of `plan` that no earlier build completed; return all parts of the plan, in order.

    `alone`: make them in this process. A part that killed its worker three times raises `UnreadableError`.
    """
    parts: dict[int, WholePart] = {}
    tasks: list[PartTask] = []
    for one in plan:
        done = work / done_name(one.part)
        if done.exists():
            parts[one.part] = msgspec.json.decode(done.read_bytes(), type=WholePart)
        else:
            tasks.append(PartTask(str(folder), str(work), one))
    for table in TABLES:
        (folder / table).mkdir(exist_ok=True)
    _tidy(folder)
    by_others = not alone and workers > 1 and len(tasks) > 1
    answers = spread(make, tasks, workers) if by_others else here(make, tasks)
    for task, part in answers:
        if isinstance(part, Deadly):
            sentence = _("part {part} ended its worker again and again; is there too little memory?")
            raise UnreadableError(sentence.format(part=task.planned.part), file=str(folder))
        parts[part.part] = part
        whole = msgspec.structs.replace(begin, parts=[parts[number] for number in sorted(parts)])
        whole.write(folder)
        progress(part)
    _tidy(folder)
    return [parts[number] for number in sorted(parts)]


def _tidy(folder: Path) -> None:
    """Remove the unfinished files of killed workers."""
    for table in TABLES:
        for left in (folder / table).glob(".*.unfinished"):
            left.unlink(missing_ok=True)


@contextmanager
def locked(work: Path, result: Path) -> Iterator[None]:
    """Lock the work folder, so that no two commands make `result` at the same time. Windows has no such lock.

    Raises:
        AskedError: where another command holds the lock.
    """
    place = os.open(work / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if os.name == "posix":
            import fcntl

            try:
                fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                sentence = _("{folder} is being made by another command")
                raise AskedError(sentence.format(folder=result)) from None
        yield
    finally:
        os.close(place)
