"""Messages of a custom mechanic's program propose only commands of that program.

| promise | test |
| --- | --- |
| commands in help, examples and usage begin with the program as it was typed | test_help, test_usage |
| a message that proposes a command names the program, and the command works | test_no_store, test_no_key |
| messages about refused signatures and read-only stores name the program, too | test_forget, test_accept, test_fixed |
| messages about back-ups, damage, and a server name the program, too | test_restore, test_altered, test_no_tables |
| no message that can occur names `daynight` or a command that the program lacks | test_sentences |
| messages name the program as it was run: file, module, command, or Python | test_words, test_called_from_python |
"""

from __future__ import annotations

import ast
import re
import shlex
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from daynight.cli.commands import run as run_here
from daynight.cli.mechanics import commands
from daynight.games import Store
from daynight.machine.program import program, running, words_of
from daynight.store.errors import UnavailableError
from examples.approval import MECHANIC
from tests.processes import run
from tests.store.read_only import given_to_nobody, open_folder, to_a_user
from tests.store.server import running as served
from tests.store.server import unavailable

ROOT = Path(__file__).resolve().parents[2]
MINE = "from examples.approval import MECHANIC\nfrom daynight.cli.mechanics import commands\ncommands(MECHANIC)()\n"
PYTHON = Path(sys.executable).name
OPENED = '{"type":"document-opened","document":"plan","author":"Ana","reviewers":["Bo"]}'
SUBMITTED, BACK = '{"type":"submitted","by":"Ana"}', '{"type":"corrected","by":"Ana","to":1}'


class Desk:
    """A program of a custom mechanic in a folder of its own; a call runs it as its user would type it there."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        (folder / "mine.py").write_text(MINE, "utf-8")
        monkeypatch.chdir(folder)
        monkeypatch.setenv("PYTHONPATH", str(ROOT))
        for name in ("HOME", "XDG_CONFIG_HOME", "APPDATA"):
            monkeypatch.setenv(name, str(folder / "home"))

    def __call__(self, *arguments: object, code: int = 0) -> str:
        """Run a command, and return both output streams as one line. The exit code must be `code`, and the output must
        not name the program `daynight`."""
        ended = run([sys.executable, "mine.py", *map(str, arguments)], capture_output=True, text=True)
        told = " ".join((ended.stdout + ended.stderr).split())
        assert code == ended.returncode, told
        assert "daynight " not in told.replace("of daynight ", ""), told
        return told

    def proposed(self, told: str, *verb: str) -> list[str]:
        """Return the words of the message `told` from `verb` to the end: the proposed command without the program."""
        begins = f"{PYTHON} mine.py {' '.join(verb)}"
        assert begins in told, told
        return shlex.split(told[told.index(begins) :])[2:]


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch)


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    verbs = commands(MECHANIC).commands
    for verb in verbs:
        assert 0 == run_here([verb, "--help"], commands(MECHANIC), [PYTHON, "mine.py"])
        told = " ".join(capsys.readouterr().out.split())
        assert "daynight " not in told.replace("of daynight ", ""), told
        usage, examples = f"Usage: {PYTHON} mine.py {verb} ", f"{PYTHON} mine.py {verb}"
        assert told.startswith(usage) or verb == "log"
        assert examples in told[len(usage) :] or verb == "log"
        assert {*re.findall(r"mine\.py ([a-z-]+)", told)} <= {*verbs}


def test_usage(mine: Desk) -> None:
    assert f"{PYTHON} mine.py: no such command 'shw'; did you mean show?" == mine("shw", code=2)
    assert f"try {PYTHON} mine.py list --help" in mine("list", "more", code=2)


def test_no_store(mine: Desk) -> None:
    Path("plan.jsonl").write_text(f"{OPENED}\n", "utf-8")
    assert f"{PYTHON} mine.py import makes one" in mine("list", code=4)
    mine("import", "plan.jsonl")
    assert "plan 1 event" == mine("list")


def test_no_key(mine: Desk) -> None:
    made = mine.proposed(mine("key", code=4).partition(" makes one")[0], "key", "--new")
    told = mine(*made)
    key = told.split()[0]
    assert f"{PYTHON} mine.py verify --signer KEY asks for it" in told
    mine("record", "plan", OPENED, "--new")
    mine("verify", "plan", "--signer", key)
    assert f"{PYTHON} mine.py key shows them" in mine("key", "--trust", "nothing", "--game", "plan", code=2)
    Path("mine.pem").write_text("no key", "utf-8")
    assert f"{PYTHON} mine.py key --new --key FILE makes it" in mine("key", "--key", "mine.pem", code=2)


@pytest.mark.wide
def test_forget(mine: Desk) -> None:
    mine("record", "plan", OPENED, "--new")
    mine("backup", "copy.db")
    mine("record", "plan", SUBMITTED, BACK)
    mine("restore", "copy.db")
    told = mine("record", "plan", SUBMITTED, BACK, code=5)
    mine(*mine.proposed(told, "key", "--forget", "plan"))
    mine("record", "plan", SUBMITTED, BACK)


def test_accept(mine: Desk) -> None:
    mine("record", "plan", OPENED, "--new")
    mine("record", "plan", SUBMITTED, BACK, "--key", "other.pem")
    told = mine("record", "plan", SUBMITTED, BACK, code=5)
    assert f"({PYTHON} mine.py show)" in told
    mine(*mine.proposed(told, "key", "--accept", "plan"))
    mine("record", "plan", SUBMITTED, BACK)


@pytest.mark.skipif(sys.platform == "win32", reason="closes a folder as POSIX does")
def test_fixed(mine: Desk) -> None:
    with open_folder() as folder:
        (folder / "in").mkdir()
        mine("record", "plan", OPENED, "--new", "--db", folder / "in" / "desk.db")
        given_to_nobody(folder / "in" / "desk.db")
        with (
            to_a_user(folder / "in"),
            running([PYTHON, "mine.py"]),
            Store.open(folder / "in" / "desk.db", mechanic=MECHANIC) as store,
            pytest.raises(UnavailableError) as caught,
        ):
            store.append("plan", [SUBMITTED])
        copying = mine.proposed(str(caught.value), "backup", "FILE", "--db")
        mine(*["copy.db" if word == "FILE" else word for word in copying])
        mine("record", "plan", SUBMITTED, "--db", "copy.db")


def test_restore(mine: Desk) -> None:
    Path("empty.db").touch()
    told = mine("restore", "empty.db", code=4)
    mine("record", "plan", OPENED, "--new")
    copying = mine.proposed(told.partition(" made")[0], "backup")
    mine(*copying, "copy.db")
    mine("restore", "copy.db")


def test_altered(mine: Desk) -> None:
    mine("record", "plan", OPENED, SUBMITTED, "--new")
    with sqlite3.connect("daynight.db") as store:
        store.execute("UPDATE stored_events SET state = replace(state, 'Ana', 'Bea') WHERE originator_version = 2")
    store.close()
    told = mine("show", "db:plan", code=5)
    assert "event 2" in mine(*mine.proposed(told.partition(" says more")[0], "verify"), code=5)


@pytest.mark.skipif(bool(unavailable()), reason=unavailable())
def test_no_tables(mine: Desk) -> None:
    where = served().url
    schema = f"{where}&schema=proposed" if "?" in where else f"{where}?schema=proposed"
    told = mine("list", "--db", schema, code=5)
    mine(*mine.proposed(told.removesuffix(" --db URL"), "migrate"), "--db", schema)
    mine("record", "plan", OPENED, "--new", "--db", schema)
    assert f"{PYTHON} mine.py export --all -o FILE" in mine("backup", "copy.db", "--db", schema, code=2)
    assert f"{PYTHON} mine.py import takes" in mine("restore", "copy.db", "--db", schema, code=2)


SHARED = (
    "framework", "machine", "store", "speaker.py", "games.py", "cli/*.py", "cli/terminal", "cli/share/serve.py",
    *(f"cli/keep/{verb}.py" for verb in ("backup", "export", "follow", "key", "migrate", "restore", "verify")),
)  # fmt: skip
"""The folders and modules whose messages a program of a custom mechanic can print."""

OF_DAY_AND_NIGHT = (
    "cli/commands.py", "cli/greeting.py", "cli/synonyms.py", "cli/terminal/kinds.py", "cli/terminal/opening.py",
    "store/given.py",
)  # fmt: skip
"""Modules in SHARED whose messages only the program daynight can print."""


def _sentences(call: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Yield the module's path and the text for each literal argument of a call in SHARED, without OF_DAY_AND_NIGHT, if
    `call` accepts the name of the called function."""
    for room in SHARED:
        place = ROOT / "daynight" / room
        files = place.rglob("*.py") if place.is_dir() else (ROOT / "daynight").glob(room)
        for file in sorted(files):
            name = file.relative_to(ROOT / "daynight").as_posix()
            if name in OF_DAY_AND_NIGHT:
                continue
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and call(node.func.id):
                    for given in node.args:
                        if isinstance(given, ast.Constant) and isinstance(given.value, str):
                            yield name, given.value


def test_sentences() -> None:
    daynights = "|".join([*commands(MECHANIC).commands, "new", "--help"])
    proposed = set()
    for module, text in _sentences(lambda name: name in ("_", "counted")):
        assert not re.search(rf"(?<![\w/])daynight (?:{daynights})\b", text), (module, text)
        proposed |= {(verb, module) for verb in re.findall(r"\{program\} ([a-z-]+)", text)}
    # `new` is proposed for day and night only; the line above is for others.
    assert {("new", "cli/terminal/stored.py")} == {one for one in proposed if one[0] not in commands(MECHANIC).commands}
    assert {"key", "verify", "import", "backup", "restore", "migrate", "export", "show"} <= {
        verb for verb, _ in proposed
    }


def test_words() -> None:
    python = "/usr/bin/python3.12"
    assert ("python3.12", "./desk/mine.py") == words_of("./desk/mine.py", None, python)
    assert ("python3.12", "-m", "desk.mine") == words_of("/home/desk/mine.py", "desk.mine", python)
    assert ("python3.12", "-m", "desk") == words_of("/home/desk/__main__.py", "desk.__main__", python)
    assert ("python3.12", "desk.pyz") == words_of("desk.pyz", "__main__", python)
    assert ("lending",) == words_of("/opt/bin/lending", None, python)
    assert ("lending",) == words_of("lending.exe", None, python)
    assert () == words_of("-c", None, python) == words_of("", None, python)
    assert ("python", "mine.py") == words_of("mine.py", None, "")
    with running(["python", "my desk.py"]):
        assert "python 'my desk.py'" == program()
    assert "daynight" == program()


def test_called_from_python(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        commands(MECHANIC).main(["list", "--db", str(tmp_path / "no.db")])
    assert ended.value.code == 4
    assert "; approval import makes one" in capsys.readouterr().err
