"""The notation as a format of records: files, standard input, stores, imports; and the commands read and write.

| promise | test |
| --- | --- |
| every command accepts a record in the notation, and answers as for its JSON Lines | test_commands |
| standard input is recognised by its first line, compressed or not | test_standard_input, test_not_mistaken |
| a custom catalogue fills in typed cards | test_catalogue |
| daynight read and write convert without loss, or write nothing | test_there_and_back, test_refused |
| read and write print to standard output, or write a file | test_read, test_write, test_stored |
| the audit of the notation's example equals that of its JSON Lines | test_the_example |
| import skips and reports invalid lines, and keeps the rest | test_imported, test_something_else, test_importer |
"""

import gzip
import io
import itertools
import json
from pathlib import Path

import pytest

from daynight.cards import bundled
from daynight.events.language import read as read_json
from daynight.framework.language.codec import encode_lines
from daynight.game import Game
from daynight.importers import notation
from daynight.importers.frame import Finished, Observed, Options, Skipped
from daynight.importers.sources import Source
from daynight.notation import looks_like, read_text
from tests.commands.conftest import daynight, folder, stdin  # noqa: F401

from .words import in_words

GAMES = Path(__file__).resolve().parents[2] / "examples" / "games"
TEXT = """\
# table 7
game friday
players Ana, Bo

turn 1 Ana
  main
  Ana casts Tavern Ruffian
  Ana: Tavern Ruffian (w1) enters

turn 2 Bo
  untap
  Ana casts Opt  # on Bo's turn

turn 3 Ana
  untap
  Ana says day
"""


@pytest.fixture
def both(tmp_path):
    """The paths of a game in the notation, and of the same game in JSON Lines with its cards filled in."""
    words, lines = tmp_path / "game.dn", tmp_path / "game.jsonl"
    words.write_text(TEXT, encoding="utf-8")
    lines.write_bytes(encode_lines(one.event for one in read_text(TEXT)))
    return words, lines


@pytest.mark.wide(but=9)
@pytest.mark.parametrize("command", [
    ["replay"], ["replay", "--at", "turn:3"], ["why", "--at", "turn:3/untap"], ["audit"], ["show"], ["blame"],
    ["forecast"], ["unknowns"], ["repair"], ["bisect"], ["diff", "--at", "3", "--at", "8"],
    ["what-if", "--at", "turn:2", "--insert", "B casts 2"], ["verify"],
], ids=" ".join)  # fmt: skip
@pytest.mark.parametrize("as_json", [True, False])
def test_commands(daynight, both, command, as_json):  # noqa: F811
    """A command gives the same answer for the notation, also compressed, as for JSON Lines, but for the file's name."""
    words, lines = both
    name, *options = command
    given = [daynight(name, path, *options, *(["--json"] if as_json else [])) for path in both]
    assert given[0].code in (0, 1, 4)
    assert given[0].code == given[1].code
    assert given[0].out.replace(str(words), str(lines)) == given[1].out
    packed = words.with_name("packed.dn.gz")
    packed.write_bytes(gzip.compress(words.read_bytes()))
    again = daynight(name, packed, *options, *(["--json"] if as_json else []))
    assert given[0].out == again.out.replace(str(packed), str(words))


def test_branch_of_words(daynight, both):  # noqa: F811
    """`what-if -o` writes the same branch, with the same origin, for a record in the notation as for its JSON Lines."""
    branches = []
    for path in both:
        branch = path.with_name(f"{path.suffix[1:]}.branch.jsonl")
        daynight("what-if", path, "--at", "turn:2", "--insert", "B casts 2", "-o", branch)
        branches.append(branch.read_bytes())
    assert branches[0] == branches[1]


def test_standard_input(daynight, both, stdin):  # noqa: F811
    """`audit -` gives the audit of the file, also if the input is compressed or has comments before the header."""
    for path, packed in itertools.product(both, (bytes, gzip.compress)):
        stdin(packed(path.read_bytes()))
        assert daynight("audit", path, "--json").out.replace(str(path), "-") == daynight("audit", "-", "--json").out


def test_not_mistaken(daynight, stdin):  # noqa: F811
    """Standard input that begins with a brace is read as JSON Lines, any other as the notation.

    Empty input, damaged gzip data and a byte order mark before JSON are refused.
    """
    for data, says in (
        (b'{"type":"game-started"}', "-:1: $.format: missing field format"),
        (b"gane friday\nplayers Ana", "-:1:1: 'gane' is not understood; did you mean game?"),
        (b"", "-:1: $: an empty record"),
        (gzip.compress(b"gane friday\nplayers Ana"), "-:1:1: 'gane' is not understood; did you mean game?"),
        (gzip.compress(b'{"type":"game-started"}'), "-:1: $.format: missing field format"),
        (gzip.compress(TEXT.encode())[:40], "-:1: $: damaged gzip data"),
        (b"\x1f\x8b", "-:1: $: damaged gzip data"),
        (b"\xef\xbb\xbf{}", "-:1: $: a byte order mark"),
    ):
        stdin(data)
        ran = daynight("replay", "-")
        assert (3, "") == ran[:2]
        assert ran.error.startswith(says)
    assert looks_like(b"# a\n\n  GAME x") is True
    assert looks_like(b'{"type":"game-started"}') is looks_like(b"gamer") is looks_like(b"") is False


def test_catalogue(daynight, tmp_path, both):  # noqa: F811
    """A typed card is filled in from the custom catalogue (here without a back face), not the bundled one."""
    words, _lines = both
    card = {"name": "Tavern Ruffian", "double_faced": False, "front": {"name": "Tavern Ruffian", "types": ["Creature"]}}
    own = tmp_path / "cards.json"
    own.write_text(json.dumps([card]), encoding="utf-8")
    assert "neither" == daynight("replay", words, "--catalogue", own, "--json").documents[0]["designation"]
    assert "night" == daynight("replay", words, "--json").documents[0]["designation"]
    assert '"double_faced":false' in daynight("read", words, "--catalogue", own).out


def test_read(daynight, both, tmp_path):  # noqa: F811
    """`daynight read` prints the lines, or writes a file and prints the number of lines."""
    words, lines = both
    assert (0, lines.read_text("utf-8"), "") == daynight("read", words) == daynight("read", words, "--json")
    output = tmp_path / "out.jsonl"
    assert (0, f"{output}: 11 events\n", "") == daynight("read", words, "-o", output)
    assert lines.read_bytes() == output.read_bytes()
    (document,) = daynight("read", words, "-o", output, "--json").documents
    assert {"record": str(words), "events": 11, "output": str(output)} == document


def test_write(daynight, both, tmp_path):  # noqa: F811
    """`daynight write` prints the text, puts it into the JSON document, or writes a file."""
    _words, lines = both
    text = in_words(read_json(lines))
    assert (0, text, "") == daynight("write", lines)
    (document,) = daynight("write", lines, "--json").documents
    assert {"record": str(lines), "events": 11, "text": text} == document
    output = tmp_path / "out.dn"
    assert (0, f"{output}: 11 events\n", "") == daynight("write", lines, "-o", output)
    assert text == output.read_text("utf-8")
    (document,) = daynight("write", lines, "-o", output, "--json").documents
    assert {"record": str(lines), "events": 11, "output": str(output)} == document


def test_there_and_back(daynight, tmp_path):  # noqa: F811
    """`write` and then `read` give each example game and the demo the same events, and each example the same bytes."""
    for record in [*sorted(GAMES.glob("*.jsonl")), "demo"]:
        out = tmp_path / "out.dn"
        assert 0 == daynight("write", record, "-o", out).code
        back = tmp_path / "back.jsonl"
        assert 0 == daynight("read", out, "-o", back).code
        game = Game.load(record)
        assert [*game.events] == [bundled().fill(event) for event in read_json(back)]
        if record != "demo":
            assert encode_lines(read_json(record)) == back.read_bytes()


def test_stored(daynight, folder, both):  # noqa: F811
    """A game that is imported from the notation is exported as its JSON Lines, and `write` gives its notation."""
    words, lines = both
    assert 0 == daynight("import", words, "--into", "daynight.db").code
    assert lines.read_text("utf-8") == daynight("export", "friday").out
    assert in_words(read_json(lines)) == daynight("write", "db:friday").out


@pytest.mark.parametrize("command", ["read", "write"])
def test_refused(daynight, both, tmp_path, command):  # noqa: F811
    """An invalid record gives exit code 3 and its place, an output that is the input 2, a missing file 4."""
    words, lines = both
    words.write_text(TEXT + "  Anna casts Opt\n", encoding="utf-8")
    output = tmp_path / "out"
    ran = daynight(command, words, "-o", output)
    assert (3, "") == ran[:2]
    assert ran.error.startswith(f"{words}:17:3: no 'Anna' here; there: Ana, Bo (did you mean Ana?)")
    assert not output.exists()
    assert (3, "") == daynight(command, words)[:2]
    before = lines.read_bytes()
    ran = daynight(command, lines, "-o", lines)
    assert 2 == ran.code
    assert "is what this is made from, and stays as it is" in ran.err
    assert before == lines.read_bytes()
    assert 4 == daynight(command, tmp_path / "none.dn").code


def test_impossible(daynight, both, stdin):  # noqa: F811
    """An impossible event is refused with its line and column, also by `daynight read` and from standard input."""
    words, _lines = both
    words.write_text(TEXT + '  "Cy" casts Opt\n', encoding="utf-8")
    for command in ("read", "audit", "replay"):
        assert f"{words}:17:3: no player 'Cy'; players are Ana, Bo" == daynight(command, words).error
        stdin(gzip.compress(words.read_bytes()))
        assert "-:17:3: no player 'Cy'; players are Ana, Bo" == daynight(command, "-").error


def test_the_example(daynight):  # noqa: F811
    """The example with the dispute, as a judge would type it, has the same audit as its JSON Lines."""
    words, lines = GAMES / "dispute.dn", GAMES / "dispute.jsonl"
    audits = [daynight("audit", path, "--json") for path in (words, lines)]
    assert 1 == audits[0].code == audits[1].code
    assert audits[0].out.replace(str(words), str(lines)) == audits[1].out
    assert Game.load(words) == Game.load(lines)
    assert 0 == daynight("fmt", "--check", words).code
    assert 25 > len(words.read_text("utf-8").split("\n\n")), "short enough to be typed"


def test_imported():
    """Each header begins a game; an invalid line is skipped, with its number and a proposal."""
    text = f"{TEXT}  Bo castes Opt\n  Bo casts Opt\n\ngame two\nplayers Cy\nturn 1 Cy\nturn x\nturn 2 C\n"
    items = list(notation.read([Source("a.dn", io.BytesIO(text.encode()))], Options()))
    observed = [item for item in items if isinstance(item, Observed)]
    assert [("1.1", 12), ("1.2", 3)] == [(key, sum(one.game == key for one in observed)) for key in ("1.1", "1.2")]
    skipped = [item for item in items if isinstance(item, Skipped)]
    assert [17, 23] == [item.line for item in skipped]
    assert "did you mean casts?" in skipped[0].sentence
    assert ["1.1", "1.2"] == [item.game for item in items if isinstance(item, Finished)]
    assert [one.event for one in read_text(TEXT)] == [one.event for one in observed[:11]]
    assert [one.line for one in read_text(TEXT)] == [one.line for one in observed[:11]]


def test_something_else(monkeypatch):
    """After `MOST` invalid lines the importer skips the rest of the file, and says so."""
    assert notation.MOST <= 1_000
    monkeypatch.setattr(notation, "MOST", 100)
    text = TEXT + "lorem ipsum\n" * 300
    items = list(notation.read([Source("a.dn", io.BytesIO(text.encode()))], Options()))
    skipped = [item for item in items if isinstance(item, Skipped)]
    assert [17, 16 + notation.MOST] == [skipped[0].line, skipped[-1].line]
    assert "the rest of it is not read" in skipped[-1].sentence
    assert isinstance(items[-1], Finished)


def test_importer():
    """The importer recognises its files by their first line, and never raises an exception."""
    assert "notation" == notation.IMPORTER.name
    assert notation.IMPORTER.detect(TEXT.encode())
    assert not notation.IMPORTER.detect(b'{"type":"game-started"}\n')
    for data in (b"", b"game", b"game g", b"\xff\n" + TEXT.encode(), b"Ana casts Opt\n"):
        for item in notation.read([Source("a.dn", io.BytesIO(data))], Options()):
            assert isinstance(item, (Observed, Skipped, Finished))
