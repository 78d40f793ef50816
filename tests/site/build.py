"""Builds the site: `python -m tests.site.build [FOLDER]`, by default build/site.

The same sources make the same bytes. Sphinx asks the network for nothing. After a warning, such as a link that leads
nowhere, the program ends with an exit code other than 0, and the folder stays as it was.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from .pages import GUIDES, ROOT, assemble

HERE = Path(__file__).resolve().parent

MENDED = {
    'role="heading">': 'role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
}
"""HTML of the theme, and what replaces it: labels for screen readers, and focus for parts that scroll by
themselves."""


def build(into: Path) -> int:
    """Build the site and return the exit code of Sphinx; if it is 0, replace the folder `into` by the site."""
    from sphinx.cmd.build import build_main

    # A day that never changes, unless the caller gives one: no page shows it.
    os.environ.setdefault("SOURCE_DATE_EPOCH", "1700000000")
    with tempfile.TemporaryDirectory(prefix="daynight-site-") as folder:
        pages, built, kept = Path(folder, "pages"), Path(folder, "site"), Path(folder, "doctrees")
        assemble(pages)
        shutil.copytree(GUIDES / "_static", pages / "_static")
        shutil.copy(HERE / "conf.py", pages)
        options = ["-q", "-j", "auto", "-W", "--keep-going", "-b", "html", "-d", str(kept)]
        code = build_main([*options, str(pages), str(built)])
        if code == 0:
            for left in (".buildinfo", "objects.inv", ".doctrees"):
                (built / left).unlink(missing_ok=True)
            mend(built, pages / "_extra")
            shutil.rmtree(into, ignore_errors=True)
            shutil.copytree(built, into)
    return int(code)


def mend(built: Path, extra: Path) -> None:
    """Apply MENDED to each HTML page in `built`, except to those in `extra`, which were copied unchanged."""
    for path in built.rglob("*.html"):
        if not (extra / path.relative_to(built)).exists():
            text = path.read_text("utf-8")
            for lacking, better in MENDED.items():
                text = text.replace(lacking, better)
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    ended = build(where)
    if ended == 0:
        print(f"{os.path.relpath(where)}: {sum(1 for _each in where.rglob('*.html'))} pages; open index.html")
    sys.exit(ended)
