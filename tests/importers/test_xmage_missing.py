"""Messages that are missing in XMage's log, or in an impossible place, are reported.

| promise | test |
| --- | --- |
| a missing message is reported, and leads to no finding | test_losses |
| a face that should have turned is reported, without a finding | test_missing |
| a complete log, or one where no change is due, gets no such report | test_nothing_missing |
| a step that an effect skips does not begin | test_skipped_by_an_effect, test_skipped_after_it_began |
"""

import pytest

from tests.importers.test_xmage import CATHAR, RUFFIAN, VANDAL, day
from tests.importers.xmage_logs import Log, findings, read

CHANGES = "Ana - Ability triggers: {The Celestus#ce1} - Whenever day becomes night or night becomes day, you scry."
NIGHT = ("It has become night", RUFFIAN + " transforms into {Tavern Smasher#a22}")


@pytest.mark.parametrize(
    "log, kind",
    [
        (day().say("{Opt#0b1} is countered", "Bo puts {Opt#0b1} from stack into their graveyard"), "unseen"),
        (day().say("Bo scries 1 (source: {Opt#0b1})"), "unseen"),
        (day().turn(number=6), "gap"),
        (day().row("Bo draws a card", "2:14 PM, T4.DR"), "gap"),
        (day().row("Bo draws a card", "2:14 PM, T2.DR"), "order"),
        (day().at("UN", "Ana draws a card"), "order"),
        (day().say("Ana casts {Opt#0b1} from hand", "Ana casts {Opt#0b1} from hand"), "repeated"),
        (day().say("It has become day"), "repeated"),
        (day().say("Itxhas become night"), "changed"),
        (day().say(RUFFIAN + " transforms into {Tavern Smasher#a22}"), "missed"),
        (day().turn().at("DB", "Attacker: {Tavern Smasher#a11} (6/5) unblocked"), "missed"),
        (day().say("Bo cests {Opt#0b1} from hand"), "changed"),
        (day().turn("Bo", number=3), "order"),
        (day().turn("Dan"), "order"),
        (day().turn().at("DB", f"Attacker: {CATHAR} (2/2) unblocked"), "late"),
        (day().say(CATHAR + " transforms into {Moonrage Brute#ca8}"), "late"),
        (day().say("Player request: Rolling back to start of turn 9"), "order"),
        (day().creature("Ana", RUFFIAN), "late"),
        (day().say("Ana casts {Opt#0b1} from hand"), "unresolved"),
        (day().turn().turn().at("M1", CHANGES), "untold"),
        (day().say("Ana puts {Mountain#0b1} plays {Mountain#0b1}"), "changed"),
        (day().say("Ana puts {Mountain#0b1} from hand onto the Battlefield upside down"), "changed"),
        (day().say("{Mountain#0b1}"), "changed"),
        (day().say("Ana [0b3] from exile zone"), "changed"),
        (day().say("Ana from exile zone"), "changed"),
        (day().say("Ana puts {Opt#0b3} from hand into their casts {Shock#0b4} from hand"), "changed"),
        (day().say("Player request: Rolling back to start of turn 1").turn("Bo", number=4), "gap"),
        (day().say("Bo casts Op[0b1] from hand"), "changed"),
        (day().row("Bo casts {Opt#0b1} from hand", "2:14 PM, T4.M1").turn(), "gap"),
        (day().say("Ana draws a card (source: {Opt#0b1}"), "changed"),
        (day().say("Ana draws a card\0"), "changed"),
        (day().say("Bo casts {Shock#0b1} targeting {Tavern Smasher#a11} from hand"), "missed"),
    ],
)  # fmt: skip
def test_losses(log, kind):
    number = log.number
    log.turn(number=max(number, 3) + 1 if kind != "gap" else number + 1).at("UN", "It has become night")
    found = read(log)
    assert found.kinds[kind]
    assert findings(found) == []


@pytest.mark.parametrize(
    "log, kind, sentence",
    [
        (day().turn().turn().at("UN", NIGHT[0]), "unturned", "it is night, and that 'Tavern Ruffian' transformed"),
        (
            day().turn().turn().at("UN", *NIGHT).at("M1").spell("Bo", "{Opt#0b1}").spell("Bo", "{Opt#0b2}")
            .turn().turn().at("UN", "It has become day"),
            "unturned", "it is day, and that 'Tavern Ruffian' transformed",
        ),
    ],
)  # fmt: skip
def test_missing(log, kind, sentence):
    """A missing transformation is reported once, at the end of its turn, and later claims are compared."""
    before = read(log)
    assert kind not in before.kinds
    found = read(log.turn().turn().at("DR", "Ana draws a card"))
    assert found.kinds[kind] == 1
    assert found.report.warnings[kind].sentence.startswith(sentence)
    assert "unheld" not in found.kinds


@pytest.mark.parametrize(
    "log",
    [
        day().turn().turn().at("UN", *NIGHT),
        day().say(RUFFIAN + " phased out").turn().at("M1", "Bo casts {Into the Night#1e1} from hand", NIGHT[0])
        .say("Bo puts {Into the Night#1e1} from stack into their graveyard"),
        day().say("{Tavern Ruffian Token#0a1} enters the battlefield as a token under Ana's control'")
        .turn().turn().at("UN", *NIGHT),
        day().say(f"Ana casts {VANDAL} from hand", f"{VANDAL} is countered by {{Opt#0b1}}"),
        day().say(f"Ana casts {VANDAL} from hand", f"Ana puts {VANDAL} from stack onto the Battlefield"),
        day().say("Ana casts {Petty Theft#0b4} as Adventure spell of {Brazen Borrower#0b5} from hand",
                  "Ana moves {Brazen Borrower#0b5} from stack to the exile zone (source: {Petty Theft#0b4})"),
        day().say("Ana casts {Fire#0b4} from hand", "Ana puts {Fire // Ice#0b5} from stack into their graveyard"),
        day().say("Ana casts a copied {Opt#0b3} from exile zone"),
        day().say("Ana casts {Opt#0b3} from hand", "The current turn ends"),
        day().say("Ana casts {Opt#0b3} from hand").say("Player request: Rolling back to start of turn 3")
        .turn("Ana", number=3),
        day().turn().turn().at("UN", *NIGHT).at("UP", CHANGES),
        day(Log("Ana", "Bo", "Cy")).at("M1", "Ana has conceded.", "Ana has lost the game.").turn("Bo").turn("Cy")
        .at("UN", NIGHT[0]),
        day().say("Ana puts a card from library onto the Battlefield face down", "Ana puts 2 counters on {Opt#0b3}"),
    ],
)  # fmt: skip
def test_nothing_missing(log):
    found = read(log.turn().at("DR", "Bo draws a card"))
    assert not {"unresolved", "unturned", "untold", "unseen"} & set(found.kinds)


def test_skipped_by_an_effect():
    """The record's turn skips a step that an effect skips; the skipped draw step of turn 1 remains in the record."""
    log = day().spell("Ana", VANDAL).creature("Ana", VANDAL).turn().turn().at("UN", "It has become night")
    log.at("UP", "Ana skips Upkeep step (source: {Eon Hub#0e3})").at("DR", "Ana draws a card")
    events = read(log).events()
    [*_others, began] = [event for event in events if event["type"] == "turn-began"]
    assert began["skips"] == ["upkeep"]
    assert [event["step"] for event in events[events.index(began) :] if event["type"] == "step-began"] == [
        "untap",
        "draw",
    ]
    first = Log().turn().at("DR", "Ana skips Draw step")
    assert read(first).events()[1:] == [
        {"type": "turn-began", "turn": 1, "active": ["Ana"]},
        {"type": "step-began", "step": "draw"},
    ]


@pytest.mark.parametrize("what", ["Draw", "Declare Attackers", "Cleanup"])
def test_skipped_after_it_began(what):
    letters = {"Draw": "DR", "Declare Attackers": "DA", "Cleanup": "CL"}[what]
    log = day().turn().at(letters, "Bo draws a card", "Bo skips " + what + " step (source: {Moon#0e4})")
    assert "order" in read(log).kinds
