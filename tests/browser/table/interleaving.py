"""Two phones at a table do as chance has it; then what they did is held against the record."""

import random
from contextlib import nullcontext
from typing import Any

from tests.browser.table.conftest import KEPT, Phone, Table, turn_at
from tests.browser.table.mortal import Lone, Mortal, forgiven

ACTS = ("cast", "cast", "pass", "double", "cut", "join", "reload", "wait")

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


class Interleaving:
    """What two phones pressed, as far as they had kept it a moment later."""

    def __init__(self, table: Table, seed: int, acts: tuple[str, ...] = ACTS) -> None:
        self.table = table
        self.chance = random.Random(seed)
        self.acts = acts
        self.pressed: list[tuple[dict[str, Any], str]] = []

    def run(self, phones: list[Phone], most: int = 14) -> None:
        """So many acts; then all is settled, and held against the record."""
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
        """One act of one phone."""
        if isinstance(phone, Lone) and not phone.shown:
            # It was killed while nobody answered, before its page was kept: the link is opened again.
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
                # Nobody knows whether this one was kept: if it was, it is as good as any other.
                phone.page.evaluate("document.querySelector('.big.cast:not(:disabled)')?.click()")
            phone.kill()
        else:
            phone.page.wait_for_timeout(self.chance.choice([50, 300]))

    def press(self, phone: Phone, act: str) -> None:
        """A button, once or twice."""
        name = ".big.cast" if act == "cast" else ".big.pass"
        known = {one["id"] for store in ("unsent", "sent") for one in phone.kept(store)}
        told = phone.page.evaluate(PRESS, name)
        if act == "double":
            phone.page.evaluate("document.querySelector('.big.pass')?.click()")
        phone.page.wait_for_timeout(80)
        new = {one["id"] for store in ("unsent", "sent") for one in phone.kept(store)} - known
        assert len(new) <= 1, "two presses within a moment are one"
        if told is not None and new:
            self.pressed.append((told, new.pop()))
        # A finger may go on at once, or after what counts as one press.
        phone.page.wait_for_timeout(self.chance.choice([0, 400, 1_100]))

    def hold(self, phones: list[Phone]) -> None:
        """Every acknowledged command is stored once, and nothing else; turns once; casts in their turn; all see it."""
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
    """Cuts, reloads, double presses."""
    Interleaving(table, seed).run([table.phone(), table.phone(name="Bo")])
