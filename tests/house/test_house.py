"""The rules of the code base, one test for each. A failing test prints the rule; the table is in table.py.

| law | test |
| --- | --- |
| a room imports only lower floors, inside functions and for types too; every room of the table exists | test_floors |
| no circle of imports, inside functions and for types too, except those in the table | test_no_circles |
| the number of `if TYPE_CHECKING` blocks never grows | test_blocks_for_types |
| each library is imported only where the table allows | test_libraries |
| every imported library is a declared dependency, and every declared one is imported | test_dependencies |
| no clock, no random, no environment in the rooms of the rules | test_no_clock_no_random |
| no file of more than 400 lines | test_no_long_file |
| no room of more than twelve files | test_no_full_room |
| no test imports private parts of pytest | test_nothing_private_of_pytest |
| no rule number outside the citations | test_no_rule_number |
| every module, public class and public function has a docstring | test_public_things |
| no f-string contains a call that translates | test_sentences_are_collected, test_sentences_inside_are_found |
| each room at the top level has a guide, its README.md, unless it has only two modules | test_guides |
| the table of a guide names each module of the room, and nothing else | test_tables_of_the_guides |
| every path in pyproject.toml's settings of the checkers matches something | test_paths_of_the_settings |
| events and projections can only be imported as parts of daynight | test_stubs, test_bare_names_refuse |
| no file is a link | test_no_links |
| the top folder has only the listed names, and no file is large | test_what_is_kept |
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from itertools import chain

import pytest

from tests.languages.messages import KEYWORDS

from .reading import ROOT, imports, is_for_types, modules, room
from .table import BLOCKS, CITATIONS, FLOORS, LIBRARIES, LONGEST, MOST, MUTUAL, NO_MORE_THAN, STEADY, UNSTEADY

FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
TESTS = [path for folder in ("tests", "examples") for path in sorted((ROOT / folder).rglob("*.py"))]


def ours(module):
    """Return a pair for each import of a daynight module in `module`, also for types only: name and `file:line`."""
    return [
        (name, f"{module.where}:{line}")
        for name, line, _for_types in imports(module)
        if name.partition(".")[0] == "daynight" and name != "daynight"
    ]


def test_floors():
    """A room imports only itself and rooms on lower floors, a room of NO_MORE_THAN only those that it lists; the table
    names all rooms, and no others."""
    here = {module.room for module in modules()}
    wrong = [f"{room} is in the table, and nowhere in the house" for room in FLOOR if room not in here]
    wrong += [f"{room}: give it a floor in tests/house/table.py" for room in sorted(here - FLOOR.keys())]
    for module in modules():
        allowed = NO_MORE_THAN.get(module.room)
        for name, where in ours(module):
            other = room(name)
            if other == module.room or {other, module.room} - FLOOR.keys():
                continue
            if FLOOR[other] >= FLOOR[module.room]:
                wrong.append(f"{where}: {module.room} may not import {name}; move what both need to a lower floor")
            elif allowed is not None and other not in allowed:
                wrong.append(f"{where}: {module.room} may not import {name}; have its caller hand in what it needs")
    assert not wrong, "\n".join(wrong)


def test_no_circles():
    """No module imports itself through others, also not in a function or for types only, except the pairs in MUTUAL."""
    for_types = {(module.name, name) for module in modules() for name, _line, alone in imports(module) if alone}
    assert for_types >= MUTUAL, f"nothing imports these for types; take them out of MUTUAL: {MUTUAL - for_types}"
    graph = {
        module.name: {
            name for name, _where in ours(module) if name != module.name and (module.name, name) not in MUTUAL
        }
        for module in modules()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = " <- ".join(error.args[1])
        raise AssertionError(f"these import each other in a circle, move what they share: {circle}") from None


def test_blocks_for_types():
    """A room has exactly as many `if TYPE_CHECKING` blocks as the table says; the numbers in the table only go down."""
    blocks = Counter(module.room for module in modules() for node in ast.walk(module.tree) if is_for_types(node))
    more = [f"{room} has {found}" for room, found in blocks.items() if found > BLOCKS.get(room, 0)]
    assert not more, (
        f"more than in tests/house/table.py, import it or ask for a type of a lower module: {', '.join(more)}"
    )
    assert blocks == BLOCKS, f"there are fewer; write that into tests/house/table.py: {dict(blocks)}"


def test_libraries():
    """A library is imported only in the rooms that the table gives it; no library outside the table is imported."""
    wrong = []
    for module in modules():
        for name, line, _for_types in imports(module):
            library = name.partition(".")[0]
            if library == "daynight" or library in sys.stdlib_module_names:
                continue
            if not {"", module.room} & set(LIBRARIES.get(library, ())):
                rooms = " and ".join(LIBRARIES.get(library, ())) or "no room of this project"
                wrong.append(f"{module.where}:{line}: {library} is imported in {rooms} only")
    assert not wrong, "\n".join(wrong)


def test_dependencies():
    """Every library that is imported is declared in pyproject.toml, and every declared one is imported.

    A library that is installed only because another one needs it may be missing tomorrow. Package and import names
    differ only in capital letters and dashes.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    ours = {"test", "docs", "dev"}
    extras = [needed for extra, needed in project["optional-dependencies"].items() if extra not in ours]
    names = [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in chain(project["dependencies"], *extras)]
    declared = {re.sub("[-.]", "_", name).lower() for name in names} - {"daynight"}
    imported = {}
    for module in modules():
        for name, line, _for_types in imports(module):
            imported.setdefault(name.partition(".")[0], f"{module.where}:{line}")
    wrong = [
        f"{where}: {name} is imported; declare it in pyproject.toml, with the versions that were tried"
        for name, where in imported.items()
        if name not in declared | sys.stdlib_module_names | {"daynight"}
    ]
    wrong += [f"pyproject.toml: nothing imports {name}; take it out" for name in sorted(declared - imported.keys())]
    assert not wrong, "\n".join(wrong)


def test_no_clock_no_random():
    """The rooms of the rules use no clock, no randomness and no environment: the same record always gives the same
    answer."""
    wrong = []
    for module in modules():
        if module.room in STEADY:
            names = [(name.partition(".")[0], line) for name, line, _for_types in imports(module)]
            wrong += [f"{module.where}:{line}: {name} is not imported here" for name, line in names if name in UNSTEADY]
            asked = [node for node in ast.walk(module.tree) if isinstance(node, ast.Attribute)]
            clocks = [node.lineno for node in asked if node.attr in ("now", "today", "utcnow")]
            wrong += [f"{module.where}:{line}: a clock; take the time from the record" for line in clocks]
    assert not wrong, "\n".join([*wrong, "the answer depends on the record alone: have the command line hand it in"])


def test_no_long_file():
    """Files of code, tests and examples stay within the line limit."""
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in [*(one.path for one in modules()), *TESTS]}
    long = [f"{path.relative_to(ROOT)} has {lines} lines" for path, lines in lengths.items() if lines > LONGEST]
    assert not long, f"more than {LONGEST}, find its two nouns: {', '.join(long)}"


def test_no_full_room():
    """A room has at most MOST modules; a bigger room is divided into rooms."""
    full = Counter(one.path.parent for one in modules() if one.path.name not in ("__init__.py", "__main__.py"))
    crowded = [f"{path.relative_to(ROOT)} has {files} files" for path, files in full.items() if files > MOST]
    assert not crowded, f"more than {MOST}, give it rooms: {', '.join(crowded)}"


def test_nothing_private_of_pytest():
    """No test or example imports `_pytest`, whose contents may change with any version."""
    private = re.compile(r"^\s*(from|import) _pytest\b", re.MULTILINE)
    wrong = [str(path.relative_to(ROOT)) for path in TESTS if private.search(path.read_text("utf-8"))]
    assert not wrong, f"import pytest, and use what it gives to everybody: {', '.join(wrong)}"


def test_no_rule_number():
    """Rule numbers are only in the citations module; an address such as 127.0.0.1 is not a rule number."""
    wrong = [
        f"{module.where}:{number}: write the rule's key; {CITATIONS} has its number"
        for module in modules()
        if module.name != CITATIONS
        for number, line in enumerate(module.text.splitlines(), 1)
        if re.search(r"(?<![\d.])\d{3}\.\d(?!\d*\.\d)", line)
    ]
    assert not wrong, "\n".join(wrong)


def test_public_things():
    """Every module has a docstring, and every public class and function at the top of a module."""
    wrong = []
    for module in modules():
        if not ast.get_docstring(module.tree):
            wrong.append(f"{module.where}: say in a docstring what this module is")
        for node in module.tree.body:
            public = isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
            if public and not ast.get_docstring(node):
                wrong.append(f"{module.where}:{node.lineno}: say in a docstring what {node.name} is")
    assert not wrong, "\n".join(wrong)


def hidden(tree):
    """Return the line numbers of translating calls inside an f-string."""
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    calls = [node for string in strings for node in ast.walk(string) if isinstance(node, ast.Call)]
    return sorted({call.lineno for call in calls if ast.unparse(call.func).rpartition(".")[2] in KEYWORDS})


def test_sentences_are_collected():
    """No f-string contains a translating call: before Python 3.12, the collector of messages can't look into an
    f-string."""
    wrong = [f"{module.where}:{line}" for module in modules() for line in hidden(module.tree)]
    assert not wrong, f"translate before the f-string, and give the name of the result to it: {', '.join(wrong)}"


@pytest.mark.parametrize("expected, line", [
    ([1], "f\"{_('a')}\""), ([1], "'a' f'{x or wording._(1)}'"), ([1], "f'{x:{len(counted(1, 2, 3))}}'"),
    ([2], "(f'{x}'\n f'{_(1)}')"), ([], "_('a') + f'{x}'"), ([], "_('a {x}').format(x=f'{y}')"), ([], "f'{spoken(x)}'"),
])  # fmt: skip
def test_sentences_inside_are_found(expected, line):
    """`hidden` finds a translating call inside an f-string, and ignores a call beside an f-string."""
    assert expected == hidden(ast.parse(line))


def test_guides():
    """Each room at the top level with more than two modules has a README.md, and so have tests and examples."""
    rooms = {one.path.parent for one in modules() if one.path.parent.parent in (ROOT / "daynight", ROOT)}
    rooms = {path for path in rooms if sum(1 for _each in path.glob("*.py")) > 2} | {ROOT / "tests", ROOT / "examples"}
    missing = [f"{path.relative_to(ROOT)}/README.md" for path in sorted(rooms) if not (path / "README.md").is_file()]
    assert not missing, f"say what the room is, what is where, and why: {', '.join(missing)}"


def test_tables_of_the_guides():
    """The table in a README.md, if there is one, names each module and subfolder of its folder, and nothing that is not
    there. Instead of a subfolder it may name each of its modules, as `arena/log`."""
    wrong = []
    for folder in sorted({one.path.parent for one in modules()}):
        guide = folder / "README.md"
        table = re.search(r"^\| module \|.*\n((?:\|.*\n)+)", guide.read_text("utf-8") if guide.is_file() else "", re.M)
        if table is None:
            continue
        cells = [line.split("|")[1] for line in table[1].splitlines()]
        named = {name.strip("/") for cell in cells for name in re.findall("`([^`]+)`", cell)}
        there = {path.parent.name + "/" + path.stem for path in folder.glob("*/*.py") if path.stem != "__init__"}
        told = {name.partition("/")[0] for name in named if "/" in name}
        there = {name if name.partition("/")[0] in told else name.partition("/")[0] for name in there}
        there |= {path.stem for path in folder.glob("*.py") if path.stem != "__init__"}
        wrong += [f"{guide.relative_to(ROOT)}: its table does not name `{name}`" for name in sorted(there - named)]
        strange = [name for name in sorted(named - there) if not (folder / name).exists()]
        wrong += [f"{guide.relative_to(ROOT)}: its table names `{name}`, which is not there" for name in strange]
    assert not wrong, "\n".join(wrong)


def test_paths_of_the_settings():
    """Every path in the settings of mutmut, mypy, pyright and ruff in pyproject.toml matches a file or folder:
    otherwise the setting does nothing."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    paths = [
        *tools["mutmut"]["only_mutate"], *tools["mutmut"]["source_paths"], *tools["mypy"]["files"],
        *tools["pyright"]["include"],
    ]  # fmt: skip
    paths += [*tools["mutmut"]["pytest_add_cli_args_test_selection"], *tools["ruff"]["lint"]["per-file-ignores"]]
    dead = [path for path in paths if not any(ROOT.glob(path))]
    assert not dead, f"pyproject.toml names what is not there: {', '.join(dead)}"


def test_stubs():
    """Each module of events and projections has a stub of one line in daynight/events or daynight/projections: type
    checkers read the stubs."""
    for folder in ("events", "projections"):
        inner = [path.relative_to(ROOT / folder).with_suffix("") for path in (ROOT / folder).rglob("*.py")]
        expected = {
            f"{path.as_posix()}.pyi": f"from {'.'.join([folder, *path.parts]).removesuffix('.__init__')} import *\n"
            for path in inner
        }
        stubs = ROOT / "daynight" / folder
        there = {path.relative_to(stubs).as_posix(): path.read_text("utf-8") for path in stubs.rglob("*.py*")}
        assert expected == there, f"daynight/{folder} has a stub of one line for each module of {folder}, nothing else"


def test_no_links():
    """No file is a symbolic link: Git for Windows and pip's archives do not unpack links."""
    links = [
        path.relative_to(ROOT)
        for folder in ("daynight", "events", "projections", "tests", "examples")
        for path in (ROOT / folder).rglob("*")
        if path.is_symlink() and "node_modules" not in path.parts
    ]
    assert not links, f"write the file, or a copy of it: {links}"


TOP = {
    ".ci", ".github", ".gitattributes", ".gitignore", ".pre-commit-config.yaml", "CHANGELOG.md", "CITATION.cff",
    "LICENSE", "Makefile", "README.md", "daynight", "events", "examples", "projections", "pyproject.toml", "tests",
}  # fmt: skip
LARGE = 2**20


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no clone, so nobody knows what belongs to it")
def test_what_is_kept():
    """Git has only the names in TOP at the top, and no file above one mebibyte: programs may write files by mistake."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    files = [name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]
    assert not {name.partition("/")[0] for name in files} - TOP
    assert not [name for name in files if (ROOT / name).stat().st_size > LARGE]


def test_bare_names_refuse():
    """`import events` and `import projections` raise ImportError, which names daynight.events or
    daynight.projections."""
    for folder in ("events", "projections"):
        command = [sys.executable, "-c", f"import {folder}"]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert ran.returncode == 1
        assert f"ImportError: import daynight.{folder}: " in ran.stderr
