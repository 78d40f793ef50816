"""A real server of a store with the example games, and a browser window for its page.

Requests to other hosts are recorded and blocked; the browser's error messages are recorded too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.request import Request, urlopen

import pytest

from tests.browser.conftest import barriers
from tests.web.serving import UNCHECKED

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

ROOT = Path(__file__).resolve().parents[3]
GAMES = ROOT / "examples/games"
SETTLED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@dataclass(frozen=True, slots=True)
class Site:
    """A running server: its address, and the owner's key."""

    address: str
    owner: str

    def json(self, path: str) -> Any:
        """Return the JSON answer to a GET request without a key."""
        with urlopen(self.address + path, context=UNCHECKED) as answer:
            return json.load(answer)

    def sent(self, path: str, body: dict[str, Any]) -> Any:
        """Return the JSON answer to a POST request with the owner's key."""
        headers = {"Authorization": f"Bearer {self.owner}", "Content-Type": "application/json"}
        with urlopen(Request(self.address + path, json.dumps(body).encode(), headers), context=UNCHECKED) as answer:
            return json.load(answer)


Running = tuple[Site, "subprocess.Popen[str]"]


def started(*arguments: str, program: tuple[str, ...] = ("-m", "daynight"), cwd: Path, port: int = 0) -> Running:
    """Start a server in a new process, and wait until it prints its address; return its site and the process."""
    command = [sys.executable, *program, "serve", *arguments, "--port", str(port), "--json"]
    process = subprocess.Popen(command, cwd=cwd, env=alone(cwd), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    return Site(told["address"], told["owner"]), process


def alone(folder: Path) -> dict[str, str]:
    """Return environment variables with which daynight does not find the user's own key.

    The key remembers the games that it has signed, and would refuse others with the same names.
    """
    return {**os.environ, "XDG_CONFIG_HOME": str(folder)}


def ended(process: subprocess.Popen[str]) -> None:
    """Stop the server; how soon it ends is tested elsewhere, and a busy machine takes longer."""
    process.terminate()
    process.wait(timeout=60)
    assert process.stdout is not None
    process.stdout.close()


def stored(folder: Path, *records: str | Path) -> Path:
    """Import `records` into a new store; return the path of its database."""
    place = folder / "games.db"
    command = [sys.executable, "-m", "daynight", "import", *map(str, records), "--db", str(place), "--json"]
    subprocess.run(command, cwd=folder, env=alone(folder), check=True, capture_output=True)
    return place


def long(path: Path, events: int) -> Path:
    """Write a game of `events` events: turns with an untap step, in some of which Ana casts spells; return `path`."""
    lines = ['{"type":"game-started","format":1,"game":"long","players":["Ana","Bo"]}']
    turn = 0
    while len(lines) < events:
        turn += 1
        lines.append(f'{{"type":"turn-began","turn":{turn},"active":["{("Bo", "Ana")[turn % 2]}"]}}')
        lines.append('{"type":"step-began","step":"untap"}')
        if turn == 1:
            ruffian = '{"id":"w1","card":"Tavern Ruffian","controller":"Ana"}'
            lines.append(f'{{"type":"permanents-entered","permanents":[{ruffian}]}}')
        if turn % 5 in (1, 3):
            lines += ['{"type":"spell-cast","player":"Ana","card":"Opt"}'] * (1 + turn % 2)
    path.write_text("\n".join(lines[:events]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of the example games and one branch; tests must not change them."""
    folder = tmp_path_factory.mktemp("site")
    found, process = started("--db", str(stored(folder, "demo", *sorted(GAMES.glob("*.jsonl")))), cwd=folder)
    found.sent("/v1/games/clone/what-if", {"edits": [{"at": 11, "drop": True}], "keep": "b2"})
    yield found
    ended(process)


@dataclass
class Window:
    """A browser window on a site: its page, the requests to the site and to others, and the error messages."""

    page: Page
    site: Site
    asked: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    under_way: set[Any] = field(default_factory=set)

    def go(self, path: str, *, ready: str = ".now, .games li") -> Window:
        """Open an address of the site, and wait until the page shows its content."""
        self.page.goto("about:blank")
        self.page.goto(self.site.address + path)
        self.page.wait_for_selector(ready)
        self.rest()
        return self

    def rest(self) -> Window:
        """Wait until no request is running and everything is drawn."""
        # The requests for a resting place are sent with a short delay.
        self.page.wait_for_timeout(200)
        quiet = 0
        while quiet < 4:
            quiet = 0 if self.under_way else quiet + 1
            self.page.wait_for_timeout(20)
        self.page.evaluate(SETTLED)
        return self

    def opened(self) -> Window:
        """Wait until a game's page has finished its first requests; the timeline's marks come last."""
        for _try in range(500):
            if any("/marks" in one for one in self.asked):
                return self.rest()
            self.page.wait_for_timeout(20)
        raise AssertionError("its marks were not asked for")

    def press(self, *keys: str) -> Window:
        """Press keys one after the other, and wait as `rest` does."""
        for key in keys:
            self.page.keyboard.press(key)
        return self.rest()

    def axe(self) -> dict[str, Any]:
        """The findings of axe-core."""
        return barriers(self.page)

    def text(self, selector: str) -> str:
        """The text of the first element for `selector`, with white space collapsed."""
        return " ".join((self.page.text_content(selector) or "").split())

    @property
    def place(self) -> str:
        """The fragment of the page's address, like `#e=122`; it names the moment."""
        return str(self.page.evaluate("location.hash"))


Opens = Callable[..., Window]


@pytest.fixture
def opens(browser: Browser, site: Site) -> Iterator[Opens]:
    """A function that opens a `Window`, like `opens(scheme="dark", width=320, language="fr")`."""
    contexts = []

    def window(
        *, of: Site = site, scheme: Literal["light", "dark"] = "light", width: int = 1280, height: int = 800,
        language: str = "en", **more: Any,
    ) -> Window:  # fmt: skip
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale=language, **more
        )
        contexts.append(context)
        context.set_default_timeout(30_000)
        page = context.new_page()
        made = Window(page, of)

        def heard(route: Route) -> None:
            if route.request.url.startswith(of.address + "/"):
                made.asked.append(route.request.url.removeprefix(of.address))
                route.continue_()
            else:
                made.elsewhere.append(route.request.url)
                route.abort()

        page.route("**/*", heard)

        def begun(request: Any) -> None:
            if request.resource_type != "eventsource":
                made.under_way.add(request)

        def done(request: Any) -> None:
            made.under_way.discard(request)

        page.on("request", begun)
        page.on("requestfinished", done)
        page.on("requestfailed", done)
        page.on("console", lambda message: made.complaints.append(message.text))
        page.on("pageerror", lambda error: made.complaints.append(str(error)))
        return made

    yield window
    for context in contexts:
        context.close()
