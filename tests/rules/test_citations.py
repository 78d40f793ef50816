"""Citations: every rule key and its number in every edition.

| clause | the contract in our words | test |
| --- | --- | --- |
| section 3 | the number of every key in June 2024 | test_the_table_of_june_2024 |
| section 3 | Day and Night is 724 to 731, depending on the edition | test_day_and_night_moved |
| section 3 | its check is .3a-c in the first edition, .2a-c ever since | test_the_check |
| section 3 | transform is 701.28 to 2025-04-04, 701.27 since 2025-06-06 | test_transforming_moved_once |
| section 3 | 702.145a-g, 502.1 and 502.2 never changed | test_daybound_and_nightbound_stayed |
| section 3 | a number that is not verified against its edition's text is | |
| | not printed | test_what_was_not_read_has_no_number |
| | | test_what_has_no_number |
| section 3 | a record that names no edition is cited in that of | |
| | 2024-06-07 | test_a_record_without_an_edition |
| section 3 | record or caller may choose another | test_a_record_of_another_edition, test_asked_for_another_edition |
| section 3 | one of 34 editions can be chosen, by its exact date | test_the_editions, test_no_such_edition |
| section 3 | the latest edition is the last; a record cannot say `latest` | test_the_editions, test_no_such_edition |
| section 1 | a rule's text is that of the edition: which permanents | |
| | enter back face up, which transform | test_what_enters_back_face_up, test_what_transforms |
"""

import pytest

from daynight.events.consequences import Transformed
from daynight.framework.language.errors import ImpossibleError
from daynight.questions.explain import sources_for
from daynight.rules.citations import (
    DEFAULT_EDITION,
    EDITIONS,
    KEYS,
    LATEST_EDITION,
    POLICY,
    cited,
    enters_if,
    transforms_if,
    with_number,
)
from tests.sampling import case

from .judges import ruled
from .placing import enter, lose
from .scenario import given
from .turning import transform
from .wolves import OLD_WEREWOLF, VANDAL
from .words import effect, turn, untap

JUNE_2024 = {
    "no-designation": "728.1", "becomes": "728.1", "day-if-neither": "728.1", "check-day": "728.2a",
    "check-night": "728.2b", "check-neither": "728.2c", "change-triggers": "728.1a", "daybound-enters": "702.145b",
    "daybound-as-night": "702.145b", "daybound-at-night": "702.145c", "daybound-starts-day": "702.145d",
    "nightbound-as-day": "702.145e", "nightbound-at-day": "702.145f", "nightbound-starts-night": "702.145g",
    "daybound-refuses": "702.145b", "nightbound-refuses": "702.145e", "untap-check": "502.2", "phasing": "502.1",
    "transforms": "701.28", "transformed-since": "701.28f",
}  # fmt: skip
# Every edition, the rule of its check for the first time (day, nobody cast), and its rule of transforming.
READ = """
2021-09-24  724.3a  701.28
2021-11-19  724.2a  701.28
2022-02-18  724.2a  701.28
2022-04-29  724.2a  701.28
2022-06-10  725.2a  701.28
2022-07-08  725.2a  701.28
2022-09-08  725.2a  701.28
2022-10-07  726.2a  701.28
2022-11-18  727.2a  701.28
2023-02-03  727.2a  701.28
2023-04-14  726.2a  701.28
2023-06-16  726.2a  701.28
2023-09-01  726.2a  701.28
2023-10-13  726.2a  701.28
2023-11-17  726.2a  701.28
2024-02-02  727.2a  701.28
2024-03-08  728.2a  701.28
2024-04-12  728.2a  701.28
2024-06-07  728.2a  701.28
2024-07-30  728.2a  701.28
2024-09-20  728.2a  701.28
2024-11-08  728.2a  701.28
2025-02-07  728.2a  701.28
2025-04-04  729.2a  701.28
2025-06-06  729.2a  701.27
2025-07-25  730.2a  701.27
2025-09-19  730.2a  701.27
2025-11-14  730.2a  701.27
2026-01-16  730.2a  701.27
2026-02-27  730.2a  701.27
2026-04-17  731.2a  701.27
2026-06-19  731.2a  701.27
2026-08-07  731.2a  701.27
2026-09-25  731.2a  701.27
"""
CHECKS = {edition: check for edition, check, _transform in map(str.split, READ.split("\n")[1:-1])}
TRANSFORMS = {edition: transform for edition, _check, transform in map(str.split, READ.split("\n")[1:-1])}
SECTIONS = {edition: check[:3] for edition, check in CHECKS.items()}
FIRST = "2021-09-24"
UNNUMBERED = {"judge", "assumed", "told-to-enter", "cannot-transform", "put-on-stack", "backed-up"}
MOVED = [key for key, number in JUNE_2024.items() if number.startswith("728")]
STAYED = [key for key, number in JUNE_2024.items() if number.startswith(("702", "502"))]


def test_the_editions():
    """There are 34 editions, the oldest first; the default is that of June 2024, and the latest is the last one."""
    assert tuple(CHECKS) == EDITIONS == tuple(sorted(set(EDITIONS)))
    assert (34, "2024-06-07", "2026-09-25") == (len(EDITIONS), DEFAULT_EDITION, LATEST_EDITION)


@pytest.mark.parametrize("edition", ["2021-09-23", "2024-06-08", "2024-02-06", "2026-09-26", "latest", "newest"])
def test_no_such_edition(edition):
    """A record's `edition` must be the exact date of an edition: another date, or the word `latest`, is refused."""
    assert edition not in EDITIONS
    with pytest.raises(ImpossibleError, match=r"\$\.edition: no edition"):
        given(edition=edition)


def test_the_table_of_june_2024():
    """Every key has its expected number in the edition of June 2024."""
    assert JUNE_2024 == {key: cited(key, "2024-06-07") for key in JUNE_2024}


def test_the_table_has_every_key():
    """`KEYS` holds exactly the keys of `JUNE_2024` and of `UNNUMBERED`, each once."""
    assert set(JUNE_2024) | UNNUMBERED == set(KEYS)
    assert len(set(KEYS)) == len(KEYS)


def test_day_and_night_moved():
    """The section Day and Night has a number from 724 to 731 by edition: its rules 1 and 1a are cited with it."""
    for edition, section in SECTIONS.items():
        with case(edition):
            moved = {key for key in MOVED if not key.startswith("check-")}
            moved -= {"change-triggers"} if edition == FIRST else set()
            expected = {key: JUNE_2024[key].replace("728", section) for key in moved}
            assert expected == {key: cited(key, edition) for key in moved}


def test_the_check():
    """The check is rule 3 of the section Day and Night in the first edition, and rule 2 in all later ones."""
    for edition in SECTIONS:
        with case(edition):
            stem = CHECKS[edition][:-1]
            assert [f"{stem}{letter}" for letter in "abc"] == [
                cited(f"check-{designation}", edition) for designation in ("day", "night", "neither")
            ]
            assert (edition == FIRST) is (stem[3:] == ".3") is (stem[3:] != ".2")


def test_daybound_and_nightbound_stayed():
    """The numbers of daybound, nightbound and the untap step never changed."""
    for edition in SECTIONS:
        with case(edition):
            assert {key: JUNE_2024[key] for key in STAYED} == {key: cited(key, edition) for key in STAYED}


def test_transforming_moved_once():
    """The rule about transforming is 701.28 up to April 2025, and 701.27 since June 2025."""
    for edition in SECTIONS:
        with case(edition):
            assert TRANSFORMS[edition] == ("701.28" if edition <= "2025-04-04" else "701.27")
            assert (TRANSFORMS[edition], f"{TRANSFORMS[edition]}f") == (
                cited("transforms", edition),
                cited("transformed-since", edition),
            )


def test_what_was_not_read_has_no_number():
    """The key `change-triggers` has no number in the first edition, and has one in every other."""
    assert [FIRST] == [edition for edition in EDITIONS if cited("change-triggers", edition) is None]


def test_what_has_no_number():
    """The keys of a judge's ruling and of daynight's own terms have no number in any edition."""
    cited_all = {(key, edition): cited(key, edition) for key in UNNUMBERED for edition in SECTIONS}
    assert {} == {place: number for place, number in cited_all.items() if number is not None}


def test_no_key_no_number():
    """`cited` returns None for no key and for an unknown key."""
    assert (None, None) == (cited(None, "2024-06-07"), cited("monarch", "2024-06-07"))


@pytest.mark.parametrize("key, edition, expected", [
    ("check-day", "2024-06-07", "Night fell. (CR 728.2a)"),
    ("check-day", "2026-08-07", "Night fell. (CR 731.2a)"),
    ("check-day", "2021-09-24", "Night fell. (CR 724.3a)"),
    ("check-day", "2021-11-19", "Night fell. (CR 724.2a)"),
    ("change-triggers", "2021-09-24", "Night fell."),
    ("judge", "2024-06-07", "Night fell."),
    (None, "2024-06-07", "Night fell."),
])  # fmt: skip
def test_a_sentence_with_its_number(key, edition, expected):
    """`with_number` appends the number in brackets; if there is none, the sentence stays as it is."""
    assert expected == with_number("Night fell.", key, edition)


ENTERS = (
    ("2021-09-24", "anything"),
    ("2022-04-29", "anything"),
    ("2022-06-10", "double-faced card"),
    ("2022-07-08", "transforming double-faced card"),
    ("2024-06-07", "transforming double-faced card"),
    ("2025-07-25", "transforming double-faced card"),
    ("2025-09-19", "double-faced card"),
    ("2026-09-25", "double-faced card"),
)
TRANSFORMS_IF = (
    ("2021-09-24", "transforming card"),
    ("2023-02-03", "transforming card"),
    ("2023-04-14", "transforming card or token"),
    ("2025-07-25", "transforming card or token"),
    ("2025-09-19", "card or token"),
    ("2026-09-25", "card or token"),
)


@pytest.mark.parametrize("edition, expected", ENTERS)
def test_what_enters_back_face_up(edition, expected):
    """`enters_if` returns what enters back face up by daybound; it changed in June 2022, July 2022, September 2025."""
    assert expected == enters_if(edition)


@pytest.mark.parametrize("edition, expected", TRANSFORMS_IF)
def test_what_transforms(edition, expected):
    """`transforms_if`: tokens can transform since April 2023, and modal double-faced cards since September 2025."""
    assert expected == transforms_if(edition)


def test_it_is_said_as_in_the_edition():
    """The rule quoted for daybound says by edition what enters back face up: anything, or which double-faced cards."""
    said = {
        edition: sources_for("daybound-enters", edition)[0].says
        for edition in ("2021-09-24", "2024-06-07", "2026-09-25")
    }
    assert [
        "by night what has daybound enters with its back face up",
        "by night what has daybound and is a transforming double-faced card enters with its back face up",
        "by night what has daybound and is a double-faced card enters with its back face up",
    ] == [*said.values()]


def test_the_policy():
    """`POLICY` names the tournament rule by which a judge assumes night: MTR 4.9."""
    assert "MTR 4.9" == POLICY


def test_a_record_without_an_edition():
    """A record that names no edition is cited by the edition of June 2024."""
    game = given(effect("day"), turn(1), turn(2, "Bo"), untap())
    assert ("2024-06-07", ["728.1", "728.2a"]) == (game.game.edition, [change["cr"] for change in game.changes])


def test_a_record_of_another_edition():
    """A record that names an edition gets that edition's numbers, in changes and in triggers."""
    for edition, section in SECTIONS.items():
        with case(edition):
            game = given(enter("v1", VANDAL), turn(1), turn(2, "Bo"), untap(), edition=edition)
            assert [f"{section}.1", CHECKS[edition]] == [change["cr"] for change in game.changes]
            assert [None if edition == FIRST else f"{section}.1a"] == [trigger["cr"] for trigger in game.triggers]


def test_asked_for_another_edition():
    """The edition that `document` is asked for has priority over the one that the record names."""
    game = given(effect("day"), edition="2024-06-07").game
    assert "730.1" == game.document(edition="2025-11-14")["changes"][0]["cr"]


def test_every_consequence_has_a_known_key():
    """The rule of every consequence in this game is one of the known keys."""
    game = given(
        effect("night"), enter("w1"), enter("g1", OLD_WEREWOLF, face="back"), lose("w1"), transform("w1", "g1"),
        ruled("day"),
    )  # fmt: skip
    found = [consequence for moment in game.game for consequence in moment.consequences]
    assert {Transformed} < {type(consequence) for consequence in found}
    assert set() == {consequence.rule for consequence in found} - set(KEYS)
