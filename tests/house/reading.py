"""The source of daynight's modules: their syntax trees, and their imports with the line numbers."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .table import FLOORS

ROOT = Path(__file__).resolve().parents[2]


INNER = tuple(room for floor in FLOORS for room in floor if "." in room)
"""The rooms that lie inside another room and have a floor of their own, such as `projections.audit`."""


@cache
def room(name: str) -> str:
    """Return the room of the module `name`: the innermost one of INNER that contains it; if there is none, the name
    after `daynight`, such as `rules` for daynight.rules.becoming."""
    inside = name.partition(".")[2]
    inner = [each for each in INNER if f"{inside}.".startswith(f"{each}.")]
    return max(inner, key=len) if inner else inside.partition(".")[0] or name


class Import(NamedTuple):
    """An imported module, the line of the import, and whether the import is under `if TYPE_CHECKING`."""

    name: str
    line: int
    for_types: bool


class Module(NamedTuple):
    """A module of daynight: its dotted name and the path of its file."""

    name: str
    path: Path

    @property
    def text(self) -> str:
        """The source text."""
        return _text(self.path)

    @property
    def tree(self) -> ast.Module:
        """The syntax tree. It is parsed on first use, because each process of pytest imports the house tests."""
        return _tree(self.path)

    @property
    def room(self) -> str:
        """The room of this module."""
        return room(self.name)

    @property
    def where(self) -> str:
        """The path of the file, for messages."""
        return self.path.relative_to(ROOT).as_posix()


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(_text(path))


@cache
def modules() -> tuple[Module, ...]:
    """Return all modules: those in the folder daynight, and events and projections, which are installed in it."""
    found = []
    for name in ("daynight.events", "daynight.projections", "daynight"):
        folder = name.removeprefix("daynight.")
        for path in sorted((ROOT / folder).rglob("*.py")):
            inner = path.relative_to(ROOT / folder).with_suffix("").parts
            dotted = ".".join([name, *(part for part in inner if part != "__init__")])
            found.append(Module(dotted, path))
    return tuple(found)


@cache
def imports(module: Module) -> tuple[Import, ...]:
    """Return all imports of `module`, also those inside functions; `from daynight.referee import turns` is an import of
    daynight.referee.turns."""
    return tuple(_imports(module))


@cache
def _known() -> frozenset[str]:
    return frozenset(module.name for module in modules())


def _imports(module: Module) -> Iterator[Import]:
    for node, for_types in _walk(module.tree, False):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno, for_types) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = module.name if module.path.name == "__init__.py" else module.name.rpartition(".")[0]
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{source}.{alias.name}"
                yield Import(inner if inner in _known() else source, node.lineno, for_types)


def _walk(node: ast.AST, for_types: bool) -> Iterator[tuple[ast.AST, bool]]:
    # Expressions contain no imports, so they are not searched.
    for part in ("body", "handlers", "cases", "orelse", "finalbody"):
        for child in getattr(node, part, ()):
            yield child, for_types
            yield from _walk(child, for_types or is_for_types(child))


def is_for_types(node: ast.AST) -> bool:
    """Return whether `node` is an `if` statement that tests `TYPE_CHECKING` or `typing.TYPE_CHECKING`."""
    asked = node.test if isinstance(node, ast.If) else None
    return getattr(asked, "id", getattr(asked, "attr", None)) == "TYPE_CHECKING"
