"""The advice in error messages when a record, a store and the code are of different versions.

| promise | tests |
| --- | --- |
| for an unknown tag of one's own mechanic: get newer code, add an upcaster, or use the similar tag | test_tags |
| for an unknown version of the rules: get newer code, or pass the check of that version | test_unknown_rules |
| for a record that names no rules and that today's rules refuse: pass an earlier check | test_earlier_check |
| if `checks` has today's version, ValueError says what to change | test_checks_of_today |
| older code on a newer store: LanguageError names one changed tag, and counts the other changes | test_older_code |
| an appended event with the field `rules` is refused, with its path | test_place_in_the_request, test_place_over_http |
| a default that JSON writes in another way, such as an empty tuple, is not a change | test_same_default |
| for a mechanic without turns, `verify` names the event whose head is not signed | test_unsigned |
"""

from dataclasses import replace

import msgspec
import pytest

from daynight.cli.commands import run
from daynight.cli.mechanics import commands
from daynight.framework import Facts, Happening, ImpossibleError, Language, Mechanic, Name, Recorded, RecordError
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.shapes.describing import changes, description
from daynight.store import Key, Store
from daynight.store.errors import LanguageError
from daynight.web.writing.pen import Pen
from tests.store.desk import FIRST, FOUR, SECOND, Given, Opened, check_1, lent, lines, opened, strict, write


class Paused(Happening, frozen=True, tag="paused"):
    until: Name


class Told(Happening, frozen=True, tag="paused"):
    until: Name
    by: Name | None = None


DROPPED = Language(Opened | Paused | SECOND.language.tags["lent.2"])


@pytest.mark.parametrize("language, tag, advice", [
    (FIRST.language, "lent.2", "unknown tag 'lent.2': newer code of this mechanic may have written it; use that code"),
    (SECOND.language, "lent.3", "unknown tag 'lent.3': newer code of this mechanic may have written it; use that code"),
    (DROPPED, "lent", "unknown tag 'lent': it looks like an older shape of lent.2; give it an upcaster"),
    (DROPPED, "pausd", "unknown tag 'pausd': it looks foreign; did you mean paused?"),
    (DROPPED, "eaten", ("unknown tag 'eaten': it looks foreign; the tags are opened, paused, lent.2; an older tag "
     "needs an upcaster")),
])  # fmt: skip
def test_tags(language, tag, advice):
    with pytest.raises(UnreadableError) as refused:
        language.decode(f'{{"type":"{tag}"}}')
    assert advice == refused.value.sentence


def test_unknown_rules():
    for rules, advice in (
        (7, "there are: 3, 2; use the newer code of the mechanic"),
        (1, "there are: 3, 2; keep the check of that time in checks"),
    ):
        third = replace(SECOND, version=3, checks={2: SECOND.check})
        with Store.open("memory:", mechanic=third) as store, pytest.raises(RecordError) as refused:
            store.import_record(Given(opened() | {"rules": rules}), "a")
        assert f"rules {rules} are not known here; {advice}" == refused.value.sentence


def test_earlier_check():
    """If today's `check` refuses a record that names no rules, the error advises to give an earlier check in `checks`.

    The error has no advice if `checks` has an earlier check, the mechanic has version 1, or `step` refused the record.
    """
    without, advice = replace(SECOND, checks={}), "; if older rules accepted it, give their check in checks"
    with pytest.raises(ImpossibleError) as refused:
        Recorded.load(without, lines(*FOUR))
    assert f"Ana has two books{advice}" == refused.value.sentence
    for mechanic, events in (
        (SECOND, [*FOUR, lent("Emma")]),
        (replace(FIRST, checks={}), [*FOUR, lent("Emma")]),
        (
            replace(without, check=lambda desk, event, number: None, step=strict(check_1)),
            [opened(), lent("Emma"), lent("Emma")],
        ),
    ):
        with pytest.raises(ImpossibleError) as refused:
            Recorded.load(mechanic, lines(*events))
        assert advice not in refused.value.sentence


def test_checks_of_today():
    with pytest.raises(ValueError, match="checks, 2: that is the version of today; raise version, or leave it out of"):
        replace(SECOND, checks={2: check_1})


def test_older_code(kept):
    write(kept, SECOND, [opened()])
    newer = replace(SECOND, language=Language(SECOND.language.events | Told, upcasters=SECOND.language.upcasters))
    write(kept, newer, [opened()], "other")
    with Store(kept, mechanic=SECOND) as store, pytest.raises(LanguageError) as refused:
        store.load("main")
    told = "paused: stored lines may have this tag; keep an upcaster for it, or use the newer code that wrote the store"
    assert f"the events of this code are not those of the store: {told}" == refused.value.sentence
    with Store(kept, mechanic=FIRST) as store, pytest.raises(LanguageError, match=r" \(and 1 more change\)$"):
        store.load("main")
    (change,) = changes(description(Language(Opened | Told)), Language(Opened | Paused))
    assert change.endswith("make paused.2 and an upcaster, or use the newer code that wrote the store")


def test_place_in_the_request(kept):
    write(kept, FIRST, FOUR)
    with Store(kept, mechanic=FIRST) as store:
        for events, place in (
            ([lent("Faust") | {"rules": 1}], "$.rules"),
            ([lent("Faust"), lent("Carmen") | {"rules": 1}], "$[1].rules"),
        ):
            with pytest.raises(UnreadableError) as refused:
                store.append("main", events)
            assert (place, None) == (refused.value.path, refused.value.line)


def test_unsigned(tmp_path, capsys):
    place = tmp_path / "desk.db"
    with Store.open(place, mechanic=FIRST, key=Key.generate()) as store:
        store.append("main", [*FOUR, {"type": "returned", "book": "Emma"}])
        store.append("main", [lent("Faust")])
    assert 0 == run(["verify", "--db", str(place)], commands(FIRST), "desk")
    out = capsys.readouterr().out
    assert "2 heads signed, the head of e6 is not signed" in out
    assert "turn" not in out


def test_place_over_http(tmp_path):
    """The error about an unreadable event has its path in the request; about an impossible one, number and field."""
    with Store.open(tmp_path / "desk.db", mechanic=FIRST) as store:
        store.append("main", FOUR)
        pen = Pen(store)
        for events, place in (
            ([lent("Faust"), lent("Carmen") | {"rules": 1}], ("$[1].rules", None)),
            ([lent("Emma", "Bo")], ("$.book", 5)),
        ):
            with pytest.raises(RecordError) as refused:
                pen.write("main", place[0], events, lambda last, events=events: events)
            assert (*place, "db:main") == (refused.value.path, refused.value.line, refused.value.file)


class Listed(Happening, frozen=True, tag="listed"):
    books: tuple[Name, ...] = ()
    shelves: tuple[tuple[Name, int], ...] = (("a", 1),)


def test_same_default(tmp_path):
    class Nothing(Facts):
        count: int = 0

    mechanic = Mechanic(name="shelf", language=Language(Listed), start=Nothing, step=lambda state, event, number: ())
    for _time in range(2):
        with Store.open(tmp_path / "shelf.db", mechanic=mechanic) as store:
            store.append("a", [Listed()])
    with Store.open(tmp_path / "shelf.db", mechanic=mechanic) as store:
        assert len(store.load("a")) == 2
    assert not changes(msgspec.json.decode(msgspec.json.encode(description(mechanic.language))), mechanic.language)
