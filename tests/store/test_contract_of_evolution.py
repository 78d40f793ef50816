"""One contract for five mechanics in two releases: day and night, two examples, a lending desk, a rollout.

| the second release changed | test |
| --- | --- |
| records with an old tag are read and appended to; a row whose tag differs from its line is damage | test_old_tag |
| a rule in `check`: events that older rules accepted stay valid, and new ones are refused | test_check |
| a rule in `step`: the record ends before the event it refuses; refused by the same version, it is damage | test_step |
| code with a changed default is refused, with advice; the stored bytes can still be exported | test_default |
| the rules of a view: its rows are rebuilt, and older code does not rebuild them again | test_view |
| the rules of a snapshot: an old snapshot is not used; a wrong one by today's rules is damage | test_snapshot |
| any of these: signatures stay valid; an invalid one is damage | test_signed |
| a command is repeated in its old shape and in the new; with other events it is refused | test_retried |

Day and night has no `check` and stores no defaults: editions version its rules, and its format is published.
"""

from dataclasses import replace
from io import BytesIO

import pytest

from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.source import Source
from daynight.store import ConflictError, DamagedError, Feed, Key, Store, read_archive, verify_store, write_archive
from daynight.store.errors import LanguageError
from daynight.store.moments.past import Past
from daynight.store.moments.snapshots import freeze
from tests.store.desk import faults, rechained
from tests.store.releases import RELEASES


@pytest.fixture(params=list(RELEASES))
def releases(request):
    return RELEASES[request.param]()


@pytest.fixture
def written(kept, releases):
    """The settings of a store in which the first release has stored its record."""
    with Store(kept, mechanic=releases.first) as store:
        store.append("main", releases.events, command="a")
    return kept


def counting(store, **more):
    return store.view("events", int, lambda value, moment, state: value + 1, **more)


def line_of(mechanic, event):
    return mechanic.language.encode(mechanic.language.strictly(event))


def test_old_tag(written, releases, tmp_path):
    tags, last = [event["type"] for event in releases.events], len(releases.events)
    with Store(written, mechanic=releases.second) as store:
        loaded, events = store.load("main"), [*map(releases.second.language.strictly, releases.lifted)]
        assert events == [*loaded.events] == [*store.events("main")]
        assert events == [one.event for one in store.application.events.get("main")]
        assert str(store.at("main")) == str(loaded.state) == str(store.application.repository.get("main").state)
        with Feed(store, after=0) as feed, feed.subscribe("main", after=0) as subscription:
            assert tags == [one.tag for one in subscription.take(20)]
        assert [last] == [row["value"] for row in counting(store).rows()]
        stream, file = BytesIO(), tmp_path / "main.jsonl"
        write_archive(store, stream)
        with Store.open("memory:", mechanic=releases.second) as other:
            assert (1, last) == read_archive(other, BytesIO(stream.getvalue()))
            again = BytesIO()
            write_archive(other, again)
            assert stream.getvalue() == again.getvalue()
        with file.open("wb") as exported:
            store.lines("main", exported)
        assert last == store.import_record(Source(file), "main").number
        assert last + 1 == store.append("main", [releases.good]).last
        assert [*tags, releases.good["type"]] == [row.tag for rows in store.recorder.rows("main") for row in rows]
        assert [None] == faults(store)
        rechained(store, "main", releases.old, releases.lifted[releases.old - 1]["type"], lines(releases)[0])
        assert releases.old == faults(store)[0].event
        with pytest.raises(DamagedError):
            [*store.application.events.get("main")]


def lines(releases):
    """A list with one line: that of the event with the old tag, as the first release wrote it."""
    return [line_of(releases.first, releases.events[releases.old - 1])]


def test_check(written, releases):
    last = len(releases.events)
    if not releases.marks:
        with pytest.raises(TypeError, match=r"check: .* has no field for the version of the rules"):
            replace(releases.second, check=lambda state, event, number: None)
        return
    with Store(written, mechanic=releases.second) as store:
        game = store.load("main")
        assert (last, [last]) == (len(game), [one.event for one in game.refusals()])
        (found,) = verify_store(store)
        assert (None, None, (last,), last) == (found.fault, found.stop, found.refused, found.unchecked)
        with pytest.raises(ImpossibleError, match="since the second release"):
            store.append("main", [releases.bad])
        assert last == store.last("main")
        assert 2 == store.append("main", [releases.good]).moments[0].event.rules
        assert [None] == faults(store)
        rechained(store, "main", last + 1, releases.bad["type"], line_of(releases.second, releases.bad | {"rules": 2}))
        (fault,) = faults(store)
        assert (last + 1, True) == (fault.event, "rules 2, which accepted it, refuse it" in fault.sentence)


def test_step(written, releases):
    last = len(releases.events)
    with Store(written, mechanic=releases.strict) as store:
        (found,) = verify_store(store)
        if releases.marks:
            game = store.load("main")
            assert (last - 1, last, "1") == (len(game), game.stops.event, game.stops.rules)
            assert str(game.state) == str(store.at("main"))
            assert (None, last, "1") == (found.fault, found.stop.event, found.stop.rules)
            assert [last - 1] == [row["value"] for row in counting(store).rows()]
        else:
            with pytest.raises(DamagedError):
                store.load("main")
            assert last == found.fault.event
    if releases.marks:
        # Refused under the same version, so nobody can have accepted it: damage.
        with Store.open("memory:", mechanic=releases.strict) as store:
            store.append("main", [*releases.lifted[:-1], releases.good])
            bad = releases.lifted[-1]
            rechained(store, "main", last, bad["type"], line_of(releases.strict, bad))
            assert last == faults(store)[0].event
            with pytest.raises(DamagedError):
                store.load("main")


def test_default(kept, releases):
    with Store(kept, mechanic=releases.second) as store:
        store.append("main", releases.lifted[:-1])
        assert ("daynight_language" in tables(store)) is releases.marks
    if releases.wrong is None:
        return
    with Store(kept, mechanic=releases.wrong) as store:
        asking = [
            lambda: store.load("main"), lambda: store.at("main"), lambda: store.append("main", [releases.good]),
            lambda: counting(store), lambda: store.application.repository.get("main"),
        ]  # fmt: skip
        for ask in asking:
            with pytest.raises(LanguageError, match=r"\.2\.\w+: stored lines left out .*; make .*\.3 and an upcaster$"):
                ask()
        assert [None] == faults(store)
        stream = BytesIO()
        assert len(releases.lifted) - 1 == write_archive(store, stream)
        assert store.lines("main", stream) > 0
    with Store(kept, mechanic=releases.second) as store:
        assert len(releases.lifted) == store.append("main", [releases.good]).last


def tables(store):
    return [name for name in ("daynight_language", "daynight_rules") if store.recorder.has_table(name)]


def test_view(written, releases):
    last = len(releases.events)
    with Store(written, mechanic=releases.first) as store:
        counting(store)
    with Store(written, mechanic=releases.second) as store:
        view = counting(store)
        assert (str(releases.first.version), [last]) == (view.replaced, [row["value"] for row in view.rows()])
    older = replace(releases.second, version=releases.first.version)
    with Store(written, mechanic=older) as store:
        with pytest.raises(ConflictError, match="newer code keeps the events"):
            counting(store)
        assert [last] == [row["value"] for row in counting(store, rebuild=True).rows()]


def test_snapshot(kept, releases):
    short, last = replace(kept, snapshots=2), len(releases.events)
    with Store(short, mechanic=releases.first) as store:
        for event in releases.events:
            store.append("main", [event])
        assert len(store.recorder.snapshot_numbers("main")) >= 2
    with Store(short, mechanic=releases.second) as store:
        states = [str(store.load("main").at(number)) for number in range(1, last + 1)]
        assert states == [str(store.at("main", number)) for number in range(1, last + 1)]
        assert last + 1 == store.append("main", [releases.good]).last
        store.application.take_snapshot("main")
        assert [None] == faults(store)
        # Replace the snapshot by that of an earlier state.
        live, early = store.application.repository.get("main"), Past(store.recorder, "main", snapshots=False).live(2)
        forged = freeze(releases.second, last + 1, early.whole, live.standing, live.rules)
        with store.recorder.transaction(write=True) as cursor:
            statement = store.recorder.sql("UPDATE snapshots SET state = ? WHERE event = ?")
            cursor.execute(statement, (forged, last + 1))
        assert f"the snapshot of event {last + 1} is not that of the game" == faults(store)[0].sentence


def test_signed(kept, releases):
    key = Key.generate()
    with Store(kept, mechanic=releases.first, key=key) as store:
        store.append("main", releases.events)
    with Store(kept, mechanic=releases.second, key=key) as store:
        (before,) = verify_store(store)
        assert (None, (key.key.hex(),)) == (before.fault, before.signatures.signers)
        store.append("main", [releases.good])
        (found,) = verify_store(store)
        assert (None, True) == (found.fault, found.signatures.many >= before.signatures.many > 0)
        with store.recorder.transaction(write=True) as cursor:
            cursor.execute(store.recorder.sql("UPDATE heads SET signature = ?"), (bytes(64),))
        assert faults(store)[0] is not None


def test_retried(written, releases):
    last = len(releases.events)
    with Store(written, mechanic=releases.second) as store:
        for events in (releases.events, releases.lifted):
            assert store.append("main", events, command="a").repeated
        for events in (releases.lifted[:-1], [*releases.lifted[:-1], releases.good]):
            with pytest.raises(Exception, match="the command id 'a' was used for other events"):
                store.append("main", events, command="a")
        assert last == store.last("main")
