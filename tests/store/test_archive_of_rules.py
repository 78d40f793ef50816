"""Archives name the rules that accepted each record; unknown rules are refused unless they are trusted.

| promise | tests |
| --- | --- |
| an imported store verifies like the original, and exports the same archive | test_there_and_back, test_stops |
| an event that today's step refuses is stored if its older rules are trusted, with a notice | test_stops |
| an archive of an older format, without rules, is still imported | test_of_before |
| an archive whose records name no rules is imported, and a notice says what is not checked | test_names_none |
| unknown rules are refused by name unless they are trusted; then a notice says so | test_unknown |
| a forged line about rules is refused, and nothing is stored | test_forged |
| a tag of newer code is refused, not called damage; code that knows it imports it without a notice | test_other_code |
| `import --trust-rules` trusts them, with a notice that the descriptions of the events differ | test_command |
"""

import hashlib
import json
from dataclasses import replace
from io import BytesIO

import pytest

from daynight.cli.commands import run
from daynight.cli.mechanics import commands
from daynight.framework.language.errors import UnreadableError
from daynight.store import DamagedError, Store, read_archive, verify_store, write_archive
from daynight.store.errors import NotReadableError, UntrustedError
from tests.store.desk import FIRST, FOUR, SECOND, WITHOUT, WITHOUT_2, lent, opened, write


def archived(place, mechanic):
    stream = BytesIO()
    with Store(place, mechanic=mechanic) as store:
        write_archive(store, stream)
    return stream.getvalue()


def changed(data, change):
    """Apply `change` to the lines of the archive `data`; return the new archive with a matching checksum."""
    lines = [json.loads(line) for line in data.splitlines()][:-1]
    change(lines)
    text = b"".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for line in lines)
    end = {"type": "end", "lines": len(lines), "sha256": hashlib.sha256(text).hexdigest()}
    return text + json.dumps(end, separators=(",", ":")).encode() + b"\n"


def without_rules(lines):
    lines[:] = [line for line in lines if line["type"] != "rules"]


def verified(store):
    return [(found.game, found.code, found.fault, found.stop, found.refused) for found in verify_store(store)]


def test_there_and_back(kept):
    write(kept, WITHOUT, FOUR[:3])
    write(kept, WITHOUT_2, [lent("Faust", "Bo")])
    data = archived(kept, WITHOUT_2)
    told = [json.loads(line) for line in data.splitlines() if b'"type":"rules"' in line]
    assert [(1, "1"), (4, "2")] == [(line["number"], line["version"]) for line in told]
    with Store.open("memory:", mechanic=WITHOUT_2) as store:
        heard = []
        assert (1, 4) == read_archive(store, BytesIO(data), tell=heard.append)
        again = BytesIO()
        write_archive(store, again)
        assert (data, []) == (again.getvalue(), heard)


def test_stops(kept):
    write(kept, WITHOUT, FOUR)
    data, heard = archived(kept, WITHOUT), []
    with Store.open("memory:", mechanic=WITHOUT_2) as store:
        with pytest.raises(
            UntrustedError, match=r"stops at event 4 under rules 1: .* \(--trust-rules\) to take it all"
        ):
            read_archive(store, BytesIO(data))
        assert [] == store.games()
        read_archive(store, BytesIO(data), trust_rules=True, tell=heard.append)
        assert ["main: stops at event 4 under rules 1: $.to: Ana has two books"] == heard[1:]
        with Store(kept, mechanic=WITHOUT_2) as first:
            assert verified(first) == verified(store)
            assert first.load("main").stops == store.load("main").stops


def test_of_before(kept):
    write(kept, WITHOUT, FOUR)
    data = changed(archived(kept, WITHOUT), without_rules)
    with Store.open("memory:", mechanic=WITHOUT) as store:
        assert (1, 4) == read_archive(store, BytesIO(data))
        assert [None] == [found.fault for found in verify_store(store)]
    heard = []
    with Store.open("memory:", mechanic=WITHOUT_2) as store:
        assert (1, 4) == read_archive(store, BytesIO(data), tell=heard.append)
        assert "main: stops at event 4 under rules that are not known" in heard[-1]


def test_names_none(kept):
    write(kept, replace(FIRST, check=None), FOUR)
    data, heard = archived(kept, replace(FIRST, check=None)), []
    data = changed(data, without_rules)
    with Store.open("memory:", mechanic=SECOND) as store:
        assert (1, 4) == read_archive(store, BytesIO(data), tell=heard.append)
        assert "main: 4 events were accepted by rules that are not known here, or not named" == heard[-1]
        (found,) = verify_store(store)
        assert (None, [4], 4) == (found.fault, [*found.refused], found.unchecked)
        assert [None] * 4 == [event.rules for event in store.events("main")]


def test_unknown(kept):
    write(kept, replace(SECOND, version=7, checks={}), [opened()])
    data = archived(kept, replace(SECOND, version=7, checks={}))
    with Store.open("memory:", mechanic=SECOND) as store:
        with pytest.raises(
            UnreadableError, match="rules 7 are not known here; there are: 2, 1; use the newer code"
        ) as at:
            read_archive(store, BytesIO(data))
        assert (2, "$.rules", []) == (at.value.line, at.value.path, store.games())
        heard = []
        assert (1, 1) == read_archive(store, BytesIO(data), trust_rules=True, tell=heard.append)
        assert ["main: 1 event was accepted by rules that are not known here, or not named"] == heard


@pytest.mark.parametrize("change", [
    lambda line: line | {"number": 5},
    lambda line: line | {"game": "other"},
    lambda line: line | {"version": "0"},
    lambda line: line | {"version": "1'); DROP TABLE heads; --"},
    lambda line: line | {"version": "1\n"},
    lambda line: line | {"version": 1},
    lambda line: line | {"more": 1},
])  # fmt: skip
def test_forged(kept, change):
    write(kept, WITHOUT, FOUR)
    data = archived(kept, WITHOUT)

    def forge(lines):
        lines[-1] = change(lines[-1])

    with Store.open("memory:", mechanic=WITHOUT) as store:
        for forged in (changed(data, forge), changed(data, lambda lines: lines.append(lines[-1]))):
            with pytest.raises((UnreadableError, DamagedError)):
                read_archive(store, BytesIO(forged))
            assert [] == store.games()


def test_other_code(kept):
    write(kept, FIRST, FOUR[:2])
    write(kept, SECOND, [lent("Faust", "Bo") | {"type": "lent.2"}])
    data, heard = archived(kept, SECOND), []
    with (
        Store.open("memory:", mechanic=FIRST) as store,
        pytest.raises(NotReadableError, match=r"unknown tag 'lent\.2': other code of this mechanic wrote it"),
    ):
        read_archive(store, BytesIO(data))
    with Store.open("memory:", mechanic=SECOND) as store:
        read_archive(store, BytesIO(data), tell=heard.append)
    assert [] == heard


def test_command(tmp_path, capsys):
    place, file = tmp_path / "desk.db", tmp_path / "desk.archive"
    with Store.open(place, mechanic=WITHOUT) as store:
        store.append("main", FOUR)
        with file.open("wb") as stream:
            write_archive(store, stream)
    line = ["import", str(file), "--db", str(tmp_path / "new.db")]
    assert 3 == run(line, commands(WITHOUT_2), "desk")
    assert "trust its rules (--trust-rules) to take it all the same" in capsys.readouterr().err
    assert 0 == run([*line, "--trust-rules"], commands(WITHOUT_2), "desk")
    err = capsys.readouterr().err
    assert "main: stops at event 4 under rules 1: $.to: Ana has two books" in err
    assert "written by code whose events differ from these" in err
    assert 0 == run(["verify", str(file)], commands(WITHOUT_2), "desk")
