"""Builds the site: `python -m tests.site.build [FOLDER]`, by default build/site.

The same sources make the same bytes. Sphinx asks the network for nothing. A warning, such as a link that leads nowhere,
ends it with exit code 1.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from .pages import GUIDES, ROOT, assemble

HERE = Path(__file__).resolve().parent


def build(into: Path) -> int:
    """Build the site into a folder, which is replaced; the exit code of Sphinx."""
    from sphinx.cmd.build import build_main

    # A day that never changes, unless the caller gives one: no page shows it.
    os.environ.setdefault("SOURCE_DATE_EPOCH", "1700000000")
    with tempfile.TemporaryDirectory(prefix="daynight-site-") as folder:
        pages, built, kept = Path(folder, "pages"), Path(folder, "site"), Path(folder, "doctrees")
        assemble(pages)
        shutil.copytree(GUIDES / "_static", pages / "_static")
        shutil.copy(HERE / "conf.py", pages)
        code = build_main(["-q", "-W", "--keep-going", "-b", "html", "-d", str(kept), str(pages), str(built)])
        if code == 0:
            for left in (".buildinfo", "objects.inv", ".doctrees"):
                (built / left).unlink(missing_ok=True)
            shutil.rmtree(into, ignore_errors=True)
            shutil.copytree(built, into)
    return int(code)


if __name__ == "__main__":
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    ended = build(where)
    if ended == 0:
        print(f"{os.path.relpath(where)}: {sum(1 for _each in where.rglob('*.html'))} pages; open index.html")
    sys.exit(ended)
