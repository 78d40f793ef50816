"""A second release opens the store of the first: commands, files, lists and errors, beyond tags and rules.

| promise | test |
| --- | --- |
| a retried command is recognised, whatever `fill` added then, or adds now | test_repeated_and_filled |
| a file without rules is stored under the newest earlier rules that accept it | test_newest_first |
| an event that names its rules is refused, as an object and as a line | test_typed_mark |
| verify exits with 0 if today's step stops (--strict: 1), 1 if an event is unreadable, 5 for damage | test_codes |
| a failing upcaster ends each command about that record or file with 3, naming the event | test_failing_upcaster |
| code that does not fit a store's description can still verify, export, archive, prove, back up | test_bytes_alone |
| archives and proofs have the digest of the description; day and night has none | test_description_in_proofs |
| a list made by older rules is rebuilt, with one notice | test_list_of_before |
| a list made by newer code is not changed; `--rebuild` replaces it | test_list_of_newer_code |
"""

import hashlib
import json
import shutil
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace as changed

from daynight.cli.commands import run
from daynight.cli.mechanics import commands
from daynight.framework import Happening, ImpossibleError, Language, Name, Number
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.shapes.describing import description
from daynight.games import Store as Games
from daynight.store import ConflictError, Store, prove, write_archive
from tests.store.desk import (
    FIRST,
    FOUR,
    SECOND,
    WITHOUT,
    WITHOUT_2,
    Claimed,
    Corrected,
    Lent,
    LentAt,
    Returned,
    faults,
    lent,
    opened,
    rechained,
    write,
)
from tests.store.test_unreadable import UNREADABLE

BEFORE = Path(__file__).parent / "before"


def noting(mechanic, kind, note):
    """A mechanic whose `fill` adds a note to an event of lending a book without one."""

    def fill(event):
        return changed(event, note=note) if isinstance(event, kind) and event.note is None else event

    return replace(mechanic, fill=fill)


def test_repeated_and_filled(kept):
    write(kept, noting(FIRST, Lent, "by hand"), [opened(), lent("Emma")], command="a")
    newer = {"type": "lent.2", "book": "Emma", "to": "Ana"}
    for mechanic in (noting(SECOND, LentAt, "by machine"), SECOND):
        with Store(kept, mechanic=mechanic) as store:
            assert "by hand" == store.load("main").events[1].note
            for event in (lent("Emma"), newer, newer | {"note": "by hand"}):
                assert store.append("main", [opened(), event], command="a").repeated
            for event in (newer | {"note": "by machine"}, newer | {"to": "Bo"}):
                with pytest.raises(ConflictError, match="the command id 'a' was used for other events"):
                    store.append("main", [opened(), event], command="a")


def test_newest_first(tmp_path):
    def anything(desk, event, number):
        return None

    def nothing(desk, event, number):
        raise ImpossibleError("nothing may be recorded now")

    for checks, rules in (
        ({1: anything, 2: anything}, 2),
        ({2: anything, 1: anything}, 2),
        ({1: anything, 2: nothing}, 1),
    ):
        with Store.open("memory:", mechanic=replace(SECOND, version=3, check=nothing, checks=checks)) as store:
            file = tmp_path / "main.jsonl"
            file.write_bytes(b"".join(json.dumps(event).encode() + b"\n" for event in FOUR))
            heard = []
            store.import_record(file, "main", tell=heard.append)
            assert f"accepted by rules {rules}; those of today, 3, refuse it" == heard[-1]
            assert [rules, None, None, None] == [event.rules for event in store.events("main")]


def test_typed_mark(kept):
    write(kept, SECOND, [opened()])
    with Store(kept, mechanic=SECOND) as store:
        for event in (LentAt(book="Emma", to="Ana", rules=2), b'{"type":"lent.2","book":"Emma","to":"Ana","rules":2}'):
            with pytest.raises(UnreadableError, match=r"^\$\.rules: rules is written by daynight"):
                store.append("main", [event])
        assert 1 == store.last("main")


def test_codes(tmp_path, capsys):
    def verified(mechanic, *more):
        code = run(["verify", "--db", place.path, *more], commands(mechanic), "desk")
        return code, capsys.readouterr().out

    place = Store.open("memory:", mechanic=WITHOUT).settings
    place = replace(place, kind="sqlite", path=str(tmp_path / "desk.db"))
    write(place, WITHOUT, [opened(), lent("Emma") | {"note": "a"}, *FOUR[2:]])
    for more, expected in (((), 0), (("--strict",), 1)):
        code, out = verified(WITHOUT_2, *more)
        assert (expected, True) == (code, "stops at event 4 under rules 1: $.to: Ana has two books" in out)
    assert 0 == verified(WITHOUT, "--strict")[0]
    assert "4 events were accepted by rules that are not known here, or not named" in verified(SECOND)[1]
    code, out = verified(replace(UNREADABLE, check=None, checks={}))
    assert (1, True) == (code, "unreadable by this code from event 3" in out)
    with Store(place, mechanic=WITHOUT) as store:
        rechained(store, "main", 3, "lent", b'{"type":"lent","book":"Emma","to":"Bo"}')
    assert 5 == verified(WITHOUT)[0]


def test_failing_upcaster(tmp_path, capsys):
    file, place = tmp_path / "main.jsonl", tmp_path / "desk.db"
    file.write_bytes(b"".join(json.dumps(event).encode() + b"\n" for event in FOUR))
    with Store.open(place, mechanic=FIRST) as store:
        store.append("main", FOUR)
        store.append("other", FOUR[:1])
    told = ": the upcaster of 'lent' failed: KeyError: 'note' (test_unreadable.py, "
    for verb in ("audit", "show", "replay", "blame", "bisect", "what-if --drop 2"):
        for source, where in (
            (str(file), f"{file}:2: $"),
            ("db:main", "main:2: unreadable by this code from event 2: $"),
        ):
            words = verb.split()
            code = run([words[0], source, *words[1:], "--db", str(place)], commands(UNREADABLE), "desk")
            assert (3, True) == (code, where + told in capsys.readouterr().err), (verb, source)
    for words in (["list"], ["audit", "db:other"], ["export", "main", "-o", str(tmp_path / "x.jsonl")]):
        assert 0 == run([*words, "--db", str(place)], commands(UNREADABLE), "desk"), capsys.readouterr()


class OpenedLonger(Happening, frozen=True, tag="opened"):
    desk: Name
    days: Number = 30


def test_bytes_alone(tmp_path, capsys, monkeypatch):
    for name in ("HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    place = tmp_path / "desk.db"
    with Store.open(place, mechanic=FIRST) as store:
        store.append("main", FOUR)
    kinds = OpenedLonger | Lent | Returned | Claimed | Corrected
    other = replace(FIRST, language=Language(kinds), step=lambda desk, event, number: ())
    found = {}
    for line in (
        "replay db:main",
        "audit db:main",
        "verify",
        "list",
        "export main -o m.jsonl",
        "export --all -o a.jsonl",
        "backup copy.db",
        "verify m.jsonl",
    ):
        words = [str(tmp_path / word) if "." in word else word for word in line.split()]
        found[line] = run([*words, "--db", str(place)], commands(other), "desk"), capsys.readouterr()
        assert "DAMAGED" not in "".join(found[line][1])
    assert [3, 3, 1, 0, 0, 0, 0, 0] == [code for code, _told in found.values()], found
    mend = "opened.days: stored lines left out 14, now it is 30; make opened.2 and an upcaster"
    assert [True, True, True] == [mend in "".join(told) for _code, told in [*found.values()][:3]]


def test_description_in_proofs(kept):
    def told():
        stream = BytesIO()
        write_archive(store, stream)
        first = stream.getvalue().splitlines()[0]
        return msgspec.json.decode(prove(store, "main")).get("language"), msgspec.json.decode(first).get("language")

    write(kept, FIRST, [opened()])
    with Store(kept, mechanic=FIRST) as store:
        kept_there = msgspec.json.encode(description(FIRST.language), order="deterministic")
        was = told()
        assert (hashlib.sha256(kept_there).hexdigest(),) * 2 == was
    with Store(kept, mechanic=SECOND) as store:
        store.append("main", [{"type": "lent.2", "book": "Emma", "to": "Ana"}])
        now = told()
        assert now[0] == now[1] != was[0]
    with Games.open("memory:") as store:
        store.new("main", ["Ana", "Bo"])
        assert (None, None) == told()


@pytest.fixture
def listed(tmp_path, monkeypatch):
    """The path of a store of games whose list was made by older rules."""
    for name in ("HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    shutil.copy(BEFORE / "rules-3" / "games.db", tmp_path / "games.db")
    return tmp_path / "games.db"


def made_by(path, version):
    with Games.open(path) as store, store.recorder.transaction(write=True) as cursor:
        statement = "UPDATE tracking SET application_name = ? WHERE application_name LIKE 'library:%'"
        cursor.execute(store.recorder.sql(statement), (f"library:{version}",))


def listing(path, capsys, *more):
    code = run(["list", "--db", str(path), *more])
    found = capsys.readouterr()
    return code, found.out.splitlines()[-1:], found.err


def test_list_of_before(listed, capsys):
    before = listing(listed, capsys)
    assert (0, True) == (before[0], "it has been made anew" in before[2])
    assert (*before[:2], "") == listing(listed, capsys)
    made_by(listed, 2)
    again = listing(listed, capsys)
    assert (*before[:2], True) == (*again[:2], "the list was made by other rules than those of today" in again[2])
    assert (*before[:2], "") == listing(listed, capsys)


def test_list_of_newer_code(listed, capsys):
    before = listing(listed, capsys)
    made_by(listed, 99)
    for _time in range(2):
        code, out, err = listing(listed, capsys)
        assert (5, [], True) == (code, out, "newer code keeps the library, by rules 99" in err), err
    assert before[:2] == listing(listed, capsys, "--rebuild")[:2]
    assert (*before[:2], "") == listing(listed, capsys)
    with Games.open(listed) as store:
        assert [None, None] == faults(store)
