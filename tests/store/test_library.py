"""The library of games: its rows follow the events exactly once, are updated in batches, and can be rebuilt.

| promise | test |
| --- | --- |
| after every event a row agrees with the game, whatever the size of the batches | test_after_every_event |
| rows do not depend on which games share a batch or are kept in memory | test_batches |
| the verdict is that of `daynight audit` | test_verdict_of_the_file |
| the row also agrees with back-ups, restarts and uncertain states | test_after_every_event, test_backed_up |
| the list in pages, by verdict, by name, and of names alone has the same games in the same order | test_pages |
| every event is counted once | test_nothing_new, test_overtaken, test_two_projectors |
| a rebuild reports progress; an interrupted one loses and doubles nothing | test_rebuild, test_interrupted |
| there is one transaction for each batch, not for each event | test_transactions |
"""

import itertools
import json
import random
import threading
from pathlib import Path

import pytest

from daynight.events import Designation
from daynight.game import Game
from daynight.games import Library, Store
from daynight.projections.audit.audit import Auditor
from daynight.records import Record
from daynight.store import ConflictError, DamagedError
from daynight.store import views as library_module
from tests.behaviour.games import EVERY_TYPE, ROOT
from tests.rules.judges import appeals, back_up, claim, opens, ruled, rules_on
from tests.rules.words import cast, doubt, effect, started, turn
from tests.sampling import sampled
from tests.store.projecting import TRACKED
from tests.store.rows_of_games import BACKED_UP, RULED_NEITHER, expected

EXAMPLES = [*sorted((ROOT / "examples" / "games").glob("*.jsonl")), Path("demo")]
SMALL = [path for path in EXAMPLES if not path.stem.startswith(("wagic", "demo"))]


def tracked(store):
    return store.recorder.max_tracking_id(TRACKED) or 0


@pytest.fixture
def memory():
    with Store.open("memory:") as store:
        yield store


@pytest.fixture(scope="module")
def records():
    """The small example games, and four games with special cases."""
    games = [(path.stem, path.read_text().splitlines()) for path in SMALL]
    quiet = [started(), turn(1), cast(), effect("night"), doubt("Bo", 0, 1)]
    return [
        *games, ("every type", list(EVERY_TYPE)), ("backed up", list(BACKED_UP)),
        ("ruled neither", list(RULED_NEITHER)), ("nothing said", quiet),
    ]  # fmt: skip


@pytest.mark.parametrize("several", [1, 4])
@pytest.mark.wide
def test_after_every_event(records, memory, several):
    """Whether the library is updated after each event or after several, its rows agree with the game."""
    warm = Library(memory)
    for name, events in records:
        game = Game(catalogue=memory.catalogue)
        for at in range(0, len(events), several):
            memory.append(name, events[at : at + several])
            for event in events[at : at + several]:
                game.record(event)
            assert warm.catch_up() == min(several, len(events) - at)
            assert warm.rows()[[entry.game for entry in warm.rows()].index(name)] == expected(name, game)
    assert {entry.verdict for entry in warm.rows()} == {"disputed", "exact", "unverified"}


@pytest.mark.parametrize("warm", [1, 128], ids=["cold", "warm"])
@pytest.mark.parametrize("several", [1, 3])
def test_rulings_in_disputes(memory, several, warm, monkeypatch):
    """Rulings in disputes are counted as in the game in memory, also those that a back-up undid."""
    monkeypatch.setattr(library_module, "WARM", warm)
    fix = rules_on(outcome="fix", designation="night")
    events = [
        started(), effect("day"), opens(), opens("d2"), effect("day"), fix, back_up(2), claim("day"), turn(1),
        fix | {"dispute": "d2"}, back_up(8), ruled("night"), appeals(), back_up(2), turn(2), fix, back_up(2),
    ]  # fmt: skip
    library, game = Library(memory), Game(catalogue=memory.catalogue)
    seen = set()
    for at in range(0, len(events), several):
        memory.append("g1", events[at : at + several])
        memory.append("other", [started()] if at == 0 else [turn(at)])
        for event in events[at : at + several]:
            game.record(event)
        library.catch_up()
        (entry,) = [entry for entry in library.rows() if entry.game == "g1"]
        assert entry == expected("g1", game)
        seen.add(entry.disputes)
    assert {0, 1, 2} <= seen


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_verdict_of_the_file(memory, path):
    """The verdict in the library equals that of `daynight audit` on the file."""
    library = Library(memory)
    memory.import_record(Record(path.name if path == Path("demo") else path), "one")
    library.catch_up()
    audit = Auditor().record(memory.record("one"))
    (entry,) = library.rows()
    assert (entry.events, entry.verdict, entry.disputes) == (audit.events, audit.verdict, len(audit.disputes))
    assert entry == expected("one", memory.load("one"))


def interleaved(store, records, seed):
    """Append the records to several games in random order, one to five events at a time."""
    chance = random.Random(seed)
    left = {name: list(events) for name, events in records}
    while left:
        name = chance.choice(sorted(left))
        many = chance.randint(1, 5)
        store.append(name, left[name][:many])
        left[name] = left[name][many:]
        if not left[name]:
            del left[name]


@pytest.mark.parametrize("warm", sampled([1, 128], 2), ids=["cold", "warm"])
def test_batches(records, store, warm, monkeypatch):
    """The rows are the same for any batch size and any number of games kept in memory."""
    monkeypatch.setattr(library_module, "WARM", warm)
    interleaved(store, records, seed=warm)
    wanted = sorted((expected(name, store.load(name)) for name, _events in records), key=lambda entry: entry.game)
    total = sum(entry.events for entry in wanted)
    library = Library(store)
    for batch in (7, 64, 5000):
        heard = []
        assert library.rebuild(heard.append, batch) == total
        assert heard == [*range(batch, total, batch), total]
        assert library.rows() == wanted
        assert tracked(store) == store.recorder.max_notification_id()
        assert library.behind() == 0


def test_totals(records, store):
    library = Library(store)
    assert (library.totals().games, library.totals().events, library.rows()) == (0, 0, [])
    for name, events in records:
        store.append(name, events)
    assert library.behind() == sum(len(events) for _name, events in records)
    library.catch_up()
    totals, entries = library.totals(), library.rows()
    for field in ("events", "turns", "spells", "changes", "disputes", "over"):
        assert getattr(totals, field) == sum(getattr(entry, field) for entry in entries), field
    assert totals.games == len(entries)
    for designation in (*Designation, None):
        assert totals.designations[designation] == [entry.designation for entry in entries].count(designation)
    for verdict in ("disputed", "exact", "unverified"):
        assert totals.verdicts[verdict] == [entry.verdict for entry in entries].count(verdict)
    assert min(totals.designations[Designation.NIGHT], totals.verdicts["disputed"], totals.spells) > 0


NAMES = ("a", "B", "Émile", "emile", "e\u0301mile", "STRASSE", "Straße", "straße 2", "İstanbul", "日本", "a%b", "a_b")


def test_pages(store):
    library = Library(store)
    for number, name in enumerate(NAMES):
        store.new(name, ["Ana", "Bo"])
        if number % 3 == 0:
            store.append(name, [turn(1, "Ana"), {"type": "designation-claimed", "designation": "night", "by": "Bo"}])
    library.catch_up()
    rows = library.rows()
    for verdict in (None, "disputed", "unverified"):
        of = [row for row in rows if verdict in (None, row.verdict)]
        assert 3 < len(of)
        for place in range(len(of)):
            after = of[place - 1].game if place else ""
            assert library.page(after, 3, verdict) == of[place : place + 3]
            assert library.names(after, 3, verdict) == [row.game for row in of[place : place + 3]]
        assert library.names(of[-1].game, 3, verdict) == []
    assert library.entries(["straße 2", "nobody", "B"]) == [library.entry("B"), library.entry("straße 2")]
    assert library.entries([]) == []
    assert library.entry("nobody") is None


@pytest.mark.parametrize("seed", sampled(range(4), 4))
def test_backed_up(memory, seed):
    """With random claims and back-ups, the row agrees with the game after every append."""
    chance = random.Random(seed)
    game = Game([started(), turn(1)], catalogue=memory.catalogue)
    memory.append("g", game.events)
    library = Library(memory)
    while len(game) < 120:
        events = []
        for _event in range(chance.randint(1, 9)):
            standing = [number for number in range(1, len(game) + 1) if game.stands(number) or number == len(game)]
            event = chance.choice([
                cast(), claim(chance.choice(["day", "night", "neither"])), effect(chance.choice(["day", "night"])),
                doubt("Bo", 0, 1), ruled(chance.choice(["day", "night"])),
                turn(game.state.turn + 1, chance.choice(["Ana", "Bo"])),
                back_up(chance.choice([number for number in standing if number > 1])), back_up(standing[-1]),
            ])  # fmt: skip
            game.record(event)
            events.append(event)
        memory.append("g", events)
        if chance.random() < 0.2:
            library = Library(memory)
        library.catch_up(batch=chance.choice([2, 5, 5000]))
        assert library.rows() == [expected("g", game)]


@pytest.mark.wide
def test_often_backed_up(memory):
    """A game that is backed up many times can be folded and read."""
    events = [started(), turn(1)]
    for number in range(2, 2400, 2):
        events += [cast(), back_up(number)]
    for at in range(0, len(events), 400):
        memory.append("g", events[at : at + 400])
    library = Library(memory)
    assert library.catch_up(batch=len(events) - 1) == len(events)
    (entry,) = library.rows()
    assert (entry.events, entry.spells, entry.turns) == (len(events), 0, 1)
    with memory.recorder.transaction(write=True) as cursor:
        cursor.execute("DELETE FROM snapshots")
    assert memory.at("g").event == len(events)


def test_nothing_new(store):
    """If no event is new, nothing is written and no progress is reported."""
    library = Library(store)
    store.append("g", [started(), turn(1), cast()])
    assert library.catch_up() == 3
    before, heard = (library.rows(), tracked(store)), []
    assert library.catch_up(heard.append) == 0
    assert Library(store).catch_up(heard.append) == 0
    assert (library.rows(), tracked(store)) == before
    assert heard == []


class Meanwhile(Library):
    """A projector that runs the generator `happens` to its next yield between reading a batch and storing it."""

    def __init__(self, store, happens):
        super().__init__(store)
        self.happens = happens
        self.found = 0

    def _found(self, position, batch):
        found = super()._found(position, batch)
        self.found += len(found)
        next(self.happens, None)
        return found


def test_overtaken(store):
    """A projector that is too late with a batch stores nothing of it, and continues from the other one's position."""
    store.append("g", [started(), turn(1), cast(), cast()])
    other = Library(store)
    late = Meanwhile(store, (other.catch_up() for _once in range(1)))
    assert (late.catch_up(), late.found) == (0, 4)
    assert late.rows() == [expected("g", store.load("g"))]
    store.append("g", [cast()])
    assert (late.catch_up(), other.catch_up()) == (1, 0)
    assert late.rows() == [expected("g", store.load("g"))]


def test_overtaken_by_a_rebuild(store):
    """A rebuild resets the position; a batch that was read before it is not stored after it."""
    for game in ("a", "b"):
        store.append(game, [started(), turn(1), cast()])
    other = Library(store)
    other.catch_up()
    store.append("b", [cast()])

    def interrupted():
        with pytest.raises(KeyboardInterrupt):
            other.rebuild(stop, batch=2)
        yield

    def stop(events):
        raise KeyboardInterrupt

    late = Meanwhile(store, interrupted())
    assert late.catch_up() == 5
    assert late.rows() == [expected(game, store.load(game)) for game in ("a", "b")]


def test_always_overtaken(memory):
    """A projector that is overtaken every time raises ConflictError in the end."""
    library = Library(memory)
    memory.append("g", [started()])

    def others():
        while True:
            Library(memory).catch_up()
            memory.append("g", [turn(memory.at("g").turn + 1)])
            yield

    with pytest.raises(ConflictError, match="too many others keep the library"):
        Meanwhile(memory, others()).catch_up()
    assert library.catch_up() == 1
    assert library.rows() == [expected("g", memory.load("g"))]


def test_two_projectors(place):
    """Two projectors race while others write: every event is counted by exactly one of them."""
    with Store(place) as store:
        # A store in memory cannot be shared between projectors.
        second = store if place.kind == "memory" else Store(place)
        ended, errors, taken = threading.Event(), [], [0, 0]

        def project(number):
            library = Library((store, second)[number])
            try:
                while not ended.is_set():
                    taken[number] += library.catch_up(batch=3)
                taken[number] += library.catch_up(batch=3)
            except BaseException as error:
                errors.append(error)
                raise

        threads = [threading.Thread(target=project, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        records = [(f"g{number}", list(BACKED_UP)) for number in range(3)]
        interleaved(store, records, seed=5)
        ended.set()
        for thread in threads:
            thread.join()
        if second is not store:
            second.close()
        assert errors == []
        assert sum(taken) == 3 * len(BACKED_UP)
        assert Library(store).rows() == [expected(name, store.load(name)) for name, _events in records]
        assert tracked(store) == store.recorder.max_notification_id()


def test_rebuild(store):
    """A rebuild corrects wrong rows and removes surplus ones; the events are unchanged."""
    store.append("g", [started(), turn(1), cast()])
    library = Library(store)
    library.catch_up()
    with store.recorder.transaction(write=True) as cursor:
        cursor.execute("UPDATE library SET spells = 7")
    assert [(entry.game, entry.spells) for entry in library.rows()] == [("g", 7)]
    with store.recorder.transaction(write=True) as cursor:
        cursor.execute("INSERT INTO library VALUES ('stray', 1, 0, 0, 0, 'day', 'exact', 0, 0)")
    with pytest.raises(DamagedError, match="rebuild it"):
        library.rows()
    assert library.rebuild() == 3
    assert library.rows() == [expected("g", store.load("g"))]


@pytest.mark.parametrize("after", [1, 2, 3])
def test_interrupted(store, after):
    """A rebuild interrupted after any batch keeps what it has done, and another projector continues it."""
    for number in range(3):
        store.append(f"g{number}", list(BACKED_UP))
    times = itertools.count(1)

    def stop(events):
        if next(times) == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Library(store).rebuild(stop, batch=10)
    library, heard = Library(store), []
    assert tracked(store) == sum(entry.events for entry in library.rows()) == 10 * after
    assert library.behind() == 3 * len(BACKED_UP) - 10 * after
    assert library.catch_up(heard.append, batch=10) == 3 * len(BACKED_UP) - 10 * after
    assert library.rows() == [expected(f"g{number}", store.load(f"g{number}")) for number in range(3)]


def test_transactions(tmp_path):
    """There is one transaction for each batch, and one more for a rebuild, however many events there are."""
    record = tmp_path / "long.jsonl"
    record.write_text("".join(json.dumps(event) + "\n" for event in [started(), turn(1), *[cast()] * 10_000]))
    with Store.open(tmp_path / "games.db") as store:
        store.import_record(Record(record), "long")
        said = []
        store.recorder.datastore._writer._sqlite_conn.set_trace_callback(said.append)
        assert (Library(store).catch_up(), said.count("COMMIT")) == (10_002, 3)
        said.clear()
        assert Library(store).rebuild(batch=1000) == 10_002
        assert said.count("COMMIT") == 1 + 11
