"""A table with an unreliable network.

| promise | test |
| --- | --- |
| presses without a network are shown, survive a reload, and are stored once later | test_kept |
| a press is shown as unrecorded from the first moment | test_pressed |
| on a small phone what is not sent stays in sight above the buttons | test_in_sight |
| the page opens without a network | test_kept |
| a command for a finished turn is not stored: the page says what happened since, and offers to drop it | test_stale |
| the page also offers to call a judge; the unrecorded command becomes a statement in the dispute | test_judge |
| if a pass and a cast are unsent, and another phone passes the turn, the page asks about both | test_behind |
| a refused command leaves the queue with a reason, and later ones are stored | test_refused |
| a command at which the server fails leaves the queue after some retries | test_failing |
| unsent commands can be saved as a file | test_saved |
| a window without a database says so, and keeps the queue in memory | test_private, test_ordinary |
| a command undone before it is sent is never stored | test_taken_back |
| an undo before the acknowledgement of a command is stored as a back-up | test_late, test_lost |
| the browser asks before it closes a window with unsent commands | test_private |
| cuts, reloads, double presses on two phones: each command is stored once, in its turn | test_interleavings |
| once the server answers again, nothing is shown as old, also if there is nothing left to send | test_not_old |
"""

import json

import pytest

from tests.browser.table.interleaving import interleave

ABSENT = "Object.defineProperty(window, 'indexedDB', { value: undefined })"
REFUSED = "IDBFactory.prototype.open = () => { throw new DOMException('no', 'InvalidStateError') }"
"""Scripts for windows without storage: `ABSENT` removes the database, `REFUSED` lets opening it fail."""


def too_late(table):
    """Ana casts without a network, Bo passes the turn, and the network is back; return Ana's phone."""
    ana, bo = table.phone(), table.phone(name="Bo")
    ana.cut()
    ana.press("Spell cast")
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    bo.press("Pass turn")
    bo.recorded()
    ana.cut(off=False)
    return ana


@pytest.mark.parametrize("width, height, language", [(320, 640, "fr"), (320, 568, "fr"), (390, 600, "ja")])
def test_in_sight(table, width, height, language):
    ana = table.phone(language=language, viewport={"width": width, "height": height})
    ana.cut()
    ana.page.locator(".big.cast").click()
    shown = ana.page.locator(".link.off button")
    shown.wait_for()
    ana.page.wait_for_function(
        """one => {
          const [box, hand] = [one, document.querySelector(".hand")].map(each => each.getBoundingClientRect());
          const middle = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
          return one.contains(middle) && box.bottom <= hand.top + 1;
        }""",
        arg=shown.element_handle(),
    )


def test_kept(table):
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


def test_stale(table):
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


def test_judge(table):
    ana = too_late(table)
    ana.page.get_by_role("dialog").get_by_role("button", name="Call a judge").click()
    ana.page.get_by_role("dialog").wait_for(state="detached")
    opened, said = table.record()[-2:]
    assert (opened["type"], opened["by"], opened["about"]) == ("dispute-opened", "Ana", 4)
    assert (said["type"], "Ana casts a spell" in said["says"]) == ("dispute-claimed", True)


PRESSED = """async (button) => {
  button.click();
  for (let look = 0; look < 5; look += 1) await null;
  return document.querySelector("p.link").innerText;
}"""
"""A script that presses a button, and returns the text about unsent commands before the database can be written."""


def test_pressed(table):
    ana = table.phone()
    ana.recorded()
    assert "1 command is not sent yet" in ana.page.get_by_role("button", name="Spell cast").first.evaluate(PRESSED)
    ana.recorded()
    assert "spell-cast" == table.record()[-1]["type"]


def test_behind(table):
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


def test_refused(table):
    ana = table.phone()
    for change in ("entered", "left"):
        ruffian = [{"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}] if change == "entered" else ["w1"]
        if change == "left":
            ana.page.get_by_text("Tavern Ruffian").wait_for()
            ana.cut()
            ana.press("More …")
            ana.page.get_by_text("A permanent leaves").click()
            ana.press("Tavern Ruffian")
            ana.press("Spell cast")
            ana.page.get_by_text("2 commands are not sent yet").wait_for()
        event = {"type": f"permanents-{change}", "permanents": ruffian}
        table.asked(f"/v1/games/{table.game}/commands", {"command": change, "seen": 4, "events": [event]})
    ana.cut(off=False)
    asked = ana.page.get_by_role("dialog")
    asked.get_by_text("Tavern Ruffian leaves").wait_for()
    asked.get_by_text("w1").wait_for()
    asked.get_by_role("button", name="Close").click()
    ana.recorded()
    assert table.record()[-1]["type"] == "spell-cast"
    ana.press("Pass turn")
    ana.page.get_by_text("turn 2 · Bo").wait_for()
    ana.page.reload()
    ana.page.get_by_role("dialog").get_by_role("button", name="Drop it").click()
    ana.page.get_by_text("not recorded").first.wait_for(state="detached")


def test_failing(table):
    ana, failed = table.phone(), []

    def fail(route):
        failed.append(route.request.post_data_json["command"])
        if failed[-1] == failed[0]:
            route.fulfill(status=500, content_type="application/problem+json", body='{"type": "urn:daynight:bug"}')
        else:
            route.continue_()

    ana.page.route("**/commands*", fail)
    ana.press("Spell cast")
    ana.press("Pass turn")
    ana.page.get_by_role("dialog").get_by_text("The server fails over this.").wait_for()
    ana.page.get_by_text("turn 2 · Bo").wait_for()
    assert [one["type"] for one in table.record()[4:]] == ["turn-began", "step-began", "step-began"]


def test_saved(table):
    ana = table.phone()
    ana.cut()
    ana.press("Spell cast")
    ana.press("Show them")
    with ana.page.expect_download() as saved:
        ana.press("Save them as a file")
    (line,) = saved.value.path().read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["events"] == [{"type": "spell-cast", "player": "Ana"}]


def test_taken_back(table):
    ana = table.phone()
    ana.cut()
    ana.press("Spell cast")
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    ana.press("Undo")
    ana.page.get_by_text("1 command is not sent yet").wait_for(state="detached")
    ana.cut(off=False)
    ana.press("Pass turn")
    ana.page.get_by_text("turn 2 · Bo").wait_for()
    assert "spell-cast" not in [one["type"] for one in table.record()]


def taken_back(table):
    """Assert that the record got one cast, and then one back-up, and nothing else."""
    assert [one["type"] for one in table.record()[4:]] == ["spell-cast", "game-backed-up"]


def test_late(table):
    """The server has stored the cast, and its answer is delayed: an undo meanwhile is stored as a back-up."""
    ana, answers = table.phone(), []
    ana.page.route("**/commands*", lambda route: answers.append((route, route.fetch())))
    ana.press("Spell cast")
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    while not answers:
        ana.page.wait_for_timeout(50)
    ana.press("Undo")
    ana.page.locator(".recent").get_by_text("taken back").wait_for()
    for route, answer in answers:
        route.fulfill(response=answer)
    ana.page.locator(".recent").get_by_text("e6").wait_for()
    ana.recorded()
    taken_back(table)


def test_lost(table):
    """The server has stored the cast, and its answer was lost: after a reload the undo is stored as a back-up."""
    ana = table.phone()

    def lose(route):
        route.fetch()
        route.abort()

    ana.page.route("**/commands*", lose)
    ana.press("Spell cast")
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    while len(table.record()) < 5:
        ana.page.wait_for_timeout(50)
    ana.page.wait_for_timeout(200)
    ana.press("Undo")
    ana.page.locator(".recent").get_by_text("taken back").wait_for()
    ana.open()
    ana.page.unroute_all(behavior="ignoreErrors")
    ana.recorded()
    ana.page.locator(".recent").get_by_text("e6").wait_for()
    taken_back(table)


@pytest.mark.parametrize("script", [ABSENT, REFUSED])
def test_private(table, script):
    ana = table.phone(script=script)
    ana.page.get_by_role("note").get_by_text("This window keeps nothing").wait_for()
    ana.cut()
    for button in ("Spell cast", "Pass turn", "Spell cast"):
        ana.press(button)
        ana.page.wait_for_timeout(400)
    ana.page.get_by_text("3 commands are not sent yet").wait_for()
    ana.press("Undo")
    ana.page.get_by_text("2 commands are not sent yet").wait_for()
    asked = []
    ana.page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    ana.page.close(run_before_unload=True)
    ana.page.wait_for_timeout(200)
    assert asked == ["beforeunload"]
    ana.cut(off=False)
    ana.recorded()
    record = table.record()[4:]
    assert [one["type"] for one in record] == ["spell-cast", "turn-began", "step-began", "step-began"]


def test_ordinary(table):
    assert table.phone().page.get_by_role("note").count() == 0


@pytest.mark.parametrize("seed", range(3))
def test_interleavings(table, seed):
    interleave(table, seed)


# test_kills has two hundred more, with kills among the acts.
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 40))
def test_interleavings_for_long(table, seed):
    interleave(table, seed)


def test_not_old(table):
    """The only unsent cast is undone offline: when the network is back, the page is no longer marked as old."""
    ana = table.phone()
    ana.cut()
    ana.press("Spell cast")
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    ana.page.locator(".table.off").wait_for()
    ana.press("Undo")
    ana.page.get_by_text("No connection").wait_for()
    ana.cut(off=False)
    ana.recorded()
    ana.page.locator(".table:not(.off)").wait_for(timeout=5_000)
    ana.page.get_by_text("turn 1 · Ana", exact=True).wait_for(timeout=5_000)
