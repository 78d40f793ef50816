"""A table: a server of one game, and browser windows that each have a link of their own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.browser.conftest import barriers
from tests.browser.served.conftest import Site, alone, ended, started
from tests.web.serving import UNCHECKED

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

KEPT = """store => new Promise((done, failed) => {
  const open = indexedDB.open("daynight.table", 1);
  open.onerror = () => failed(open.error);
  open.onsuccess = () => {
    const all = open.result.transaction(store).objectStore(store).getAll();
    all.onsuccess = () => { open.result.close(); done(all.result); };
    all.onerror = () => failed(all.error);
  };
})"""
"""A script that returns all commands in a store of the browser's database: `unsent` or `sent`."""


WATCHING = ("spectator", "nobody")
"""The roles whose page has no buttons to record something; `nobody` opens the table without a key."""

SETTINGS: dict[str, Any] = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "locale": "en"}


@dataclass
class Phone:
    """A phone: its window, the address of its link, the requests to other hosts, and the errors of its page."""

    context: BrowserContext
    page: Page
    address: str
    elsewhere: list[str]
    complaints: list[str]

    def kept(self, store: str) -> list[dict[str, Any]]:
        """Return the commands in the phone's database; `store` is `unsent` or `sent`."""
        found: list[dict[str, Any]] = self.page.evaluate(KEPT, store)
        return found

    def press(self, name: str) -> None:
        """Press the first button whose name contains `name`."""
        self.page.get_by_role("button", name=name).first.click()

    def cut(self, *, off: bool = True) -> None:
        """Cut the network connection, or restore it."""
        self.context.set_offline(off)

    def recorded(self) -> None:
        """Wait until nothing is unsent and the stream is connected."""
        self.page.get_by_text("All is recorded.").wait_for(timeout=20_000)

    def open(self) -> None:
        """Open the link, also in a window that shows it: for an unchanged address the browser would not reload."""
        self.page.goto("about:blank")
        self.page.goto(self.address)
        self.page.locator(".hand > *").first.wait_for()

    def settle(self) -> None:
        """Restore the network, drop commands that the page asks about, and wait until all others are recorded."""
        self.cut(off=False)
        for _try in range(200):
            drop = self.page.get_by_role("dialog").get_by_role("button", name="Drop it")
            if self.page.locator(".big.cast").count() == 0:
                self.open()
            elif drop.count():
                drop.first.click()
            elif not self.kept("unsent") and self.page.locator(".link.off").count() == 0:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(self.page.inner_text("body"), self.kept("unsent"))

    def close(self) -> None:
        """Close the window."""
        self.context.close()

    def axe(self) -> list[Any]:
        """Return the violations that axe-core finds, each as its rule and the elements' HTML."""
        return [(one["id"], [node["html"] for node in one["nodes"]]) for one in barriers(self.page)["violations"]]


@dataclass
class Table:
    """A served game: the record in its store, and the phones."""

    site: Site
    browser: Browser
    game: str
    phones: list[Phone]

    def asked(self, path: str, body: dict[str, Any]) -> Any:
        """Return the server's answer to a POST with the owner's key."""
        return self.site.sent(path, body)

    def begin(self) -> None:
        """Begin the game and its first turn, which is Ana's."""
        self.asked("/v1/games", {"command": "begin", "game": self.game, "players": ["Ana", "Bo"]})
        self.asked(f"/v1/games/{self.game}/commands", {"command": "first", "expected": 1, "do": "pass-turn"})

    def link(self, role: str, name: str | None, *, rules: bool = False) -> str:
        """Return the address of the table for a role: with a link's key, the owner's, or for `nobody` none.

        `rules`: the player's link may rule that it is day, night or neither, for a game without a judge.
        """
        if role in ("owner", "nobody"):
            return f"{self.site.address}/t/{self.game}" + (f"#k={self.site.owner}" if role == "owner" else "")
        link = {"game": self.game, "role": role} | ({"name": name} if name else {}) | ({"rules": True} if rules else {})
        return str(self.asked("/v1/links", link)["url"]).replace("/g/", "/t/")

    def phone(
        self, role: str = "player", name: str | None = "Ana", language: str = "en", script: str = "",
        *, rules: bool = False, **more: Any,
    ) -> Phone:  # fmt: skip
        """Open a link of this role in a new window, which runs `script` first; return the phone."""
        url = self.link(role, name, rules=rules)
        context = self.browser.new_context(**SETTINGS | {"locale": language} | more)
        context.set_default_timeout(15_000)
        if script:
            context.add_init_script(script)
        page = context.new_page()
        made = Phone(context, page, url, [], [])

        def heard(request: Any) -> None:
            if not request.url.startswith(self.site.address):
                made.elsewhere.append(request.url)

        page.on("request", heard)
        page.on("pageerror", lambda error: made.complaints.append(str(error)))
        page.goto(url)
        page.locator(".hand").get_by_role("paragraph" if role in WATCHING else "button").first.wait_for()
        self.phones.append(made)
        return made

    def record(self) -> list[dict[str, Any]]:
        """The stored events."""
        address = f"{self.site.address}/v1/games/{self.game}/record.jsonl"
        asking = Request(address, headers={"Authorization": f"Bearer {self.site.owner}"})
        for again in range(60):
            try:
                with urlopen(asking, context=UNCHECKED) as answer:
                    return [json.loads(line) for line in answer.read().splitlines()]
            except HTTPError as error:
                # A busy machine may not answer in time.
                if error.code != 503 or again == 59:
                    raise
                time.sleep(1)
        raise AssertionError


Tables = Callable[..., Table]


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of a store in which tests begin games."""
    folder = tmp_path_factory.mktemp("table")
    place = folder / "games.db"
    command = [sys.executable, "-m", "daynight", "new", "first", "Ana", "Bo", "--db", str(place)]
    subprocess.run(command, cwd=folder, env=alone(folder), check=True, capture_output=True)
    found, process = started("--db", str(place), cwd=folder)
    yield found
    ended(process)


@pytest.fixture
def table(server: Site, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Table]:
    """A new game in its first turn, which is Ana's."""
    made = Table(server, browser, f"g{abs(hash(request.node.nodeid)) % 10**9}", [])
    made.begin()
    yield made
    for phone in made.phones:
        phone.close()


def turn_at(record: list[dict[str, Any]], event: int) -> int:
    """Return the number of the turn in which event `event` is, or 0 before the first turn."""
    return max((one["turn"] for one in record[:event] if one["type"] == "turn-began"), default=0)
