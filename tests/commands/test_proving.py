"""`daynight verify` against an attacker who can write to the store: signatures of a key, and the code of a whole store.

| promise | test |
| --- | --- |
| a game that an attacker rewrote from turn 2 on fails --signer: exit code 5 | test_rewritten |
| it also fails if another key signed the rewritten game | test_signed_by_another |
| the turn that is not over may be unsigned; the event of --signed-to must be signed | test_signed_to |
| an exported file must be signed by the key at its last event | test_exported |
| a game in an archive is checked like a stored one | test_archived |
| verify prints how many heads (digests of the chain) are signed, and the unsigned turns | test_told, test_backed_up |
| the code of a store reveals a deleted, rewritten or moved game, in an archive too | test_store_code |
| that code stays valid as the store grows, and is the same in every database | test_store_code_of_a_grown_store |
| an invalid code, a game's code for a store, and the reverse are refused | test_wrong_codes |
"""

import json
import shutil
from itertools import count

import pytest

from daynight.games import Store
from daynight.store import Key
from daynight.store.database.settings import Settings
from tests.rules.words import cast, started, turn
from tests.store.rewriting import cut_off, deleted, rewritten, unsigned_after

_numbers = count(1)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def place(request, daynight, folder):
    """A store in a file or on a server, as `--db` names it."""
    if request.param == "sqlite":
        return "daynight.db"
    url = f"{request.getfixturevalue('server').url}&schema=proving_{next(_numbers)}"
    assert 0 == daynight("migrate", "--db", url).code
    return url


@pytest.fixture
def friday(daynight, place):
    """A game of four turns: the key signed the ends of three, the fourth is not over. The value is the public key."""
    assert 0 == daynight("new", "friday", "Ana", "Bo", "--db", place).code
    record(daynight, place, "friday", *(each for number in range(1, 5) for each in (turn(number), cast())))
    return daynight("key").out.split()[0]


def record(daynight, place, game, *events):
    """Record events of a game one by one."""
    for event in events:
        assert 0 == daynight("record", game, json.dumps(event), "--db", place).code


def ponder(lines):
    """Change a game's lines in place: the spell that is cast in turn 2 becomes the card Ponder."""
    lines[4] = lines[4].replace(b"}", b',"card":"Ponder"}')


def test_rewritten(daynight, place, friday):
    """A game is rewritten from turn 2 on, and signatures that no longer fit are gone: only --signer fails, code 5."""
    assert 0 == daynight("verify", "--signer", friday, "--db", place).code
    rewritten(Settings.parse(place), "friday", ponder)
    unsigned_after(Settings.parse(place), "friday", 3)
    assert 0 == daynight("verify", "--db", place).code
    for names in ([], ["friday"]):
        ran = daynight("verify", *names, "--signer", friday, "--db", place)
        assert (5, "") == ran[::2]
        line = ran.out.splitlines()[0]
        assert f"signed up to event 3 by {friday[:16]}, 2 heads signed, turns 2-4 not signed" in line
        assert line.endswith("NOT SIGNED BY THE KEY GIVEN: it has to have signed event 7, or a later one")
    document = daynight("verify", "friday", "--signer", friday, "--db", place, "--json").documents[0]
    assert (True, False, 3, 7) == tuple(document[key] for key in ("whole", "trusted", "signed", "needed"))


def test_signed_by_another(daynight, place, friday):
    """An attacker signs with another key: --signer passes with the attacker's key, and fails with the first key."""
    rewritten(Settings.parse(place), "friday", ponder)
    unsigned_after(Settings.parse(place), "friday", 3)
    for each in (turn(5), turn(6)):
        assert 0 == daynight("record", "friday", json.dumps(each), "--key", "other.pem", "--db", place).code
    other = daynight("key", "--key", "other.pem").out.split()[0]
    assert (5, 0) == tuple(daynight("verify", "--signer", key, "--db", place).code for key in (friday, other))


def test_signed_to(daynight, place, friday):
    """--signed-to passes up to event 7, the end of turn 3; a later event, or 7 in a game cut off at 5, gives code 5."""
    ends = (("7", 0), ("e7", 0), ("3", 0), ("8", 5), ("e9", 5), ("99", 5), ("turn:3", 0), ("turn:4", 5))
    for event, code in ends:
        ran = daynight("verify", "db:friday", "--signer", friday, "--signed-to", event, "--db", place)
        assert (code, "") == (ran.code, ran.err), event
    # A cut-off game also fails for what the key must have signed.
    cut_off(Settings.parse(place), "friday", 5)
    assert 0 == daynight("verify", "--signer", friday, "--db", place).code
    assert 5 == daynight("verify", "friday", "--signer", friday, "--signed-to", "7", "--db", place).code
    assert [] == daynight("verify", "friday", "--db", place, "--json").documents[0]["unsigned"]
    ran = daynight("verify", "friday", "--signer", friday, "--signed-to", "turn:3", "--db", place)
    assert (4, "", "db:friday: this record has no turn 3 (it has 1 to 2)\n") == ran[:3]


@pytest.mark.parametrize("arguments", [
    ["friday", "--signed-to", "7"], ["--signer", "0" * 16, "--signed-to", "7"],
    ["friday", "other", "--signer", "0" * 16, "--signed-to", "7"],
    ["friday", "--signer", "0" * 16, "--signed-to", "branch:b2/e3"],
    ["friday", "--signer", "0" * 16, "--signed-to", "never"],
    ["friday.jsonl", "--signer", "0" * 16, "--signed-to", "7"],
], ids=" ".join)  # fmt: skip
def test_signed_to_what(daynight, folder, arguments):
    """--signed-to needs --signer, exactly one stored game and a position in it; otherwise exit code 2."""
    ran = daynight("verify", *arguments)
    assert (2, "") == ran[:2]
    assert ran.error


def test_exported(daynight, place, friday, folder):
    """--signer fails for an exported file that the key signed only at an earlier event than the last: exit code 5."""
    assert 0 == daynight("export", "friday", "-o", "whole.jsonl", "--db", place).code
    assert 0 == daynight("verify", "whole.jsonl", "--signer", friday).code
    assert 5 == daynight("verify", "whole.jsonl", "--signer", "0" * 16).code
    # An attacker rewrites the game from event 3 on, and exports it with another key.
    rewritten(Settings.parse(place), "friday", ponder)
    unsigned_after(Settings.parse(place), "friday", 3)
    assert 0 == daynight("export", "friday", "-o", "anew.jsonl", "--key", "other.pem", "--db", place).code
    proof = json.loads((folder / "anew.jsonl.proof").read_bytes())
    proof["heads"] = [head for head in proof["heads"] if head["signer"] == friday]
    (folder / "anew.jsonl.proof").write_text(json.dumps(proof))
    assert 0 == daynight("verify", "anew.jsonl").code
    ran = daynight("verify", "anew.jsonl", "--signer", friday)
    assert (5, True) == (ran.code, "it has to have signed event 9, or a later one" in ran.out)


def test_archived(daynight, place, friday, folder):
    """A game in an archive that was rewritten from turn 2 on fails only with --signer: exit code 5."""
    assert 0 == daynight("export", "--all", "-o", "all.jsonl", "--db", place).code
    assert 0 == daynight("verify", "all.jsonl", "--signer", friday).code
    rewritten(Settings.parse(place), "friday", ponder)
    unsigned_after(Settings.parse(place), "friday", 3)
    assert 0 == daynight("export", "--all", "-o", "anew.jsonl", "--db", place).code
    assert (0, 5) == (daynight("verify", "anew.jsonl").code, daynight("verify", "anew.jsonl", "--signer", friday).code)


def test_told(daynight, place, friday):
    """If a signature in the middle is deleted, --signer still passes; verify lists the turn as not signed."""
    with Store(Settings.parse(place)) as store, store.recorder.transaction(write=True) as cursor:
        cursor.execute("DELETE FROM heads WHERE event = 5")
    ran = daynight("verify", "--signer", friday, "--db", place)
    assert 0 == ran.code
    assert f"signed up to event 7 by {friday[:16]}, 3 heads signed, turns 2, 4 not signed" in ran.out
    record(daynight, place, "friday", {"type": "game-ended"})
    assert "4 heads signed, turn 2 not signed, identity " in daynight("verify", "friday", "--db", place).out
    record(daynight, place, "friday", {"type": "dispute-opened", "dispute": "d1", "by": "Jo"})
    assert "4 heads signed, turns 2, 4 not signed, identity " in daynight("verify", "friday", "--db", place).out
    assert 0 == daynight("verify", "--signer", friday, "--db", place).code


def test_backed_up(daynight, place, friday):
    """verify lists each unsigned turn with its last event, and turns 2 and 3 again as they end after a back-up."""
    record(daynight, place, "friday", {"type": "game-backed-up", "to": 5, "by": "Jo"}, turn(3), turn(4))
    (document,) = daynight("verify", "friday", "--db", place, "--json").documents
    assert [{"turn": 4, "event": 12}] == document["unsigned"]
    with Store(Settings.parse(place)) as store, store.recorder.transaction(write=True) as cursor:
        cursor.execute("DELETE FROM heads")
    (document,) = daynight("verify", "friday", "--db", place, "--json").documents
    assert [(0, 1), (1, 3), (2, 5), (3, 7), (2, 10), (3, 11), (4, 12)] == [
        (end["turn"], end["event"]) for end in document["unsigned"]
    ]
    assert 5 == daynight("verify", "friday", "--signer", friday, "--db", place).code


# ----------------------------------------------------------------------------------------------- the code of a store


@pytest.fixture
def three(daynight, place, folder):
    """Store three games; the value is the code of the store."""
    for name in ("b", "a", "c"):
        (folder / "game.jsonl").write_text(
            "".join(json.dumps(line) + "\n" for line in [started() | {"game": name}, turn(1), cast()])
        )
        assert 0 == daynight("import", "game.jsonl", "--as", name, "--db", place).code
    return noted(daynight, place)


def noted(daynight, place):
    """Return the code of the store, which verify prints last."""
    ran = daynight("verify", "--db", place)
    assert 0 == ran.code
    shown = Settings.parse(place).shown
    found = ran.out.splitlines()[-1]
    assert found.startswith(f"{shown}: whole, "), found
    return found.split(", ")[-1]


def moved(place):
    """Put game a before game b in the store's order, without changing any event."""
    with Store(Settings.parse(place)) as store, store.recorder.transaction(write=True) as cursor:
        rows = [row for rows in store.recorder.all_rows() for row in rows]
        cursor.execute("DELETE FROM stored_events")
        store.recorder.add_events(cursor, sorted(rows, key=lambda row: (row.game, row.number)))


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("attack", ["deleted", "rewritten", "cut off", "moved"])
def test_store_code(daynight, place, three, attack):
    """Each game alone is intact; only the code noted earlier reveals the change, in an archive too: exit code 5."""
    assert three.startswith("s9 ")
    for code in (three, three.lower(), three.replace("-", "")):
        assert 0 == daynight("verify", "--code", code, "--db", place).code
    settings = Settings.parse(place)
    {
        "deleted": lambda: deleted(settings, "a"),
        "rewritten": lambda: (
            rewritten(settings, "a", lambda lines: lines.__setitem__(2, lines[2].replace(b"Ana", b"Bo"))),
            unsigned_after(settings, "a", 0),
        ),
        "cut off": lambda: cut_off(settings, "c", 2),
        "moved": lambda: moved(place),
    }[attack]()
    assert 0 == daynight("verify", "--db", place).code
    ran = daynight("verify", "--code", three, "--db", place)
    assert (5, "") == ran[::2]
    assert f"{settings.shown}: DAMAGED: " in ran.out
    assert 0 == daynight("export", "--all", "-o", "all.jsonl", "--db", place).code
    ran = daynight("verify", "all.jsonl", "--code", three)
    assert (5, "") == ran[::2]
    assert "all.jsonl: DAMAGED: " in ran.out


@pytest.mark.wide
def test_store_code_of_a_grown_store(daynight, place, three, folder):
    """A code stays valid after new events and new games, also for an archive and for the store made from it."""
    record(daynight, place, "b", turn(2))
    assert 0 == daynight("new", "d", "Cy", "--db", place).code
    record(daynight, place, "a", turn(2), cast())
    assert 0 == daynight("verify", "--code", three, "--db", place).code
    now = noted(daynight, place)
    assert now.startswith("s13 ")
    assert 0 == daynight("export", "--all", "-o", "all.jsonl", "--db", place).code
    assert 0 == daynight("import", "all.jsonl", "--into", "copy.db").code
    for where in (["--db", "copy.db"], ["all.jsonl"], ["--db", place]):
        for code in (three, now):
            assert 0 == daynight("verify", *where, "--code", code).code
    deleted(Settings.parse(place), "d")
    assert (0, 5) == tuple(daynight("verify", "--code", code, "--db", place).code for code in (three, now))


def test_wrong_codes(daynight, folder, games):
    """A game's code for a store, a store's code for a game, and an invalid code are refused with exit code 2."""
    ran = daynight("verify")
    game, store = ran.out.splitlines()[0].split(", ")[2], ran.out.splitlines()[2].split(", ")[3]
    zero = "s0 7K3M-2Q9X-AB4D-9YQT"
    for arguments in (["--code", game], ["g1", "--code", store], ["--code", "s9"], ["--code", zero]):
        ran = daynight("verify", *arguments)
        assert (2, True) == (ran.code, ran.err.count("\n") == 1), arguments
    assert 0 == daynight("verify", "--code", store).code
    shutil.copy("daynight.db", "copy.db")
    assert 0 == daynight("verify", "--code", store, "--db", "copy.db").code
    assert Key.read(folder / "home" / "daynight" / "key.pem")
