"""Finds the installed importers: those of daynight, and those of other packages.

An importer is registered by name in the entry point group `daynight.importers`. Only installed code is ever loaded: an
imported file cannot name code.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from daynight.framework.language.errors import AskedError, UnreadableError, tame
from daynight.framework.language.wording import _
from daynight.importers.frame import Importer

GROUP = "daynight.importers"
"""The entry point group."""

_NAMES = ("arena", "forge", "notation", "xmage")
OURS = tuple(EntryPoint(name, f"daynight.importers.{name}:IMPORTER", GROUP) for name in _NAMES)
"""The importers of daynight; they are found even if daynight runs from a folder without being installed."""


@cache
def _installed(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    # Kept, because each look-up reads the metadata of every package on the path.
    return tuple(entry_points(group=GROUP))


def _points() -> dict[str, EntryPoint]:
    # Another package cannot take the name of a bundled importer.
    return {point.name: point for point in (*_installed(tuple(sys.path)), *OURS)}


def names() -> tuple[str, ...]:
    """The names of all importers."""
    return tuple(sorted(_points()))


def importer(name: str) -> Importer:
    """Return the importer of that name.

    Raises:
        AskedError: where there is no such importer, or it can't be loaded.
    """
    points = _points()
    if name not in points:
        known = ", ".join(sorted(points))
        raise AskedError(_("no importer {name}; there are {names}").format(name=repr(name), names=known))
    try:
        found = points[name].load()
    except Exception as error:  # whatever error another package's code raises on import
        sentence = _("the importer {name} can't be loaded: {reason}")
        raise AskedError(sentence.format(name=name, reason=tame(str(error)))) from error
    if not isinstance(found, Importer):
        raise AskedError(_("what is registered as the importer {name} is none").format(name=name))
    return found


def detected(head: bytes, among: Iterable[str] | None = None) -> Importer | None:
    """Return the importer, of all or of those named in `among`, that recognises a file by its first bytes; None: none.

    Raises:
        UnreadableError: where several recognise it.
    """
    found = []
    for name in names() if among is None else among:
        try:
            one = importer(name)
        except AskedError:
            # An importer that cannot be loaded recognises nothing; asked for by name it says why.
            continue
        if one.detect(head):
            found.append(one)
    if len(found) > 1:
        several = ", ".join(one.name for one in found)
        raise UnreadableError(_("several formats could be this: {names}; --from names the one").format(names=several))
    return found[0] if found else None
