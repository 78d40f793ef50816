"""Acts (back-ups and rulings) that one's own key did not sign: refused, shown, accepted or trusted, and verified.

| promise | test |
| --- | --- |
| a command that signs exits with 5 and names the command that accepts; after that it succeeds | test_accepted |
| such acts are refused in another store too, until they are accepted there | test_moved |
| a wrong code is refused with exit code 5; an invalid code or a missing game with the usual exit codes | test_refused |
| verify --signer fails and names each act that no given key signed; several keys count together | test_verified |
| verify also checks a file with its proof, and an archive | test_files |
| --trust accepts another key's signatures | test_trusted |
| events that came without the key are reported once, in JSON too | test_said |
| verify shows the identity; with --identity it fails for a game of another identity | test_identity |
| a log shorter than what the key signed elsewhere is stored unsigned with one notice, and can grow | test_less |
| a public key of small order is not trusted | test_nobodys_key |
| options that can't be combined are refused | test_usage |
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from daynight.games import Store
from daynight.store import Key, SettingsError
from tests import processes
from tests.commands.conftest import environ
from tests.importers.arena_logs import Game as Played
from tests.importers.arena_logs import Log, day_and_night
from tests.rules.judges import back_up, ruled
from tests.rules.words import cast, turn


def record(daynight, *events, more=()):
    """Store `events` with one `record` command, which also gets the options `more`."""
    return daynight("record", "friday", *map(json.dumps, events), *more)


@pytest.fixture
def friday(daynight, folder):
    """A game of twelve events: this user's key signed 1 to 7; only other.pem signed 8 (a back-up) to 12 (a ruling), and
    the signatures of other.pem were deleted. Return this user's public key."""
    assert 0 == daynight("new", "friday", "Ana", "Bo").code
    for number in (1, 2, 3):
        assert 0 == record(daynight, turn(number), cast()).code
    assert 0 == record(daynight, back_up(2), cast(), cast(), cast(), ruled("night"), more=["--key", "other.pem"]).code
    key, other = daynight("key").out.split()[0], daynight("key", "--key", "other.pem").out.split()[0]
    with Store.open("daynight.db") as store, store.recorder.transaction(write=True) as cursor:
        cursor.execute("DELETE FROM heads WHERE signer = ?", (bytes.fromhex(other),))
    return key


def test_accepted(daynight, friday):
    """The command in the error message, typed as it is, accepts the acts; after it the refused command works."""
    for command in (["record", "friday", json.dumps(turn(9))], ["export", "friday", "-o", "friday.jsonl"],
                    ["what-if", "db:friday", "--drop", "5", "--leave-out", "--keep", "--name", "b2"]):  # fmt: skip
        ran = daynight(*command)
        assert (5, "") == ran[:2], command
        assert "event 8 (game-backed-up), e8 " in ran.error
        assert "event 12 (judge-ruled), e12 " in ran.error
    accepts = shlex.split(ran.error.partition("accept it: ")[2])
    assert ["daynight", "key", "--accept", "friday"] == accepts[:4]
    (document,) = daynight(*accepts[1:], "--json").documents
    assert [(8, "game-backed-up"), (12, "judge-ruled")] == [(one["event"], one["type"]) for one in document["accepted"]]
    assert (friday, accepts[4]) == (document["key"], document["accepted"][1]["code"])
    assert 0 == record(daynight, turn(9)).code
    assert 0 == daynight("verify", "friday", "--signer", friday).code


def test_moved(daynight, friday):
    """This user can't import the exported game into another store; if other.pem imports it, this user can record there
    only after accepting the acts."""
    assert 0 == daynight("export", "friday", "-o", "friday.jsonl", "--key", "other.pem").code
    ran = daynight("import", "friday.jsonl", "--db", "elsewhere.db")
    assert (5, "") == (ran.code, ran.out)
    assert "added since: event 8 (game-backed-up), e8 " in ran.error
    assert not Path("elsewhere.db").exists()
    assert 0 == daynight("import", "friday.jsonl", "--db", "elsewhere.db", "--key", "other.pem").code
    code = daynight("verify", "friday", "--db", "elsewhere.db", "--json").documents[0]["code"]
    where = ["--db", "elsewhere.db"]
    assert 5 == daynight("record", "friday", json.dumps(turn(9)), *where).code
    assert 0 == daynight("key", "--accept", "friday", code, *where).code
    assert 0 == daynight("record", "friday", json.dumps(turn(9)), *where).code


def test_refused(daynight, friday):
    with Store.open("daynight.db") as store:
        code = store.code("friday")
    for given, exit in ((["friday", "e12 0000-0000-0000-0000"], 5), (["friday", code.replace("e12", "e11")], 5),
                        (["friday", "e12"], 2), (["saturday", code], 4)):  # fmt: skip
        ran = daynight("key", "--accept", *given)
        assert (exit, "") == ran[:2], given
        assert ran.error
    assert 5 == record(daynight, turn(9)).code
    assert 4 == daynight("key", "--accept", "friday", code, "--key", "none.pem").code
    assert 0 == daynight("key", "--accept", "friday", code.lower()).code


def test_verified(daynight, friday):
    """other.pem signs later events, but verify with both keys fails for both acts, until each key accepts one."""
    assert 0 == record(daynight, cast(), turn(9), turn(10), more=["--key", "other.pem"]).code
    other = daynight("key", "--key", "other.pem").out.split()[0]
    for names in ([], ["friday"]):
        ran = daynight("verify", *names, "--signer", friday, "--signer", other)
        assert (5, "") == ran[::2]
        assert "NOT SIGNED BY THE KEY GIVEN: it has to have signed event 8 (game-backed-up), e8 " in ran.out
    (document,) = daynight("verify", "friday", "--signer", friday, "--signer", other, "--json").documents
    assert ([8, 12], False, True) == (
        [act["event"] for act in document["acts"]], document["trusted"], document["whole"]
    )  # fmt: skip
    acts = document["acts"]
    assert 0 == daynight("key", "--accept", "friday", acts[0]["code"], "--key", "other.pem").code
    assert 0 == daynight("key", "--accept", "friday", acts[1]["code"]).code
    both = ["--signer", friday, "--signer", other]
    assert (0, 5) == (daynight("verify", *both).code, daynight("verify", *both[:2]).code)


def test_files(daynight, friday):
    other = ["--key", "other.pem"]
    assert 0 == daynight("export", "friday", "-o", "friday.jsonl", *other).code
    assert 0 == daynight("export", "--all", "-o", "all.jsonl").code
    signer = daynight("key", *other).out.split()[0]
    for name in ("friday.jsonl", "all.jsonl"):
        ran = daynight("verify", name, "--signer", friday, "--signer", signer)
        assert 5 == ran.code, name
        assert "it has to have signed event 8 (game-backed-up), e8 " in ran.out
        assert 0 == daynight("verify", name).code
    with Store.open("daynight.db") as store:
        code = store.code("friday")
    assert 0 == daynight("key", "--accept", "friday", code).code
    assert 0 == daynight("export", "friday", "-o", "friday.jsonl").code
    assert 0 == daynight("verify", "friday.jsonl", "--signer", friday).code


def test_trusted(daynight, friday):
    other = daynight("key", "--key", "other.pem").out.split()[0]
    with Store.open("daynight.db") as store:
        code = store.code("friday")
    assert 0 == daynight("key", "--accept", "friday", code, "--key", "other.pem").code
    assert 5 == record(daynight, turn(9)).code
    (document,) = daynight("key", "--trust", other.upper(), "--game", "friday", "--json").documents
    assert {"key": friday, "game": "friday", "trusted": other} == document
    assert 0 == record(daynight, turn(9)).code
    assert 0 == daynight("verify", "friday", "--signer", friday).code
    assert 0 == daynight("key", "--forget", "friday").code
    assert 5 == daynight("verify", "friday", "--signer", friday).code


@pytest.mark.parametrize("key", ["00" * 32, "01" + "00" * 31, "ec" + "ff" * 30 + "7f", "ed" + "ff" * 30 + "FF"])
def test_nobodys_key(daynight, friday, key):
    """--trust refuses a key of small order with exit code 2, because anybody can forge its signatures."""
    own = Key.kept(Path("other.pem"))
    before = own.memory.read_bytes()
    ran = daynight("key", "--trust", key, "--game", "friday", "--key", "other.pem")
    assert (2, "") == ran[:2]
    assert "anybody can forge what it signs" in ran.error
    with pytest.raises(SettingsError, match="anybody can forge what it signs"):
        own.trust("friday", bytes.fromhex(key))
    assert before == own.memory.read_bytes()


def test_said(daynight, folder):
    """The first command after events by another key reports them, on standard error and as the JSON member `others`."""
    other = ["--key", "other.pem"]
    assert 0 == daynight("new", "friday", "Ana", "Bo").code
    assert 0 == record(daynight, turn(1), cast(), turn(2), more=other).code
    line = "friday: events 2 to 4 came without this key, or some of them; it signs them now\n"
    ran = record(daynight, cast(), cast(), more=["--json"])
    assert (0, line) == ran[::2]
    assert [[2, 4], None] == [document.get("others") for document in ran.documents]
    for more in ([], ["--json"]):
        ran = record(daynight, cast(), more=more)
        assert (0, "", False) == (ran.code, ran.err, "others" in ran.out)


def test_identity(daynight, folder):
    """Two games of one name have different identities; --identity with another one than the game's exits with 5."""
    found = []
    for place in ("one.db", "two.db"):
        assert 0 == daynight("new", "friday", "Ana", "Bo", "--db", place).code
        ran = daynight("verify", "friday", "--db", place)
        (document,) = daynight("verify", "friday", "--db", place, "--json").documents
        assert re.fullmatch("[0-9a-f]{64}", document["identity"])
        assert f", identity {document['identity'][:16]}\n" in ran.out
        found.append(document["identity"])
    key = daynight("key").out.split()[0]
    assert found[0] != found[1]
    for given, code in ((found[0], 0), (found[0][:16].upper(), 0), (found[1], 5), (found[1][:16], 5)):
        for signer in ([], ["--signer", key]):
            ran = daynight("verify", "friday", "--identity", given, *signer, "--db", "one.db")
            assert (code, "") == ran[::2]
            assert ran.out.endswith("ANOTHER GAME THAN THE ONE GIVEN\n") is (code == 5)
    assert 0 == daynight("export", "friday", "-o", "friday.jsonl", "--db", "one.db").code
    assert (0, 5) == tuple(daynight("verify", "friday.jsonl", "--identity", one).code for one in found)


def test_usage(daynight, folder):
    assert 0 == daynight("key", "--new").code
    key = "ab" * 32
    for arguments in (
        ["key", "--trust", key], ["key", "--game", "friday"], ["key", "--trust", "0" * 63, "--game", "friday"],
        ["key", "--accept", "friday"], ["key", "--forget", "friday", "--new"],
        ["key", "--forget", "friday", "--trust", key, "--game", "friday"],
        ["verify", "--identity", key], ["verify", "a", "b", "--identity", key], ["verify", "a", "--identity", "0" * 15],
    ):  # fmt: skip
        ran = daynight(*arguments)
        assert (2, "") == ran[:2], arguments
        assert ran.error


@pytest.mark.wide
def test_less(folder):
    """The key signed the whole game in another store: half of the log, and later the rest, is stored unsigned here."""
    path, data = folder / "Player.log", arena_log()
    program = "from daynight.importers.following import follow; follow.__kwdefaults__['look'] /= 10;"
    program += "from daynight.cli import main; main()"
    command = [sys.executable, "-c", program, "import", "Player.log", "--from", "arena"]
    path.write_bytes(data)
    processes.run([*command, "--into", "first.db"], cwd=folder, env=environ(), capture_output=True, check=True)
    with Store.open(folder / "first.db") as store:
        ((game, last),) = store.games()
    path.write_bytes(data[: len(data) // 2])
    running = processes.Popen(
        [*command, "--follow", "--into", "second.db"],
        cwd=folder, env=environ(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip

    def stored():
        if not (folder / "second.db").exists():
            return 0
        with Store.open(folder / "second.db") as store:
            return store.last(game)

    def wait_for(condition):
        for _look in range(200):
            if condition():
                return
            assert running.poll() is None, running.communicate()
            time.sleep(0.05)
        raise AssertionError(stored())

    try:
        wait_for(stored)
        assert stored() < last
        with path.open("ab") as stream:
            stream.write(data[len(data) // 2 :])
        wait_for(lambda: stored() == last)
    finally:
        running.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        _told, errors = running.communicate(timeout=20)
    assert 130 == running.returncode, errors
    assert 1 == errors.count(f"{game}: stored, and not signed: this key has signed event {last} as e{last} "), errors


def arena_log():
    """Arena's log of a whole game."""
    log = Log()
    day_and_night(Played(log, match="a1"))
    return log.bytes()
