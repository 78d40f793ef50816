"""Writes the records of a corpus as files, byte for byte."""

from __future__ import annotations

import re
from pathlib import Path

from daynight.corpus.lines import kept
from daynight.corpus.manifest import Manifest
from daynight.corpus.trust import Damage
from daynight.framework.language.errors import AskedError, NotFoundError
from daynight.framework.language.wording import _
from daynight.keeping.files import written

_PART = re.compile(r"part-\d{5,}")


def export(folder: str, target: Path, wanted: int | None = None) -> tuple[list[Damage], int]:
    """Write all records, or game `wanted` alone, into `target`; return the damage found, and how many were written.

    Raises:
        NotFoundError: where there is no such corpus, or game.
        UnreadableError: where `corpus.json` is not valid.
        AskedError: where `target` holds something else than such records.
        OSError: where a file cannot be written.
    """
    manifest = Manifest.read(folder)
    if any(_PART.fullmatch(path.name) is None for path in (target.iterdir() if target.is_dir() else ())):
        raise AskedError(_("{folder} holds something else; name a folder that is new").format(folder=target))
    damaged: list[Damage] = []
    games = 0
    for part in manifest.parts:
        if wanted is not None and not part.first <= wanted < part.first + part.records:
            continue
        below = target / f"part-{part.part:05d}"
        try:
            for game in kept(folder, part, None if wanted is None else {wanted}):
                below.mkdir(parents=True, exist_ok=True)
                with written(below / f"{game.game:012d}.jsonl") as stream:
                    stream.write(game.data)
                games += 1
        except Damage as error:
            damaged.append(error)
    if wanted is not None and not games and not damaged:
        raise NotFoundError(_("{folder}: no game {game}").format(folder=folder, game=wanted), file=folder)
    return damaged, games
