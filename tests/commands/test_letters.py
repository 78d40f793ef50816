r"""ASCII replacements for signs, such as ☾ and ✗, that the terminal's encoding does not have.

| promise | test |
| --- | --- |
| every sign in the source or the catalogues has a replacement | test_every_sign, test_found |
| no sign becomes a question mark; contradiction, doubt, day and night stay different | test_apart |
| signs are replaced on both streams, in each encoding, with any error handler | test_streams, test_of_a_process |
| a name in other letters is printed as escapes, without question marks | test_names, test_other_streams |
| JSON is printed without replacements | test_json |
| no command prints a question mark that it does not print in UTF-8, in any language | test_every_command |
| a terminal with all signs gets them unchanged | test_streams_of_signs |
| a QR code is left out if the encoding can't show it | test_picture |
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import unicodedata
from io import BytesIO, TextIOWrapper

import pytest

from daynight.cli.commands import run
from daynight.cli.terminal.letters import LETTERS, lettered, shows, spell_out
from daynight.cli.terminal.output import SIGNS
from daynight.events.terms import Designation
from daynight.languages.speaking import LANGUAGES
from tests.behaviour.games import kept
from tests.commands.conftest import ROOT, environ
from tests.commands.test_json import EACH
from tests.languages.messages import TRANSLATED, catalogue, forms
from tests.rules.judges import claim
from tests.rules.words import doubt, effect, started, turn, untap

ENCODINGS = pytest.mark.parametrize("encoding", ["ascii", "cp437", "cp850", "cp1252"])
UNPRINTED = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}
"""The Unicode categories of characters that the source only searches for and never prints."""

SEARCHED = frozenset("\u2e80\u30a0\uff61\uff65\u27bf\u2b00\u2bff\ufe0f\ufffd\U0001f000")
"""Signs that the source only searches for: the ends of ranges of letters and of pictures, and a mark of damage."""


def signs(text):
    """Return the characters of a text that are neither ASCII, nor letters of any language, nor only searched for."""
    found = {one for one in text if not one.isascii() and unicodedata.category(one)[0] != "L"}
    return {one for one in found if unicodedata.category(one) not in UNPRINTED} - SEARCHED


def literals(source):
    """The strings of a module except its docstrings."""
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [node.value for node in strings if id(node) not in told]


@pytest.mark.wide
def test_every_sign():
    """Every sign in the program has an ASCII replacement; a new sign without one makes the test fail."""
    sources = [path for folder in ("daynight", "events", "projections") for path in (ROOT / folder).rglob("*.py")]
    found = {one for path in sources for text in literals(path.read_text("utf-8")) for one in signs(text)}
    for language in TRANSLATED:
        found |= {one for message in catalogue(language) for text in forms(message) for one in signs(text)}
    assert set("☀☾✗✓⚠→·’。") <= found
    assert {} == {one: lettered(one) for one in sorted(found) if "\\" in lettered(one) or not lettered(one).isascii()}


def test_found():
    """`signs` finds a new sign in a string, which becomes an escape, but none in a docstring or in `UNPRINTED`."""
    assert {"♞"} == signs("".join(literals('"""♜"""\nx = f"♞ {y} é 夜"\nz = "\\u2028"\n')))
    assert "\\u265e" == lettered("♞")


def test_apart():
    """No sign's replacement has a question mark, but an uncertain state stays one; ✗, ✓, ⚠, day and night differ."""
    assert [] == [one for one, letters in LETTERS.items() if "?" in letters]
    assert ("x", "v", "?", "!") == tuple(map(lettered, "✗✓?⚠"))
    assert ["-", "D", "N", "?"] == [lettered(SIGNS[one]) for one in (*Designation, None)]
    assert "?" == lettered("？")  # a Japanese question also ends with a question mark


class Streams:
    """Replaces standard output and standard error by streams in an encoding, and keeps what is printed there."""

    def __init__(self, monkeypatch, encoding, errors="strict"):
        self.encoding = encoding
        self.out, self.err = (TextIOWrapper(BytesIO(), encoding, errors) for _ in range(2))
        monkeypatch.setattr(sys, "stdout", self.out)
        monkeypatch.setattr(sys, "stderr", self.err)

    def ran(self, *arguments):
        """Run a command line, and return two texts: its standard output and its standard error."""
        run([*map(str, arguments)])
        printed = []
        for stream in (self.out, self.err):
            stream.flush()
            printed.append(stream.buffer.getvalue())
            stream.buffer.seek(0)
            stream.buffer.truncate()
        return printed[0].decode(self.encoding), printed[1].decode(self.encoding)


@pytest.fixture
def record(folder):
    """A working folder with wrong.jsonl, which has a contradiction, and doubted.jsonl, which has an uncertain state."""
    doubted = [started(), effect("day"), turn(1), doubt("Ana", 0, 2), turn(2, "Bo"), untap(), claim("day")]
    kept(folder / "wrong.jsonl", [started(), effect("day"), turn(1), turn(2, "Bo"), untap(), claim("day")])
    kept(folder / "doubted.jsonl", doubted)
    return folder


@ENCODINGS
@pytest.mark.parametrize("errors", ["strict", "replace"])
def test_streams(record, monkeypatch, encoding, errors):
    """A contradiction is printed as x, night as N, an uncertain state as a question mark; no other sign becomes one."""
    streams = Streams(monkeypatch, encoding, errors)
    out, err = streams.ran("audit", "wrong.jsonl")
    assert ("  x Event 6", "      event 6", "") == (out.splitlines()[1][:11], out.splitlines()[2][:13], err)
    assert "?" not in out
    out, err = streams.ran("why", "doubted.jsonl")
    assert ("e7  ? ", 1) == (out[:6], out.splitlines()[0].count("?"))
    out, err = streams.ran("why", "wrong.jsonl")
    assert "e6  N night" == out.splitlines()[0]
    out, err = streams.ran("--lang", "fr", "audit", "wrong.jsonl")
    event = "evenement" if encoding == "ascii" else "événement"
    capital = "Evenement" if encoding == "ascii" else "Événement"
    assert [f"  x {capital} 6", f"      {event} 6 ("] == [out.splitlines()[1][:15], out.splitlines()[2][:19]]
    assert "?" not in out
    # Standard error too.
    out, err = streams.ran("--lang", "fr", "why", "wrong.jsonl", "--at", "99")
    assert ("", True, False) == (out, f"{event} 99" in err, "\\" in err)


@ENCODINGS
def test_names(folder, monkeypatch, encoding):
    """A player's or a file's name in other letters is printed with escapes."""
    kept(folder / "夜.jsonl", [started("夜", "Ōki"), turn(1, "夜")])
    out, err = Streams(monkeypatch, encoding).ran("show", "夜.jsonl")
    assert "\\u591c against Oki" in out.splitlines()[0]
    assert "?" not in out + err
    out, err = Streams(monkeypatch, encoding).ran("why", "昼.jsonl")
    assert ("", "\\u663c.jsonl: no such file;") == (out, err[:27])


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("name", sorted({*EACH} - {"picture", "report"}))
def test_every_command(friday, monkeypatch, name):
    """In these encodings no command prints more question marks than in UTF-8; pictures and reports are UTF-8 files."""
    asked = 0
    for language in LANGUAGES:
        counts = []
        for encoding in ("utf-8", "cp437", "ascii"):
            place = friday.parent / f"{friday.name}-{(asked := asked + 1)}"
            shutil.copytree(friday, place)
            monkeypatch.chdir(place)
            out, err = Streams(monkeypatch, encoding).ran("--lang", language, *EACH[name])
            counts.append((out + err).count("?") + (out + err).count("？"))
        assert 1 == len({*counts}), (language, counts)


@ENCODINGS
def test_json(record, monkeypatch, encoding):
    """JSON is UTF-8 on any terminal."""
    kept(record / "夜.jsonl", [started("夜", "Bo"), turn(1, "夜")])
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(BytesIO(), encoding))
    assert 0 == run(["replay", "夜.jsonl", "--json"])
    assert '"夜"'.encode() in sys.stdout.buffer.getvalue()


def test_streams_of_signs(record, monkeypatch):
    """A UTF-8 stream gets all signs unchanged."""
    streams = Streams(monkeypatch, "utf-8")
    assert "  ✗ Event 6" == streams.ran("audit", "wrong.jsonl")[0].splitlines()[1][:11]
    assert "e6  ☾ night" == streams.ran("why", "wrong.jsonl")[0].splitlines()[0]
    assert "  ✗ Événement" in streams.ran("--lang", "fr", "audit", "wrong.jsonl")[0]


@pytest.mark.wide
def test_of_a_process(record):
    """Signs are replaced for each encoding and error handler that PYTHONIOENCODING sets."""
    for encoding in ("cp437:replace", "ascii:strict", "cp1252"):
        command = [sys.executable, "-m", "daynight", "audit", "wrong.jsonl"]
        environment = environ(PYTHONIOENCODING=encoding) | {"PYTHONUTF8": "0", "PATH": os.environ["PATH"]}
        ran = subprocess.run(command, cwd=record, env=environment, capture_output=True, check=False)
        assert (1, b"", b"  x Event 6") == (ran.returncode, ran.stderr, ran.stdout.splitlines()[1][:11])


def test_picture():
    """`shows` is true for the block characters of a QR code in cp437 and UTF-8, and false in cp1252."""
    assert shows(TextIOWrapper(BytesIO(), "cp437"), "█▀▄ ")
    assert not shows(TextIOWrapper(BytesIO(), "cp1252"), "█▀▄ ")
    assert shows(TextIOWrapper(BytesIO(), "utf-8"), "█▀▄ ")


def test_other_streams():
    """`spell_out` leaves a stream without an encoding as it is; in ASCII it drops accents and escapes letters."""
    spell_out(BytesIO())  # type: ignore[arg-type]
    stream = TextIOWrapper(BytesIO(), "ascii")
    spell_out(stream)
    stream.write("✗ é ≠ 夜")
    stream.flush()
    # An accent may be dropped; the stroke of another letter may not.
    assert b"x e \\u2260 \\u591c" == stream.buffer.getvalue()
