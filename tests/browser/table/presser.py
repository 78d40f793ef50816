"""A phone whose visible controls are pressed at random."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Response

    from tests.browser.table.conftest import Phone

TEXTS = ("Opt", "Tavern Ruffian", "", "x" * 300, "<b>")
NUMBERS = ("0", "1", "2", "99", "-1", "")
"""`TEXTS` are written into fields for text, `NUMBERS` into fields for numbers."""

HELD = (0, 0, 0, 800)
WAITS = (0, 50, 500)
"""`HELD`: how long a control is pressed; `WAITS`: how long until the next press; both in milliseconds."""

OLD = ".link.off, .table.off"
"""What the page shows while it is not connected, or not sure that it shows the latest."""

AWAY = 0.1
"""The share of presses for which links to other pages may be chosen: coming back takes long."""

CHOOSE = """([part, away]) => {
  document.querySelectorAll("details").forEach(one => { one.open = true });
  document.querySelectorAll("[data-chosen]").forEach(one => one.removeAttribute("data-chosen"));
  const kinds = "button, input, select, textarea" + (away ? ", a[href]" : "");
  const screen = document.querySelector("dialog[open]") ?? document;
  const found = [...screen.querySelectorAll(kinds)].filter(one => !one.disabled && one.checkVisibility());
  const one = found[Math.floor(part * found.length)];
  if (!one) return null;
  one.setAttribute("data-chosen", "");
  const kind = one.matches("select") ? "select" : one.readOnly || !one.matches("input, textarea") ? "" : one.type;
  const heading = one.closest("details")?.firstElementChild.innerText ?? "";
  return { kind, name: `${heading} / ${one.ariaLabel ?? one.innerText ?? ""}`.replace(/\\s+/g, " ") };
}"""
"""Opens all folded parts, marks a visible enabled control (of an open dialog, if any), returns its kind and name."""

CLOSE = """asks => {
  const dialog = document.querySelector("dialog[open]");
  if (!dialog) {
    if (asks) document.querySelector(".link button")?.click();
  } else if (asks && dialog.querySelector(".sheet > p:first-child > strong")) {
    dialog.querySelector("button.main").click();
  } else {
    dialog.querySelector("header button").click();
  }
  return dialog !== null || asks;
}"""
"""Closes a dialog, dropping the command that it asks about, or opens the one that asks; returns false if neither."""


class Presser:
    """A phone, what was pressed on it, and the requests that were refused."""

    def __init__(self, phone: Phone, name: str, chance: Random) -> None:
        self.phone, self.page, self.name, self.chance = phone, phone.page, name, chance
        self.refused: list[tuple[int, str, str, str | None]] = []
        self.page.on("response", self.heard)

    def heard(self, response: Response) -> None:
        """Print the request of `response`, and add it to `refused`, if the status is 400 or more."""
        if response.status >= 400:
            asked = response.request
            one = (response.status, asked.method, asked.url.partition("/v1")[2], asked.post_data)
            self.tell(str(one))
            self.refused.append(one)

    def tell(self, what: str) -> None:
        """Print what was done: pytest shows it if the test fails."""
        print(f"{self.name}: {what}", flush=True)

    def cut(self, *, off: bool) -> None:
        """Cut the network connection, or restore it."""
        self.tell("cut" if off else "joined")
        self.phone.cut(off=off)

    def act(self) -> None:
        """Press a visible control, or fill it in."""
        from playwright.sync_api import Error

        found = self.page.evaluate(CHOOSE, [self.chance.random(), self.chance.random() < AWAY])
        held, wait = self.chance.choice(HELD), self.chance.choice(WAITS)
        if found is None:
            return
        self.tell(f"{found['name']}{' held' if held else ''}")
        try:
            self.use(self.page.locator("[data-chosen]"), found["kind"], held)
        except Error as error:
            # Another phone's press may have removed it.
            self.tell(str(error).partition("\n")[0])
        self.page.wait_for_timeout(wait)
        if "/t/" not in self.page.url:
            self.page.go_back()
            self.page.locator(".hand > *").first.wait_for()

    def use(self, place: Locator, kind: str, held: int) -> None:
        """Select or write a random value, or press for `held` milliseconds, by the `kind` of the control."""
        if kind == "select":
            place.select_option(index=self.chance.randrange(place.locator("option").count()), timeout=2_000)
        elif kind in ("text", "number"):
            place.fill(self.chance.choice(NUMBERS if kind == "number" else TEXTS), timeout=2_000)
        else:
            place.click(timeout=2_000, delay=held, force=True)

    def settle(self) -> None:
        """Restore the network, close all dialogs, drop what was refused, and wait until all else is recorded."""
        self.phone.cut(off=False)
        for _look in range(300):
            asks = bool(self.asked())
            # A dialog may open or close by itself at any moment: each look decides anew.
            if not self.page.evaluate(CLOSE, asks) and not self.waiting() and self.page.locator(OLD).count() == 0:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(self.name, self.page.inner_text("body"), self.waiting())

    def asked(self) -> list[Any]:
        """The commands that were refused, about which the page asks."""
        return [one for one in self.phone.kept("unsent") if one.get("asked")]

    def waiting(self) -> list[Any]:
        """Return the unsent commands, and the sent ones that are still to be undone."""
        return [*self.phone.kept("unsent"), *(one for one in self.phone.kept("sent") if one.get("undone"))]

    def shows(self, last: int) -> None:
        """Wait until the page shows this event as the last."""
        self.page.locator(".recent .n").first.get_by_text(f"e{last}", exact=True).wait_for()

    def sky(self) -> tuple[str, ...]:
        """Return the classes of the page, which colour its sky, and the numbers in the line that names the turn."""
        classes = self.page.locator(".table").get_attribute("class")
        return (str(classes), *re.findall(r"\d+", self.page.locator(".place").first.inner_text()))
