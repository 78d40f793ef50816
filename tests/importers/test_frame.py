"""The frame of importers: sources as lines, items as games, and the available importers.

| promise | test |
| --- | --- |
| the lines are right, however the file is split when read | test_lines, test_marks_of_the_beginning |
| reading can restart from a saved place | test_places, test_resting |
| if `mark` is set, only lines that contain it are read, with their true numbers | test_the_mark |
| a line above the limit is left out, named, and not kept in memory | test_long_lines, test_a_very_long_line |
| a source ends at its limit, or where decompression fails, and says so | test_ends |
| items become games: withdrawn events are gone, each event names its origin | test_games |
| a strict import stops at the first warning or skipped line, not at a note | test_strict |
| the numbers of games and events are limited | test_bounds |
| warnings of a kind are reported once, with their number and first places | test_the_report, test_kinds_are_bounded |
| bundled importers are registered like all others | test_ours_are_registered |
| an installed importer is found by name and by content, even if another one is broken | test_installed |
| a name that looks like code is not imported | test_nothing_is_named_by_files |
| an importer that breaks the frame's contract raises TypeError | test_not_of_the_frame |
"""

import gzip
import io
import sys
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

import daynight.importers.importing as importing
import daynight.importers.sources as sources
from daynight.events import GameStarted, SpellCast, TurnBegan
from daynight.framework.language.errors import AskedError, UnreadableError
from daynight.importers.frame import (
    Confidence,
    Finished,
    Importer,
    Noted,
    Observed,
    Options,
    Rested,
    Skipped,
    Warned,
    Withdrawn,
)
from daynight.importers.importing import Import
from daynight.importers.registry import detected, importer, names
from daynight.importers.sources import Offset, Source

STARTED = GameStarted(format=1, game="g", players=("Ana", "Bo"))


class Pieces(io.RawIOBase):
    """A stream that returns this many bytes at a time, whatever is requested."""

    def __init__(self, data, size):
        self._pieces = [data[at : at + size] for at in range(0, len(data), size)]

    def read(self, size=-1):
        return self._pieces.pop(0) if self._pieces else b""


def naive(data):
    """Return the numbered lines by the plain definition: split at line feeds, without byte order mark and final CR."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [(number, line.removesuffix(b"\r")) for number, line in enumerate(lines, 1)]


TEXT = st.lists(st.sampled_from([b"a", b"mark", b"\n", b"\r\n", b"\r", b"{", b"long" * 9]), max_size=30).map(b"".join)


@given(TEXT, st.integers(1, 50))
def test_lines(data, size):
    """The lines equal the plain definition, however the file is split."""
    source = Source("x", Pieces(data, size))
    assert naive(data) == list(source.lines())
    assert len(naive(data)) == source.line


def test_marks_of_the_beginning():
    """A byte order mark is removed; the head can be inspected before the lines are read."""
    source = Source("x", io.BytesIO(b"\xef\xbb\xbfone\ntwo\n"))
    assert (b"one\ntwo\n", [(1, b"one"), (2, b"two")]) == (source.head, list(source.lines()))
    assert repr(source) == "<Source x:2>"


@given(TEXT, st.integers(1, 50), st.data())
def test_places(data, size, draw):
    """Reading that starts at a saved place gives the lines from there on."""
    lines, found = naive(data), []
    source = Source("x", Pieces(data, size))
    for _line in source.lines():
        found.append(source.place)
    if found:
        number = draw.draw(st.integers(0, len(found) - 1))
        again = Source("x", Pieces(data, size), start=found[number])
        assert number == found[number].line
        assert lines[number:] == list(again.lines())


@given(TEXT, st.integers(1, 50))
def test_the_mark(data, size):
    """Only lines that contain `mark` are read, with their true numbers; once `mark` is None, all further lines are."""
    source = Source("x", Pieces(data, size))
    source.mark = b"mark"
    assert [(number, line) for number, line in naive(data) if b"mark" in line] == list(source.lines())
    source = Source("x", Pieces(data, size))
    source.mark = b"mark"
    found = []
    for line in source.lines():
        found.append(line)
        source.mark = None
    first = next((at for at, (_number, line) in enumerate(naive(data)) if b"mark" in line), None)
    assert ([] if first is None else naive(data)[first:]) == found


@pytest.mark.parametrize("size", [7, 10**6])
def test_long_lines(monkeypatch, size):
    """Lines longer than the limit are left out, also at the end of the file, and `long` has their numbers."""
    monkeypatch.setattr(sources, "LINE_LENGTH", 20)
    source = Source("x", Pieces(b"\n".join([b"a" * 20, b"b" * 21, b"c", b"d" * 90, b"e" * 20, b"f" * 22]), size))
    assert [(1, b"a" * 20), (3, b"c"), (5, b"e" * 20)] == list(source.lines())
    assert [2, 4, 6] == source.long


def test_a_very_long_line():
    """A very long line is never in memory as a whole."""

    class Endless(io.RawIOBase):
        count = 0

        def read(self, size=-1):
            self.count += 1
            return b"x" * 2**18 if self.count < 400 else b""

    tracemalloc.start()
    source = Source("x", Endless())
    assert [] == list(source.lines())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [1] == source.long
    assert peak < 3 * sources.LINE_LENGTH


def test_ends(monkeypatch):
    """A source ends at damaged compression, or at the size limit, and `damage` says why."""
    source = Source("x", io.BytesIO(gzip.compress(b"one\ntwo\n" * 1000)[:-20]))
    assert len(list(source.lines())) <= 2000
    assert "damaged gzip data" in source.damage
    monkeypatch.setattr(sources, "SIZE", 1000)
    source = Source("x", Pieces(b"line\n" * 1000, 100))
    assert 200 == len(list(source.lines()))
    assert "a source may have 1000 bytes" in source.damage


def made(*items):
    return Importer("made", "made up", lambda head: head.startswith(b"made"), lambda given, _: from_all(given, items))


def from_all(given, items):
    for _source in given:
        yield from items


def test_games():
    """Two games at once, one of them finished: withdrawn events are gone, and `meta` names each event's origin."""
    items = [
        Observed("1", STARTED, 1), Observed("2", STARTED, 2),
        Observed("1", TurnBegan(turn=1, active=("Ana",), meta={"own": 1}), 3, Confidence.INFERRED),
        Observed("1", SpellCast(player="Ana"), 4), Withdrawn("1", 2, 5), Withdrawn("1", 2, 5), Withdrawn("3", 2, 5),
        Finished("1", 6), Finished("1", 6), Rested(6, 60),
    ]  # fmt: skip
    running = Import(made(*items))
    found = list(running.games([Source("x", io.BytesIO(b""))]))
    assert [("1", True, 2), ("2", False, 1)] == [(game.key, game.finished, len(game.events)) for game in found]
    assert {"source": {"line": 1, "confidence": "stated"}} == found[0].events[0].meta
    assert {"own": 1, "source": {"line": 3, "confidence": "inferred"}} == found[0].events[1].meta
    assert (Offset(60, 6), 3) == (running.place, running.report.events)


def test_resting():
    """An import that starts at the place of the last `Rested` does not read the finished game again."""
    data = b"made\nfirst\nover\nsecond\n"

    def read(given, options):
        for source in given:
            for number, line in source.lines():
                if line in (b"first", b"second"):
                    yield Rested(source.place.line, source.place.offset)
                    yield Observed(line.decode(), STARTED, number)
                elif line == b"over":
                    yield Finished("first", number)

    one = Importer("made", "", lambda head: True, read)
    running = Import(one)
    assert ["first", "second"] == [game.key for game in running.games([Source("x", io.BytesIO(data))])]
    games = list(Import(one).games([Source("x", io.BytesIO(data + b"more\n"), start=running.place)]))
    assert [("second", 4)] == [(game.key, game.events[0].meta["source"]["line"]) for game in games]


@pytest.mark.parametrize("item", [Warned("gap", "missing", 7, "1"), Skipped(7, "missing")])
def test_strict(item):
    """A strict import raises UnreadableError at a warning or a skipped line, but not at a note."""
    items = [Observed("1", STARTED, 1), Noted("undone", "was taken back", 5), item]
    assert 1 == len(list(Import(made(*items)).games([Source("x", io.BytesIO())])))
    assert 1 == len(list(Import(made(*items[:2]), strict=True).games([Source("x", io.BytesIO())])))
    with pytest.raises(UnreadableError, match=r"^x:7: .*missing"):
        list(Import(made(*items), strict=True).games([Source("x", io.BytesIO())]))


def test_bounds(monkeypatch):
    """Too many games or events raise UnreadableError, with the line."""
    monkeypatch.setattr(importing, "EVENTS", 3)
    monkeypatch.setattr(importing, "GAMES", 2)
    cast = Observed("1", SpellCast(player="Ana"), 9)
    with pytest.raises(UnreadableError, match=r"x:9: .*a game of more than 3 events"):
        list(Import(made(Observed("1", STARTED, 1), cast, cast, cast)).games([Source("x", io.BytesIO())]))
    several = [Observed(str(n), STARTED, n) for n in (1, 2, 3)]
    with pytest.raises(UnreadableError, match=r"x:3: .*more than 2 games"):
        list(Import(made(*several)).games([Source("x", io.BytesIO())]))


def test_the_report():
    """Seven gaps are one sentence; of seven skipped lines, five are listed and two counted."""
    warned = [Warned("gap", f"states are missing {n}", n) for n in range(1, 8)]
    skipped = [Skipped(n, "no JSON") for n in range(1, 8)]
    running = Import(made(Observed("1", STARTED, 1), *warned, Warned("joined", "from turn 4", 9), *skipped))
    list(running.games([Source("x", io.BytesIO())]))
    told = list(running.report.told())
    assert "made: 1 game with 1 event" == told[0]
    assert 5 == sum(sentence.startswith("skipped: x:") for sentence in told)
    assert "skipped: 2 more lines" in told
    assert "warning: x:1: states are missing 1 (and 6 more like it, first on lines 2, 3, 4, 5)" in told
    assert "warning: x:9: from turn 4" in told
    document = running.report.document()
    kinds = [(group["kind"], group["count"], len(group["first"])) for group in document["warnings"]]
    assert [("gap", 7, 5), ("joined", 1, 1)] == kinds
    assert (7, 7) == (document["skipped"], len(document["skipped_lines"]))


def test_kinds_are_bounded():
    """A source that invents kinds of warnings gets a thousand groups at most, and all warnings are counted."""
    running = Import(made(*(Warned(f"kind {n}", "x", 1) for n in range(5000))))
    list(running.games([Source("x", io.BytesIO())]))
    assert len(running.report.warnings) <= 1000
    assert 5000 == sum(group.count for group in running.report.warnings.values())


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Register importers beside daynight: one works, one raises an error, one is no importer,
    one takes a bundled name."""
    (tmp_path / "club_notes.py").write_text(
        "from daynight.importers.frame import Importer\n"
        "NOTES = Importer('club', 'notes', lambda head: head.startswith(b'# club'), lambda given, options: iter(()))\n"
    )
    (tmp_path / "broken_notes.py").write_text("raise RuntimeError('no such luck')\n")
    (tmp_path / "club-1.dist-info").mkdir()
    (tmp_path / "club-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: club\nVersion: 1\n")
    (tmp_path / "club-1.dist-info" / "entry_points.txt").write_text(
        "[daynight.importers]\nclub = club_notes:NOTES\nbroken = broken_notes:NOTES\nnone = json:loads\n"
        "arena = broken_notes:NOTES\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in ("club_notes", "broken_notes"):
        sys.modules.pop(name, None)


def test_installed(installed):
    """An installed importer is found by name and content. A broken or unknown one raises AskedError; the name `arena`
    means the bundled one. If several formats match, UnreadableError names them."""
    assert {"arena", "broken", "club", "none"} <= set(names())
    assert "club" == importer("club").name
    assert "club" == detected(b"# club\n").name
    assert "arena" == importer("arena").name
    assert detected(b"anything else") is None
    for name, sentence in (("broken", "no such luck"), ("none", "is none"), ("nobody", "there are arena")):
        with pytest.raises(AskedError, match=sentence):
            importer(name)
    with pytest.raises(UnreadableError, match="several formats could be this: arena, club"):
        detected(b"# club\nDETAILED LOGS: ENABLED\n")


def test_nothing_is_named_by_files():
    """A name that looks like code or a path is unknown: it raises AskedError."""
    for name in ("os:system", "daynight.importers.arena.log:IMPORTER", "../x", ""):
        with pytest.raises(AskedError, match="no importer"):
            importer(name)


def test_ours_are_registered():
    """pyproject.toml registers the bundled importers, with the names and places in `OURS`."""
    import tomllib
    from pathlib import Path

    from daynight.importers.registry import GROUP, OURS

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert {one.name: one.value for one in OURS} == project["project"]["entry-points"][GROUP]
    assert all(one.load().name == one.name for one in OURS)


def test_not_of_the_frame():
    """An importer that yields an unknown item, or a game without a beginning, raises TypeError with its name."""
    for item in ("x", Observed("1", SpellCast(player="Ana"), 1)):
        with pytest.raises(TypeError, match="importer made: "):
            list(Import(made(item), Options()).games([Source("x", io.BytesIO())]))
