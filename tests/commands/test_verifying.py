"""`daynight verify` checks stored games, files and archives: their chain of digests, a proof file, a code, a key."""

import gzip
import sqlite3
from contextlib import closing
from hashlib import sha256

import pytest

from daynight.games import Store
from daynight.store.proving.chain import seal
from tests.commands.conftest import code


def tampered(folder, change=b'"Bop"'):
    """Change the card of event 6 of g1 to `change`, directly in the database."""
    connection = sqlite3.connect(folder / "daynight.db")
    with connection:
        connection.execute(
            "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), '\"Opt\"', ?) AS BLOB)"
            " WHERE originator_id = 'g1' AND originator_version = 6",
            (change.decode(),),
        )
    connection.close()


def test_verify(daynight, games):
    """For all games or some, verify prints the number of intact events, the code, and who signed up to which event."""
    ran = daynight("verify")
    assert (0, "") == ran[::2]
    first, second, store = ran.out.splitlines()
    assert store.startswith("daynight.db: whole, 2 games, 11 events, s11 ")
    assert first.startswith(f"db:g1: whole, 8 events, {code('g1')}, signed up to event 8 by ")
    assert second.startswith(f"db:other: whole, 3 events, {code('other')}, signed up to event 3 by ")
    assert [first] == daynight("verify", "g1").out.splitlines() == daynight("verify", "db:g1").out.splitlines()
    (document,) = daynight("verify", "other", "--json").documents
    assert ("db:other", True, 3, None, 3) == tuple(
        document[k] for k in ("record", "whole", "events", "fault", "signed")
    )


def test_verify_a_changed_game(daynight, games):
    """A changed game gives exit code 5, and the first bad event is named; other games are still intact."""
    tampered(games)
    ran = daynight("verify")
    assert (5, "") == ran[::2]
    assert ran.out.startswith("db:g1: DAMAGED at event 6: ")
    assert "db:other: whole" in ran.out
    assert (0, 5) == (daynight("verify", "other").code, daynight("verify", "g1").code)
    documents = daynight("verify", "--json").documents
    assert [(False, 6, 5), (True, None, 3)] == [
        (document["whole"], (document["fault"] or {}).get("event"), document["events"]) for document in documents
    ]


def test_verify_a_planted_command(daynight, games):
    """A forged row of the table `commands` gives exit code 5, and a retry with that command id is refused."""
    line = b'{"type":"spell-cast","player":"Ana"}'
    with closing(sqlite3.connect(games / "daynight.db")) as connection, connection:
        (digest,) = connection.execute(
            "SELECT digest FROM stored_events WHERE originator_id = 'other' AND originator_version = 2"
        ).fetchone()
        connection.execute("DELETE FROM commands WHERE game = 'other'")
        request = sha256(line).digest()
        row = ("other", "c", 2, 2, request, seal("other", "c", 2, 2, request, digest))
        connection.execute("INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?)", row)
    ran = daynight("verify", "other")
    assert (5, "") == ran[::2]
    assert ran.out.startswith("db:other: DAMAGED at event 2: command 'c' is said to have stored events 2 to 2; ")
    ran = daynight("record", "other", line.decode(), "--command", "c")
    assert (5, "") == ran[:2]
    assert "'c' was used for other events" in ran.err
    assert daynight("verify", "g1").code == 0


def test_verify_against_a_noted_code(daynight, games):
    """A code noted at an earlier event, or in small letters, is accepted; one of another game gives exit code 5."""
    with Store.open("daynight.db") as store:
        from daynight.store.proving.chain import code_of

        middle = code_of(4, next(store.recorder.rows("g1"))[3].digest)
    for noted in (code("g1"), middle, middle.lower().replace("-", " ")):
        assert 0 == daynight("verify", "g1", "--code", noted).code
        assert 5 == daynight("verify", "other", "--code", noted).code
    for noted in ("e8", "tomorrow"):
        ran = daynight("verify", "g1", "--code", noted)
        assert (2, "") == ran[:2]
        assert "is no code; expected one like" in ran.error
    assert 2 == daynight("verify", "--code", middle).code
    assert 2 == daynight("verify", "g1", "other", "--code", middle).code


def test_verify_by_a_key(daynight, games):
    """--signer takes a key, or its first 16 digits; another key gives exit code 5, fewer digits or other text 2."""
    (signer,) = daynight("verify", "g1", "--json").documents[0]["signers"]
    for given in (signer, signer[:16].upper()):
        assert 0 == daynight("verify", "--signer", given).code
    ran = daynight("verify", "g1", "--signer", "f" * 64)
    assert (5, "") == ran[::2]
    assert ", not signed, identity " in ran.out
    assert ran.out.endswith(", NOT SIGNED BY THE KEY GIVEN: it has to have signed event 6, or a later one\n")
    for given in (signer[:15], "nobody"):
        assert 2 == daynight("verify", "--signer", given).code


@pytest.mark.parametrize("by", ["proof", "code", "both"])
def test_verify_a_file(daynight, games, by):
    """A file is verified by the proof beside it, a noted code, or both; with the proof, the changed event is named."""
    assert 0 == daynight("export", "g1", "-o", "out.jsonl").code
    noted = [] if by == "proof" else ["--code", code("g1")]
    if by == "code":
        (games / "out.jsonl.proof").unlink()
    ran = daynight("verify", "out.jsonl", *noted)
    assert (0, True) == (ran.code, ran.out.startswith(f"out.jsonl: whole, 8 events, {code('g1')}"))
    good = (games / "out.jsonl").read_bytes()
    for bad in (good.replace(b'"Opt"', b'"Bop"'), good[: good.rindex(b"\n", 0, -1) + 1], good + good[-40:], good[:-1]):
        (games / "out.jsonl").write_bytes(bad)
        ran = daynight("verify", "out.jsonl", *noted)
        assert (5, "", True) == (ran.code, ran.err, ran.out.startswith("out.jsonl: DAMAGED"))
    (games / "out.jsonl").write_bytes(good.replace(b'"Opt"', b'"Bop"'))
    if by != "code":
        assert daynight("verify", "out.jsonl", *noted).out.startswith("out.jsonl: DAMAGED at event 6: ")


def test_verify_a_packed_file(daynight, games):
    """A compressed file is verified like its content; a truncated or changed one is damaged, exit code 5."""
    data = daynight("export", "g1").out.encode()
    (games / "out.jsonl.gz").write_bytes(gzip.compress(data))
    assert 0 == daynight("verify", "out.jsonl.gz", "--code", code("g1")).code
    for bad in (gzip.compress(data)[:-9], gzip.compress(data.replace(b'"Opt"', b'"Bop"')), data + b"x" * 2**21):
        (games / "out.jsonl.gz").write_bytes(bad)
        ran = daynight("verify", "out.jsonl.gz", "--code", code("g1"))
        assert (5, "", True) == (ran.code, ran.err, ran.out.startswith("out.jsonl.gz: DAMAGED"))


def test_verify_without_anything_to_hold_it_against(daynight, games):
    """A record without proof or code can't be verified: exit code 4."""
    ran = daynight("verify", "g1.jsonl")
    assert (4, "") == ran[:2]
    assert "g1.jsonl.proof: no such file; a record is verified by its proof, or by a noted --code" == ran.error


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("proof", [b"", b"{", b'{"type":"proof"}', b"[" * 10_000, b"\xff"])
def test_a_broken_proof(daynight, games, proof):
    """For an invalid proof one line names its file; exit code 3."""
    (games / "g1.jsonl.proof").write_bytes(proof)
    ran = daynight("verify", "g1.jsonl")
    assert (3, "") == ran[:2]
    assert ran.error.startswith("g1.jsonl.proof: ")


def test_the_proof_of_another_game(daynight, games):
    """A file beside the proof of another game fails: exit code 5."""
    assert 0 == daynight("export", "other", "-o", "out.jsonl").code
    assert 0 == daynight("export", "g1", "-o", "g1.jsonl").code
    (games / "out.jsonl.proof").replace(games / "g1.jsonl.proof")
    assert 5 == daynight("verify", "g1.jsonl").code


def test_verify_an_archive(daynight, games):
    """`verify` of an archive prints a line for the file, one for each game and the store's, and leaves no new file."""
    assert 0 == daynight("export", "--all", "-o", "all.jsonl").code
    before = sorted(games.iterdir())
    ran = daynight("verify", "all.jsonl")
    assert (0, "") == ran[::2]
    first, second, third, store = ran.out.splitlines()
    assert store == daynight("verify").out.splitlines()[-1].replace("daynight.db", "all.jsonl")
    assert "all.jsonl: whole, 11 events" == first
    assert second.startswith(f"all.jsonl: g1: whole, 8 events, {code('g1')}, signed up to event 8 by ")
    assert third.startswith(f"all.jsonl: other: whole, 3 events, {code('other')}, signed up to event 3 by ")
    assert (5, 2) == (
        daynight("verify", "all.jsonl", "--signer", "f" * 64).code,
        daynight("verify", "all.jsonl", "--code", code("g1")).code,
    )
    assert 2 == daynight("import", "all.jsonl", "--as", "g9", "--into", "new.db").code
    assert before == sorted(games.iterdir())


def test_verify_several(daynight, games):
    """A missing game or file does not stop the others; exit code 5 for a damaged one comes before 4."""
    tampered(games)
    ran = daynight("verify", "other", "nobody", "g1", "nowhere.jsonl", "--json")
    assert (5, [True, False]) == (ran.code, [document["whole"] for document in ran.documents])
    assert ["no game 'nobody' in daynight.db", "nowhere.jsonl: no such file"] == [
        line.split(";")[0] for line in ran.err.splitlines()
    ]
    assert 4 == daynight("verify", "other", "nobody").code
