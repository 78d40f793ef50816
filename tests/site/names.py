"""Reads the public names of daynight: for each its docstring, its source, its fields and the errors that it raises."""

import ast
import dataclasses
import inspect
import re
import typing
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]

MODULES = {
    "daynight": "what most programs need",
    "daynight.events": "the events of day and night, and what follows from them",
    "daynight.framework": "what a mechanic of your own needs",
    "daynight.store": "records of any mechanic, kept",
    "daynight.games": "the store of games",
    "daynight.cards": "the catalogue of cards",
    "daynight.notation": "games as people type them",
    "daynight.pictures": "games as SVG",
    "daynight.reports": "a game as a page",
    "daynight.adapters.eventsourcing": "an application of `eventsourcing` that exists",
    "daynight.adapters.transitions": "a machine of `transitions` that exists",
    "daynight.importers.frame": "what an importer is",
    "daynight.importers.importing": "an importer, run",
    "daynight.languages.speaking": "the language of sentences",
}
"""The modules whose names are public, and what each is for. Names in other modules may move in any release."""


class Entry(NamedTuple):
    """A public name of a module with its value, or a public method or property of a public class."""

    module: str
    name: str
    value: Any

    @property
    def home(self) -> str:
        """The module where the name is defined."""
        return str(getattr(self.value, "__module__", self.module) or self.module)

    @property
    def is_class(self) -> bool:
        """Return whether the value is a class."""
        return inspect.isclass(self.value)

    @property
    def meaning(self) -> str:
        """The docstring, or for a constant or an alias the text below its assignment; empty if there is none."""
        if self.is_class or inspect.isroutine(self.value):
            own = self.value.__dict__.get("__doc__") if self.is_class else inspect.getdoc(self.value)
            return inspect.cleandoc(own) if own else ""
        return text_below(self.module, self.name)

    @property
    def path(self) -> str:
        """The path of the source file, relative to the repository."""
        return file_of(import_module(self.home)).relative_to(ROOT).as_posix()


def file_of(module: ModuleType) -> Path:
    """The file of a module."""
    return Path(typing.cast(str, module.__file__)).resolve()


@cache
def tree_of(name: str) -> ast.Module:
    """The source of a module, parsed."""
    return ast.parse(file_of(import_module(name)).read_text("utf-8"))


def text_below(module: str, name: str) -> str:
    """The string below the assignment of a name, in the module or where it is imported from; empty if there is none."""
    body = tree_of(module).body
    for place, node in enumerate(body):
        if isinstance(node, ast.ImportFrom):
            named = {one.asname or one.name for one in node.names}
            if node.module and (name in named or ("*" in named and name in offered(node.module))):
                return text_below(node.module, name)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for inner in node.body:
                if isinstance(inner, ast.ImportFrom) and inner.module and any(one.name == name for one in inner.names):
                    return text_below(inner.module, name)
        elif name in assigned(node) and place + 1 < len(body):
            below = body[place + 1]
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                return inspect.cleandoc(str(below.value.value))
    return ""


def assigned(node: ast.stmt) -> set[str]:
    """The names that a statement assigns."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {each.id for each in targets if isinstance(each, ast.Name)}


def offered(name: str) -> list[str]:
    """The names that a module offers: its `__all__`, or those that it defines or re-exports by `X as X`."""
    module = import_module(name)
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return sorted(listed)
    found: set[str] = set()
    for node in tree_of(name).body:
        if isinstance(node, ast.ImportFrom):
            found |= {one.name for one in node.names if one.asname == one.name}
            if node.module and any(one.name == "*" for one in node.names):
                found |= set(offered(node.module))
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        else:
            found |= assigned(node)
    return sorted(one for one in found if not one.startswith("_"))


@cache
def entries(module: str) -> tuple[Entry, ...]:
    """Every public name of a module."""
    there = import_module(module)
    return tuple(Entry(module, name, getattr(there, name)) for name in offered(module))


@cache
def page_of() -> dict[int, str]:
    """The module on whose page a class or function is described, by its `id()`: the last in MODULES that offers it."""
    found: dict[int, str] = {}
    for module in ("daynight", *(one for one in MODULES if one != "daynight")):
        for entry in entries(module):
            if entry.is_class or inspect.isroutine(entry.value):
                found[id(entry.value)] = module
    return found


def members(entry: Entry) -> Iterator[Entry]:
    """The public methods and properties of a class, with those inherited from other classes of daynight."""
    seen: set[str] = set()
    for kind in entry.value.__mro__:
        if not str(kind.__module__).startswith("daynight"):
            continue
        for name, value in vars(kind).items():
            plain = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            plain = plain.fget if isinstance(plain, property) else getattr(plain, "func", plain)
            if name.startswith("_") or name in seen or not inspect.isfunction(plain):
                continue
            if name in fields(entry.value):
                continue
            seen.add(name)
            yield Entry(entry.module, f"{entry.name}.{name}", value)


def plain(value: Any) -> Any:
    """Return the function behind a property, a class or static method, or a cached property; else the value itself."""
    if isinstance(value, classmethod | staticmethod):
        return value.__func__
    return value.fget if isinstance(value, property) else getattr(value, "func", value)


def fields(kind: type) -> dict[str, tuple[str, str]]:
    """The public fields of a class by name, each with type and default as source text; "" if it has no default."""
    names: list[str] = []
    if hasattr(kind, "__struct_fields__"):
        names = list(kind.__struct_fields__)
    elif hasattr(kind, "_fields"):
        names = list(kind._fields)
    elif dataclasses.is_dataclass(kind):
        names = [one.name for one in dataclasses.fields(kind)]
    written: dict[str, tuple[str, str]] = {}
    for base in reversed(kind.__mro__):
        if str(base.__module__).startswith("daynight") and base.__name__.isidentifier():
            written |= written_fields(base)
    return {name: written.get(name, ("", "")) for name in names if not name.startswith("_")}


@cache
def written_fields(kind: type) -> dict[str, tuple[str, str]]:
    """The annotated names in the body of a class, each with its type and its default as source text."""
    for node in ast.walk(tree_of(kind.__module__)):
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__:
            return {
                one.target.id: (ast.unparse(one.annotation), "" if one.value is None else ast.unparse(one.value))
                for one in node.body
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            }
    return {}


def raised(value: Any) -> set[str]:
    """The names of the errors in the `raise` statements of a function, except those inside `try`."""
    try:
        source = inspect.cleandoc("\n" + inspect.getsource(plain(value)))
        tree = ast.parse(source if not source.startswith((" ", "\t")) else f"if True:\n{source}")
    except (OSError, TypeError, SyntaxError):
        return set()
    # What is raised inside `try` is caught there, or is another error in the end.
    tried = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Try)
        for part in node.body
        for inner in ast.walk(part)
    }
    kinds = [
        node.exc
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and node.exc is not None and id(node) not in tried
    ]
    called = [one.func if isinstance(one, ast.Call) else one for one in kinds]
    names = {ast.unparse(one).rpartition(".")[2] for one in called}
    return {one for one in names if re.fullmatch(r"[A-Z]\w*(?:Error|Exit)", one)}
