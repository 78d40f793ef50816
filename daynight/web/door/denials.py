"""Refusals: the answer to a refused request. Its sentence shows no paths of the store and of its signing key."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.responses import Response

from daynight.framework.language.source import STORED
from daynight.games import Store
from daynight.machine.shells import SHELLS, quoted
from daynight.web import answers
from daynight.web.errors import problem_of
from daynight.web.visit import Visit

_SOCKET = re.compile(r'/[^"]*/(\.s\.PGSQL\.\d+)')
"""Matches the path of a PostgreSQL server's socket; group 1 is its file name."""


def refusal(visit: Visit, error: Exception) -> Response:
    """Return the problem document for a visit that an error ended."""
    found = problem_of(error)
    store = visit.shelf.store
    if store is not None:
        label = STORED if visit.game is None else visit.game.label
        for place, name in sorted(_places(store, label).items(), key=lambda one: -len(one[0])):
            found.detail = found.detail.replace(place, name)
        if store.settings.kind == "postgresql":
            found.detail = _SOCKET.sub(r"\1", found.detail)
    return answers.problem(found)


def _places(store: Store, label: str) -> dict[str, str]:
    """Return the paths that an error's sentence may contain, each with the text to show instead.

    `label` is shown for a path of the store, the name of the key's file for a path of the signing key.
    """
    settings, signer = store.settings, store.recorder.signer
    found = {settings.shown: label, settings.path: label}
    if settings.kind == "sqlite":
        found[str(Path(settings.path).absolute())] = label
    path: Path | None = None if signer is None else signer.path
    if path is not None:
        # The file of what the key remembers is beside the key, where a symbolic link leads.
        for place in (path, path.absolute(), path.resolve()):
            found |= {str(place): path.name, f"{place.parent}/": ""}
            # A command in the sentence is quoted for one of these.
            found |= {quoted(str(place), shell): quoted(path.name, shell) for shell in SHELLS}
    return {place: name for place, name in found.items() if place not in ("", "/", "./")}
