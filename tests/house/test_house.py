"""The manners of the house. What fails says the sentence to obey; the table is in table.py.

| promise | test |
| --- | --- |
| one imports from one's own floor and from those below; projections and events less than that | test_floors |
| each library is imported in its one place | test_libraries |
| no circle of imports | test_no_circles |
| no clock, no random, no environment below the command line | test_no_clock_no_random |
| no file of more than 400 lines, no rule number outside the citations | test_every_file, test_no_long_tests |
| every module says what it publishes, and what is public says what it is | test_public_things |
| every folder has its guide | test_guides |
| nobody imports plain `events` or `projections` | test_bare_names_refuse, test_links |
"""

import ast
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter

import pytest

from .reading import ROOT, Module, imports, modules, room
from .table import (
    CITATIONS,
    DETERMINISTIC,
    FACADES,
    FLOORS,
    LIBRARIES,
    LONGEST,
    NO_MORE_THAN,
    ROOMS_WITH_A_GUIDE,
    UNSTEADY,
    UNSTEADY_BUT,
)

FLOOR = {room: floor for floor, rooms in FLOORS.items() for room in rooms}
EVERY_MODULE = pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)


@EVERY_MODULE
def test_floors(module: Module) -> None:
    """One imports from one's own floor and from those below."""
    assert module.room in FLOOR, f"{module.where}: give `{module.room}` a floor in tests/house/table.py"
    for name, line, waits in imports(module):
        if name == "daynight" or not name.startswith("daynight.") or (waits and module.name in FACADES):
            continue
        other, where = room(name), f"{module.where}:{line}"
        if other == module.room:
            continue
        assert other in FLOOR, f"{where}: give `{other}` a floor in tests/house/table.py"
        allowed = NO_MORE_THAN.get(module.room)
        assert allowed is None or other in allowed, (
            f"{where}: {module.room} may import of daynight only {', '.join(sorted(allowed)) or 'itself'}, "
            f"not {name}; have its caller hand in what it needs"
        )
        assert FLOOR[other] <= FLOOR[module.room], (
            f"{where}: {module.room} (floor {FLOOR[module.room]}) may not import {name} "
            f"(floor {FLOOR[other]}); move what both need to a lower floor"
        )


@EVERY_MODULE
def test_libraries(module: Module) -> None:
    """A library is imported where the table says, and no other library is."""
    for name, line, _ in imports(module):
        library = name.partition(".")[0]
        if library == "daynight" or library in sys.stdlib_module_names:
            continue
        where = f"{module.where}:{line}"
        assert library in LIBRARIES, f"{where}: {library} is no library of this project; do without it"
        assert {"", module.room} & set(LIBRARIES[library]), (
            f"{where}: {library} is imported only in daynight/{' and daynight/'.join(LIBRARIES[library])}"
        )


def test_no_circles() -> None:
    """No module waits for itself to be imported."""
    graph = {one.name: {name for name, _, waits in imports(one) if not waits} for one in modules()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = " <- ".join(error.args[1])
        pytest.fail(f"these import each other in a circle, move what they share: {circle}")


@pytest.mark.parametrize(
    "module",
    [one for one in modules() if FLOOR.get(one.room, 0) <= DETERMINISTIC],
    ids=lambda module: module.name,
)
def test_no_clock_no_random(module: Module) -> None:
    """The same record gives the same answer, always and everywhere."""
    for name, line, _ in imports(module):
        library = name.partition(".")[0]
        assert library not in UNSTEADY or (module.name, library) in UNSTEADY_BUT, (
            f"{module.where}:{line}: {library} is not imported here, the answer depends on the record alone; "
            "have the command line read it and hand it in"
        )
    asked = {node.attr: node.lineno for node in ast.walk(module.tree) if isinstance(node, ast.Attribute)}
    for clock in ("now", "today", "utcnow"):
        where = f"{module.where}:{asked.get(clock)}"
        assert clock not in asked, f"{where}: .{clock} is a clock; take the time from the record"


@EVERY_MODULE
def test_every_file(module: Module) -> None:
    """A file is short, and rule numbers stand in the citations alone."""
    lines = module.text.splitlines()
    longer = f"{module.where} has {len(lines)} lines, more than {LONGEST}: find its two nouns"
    assert len(lines) <= LONGEST, longer
    if module.name != CITATIONS:
        for number, line in enumerate(lines, 1):
            found = re.search(r"(?<![\d.])\d{3}\.\d", line)
            assert not found, f"{module.where}:{number}: write the rule's key; {CITATIONS} has its number"


@pytest.mark.parametrize("room", ["tests", "examples"])
def test_no_long_tests(room: str) -> None:
    """Tests and examples are as short as what they are about."""
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in sorted((ROOT / room).rglob("*.py"))}
    long = [f"{path.relative_to(ROOT)} has {lines} lines" for path, lines in lengths.items() if lines > LONGEST]
    assert lengths
    assert not long, f"more than {LONGEST}: {', '.join(long)}; find its two nouns"


@EVERY_MODULE
def test_public_things(module: Module) -> None:
    """A module has `__all__` and a docstring, and so has everything public in it a docstring."""
    assert ast.get_docstring(module.tree), f"{module.where}: say in a docstring what this module is"
    if module.path.name not in ("__init__.py", "__main__.py"):
        assigned = {
            target.id
            for node in module.tree.body
            if isinstance(node, ast.Assign | ast.AnnAssign)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        }
        assert "__all__" in assigned, f"{module.where}: say with __all__ what this module publishes"
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            where = f"{module.where}:{node.lineno}"
            assert ast.get_docstring(node), f"{where}: say in a docstring what {node.name} is"


@pytest.mark.parametrize("folder", ROOMS_WITH_A_GUIDE)
def test_guides(folder: str) -> None:
    """A folder's README.md says what is where, and why."""
    guide = ROOT / folder / "README.md"
    assert guide.is_file(), f"write {guide.relative_to(ROOT)}: what this folder is, what is where, and why"


@pytest.mark.parametrize("folder", ["events", "projections"])
def test_links(folder: str) -> None:
    """The folder beside the code is a part of it, by a link."""
    link = ROOT / "daynight" / folder
    assert link.is_symlink(), f"daynight/{folder} is a link to ../{folder}; check out with links"
    assert link.readlink().as_posix() == f"../{folder}"


@pytest.mark.parametrize("folder", ["events", "projections"])
def test_bare_names_refuse(folder: str) -> None:
    """The folder's bare name is nobody's package, and says which one is meant."""
    command = [sys.executable, "-c", f"import {folder}"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert f"ImportError: import daynight.{folder}: " in ran.stderr
