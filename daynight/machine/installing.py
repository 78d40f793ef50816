"""Says how to install an extra of daynight: from the same place that this daynight came from.

daynight is on no package index, so no sentence proposes that name there: a stranger could register it. An installer
notes the place in `direct_url.json` (PEP 610); an uninstalled clone counts as a place too.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from msgspec import Struct

from daynight.framework.language.errors import AskedError
from daynight.framework.language.grammar import also
from daynight.framework.language.wording import _
from daynight.machine.shells import joined, likely, quoted

NAME = "daynight"

PUBLISHED = False
"""Whether daynight is on the package index: not before its first release."""


class InstalledFrom(Struct, frozen=True):
    """Where a daynight came from: a `path` of this machine (a clone, a wheel or an archive), or else an address, `url`.

    `editable`: Python runs the clone's own files.
    """

    path: Path | None = None
    url: str = ""
    editable: bool = False

    def requirement(self, extra: str) -> str:
        """Return the requirement to give to an installer for this daynight with this extra."""
        return f"{NAME}[{extra}] @ {self.url}" if self.path is None else f"{self.path}[{extra}]"


def how_to_install(extra: str) -> str:
    """Return a clause that says how to install an extra, such as `web`, into this Python."""
    return told(extra, place_of(Path(__file__).resolve().parents[2], _distribution()), published=PUBLISHED)


@contextmanager
def needing(extras: Mapping[str, str]) -> Iterator[None]:
    """Raise AskedError, which says how to install, for a failed import in the `with` block.

    `extras` maps each library to the extra that has it; an import of another library fails as usual.

    Raises:
        AskedError: where a library of `extras` is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in extras:
            raise
        sentence = _("{library} is not installed").format(library=library)
        raise AskedError(also(sentence, how_to_install(extras[library]))) from None


def told(extra: str, place: InstalledFrom | None, *, published: bool) -> str:
    """Return the clause that says how to install an extra of a daynight that came from `place`.

    If that is None, the clause names the package index if `published`; else it asks for the clone or wheel.
    """
    if place is None and not published:
        sentence = _("install daynight again, with its extra {extra}, from the clone or wheel that it came from")
        return sentence.format(extra=extra)
    if place is not None and place.path is not None and not place.path.exists():
        sentence = _(
            "daynight came from {place}, which is gone; install it from a clone or wheel, with its extra {extra}"
        )
        return sentence.format(place=place.path, extra=extra)
    options = ["--editable"] if place is not None and place.editable else []
    requirement = f"{NAME}[{extra}]" if place is None else place.requirement(extra)
    if find_spec("pip") is None:
        sentence = _("install {requirement} into {python}")
        requirement = " ".join([*options, quoted(requirement, likely())])
        return sentence.format(requirement=requirement, python=sys.executable)
    command = joined([_python(), "-m", "pip", "install", *options, requirement], likely())
    return _("install it with: {command}").format(command=command)


def place_of(folder: Path, installed: Distribution | None) -> InstalledFrom | None:
    """Return `folder` itself if it is a clone or an unpacked archive, else what the installer noted, or None."""
    noted = _noted(installed)
    if _is_source(folder):
        return InstalledFrom(folder, editable=_runs(noted, folder))
    return noted


def _distribution() -> Distribution | None:
    try:
        return distribution(NAME)
    except PackageNotFoundError:
        return None


def _is_source(folder: Path) -> bool:
    """Return whether a folder is a clone or an unpacked archive: its pyproject.toml names daynight."""
    try:
        return f'\nname = "{NAME}"\n' in (folder / "pyproject.toml").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return False


def _runs(noted: InstalledFrom | None, folder: Path) -> bool:
    """Return whether the installer noted an editable install of exactly this folder."""
    return noted is not None and noted.editable and noted.path is not None and noted.path.resolve() == folder


def _noted(installed: Distribution | None) -> InstalledFrom | None:
    """Read the installer's note of PEP 610; None if it is missing or has another form."""
    try:
        document: Any = json.loads((installed and installed.read_text("direct_url.json")) or "null")
        if document is None:
            return None
        url, repository = str(document["url"]), document.get("vcs_info")
        if repository is not None:
            url = f"{repository['vcs']}+{url}@{repository['commit_id']}"
        elif (parts := urlsplit(url)).scheme == "file":
            host = f"//{parts.netloc}" if parts.netloc not in ("", "localhost") else ""
            editable = document.get("dir_info", {}).get("editable") is True
            return InstalledFrom(Path(host + url2pathname(parts.path)), editable=editable)
        folder = document.get("subdirectory")
        return InstalledFrom(url=f"{url}#subdirectory={folder}" if folder else url)
    except (ValueError, TypeError, KeyError, AttributeError, OSError):
        return None


def _python() -> str:
    """Return the name of the running interpreter if `PATH` leads to it by that name, else its path."""
    name = Path(sys.executable).name
    return name if shutil.which(name) == sys.executable else sys.executable
