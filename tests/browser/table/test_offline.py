"""A table whose network comes and goes.

| promise | test |
| --- | --- |
| what is pressed without a network is shown, outlives a reload, and is stored once later | test_kept |
| the page opens without a network at all | test_kept |
| what belongs to a turn that is over is not stored: the page says what happened since; it is dropped | test_stale |
| or a judge is called, and what was to be recorded is said in the dispute | test_judge |
| what is behind a turn that was never begun is asked about too | test_behind |
| what is not sent can be saved as a file | test_saved |
| a window without a database says so, and holds the queue in memory | test_private, test_ordinary |
| it asks before it is closed with something unsent | test_private |
| cuts, reloads, double presses on two phones: one record, each command once, casts in their turn | test_interleavings |
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.browser.table.conftest import KEPT, Phone, Table, turn_at

pytestmark = pytest.mark.browser

PRESS = (
    f"async name => {{ const kept = {KEPT};"
    """
  const passes = (await kept("unsent")).filter(one => one.passes && !one.asked).map(one => one.id);
  const button = document.querySelector(name);
  if (!button || button.disabled || document.querySelector("dialog")) return null;
  const turn = Number(/[0-9]+/.exec(document.querySelector(".place").textContent)[0]);
  button.click();
  return { passes, turn };
}"""
)
"""Press a button, and tell which turn was shown, and which turns were passed before it that nobody has acknowledged."""

ABSENT = "Object.defineProperty(window, 'indexedDB', { value: undefined })"
REFUSED = "IDBFactory.prototype.open = () => { throw new DOMException('no', 'InvalidStateError') }"
"""Windows that keep nothing: one has no database, the other refuses to open it."""


def settle(phone: Phone) -> None:
    """Give the network back, and drop what is asked about, until all is recorded."""
    phone.cut(off=False)
    for _try in range(120):
        drop = phone.page.get_by_role("dialog").get_by_role("button", name="Drop it")
        if drop.count():
            drop.first.click()
        elif not phone.kept("unsent") and phone.page.locator(".link.off").count() == 0:
            return
        phone.page.wait_for_timeout(100)
    raise AssertionError(phone.page.inner_text("body"), phone.kept("unsent"))


def too_late(table: Table) -> Phone:
    """Ana's phone, after a cast without a network that comes back when Bo has passed the turn."""
    ana, bo = table.phone(), table.phone(name="Bo")
    ana.cut()
    ana.press("Spell cast")
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    bo.press("Pass turn")
    bo.recorded()
    ana.cut(off=False)
    return ana


def test_kept(table: Table) -> None:
    ana = table.phone()
    ana.page.evaluate("navigator.serviceWorker.ready")
    ana.cut()
    ana.press("Spell cast")
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    ana.page.reload()
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    ana.page.get_by_text("turn 1 · Ana").wait_for()
    assert len(table.record()) == 4
    ana.cut(off=False)
    ana.recorded()
    assert [one["type"] for one in table.record()[4:]] == ["spell-cast"]


def test_stale(table: Table) -> None:
    ana = too_late(table)
    asked = ana.page.get_by_role("dialog")
    asked.get_by_text("Ana casts a spell").wait_for()
    asked.get_by_text("turn 2").first.wait_for()
    assert ana.axe() == []
    before = table.record()
    asked.get_by_role("button", name="Drop it").click()
    ana.recorded()
    assert table.record() == before
    assert "spell-cast" not in [one["type"] for one in before]


def test_judge(table: Table) -> None:
    ana = too_late(table)
    ana.page.get_by_role("dialog").get_by_role("button", name="Call a judge").click()
    ana.recorded()
    opened, said = table.record()[-2:]
    assert (opened["type"], opened["by"], opened["about"]) == ("dispute-opened", "Ana", 4)
    assert (said["type"], "Ana casts a spell" in said["says"]) == ("dispute-claimed", True)


def test_behind(table: Table) -> None:
    ana, bo = table.phone(), table.phone(name="Bo")
    ana.cut()
    ana.press("Pass turn")
    ana.press("Spell cast")
    ana.page.get_by_text("2 commands are not sent yet").wait_for()
    bo.press("Pass turn")
    bo.recorded()
    before = table.record()
    ana.cut(off=False)
    for _command in range(2):
        ana.page.get_by_role("dialog").get_by_role("button", name="Drop it").click()
        ana.page.wait_for_timeout(150)
    ana.recorded()
    assert table.record() == before


def test_saved(table: Table) -> None:
    ana = table.phone()
    ana.cut()
    ana.press("Spell cast")
    ana.press("Show them")
    with ana.page.expect_download() as saved:
        ana.press("Save them as a file")
    (line,) = saved.value.path().read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["events"] == [{"type": "spell-cast", "player": "Ana"}]


@pytest.mark.parametrize("script", [ABSENT, REFUSED])
def test_private(table: Table, script: str) -> None:
    ana = table.phone(script=script)
    ana.page.get_by_role("note").get_by_text("This window keeps nothing").wait_for()
    ana.cut()
    for button in ("Spell cast", "Pass turn", "Spell cast"):
        ana.press(button)
        ana.page.wait_for_timeout(400)
    ana.page.get_by_text("3 commands are not sent yet").wait_for()
    ana.press("Undo")
    ana.page.get_by_text("2 commands are not sent yet").wait_for()
    asked: list[str] = []
    ana.page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    ana.page.close(run_before_unload=True)
    ana.page.wait_for_timeout(200)
    assert asked == ["beforeunload"]
    ana.cut(off=False)
    ana.recorded()
    record = table.record()[4:]
    assert [one["type"] for one in record] == ["spell-cast", "turn-began", "step-began", "step-began"]


def test_ordinary(table: Table) -> None:
    ana = table.phone()
    assert ana.page.get_by_role("note").count() == 0


@pytest.mark.parametrize("seed", range(3))
def test_interleavings(table: Table, seed: int) -> None:
    interleave(table, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 200))
def test_interleavings_for_long(table: Table, seed: int) -> None:
    interleave(table, seed)


def interleave(table: Table, seed: int) -> None:
    """Two phones do as chance has it; then all is held against the record."""
    chance = random.Random(seed)
    phones = [table.phone(), table.phone(name="Bo")]
    for phone in phones:
        phone.page.evaluate("navigator.serviceWorker.ready")
    pressed: list[tuple[Phone, dict[str, Any], str]] = []
    for _act in range(14):
        phone = chance.choice(phones)
        act = chance.choice(["cast", "cast", "pass", "double", "cut", "join", "reload", "wait"])
        if act in ("cast", "pass", "double"):
            name = ".big.cast" if act == "cast" else ".big.pass"
            known = {one["id"] for store in ("unsent", "sent") for one in phone.kept(store)}
            told = phone.page.evaluate(PRESS, name)
            if act == "double":
                phone.page.evaluate("document.querySelector('.big.pass')?.click()")
            phone.page.wait_for_timeout(80)
            new = [one["id"] for store in ("unsent", "sent") for one in phone.kept(store) if one["id"] not in known]
            assert len(set(new)) <= 1, "two presses within a moment are one"
            if told is not None and new:
                pressed.append((phone, told, new[0]))
            # A finger may go on at once, or after what counts as one press.
            phone.page.wait_for_timeout(chance.choice([0, 400, 1_100]))
        elif act in ("cut", "join"):
            phone.cut(off=act == "cut")
        elif act == "reload":
            phone.page.reload()
            phone.page.locator(".big.cast").wait_for()
        else:
            phone.page.wait_for_timeout(chance.choice([50, 300]))
    for phone in phones:
        settle(phone)
    record = table.record()
    sent = {one["id"]: one for phone in phones for one in phone.kept("sent")}
    # Every acknowledged command is there once, and nothing else is.
    stored = sorted((one["first"], one["last"]) for one in sent.values())
    assert [event for first, last in stored for event in range(first, last + 1)] == [*range(5, len(record) + 1)]
    turns = [one["turn"] for one in record if one["type"] == "turn-began"]
    assert turns == [*range(1, len(turns) + 1)]
    for _phone, told, command in pressed:
        if command not in sent:
            continue
        first = sent[command]["first"]
        assert set(told["passes"]) <= sent.keys(), "what was behind a turn that never began was stored"
        begun = [turn_at(record, sent[one]["last"]) for one in told["passes"]]
        made_in = max([told["turn"], *begun])
        assert turn_at(record, first - 1) == made_in
    for phone in phones:
        phone.page.locator(".recent .n").get_by_text(f"e{len(record)}", exact=True).wait_for()
        assert phone.complaints == []
