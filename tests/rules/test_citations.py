"""Citations: every rule key and its number in every edition.

| clause | the contract in our words | test |
| --- | --- | --- |
| section 3 | the number of every key in June 2024 | test_the_table_of_june_2024 |
| section 3 | Day and Night is 728, 730 or 731 by edition; its letters stayed | test_day_and_night_moved |
| section 3 | 702.145 and 502.2 kept theirs | test_daybound_and_nightbound_stayed |
| section 3 | a number that is not verified against its edition's text is | |
| | not printed | test_what_was_not_read_has_no_number |
| | | test_what_has_no_number |
| section 3 | a record that names no edition is cited in that of | |
| | 2024-06-07 | test_a_record_without_an_edition |
| section 3 | ... another chooses another | test_a_record_of_another_edition, test_asked_for_another_edition |
| 726, 727, 729 | hearsay: not editions one can choose | test_the_editions |
"""

import pytest

from daynight.events.consequences import Transformed
from daynight.rules.citations import DEFAULT_EDITION, EDITIONS, KEYS, LATEST_EDITION, POLICY, cited, with_number

from .scenario import given
from .words import OLD_WEREWOLF, VANDAL, effect, enter, lose, ruled, transform, turn, untap

JUNE_2024 = {
    "no-designation": "728.1",
    "becomes": "728.1",
    "day-if-neither": "728.1",
    "check-day": "728.2a",
    "check-night": "728.2b",
    "check-neither": "728.2c",
    "change-triggers": "728.1a",
    "daybound-enters": "702.145b",
    "daybound-as-night": "702.145b",
    "daybound-at-night": "702.145c",
    "daybound-starts-day": "702.145d",
    "nightbound-as-day": "702.145e",
    "nightbound-at-day": "702.145f",
    "nightbound-starts-night": "702.145g",
    "daybound-refuses": "702.145b",
    "nightbound-refuses": "702.145e",
    "untap-check": "502.2",
    "phasing": "502.1",
    "transforms": "701.28",
    "transformed-since": "701.28f",
}
SECTIONS = {
    "2024-06-07": "728",
    "2025-11-14": "730",
    "2026-01-16": "730",
    "2026-02-27": "730",
    "2026-04-17": "731",
    "2026-06-19": "731",
    "2026-08-07": "731",
}
UNNUMBERED = {"judge", "assumed", "told-to-enter", "cannot-transform", "put-on-stack", "backed-up"}
MOVED = [key for key, number in JUNE_2024.items() if number.startswith("728")]
STAYED = [key for key, number in JUNE_2024.items() if number.startswith(("702", "502"))]


def test_the_editions():
    """Seven, by date; none of the numbers of hearsay."""
    assert tuple(SECTIONS) == EDITIONS
    assert ("2024-06-07", "2026-08-07") == (DEFAULT_EDITION, LATEST_EDITION)


def test_the_table_of_june_2024():
    """Key by key."""
    assert JUNE_2024 == {key: cited(key, "2024-06-07") for key in JUNE_2024}


def test_the_table_has_every_key():
    """Nothing has a number that is not written here."""
    assert set(JUNE_2024) | UNNUMBERED == set(KEYS)
    assert len(set(KEYS)) == len(KEYS)


@pytest.mark.parametrize("edition", SECTIONS)
def test_day_and_night_moved(edition):
    """One section with many numbers, the same letters."""
    expected = {key: JUNE_2024[key].replace("728", SECTIONS[edition]) for key in MOVED}
    assert expected == {key: cited(key, edition) for key in MOVED}


@pytest.mark.parametrize("edition", SECTIONS)
def test_daybound_and_nightbound_stayed(edition):
    """And so did the untap step."""
    assert {key: JUNE_2024[key] for key in STAYED} == {key: cited(key, edition) for key in STAYED}


@pytest.mark.parametrize("edition", SECTIONS)
def test_what_was_not_read_has_no_number(edition):
    """Transforming was read in the first and the last edition."""
    known = {"2024-06-07": ("701.28", "701.28f"), "2026-08-07": ("701.27", "701.27f")}
    assert known.get(edition, (None, None)) == (
        cited("transforms", edition),
        cited("transformed-since", edition),
    )


@pytest.mark.parametrize("edition", SECTIONS)
@pytest.mark.parametrize("key", sorted(UNNUMBERED))
def test_what_has_no_number(key, edition):
    """A judge's ruling and our own words are no rules."""
    assert cited(key, edition) is None


def test_no_key_no_number():
    """Neither no key nor an unknown one has a number."""
    assert (None, None) == (cited(None, "2024-06-07"), cited("monarch", "2024-06-07"))


@pytest.mark.parametrize(
    "key, edition, expected",
    [
        ("check-day", "2024-06-07", "Night fell. (CR 728.2a)"),
        ("check-day", "2026-08-07", "Night fell. (CR 731.2a)"),
        ("transforms", "2026-01-16", "Night fell."),
        ("judge", "2024-06-07", "Night fell."),
        (None, "2024-06-07", "Night fell."),
    ],
)
def test_a_sentence_with_its_number(key, edition, expected):
    """The number stands behind the sentence, where there is one."""
    assert expected == with_number("Night fell.", key, edition)


def test_the_policy():
    """The tournament rule of section 2."""
    assert "MTR 4.9" == POLICY


def test_a_record_without_an_edition():
    """It is cited in that of June 2024."""
    game = given(effect("day"), turn(1), turn(2, "Bo"), untap())
    assert ("2024-06-07", ["728.1", "728.2a"]) == (
        game.game.edition,
        [change["cr"] for change in game.changes],
    )


@pytest.mark.parametrize("edition", SECTIONS)
def test_a_record_of_another_edition(edition):
    """Its own edition's numbers, in changes and in triggers."""
    game = given(enter("v1", VANDAL), turn(1), turn(2, "Bo"), untap(), edition=edition)
    section = SECTIONS[edition]
    assert [f"{section}.1", f"{section}.2a"] == [change["cr"] for change in game.changes]
    assert [f"{section}.1a"] == [trigger["cr"] for trigger in game.triggers]


def test_asked_for_another_edition():
    """Whatever the record names."""
    game = given(effect("day"), edition="2024-06-07").game
    assert "730.1" == game.document(edition="2025-11-14")["changes"][0]["cr"]


def test_every_consequence_has_a_known_key():
    """What follows can always be cited, or has no number on purpose."""
    game = given(
        effect("night"),
        enter("w1"),
        enter("g1", OLD_WEREWOLF, face="back"),
        lose("w1"),
        transform("w1", "g1"),
        ruled("day"),
    )
    found = [consequence for moment in game.game for consequence in moment.consequences]
    assert {Transformed} < {type(consequence) for consequence in found}
    assert set() == {consequence.rule for consequence in found} - set(KEYS)
