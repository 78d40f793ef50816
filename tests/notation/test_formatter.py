"""The formatter: one layout for each game, with the same events and the same comments.

| promise | test |
| --- | --- |
| spaces, indents, words and the order of the header are standardised | test_laid_out |
| formatting twice changes nothing more; the events are the same | test_idempotent, test_written_is_laid_out |
| formatting a line of several events keeps all of them | test_several_events, test_spoken |
| comments are kept in order | test_comments |
| daynight fmt writes in place, --check gives exit code 1, and - makes it a filter | test_fmt, test_check, test_filter |
| an invalid record, or another kind of file, is left unchanged | test_refused |
| a compressed file is left unchanged, with advice | test_packed, test_filter |
"""

import gzip
import random
import re

import pytest
from hypothesis import given

from daynight.framework.language.errors import RecordError
from daynight.notation import formatted, read_text
from tests.commands.conftest import daynight, stdin  # noqa: F401

from .slips import BEFORE
from .test_spoken import SPOKEN, collected
from .words import in_words, records

TYPED = """\
   # the table by the door

game  friday   #  the first
# Jo keeps the score
  edition 2024-06-07
PLAYERS ana,Bo     # best of three


turn  1  an
untap ·upkeep · DRAW step   #quick
  main
  an casts 2
  ana CASTS  tavern ruff (s1)
     #!  really
  Tavern Smasher enters under Ana as w1


  it is night? says Bo
judge Jo: night
   w1 and "w1" leave to exile
"""

LAID_OUT = """\
# the table by the door

game friday  # the first
players ana, Bo  # best of three
edition 2024-06-07
# Jo keeps the score

turn 1 ana
  untap · upkeep · draw  # quick
  precombat main
  ana casts 2 spells
  ana casts Tavern Ruffian (s1)
  #!  really
  ana: Tavern Ruffian (w1) enters

  Bo says night
  Jo rules night
  w1, w1 leave to exile
"""


def test_laid_out():
    """`formatted` turns a game as people type it into its standard layout; the events are the same."""
    assert LAID_OUT == formatted(TYPED.encode())
    assert [one.event for one in read_text(TYPED)] == [one.event for one in read_text(LAID_OUT)]


def typed(chance: random.Random, text: str) -> str:
    """The text with other spaces, line ends, blank lines and comments, as if typed in a hurry."""
    lines = []
    for line in text.split("\n"):
        words = line if '"' in line else re.sub(" ", lambda _: " " * chance.choice((1, 1, 1, 2)), line)
        lines.append(" " * chance.choice((0, 1, 2, 5)) + words.lstrip() + chance.choice(("", "", " ", "\r", "\t")))
        lines += chance.choice(([], [], [], [""], ["", ""], ["# a"], ["   #b", ""], ["#"]))
    return "\n".join(lines)


@given(records())
def test_written_is_laid_out(made):
    """Text written by daynight already has the standard layout."""
    text = in_words(made)
    assert text.strip("\n") == formatted(text.encode()).strip("\n")


@pytest.mark.wide(but=5)
@pytest.mark.parametrize("seed", range(20))
def test_idempotent(seed):
    """However the text was typed, `formatted` keeps its events and comments, and a second run changes nothing."""
    chance = random.Random(seed)
    text = typed(chance, TYPED if seed % 2 else LAID_OUT)
    once = formatted(text.encode())
    assert once == formatted(once.encode())
    assert [one.event for one in read_text(text)] == [one.event for one in read_text(once)]
    for comment in ("# a", "# b", "#"):
        count = len(re.findall(rf"^[ \t]*{comment.replace('# b', '# ?b')}[ \t\r]*$", text, re.MULTILINE))
        assert count == len(re.findall(rf"^ *{comment}$", once, re.MULTILINE))


@pytest.mark.parametrize("line, lines", [
    ("Ana casts 2 spells", ["Ana casts 2 spells"]),
    ("Ana casts 2 spells  # quick", ["Ana casts 2 spells  # quick"]),
    ("untap, upkeep", ["untap · upkeep"]),
    ("Ana casts Opt and Shock", ["Ana casts Opt", "Ana casts Shock"]),
    ("Ana casts Opt, Bo casts Shock", ["Ana casts Opt", "Bo casts Shock"]),
    ("untap, Ana casts Opt", ["untap", "Ana casts Opt"]),
])  # fmt: skip
def test_several_events(line, lines):
    """A line of several events stays one line if there is a standard line for them, else becomes a line for each."""
    text = BEFORE + line
    assert formatted(text.encode()).splitlines()[4:] == [f"  {one}" for one in lines]


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("name", sorted(path.stem for path in SPOKEN.glob("*.txt")))
def test_spoken(name):
    """For each valid sentence of the file `name`, `formatted` keeps the events, and a second run changes nothing."""
    lost = []
    for line in dict.fromkeys(line for line, _meaning in collected(name)):
        text = f"{BEFORE}  {line}\n"
        try:
            events = [one.event for one in read_text(text)]
        except RecordError:
            continue
        once = formatted(text.encode())
        if [one.event for one in read_text(once)] != events or formatted(once.encode()) != once:
            lost.append((line, once.splitlines()[4:]))
    assert lost == []


def test_comments():
    """A comment on a line of its own keeps its place; inside a header it moves behind the header."""
    assert "# a\n" == formatted(b"#a\n\n")
    assert "# a\n\ngame g\nplayers Ana\n# b\n" == formatted(b"#a\n\n\ngame g\n#b\nplayers Ana")
    assert "game g\nplayers Ana\nturn 1 Ana\n  # b\n# c\n" == formatted(b"game g\nplayers Ana\nturn 1 Ana\n #b\n#c")


def test_fmt(daynight, tmp_path):  # noqa: F811
    """`daynight fmt` rewrites the file and prints its path; it removes a byte order mark and Windows line ends."""
    path = tmp_path / "game.dn"
    path.write_bytes(TYPED.encode())
    assert (0, f"{path}: laid out\n", "") == daynight("fmt", path)
    assert LAID_OUT.encode() == path.read_bytes()
    (document,) = daynight("fmt", path, "--json").documents
    assert {"file": str(path), "changed": False, "written": False} == document
    path.write_bytes(b"\xef\xbb\xbf" + LAID_OUT.replace("\n", "\r\n").encode())
    assert 0 == daynight("fmt", path).code
    assert LAID_OUT.encode() == path.read_bytes()


def test_check(daynight, tmp_path):  # noqa: F811
    """`--check` writes nothing, and gives exit code 1 if a file is not in the standard layout."""
    path, good = tmp_path / "game.dn", tmp_path / "good.dn"
    path.write_bytes(TYPED.encode())
    good.write_bytes(LAID_OUT.encode())
    ran = daynight("fmt", "--check", good, path)
    assert (1, "") == (ran.code, ran.err)
    assert re.fullmatch(rf"(?:{re.escape(str(path))}:\d+: not laid out\n)+", ran.out)
    assert TYPED.encode() == path.read_bytes()
    assert (0, "", "") == daynight("fmt", "--check", good)
    assert [(False, False), (True, False)] == [
        (one["changed"], one["written"]) for one in daynight("fmt", "--check", good, path, "--json").documents
    ]


def test_filter(daynight, stdin):  # noqa: F811
    """`fmt -` prints standard input in the standard layout; compressed input gives exit code 2 and advice."""
    stdin(gzip.compress(TYPED.encode()))
    ran = daynight("fmt", "-")
    assert (2, "") == ran[:2]
    assert "what is packed is not laid out; unpack it first, or write gzip -dc - | daynight fmt -" in ran.err
    stdin(TYPED.encode())
    assert (0, LAID_OUT, "") == daynight("fmt", "-")
    stdin(TYPED.encode())
    ran = daynight("fmt", "--check", "-")
    assert (1, "-:1: not laid out") == (ran.code, ran.out.splitlines()[0])
    stdin(TYPED.encode())
    (document,) = daynight("fmt", "-", "--json").documents
    assert {"file": "-", "changed": True, "text": LAID_OUT} == document


def test_refused(daynight, tmp_path):  # noqa: F811
    """An invalid line gives exit code 3 with its place, another kind of file 2, a missing one 4; nothing is written."""
    path, other = tmp_path / "game.dn", tmp_path / "game.jsonl"
    path.write_text(f"{BEFORE}Bo castes Opt\n", encoding="utf-8")
    ran = daynight("fmt", path)
    assert (3, "") == ran[:2]
    assert ran.error.startswith(f"{path}:5:4: 'castes' is not understood; did you mean casts?")
    assert path.read_text("utf-8").endswith("Bo castes Opt\n")
    other.write_text("{}", encoding="utf-8")
    ran = daynight("fmt", other)
    assert 2 == ran.code
    assert "only files in the notation" in ran.err
    assert 4 == daynight("fmt", tmp_path / "none.dn").code


@pytest.mark.parametrize("name", ["game.dn.gz", "game.dn"])
def test_packed(daynight, tmp_path, name):  # noqa: F811
    """A compressed file gives exit code 2, whatever its name, and stays unchanged; the error says what to do."""
    path = tmp_path / name
    path.write_bytes(packed := gzip.compress(TYPED.encode()))
    for options in ((), ("--check",), ("--json",)):
        ran = daynight("fmt", path, *options)
        assert 2 == ran.code
        assert f"gzip -dc {path} | daynight fmt -" in " ".join(ran.err.split())
        assert packed == path.read_bytes()


@pytest.mark.parametrize("typed, lines", [
    ("game g1\nplayers Ana, Bo\nturn 1 Ana\n  Bo casts Opt\n", []),
    ("game g1\nplayers Ana, Bo\nturn 1 Ana\nBo casts Opt\n", [4]),
    ("game  g1\nplayers Ana, Bo\n\n\n\nturn 1 Ana\nbo casts Opt\n", [1, 4, 5, 7]),
    ("game g1\nplayers Ana, Bo\nturn 1 Ana", [3]),
    ("game g1\r\nplayers Ana, Bo\r\n", [1, 2]),
])  # fmt: skip
def test_lines_are_named(daynight, tmp_path, typed, lines):  # noqa: F811
    """`--check` names exactly the lines whose layout differs."""
    path = tmp_path / "game.dn"
    path.write_bytes(typed.encode())
    assert "".join(f"{path}:{line}: not laid out\n" for line in lines) == daynight("fmt", "--check", path).out
    (document,) = daynight("fmt", "--check", path, "--json").documents
    assert lines == document["lines"]
