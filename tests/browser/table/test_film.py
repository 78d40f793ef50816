"""Twelve turns with two players' phones and a judge's: a wrong claim, a ruling, a forgotten turn, a replaced phone.

| promise | test |
| --- | --- |
| the record has the played turns and casts; the audit contradicts only Bo's wrong claim in turn 4 | test_film |
"""

import json

from daynight import Game
from daynight.records import Held
from tests.browser.table.conftest import turn_at


def more(phone, *presses):
    """Open the menu "More …", and press the buttons `presses` of its dialog one after another."""
    phone.press("More …")
    for press in presses:
        phone.page.get_by_role("dialog").get_by_text(press, exact=True).first.click()


def says(phone, word):
    """Claim on `phone` that it is `word`, and wait until the claim is recorded."""
    more(phone, "I say that it is …")
    folded = phone.page.get_by_role("dialog").locator("details", has_text="I say that it is …")
    folded.get_by_role("button", name=word, exact=True).click()
    phone.recorded()


def reached(phone, turn, player):
    """Wait until `phone` shows turn `turn` of `player`."""
    phone.page.get_by_text(f"turn {turn} · {player}").wait_for()


def passed(phone, turn, player):
    """Pass the turn on `phone`, and wait until it shows the next turn: `turn` of `player`."""
    phone.page.wait_for_timeout(1_000)
    phone.press("Pass turn")
    reached(phone, turn, player)


def test_film(table):
    ana, bo, judge = table.phone(), table.phone(name="Bo"), table.phone("judge", "Jo")
    # Turn 1: Ana casts a Werewolf, and it enters. Turn 2: Bo casts. Turn 3: nobody does.
    ana.page.get_by_role("button", name="Spell cast").first.click(delay=800)
    ana.page.get_by_label("Card").fill("Tavern Ruffian")
    ana.page.get_by_role("dialog").get_by_role("button", name="Spell cast").click()
    ana.press("Tavern Ruffian entered")
    passed(ana, 2, "Bo")
    reached(bo, 2, "Bo")
    bo.press("Spell cast")
    bo.recorded()
    passed(bo, 3, "Ana")
    passed(ana, 4, "Bo")
    bo.page.locator(".now").get_by_text("night", exact=True).wait_for()
    # Turn 4: Bo is wrong, Ana calls, Jo rules.
    says(bo, "day")
    more(ana, "Call a judge")
    ana.page.get_by_text("a judge is called").wait_for(state="attached")
    more(judge, "Where are we? …")
    judge.page.get_by_text("I rule that it is …").click()
    judge.page.get_by_role("dialog").get_by_role("button", name="night", exact=True).click()
    judge.page.get_by_role("dialog").wait_for(state="detached")
    passed(bo, 5, "Ana")
    # Turns 5 to 7: Ana's phone has no network; what she presses stays in turn 5.
    reached(ana, 5, "Ana")
    ana.cut()
    ana.press("Spell cast")
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    for turn, player in ((6, "Bo"), (7, "Ana"), (8, "Bo")):
        passed(bo, turn, player)
    # She replaces the phone; the old one is found later, and its unsent press is too late.
    new = table.phone()
    reached(new, 8, "Bo")
    ana.cut(off=False)
    ana.page.get_by_role("dialog", name="Not recorded").get_by_role("button", name="Drop it").click()
    ana.close()
    table.phones.remove(ana)
    # Two of Ana's spells in turn 7 were forgotten: it has been day since turn 8. Jo corrects that.
    more(judge, "Put it right …")
    for _spell in range(2):
        judge.page.get_by_label("turn 7, Ana: one spell more").click()
    judge.page.get_by_role("button", name="Store it").and_(judge.page.locator(":enabled")).click()
    judge.page.get_by_role("dialog").wait_for(state="detached")
    new.page.locator(".now").get_by_text("day", exact=True).wait_for()
    # A press that Ana undoes is not a cast.
    new.press("Ana casts")
    new.recorded()
    new.page.get_by_role("button", name="Undo").and_(new.page.locator(":enabled")).click()
    new.page.get_by_text("Ana backs the game up").first.wait_for()
    # Nobody presses until turn 12; of the turns between only one spell is remembered.
    more(new, "Where are we? …")
    new.page.get_by_label("It is turn", exact=True).fill("12")
    new.page.get_by_label("It is the turn of").select_option("Bo")
    new.page.get_by_label("turn 9, Ana: spells").fill("1")
    new.page.get_by_role("button", name="Catch up").click()
    reached(bo, 12, "Bo")
    bo.page.get_by_text("if nobody can tell: night (MTR 4.9)").wait_for()
    says(bo, "day")
    record = table.record()
    game = Game.load(Held("film.jsonl", b"".join(json.dumps(one).encode() + b"\n" for one in record)))
    there = [(number, one) for number, one in enumerate(record, 1) if game.stands(number)]
    lines = [one for _number, one in there]
    casts = [
        (turn_at(lines, place), one["player"]) for place, one in enumerate(lines, 1) if one["type"] == "spell-cast"
    ]
    assert casts == [(1, "Ana"), (2, "Bo"), (7, "Ana"), (7, "Ana"), (9, "Ana")]
    assert [one["turn"] for one in lines if one["type"] == "turn-began"] == [*range(1, 13)]
    assert [one["turn"] for one in lines if (one.get("meta") or {}).get("unwritten")] == [9, 10, 11]
    audit = game.audit()
    wrong = [one for one in audit.findings if not one.undone]
    assert [(turn_at(lines, place), one["by"]) for place, (number, one) in enumerate(there, 1)
            if number in {each.event for each in wrong}] == [(4, "Bo")]  # fmt: skip
    assert [one.event for one in audit.unsettled] == [len(record)]
    assert game.state.designation is None
    assert [phone.complaints for phone in table.phones] == [[], [], []]
