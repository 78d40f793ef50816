"""Two phones at a table act at random; then their commands are compared with the record."""

import random
from contextlib import nullcontext
from typing import Any

from tests.browser.table.conftest import KEPT, Phone, Table, turn_at
from tests.browser.table.mortal import Lone, Mortal, forgiven

ACTS = ("cast", "cast", "pass", "double", "cut", "join", "reload", "wait")

PRESS = (
    f"async ([name, twice]) => {{ const kept = {KEPT};"
    """
  const passes = (await kept("unsent")).filter(one => one.passes && !one.asked).map(one => one.id);
  const button = document.querySelector(name);
  if (!button || button.disabled || document.querySelector("dialog")) return null;
  const turn = Number(/[0-9]+/.exec(document.querySelector(".place").textContent)[0]);
  button.click();
  if (twice) button.click();
  return { passes, turn };
}"""
)
"""A script that presses a button; returns `turn`, as shown, and `passes`, ids of unsent commands that pass a turn.

It returns null if the button cannot be pressed. If `twice`, both presses are in one script, because on a busy machine
a second script might come too late for two presses to count as one.
"""


class Interleaving:
    """Random acts of phones; `pressed` has the result of `PRESS` and the command's id for each press that made one."""

    def __init__(self, table: Table, seed: int, acts: tuple[str, ...] = ACTS) -> None:
        self.table = table
        self.chance = random.Random(seed)
        self.acts = acts
        self.pressed: list[tuple[dict[str, Any], str]] = []

    def run(self, phones: list[Phone], most: int = 14) -> None:
        """Perform `most` random acts; then wait until all commands are recorded, and compare them with the record."""
        for phone in phones:
            phone.page.evaluate("navigator.serviceWorker.ready")
        for _act in range(most):
            act = self.chance.choice(self.acts)
            if isinstance(self.table, Mortal) and act in ("fall", "rise"):
                self.table.fall() if act == "fall" else self.table.rise()
            else:
                self.do(self.chance.choice(phones), act)
        if isinstance(self.table, Mortal):
            self.table.rise()
        for phone in phones:
            phone.settle()
        self.hold(phones)

    def do(self, phone: Phone, act: str) -> None:
        """Perform `act`, one of `acts`, on `phone`."""
        if isinstance(phone, Lone) and not phone.shown:
            # The browser was killed while the server was down, before it had cached the page: open the link again.
            with forgiven():
                phone.open()
        elif act in ("cast", "pass", "double"):
            self.press(phone, act)
        elif act in ("cut", "join"):
            phone.cut(off=act == "cut")
        elif act == "reload":
            with forgiven() if isinstance(phone, Lone) else nullcontext():
                phone.page.reload()
                phone.page.locator(".hand > *").first.wait_for()
        elif isinstance(phone, Lone) and act == "kill":
            if self.chance.random() < 0.5:
                # Whether this command was stored in the browser is unknown; if it was, it counts like any other.
                phone.page.evaluate("document.querySelector('.big.cast:not(:disabled)')?.click()")
            phone.kill()
        else:
            phone.page.wait_for_timeout(self.chance.choice([50, 300]))

    def press(self, phone: Phone, act: str) -> None:
        """Press the button for a cast or, for `pass` and `double`, to pass the turn; `double` presses it twice."""
        name = ".big.cast" if act == "cast" else ".big.pass"
        known = {one["id"] for store in ("unsent", "sent") for one in phone.kept(store)}
        told = phone.page.evaluate(PRESS, [name, act == "double"])
        phone.page.wait_for_timeout(80)
        new = {one["id"] for store in ("unsent", "sent") for one in phone.kept(store)} - known
        assert len(new) <= 1, "two presses within a moment are one"
        if told is not None and new:
            self.pressed.append((told, new.pop()))
        # The next press may come at once, or after the time in which two presses count as one.
        phone.page.wait_for_timeout(self.chance.choice([0, 400, 1_100]))

    def hold(self, phones: list[Phone]) -> None:
        """Assert that all is stored once, presses in the turn then shown or unsent, and phones show the last event."""
        record = self.table.record()
        sent = {one["id"]: one for phone in phones for one in phone.kept("sent")}
        stored = sorted((one["first"], one["last"]) for one in sent.values())
        assert [event for first, last in stored for event in range(first, last + 1)] == [*range(5, len(record) + 1)]
        turns = [one["turn"] for one in record if one["type"] == "turn-began"]
        assert turns == [*range(1, len(turns) + 1)]
        for told, command in self.pressed:
            if command not in sent:
                continue
            assert set(told["passes"]) <= sent.keys(), "what was behind a turn that never began was stored"
            begun = [turn_at(record, sent[one]["last"]) for one in told["passes"]]
            assert turn_at(record, sent[command]["first"] - 1) == max([told["turn"], *begun])
        for phone in phones:
            phone.page.locator(".recent .n").get_by_text(f"e{len(record)}", exact=True).wait_for()
            assert phone.complaints == []


def interleave(table: Table, seed: int) -> None:
    """Two phones act at random, with cut connections, reloads and double presses."""
    Interleaving(table, seed).run([table.phone(), table.phone(name="Bo")])
