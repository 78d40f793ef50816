"""Sources of records: files, compressed files, standard input, the demo; positions; custom catalogues."""

import gzip
import json

import pytest

from daynight.game import Game
from tests.behaviour.games import CONTRACT, EVERY_TYPE, kept, lines
from tests.rules.judges import back_up, claim
from tests.rules.words import cast, started, turn, untap
from tests.sampling import sampled

DOCUMENT = Game(CONTRACT).document()


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
@pytest.mark.parametrize("command", ["replay", "why", "audit", "show"])
def test_standard_input(daynight, stdin, tmp_path, command, pack):
    """`-` gives the same answer as the file."""
    record = [*CONTRACT, back_up(4), claim("day")]
    path = kept(tmp_path / "g1.jsonl", record)
    expected = daynight(command, path, "--json")
    stdin(pack(lines(record)))
    ran = daynight(command, "-", "--json")
    for document in expected.documents:
        if command == "audit":
            document["record"] = "-"
        assert [document] == ran.documents
    assert expected.code == ran.code


def test_standard_input_up_to_a_turn(daynight, stdin):
    """`--at turn:2` works for standard input, which can be read only once."""
    stdin(lines(CONTRACT))
    (document,) = daynight("replay", "-", "--at", "turn:2", "--json").documents
    assert Game(CONTRACT).document(5) == document


def test_standard_input_refused(daynight, stdin):
    """An error about standard input names it `-`."""
    stdin(lines([*CONTRACT, cast("Anna")]))
    ran = daynight("audit", "-")
    assert (3, "-:9: $.player: no player 'Anna'; players are Ana, Bo") == (ran.code, ran.error)


def test_a_real_pipe(process):
    """In a new process, a record with a back-up is read from a pipe; only the answer is printed."""
    record = [*CONTRACT, back_up(4), cast("Bo")]
    ran = process("replay", "-", "--json", stdin=lines(record))
    assert (0, "", [Game(record).document()]) == (ran.code, ran.err, ran.documents)


@pytest.mark.slow
def test_a_real_packed_pipe(process):
    """A compressed record is read from a pipe, without a warning in Python's development mode."""
    ran = process("audit", "-", "--json", stdin=gzip.compress(lines([started(), claim("night")])), PYTHONDEVMODE="1")
    assert (1, "", "disputed") == (ran.code, ran.err, ran.documents[0]["verdict"])


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("command", ["replay", "why", "audit", "show"])
def test_packed(daynight, tmp_path, command):
    """A compressed file gives the same answer as the plain one."""
    plain, packed = kept(tmp_path / "g.jsonl", EVERY_TYPE), kept(tmp_path / "g.jsonl.gz", EVERY_TYPE)
    for json_too in ((), ("--json",)):
        expected, found = daynight(command, plain, *json_too), daynight(command, packed, *json_too)
        assert expected == found._replace(out=found.out.replace(".jsonl.gz", ".jsonl"))


@pytest.mark.parametrize("command", ["replay", "why", "audit", "show"])
def test_demo(daynight, command):
    """The demo can be used like any other record."""
    ran = daynight(command, "demo", "--json")
    assert ran.code == (1 if command == "audit" else 0)
    assert "wagic-G1" == ran.documents[0].get("game", "wagic-G1")


AGAIN = [
    started(), turn(1), untap(), turn(2, "Bo"), back_up(1), turn(1), cast(), untap(), untap(), turn(4, "Bo"), untap(),
]  # fmt: skip


@pytest.mark.wide(but=2)
@pytest.mark.parametrize(
    "position, event", [("7", 7), ("e7", 7), ("turn:1", 6), ("turn:1/untap", 8), ("turn:4", 10), ("turn:4/untap", 11)]
)
def test_positions(daynight, tmp_path, position, event):
    """`replay`, `why` and `show` find the same event for a position; if a turn was played twice, in the second one."""
    path = kept(tmp_path / "g.jsonl", AGAIN)
    for command in ("replay", "why", "show"):
        (document,) = daynight(command, path, "--at", position, "--json").documents
        assert event == document["event"]
    assert f"after event {event}, turn" in daynight("replay", path, "--at", position).out
    assert daynight("why", path, "--at", position).out.startswith(f"e{event}  ")


def test_replay_ends_at_the_position(daynight, tmp_path):
    """A replay up to a position does not print later events, nor marks of later back-ups."""
    path = kept(tmp_path / "g.jsonl", AGAIN)
    told = daynight("replay", path, "--at", "4").out
    assert "turn 2: Bo" in told
    assert "[undone]" not in told
    assert "backs the game up" not in told
    assert 3 == daynight("replay", path).out.count("[undone]")


OWN = [{
    "name": "Cat", "double_faced": True,
    "front": {"name": "Cat", "types": ["Creature"], "keywords": ["nightbound"]},
    "back": {"name": "Tac", "types": ["Creature"]}, "note": "made up",
}]  # fmt: skip
WITH_OWN = [started(), {"type": "permanents-entered", "permanents": [{"id": "c", "card": "Tac", "controller": "Bo"}]}]


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A folder with a custom catalogue, and a game played with it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cards.json").write_text(json.dumps(OWN))
    kept(tmp_path / "g.jsonl", WITH_OWN)
    return tmp_path


def test_a_catalogue_of_ones_own(daynight, own):
    """--catalogue replaces the bundled catalogue in every command that reads records."""
    with_own = ("g.jsonl", "--catalogue", "cards.json", "--json")
    (state,) = daynight("replay", *with_own).documents
    assert ("night", "Cat") == (state["designation"], state["battlefield"][0]["name"])
    assert "nightbound-starts-night" == daynight("why", *with_own).documents[0]["rule"]
    assert 1 == len(daynight("show", *with_own).documents[0]["changes"])
    assert "unverified" == daynight("audit", *with_own).documents[0]["verdict"]
    assert "neither" == daynight("replay", "g.jsonl", "--json").documents[0]["designation"]
    assert "it becomes night" in daynight("replay", *with_own[:3]).out


def test_cards_of_a_catalogue_of_ones_own(daynight, own):
    """`cards` knows the cards of a custom catalogue, and then not the bundled ones."""
    ran = daynight("cards", "Cat // Tac", "--catalogue", "cards.json")
    assert (0, True, True) == (ran.code, "nightbound" in ran.out, "made up" in ran.out)
    assert 4 == daynight("cards", "Opt", "--catalogue", "cards.json").code


@pytest.mark.parametrize("data, says", [
    (b"{}", "cards.json: $: "),
    (b"\xff", "cards.json: $: "),
    (b'[{"name": "A"}]', "cards.json: $[0]: "),
    (json.dumps([OWN[0] | {"name": "\u202e"}]).encode(), "cards.json: $[0].name: the character U+202E"),
])  # fmt: skip
def test_a_broken_catalogue(daynight, own, data, says):
    """For an invalid catalogue the error names file and place in one line, and nothing is printed; exit code 3."""
    (own / "cards.json").write_bytes(data)
    for command in (["replay", "g.jsonl"], ["cards"]):
        ran = daynight(*command, "--catalogue", "cards.json")
        assert (3, "") == ran[:2]
        assert ran.error.startswith(says)


def test_no_such_catalogue(daynight, own):
    """For a missing catalogue the error names it in one line; exit code 4."""
    ran = daynight("replay", "g.jsonl", "--catalogue", "nothing.json")
    assert (4, "") == ran[:2]
    assert ran.error.startswith("nothing.json: ")


@pytest.mark.parametrize("json_too", sampled([(), ("--json",)], 2))
def test_a_name_that_is_no_text(process, tmp_path, json_too):
    """A file whose name is not valid UTF-8 can be read."""
    name = b"caf\xe9.jsonl"
    try:
        (tmp_path / name.decode("utf-8", "surrogateescape")).write_bytes(lines([started(), claim("neither")]))
    except OSError:
        pytest.skip("this file system has no file names that are not UTF-8")
    ran = process("audit", name.decode("utf-8", "surrogateescape"), *json_too)
    assert (0, "") == (ran.code, ran.err)
