"""A real Chromium, driven by Playwright and without a network; and axe-core, which finds accessibility barriers.

Without Chromium or Playwright the tests are skipped; if the environment variable CI is set, they fail.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = Path(os.environ.get("DAYNIGHT_CHROMIUM", "/usr/bin/chromium"))

ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice")
"""The axe tags that are checked: WCAG 2.0 to 2.2, A and AA, and best practices."""

TRIED = ("label-content-name-mismatch", "table-fake-caption", "td-has-header", "css-orientation-lock")
"""The experimental rules of axe that are checked too.

The others were tried and left out: hidden-content reports everything hidden, focus-order-semantics reports headings
that get the focus on purpose, and p-as-heading reports the large word for day or night on the page of the table.
"""

CANNOT_TELL = (
    "Element content contains only non-text characters",
    "Element content is too short to determine if it is actual text content",
    "Element's background color could not be determined because it is overlapped by another element",
)
"""axe's messages about what it cannot decide: signs beside words, single letters, and text on a box of the timeline.

A test of its own checks the contrast of the text on the timeline.
"""


SCROLLED_AWAY = "Element's background color could not be determined because it's partially obscured by another element"
"""axe's message about text that is scrolled out of its box; other tests measure its contrast."""


def barriers(page: Page) -> dict[str, Any]:
    """The findings of axe-core in a page: violations, and undecided cases."""
    # The script is evaluated through the debugger, so the page's security policy stays in force.
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    look = "([tags, rules]) => axe.run(document, {runOnly: {type: 'tag', values: tags}, rules, resultTypes: RESULTS})"
    rules = {rule: {"enabled": True} for rule in TRIED}
    found: dict[str, Any] = page.evaluate(look.replace("RESULTS", "['violations', 'incomplete']"), [list(RULES), rules])
    return found


def missing(sentence: str) -> NoReturn:
    """Skip the test with `sentence` as the reason; if the environment variable CI is set, fail it."""
    if os.environ.get("CI"):
        pytest.fail(sentence)
    pytest.skip(sentence)


LONG = {
    "test_film.py", "test_kills.py", "test_looking.py", "test_offline.py", "test_other_game.py", "test_report.py",
    "test_site.py", "test_travel.py",
}  # fmt: skip
"""The slowest files. CI leaves them to `make browser` and `make prove`, to finish in time."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that use Chromium, directly or through a fixture, as `browser`, and those in `LONG` as `wide` too."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            if item.path.name in LONG:
                item.add_marker(pytest.mark.wide)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The Chromium of this machine, closed after this folder of tests: its event loop would disturb later tests."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed here: pip install -e '.[test]' brings it")
    if not CHROMIUM.exists():
        missing(f"there is no {CHROMIUM}: install Debian's chromium, or say with DAYNIGHT_CHROMIUM where one is")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


@dataclass
class Visit:
    """A file opened in a window: the page, the addresses requested beside the file itself, and the error messages."""

    page: Page
    file: str
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def heard(self, route: Any) -> None:
        """Handle a request: allow the opened file, record and block any other."""
        if route.request.url.partition("#")[0] == self.file:
            route.continue_()
        else:
            self.asked.append(route.request.url)
            route.abort()

    def axe(self) -> dict[str, Any]:
        """The findings of axe-core."""
        return barriers(self.page)


class Opener:
    """Opens files one after the other in one window, because making a window takes longer than most tests."""

    def __init__(self, browser: Browser) -> None:
        self._context = browser.new_context()
        self._context.set_default_timeout(10_000)
        self._page = self._context.new_page()
        self._visit = Visit(self._page, "about:blank")
        self._page.on("console", lambda message: self._visit.complaints.append(message.text))
        self._page.on("pageerror", lambda error: self._visit.complaints.append(str(error)))
        self._page.route("**/*", self._heard)

    def __call__(
        self,
        file: Path,
        *,
        scheme: Literal["light", "dark"] = "light",
        width: int = 1100,
        forced_colors: Literal["active", "none"] = "none",
    ) -> Visit:
        # All files share one storage, so a language chosen in one would be used in the next.
        if self._page.url.startswith("file:"):
            self._page.evaluate("localStorage.clear()")
        # A page that is no longer loaded can't report errors.
        self._page.goto("about:blank")
        self._page.set_viewport_size({"width": width, "height": 900})
        self._page.emulate_media(media="null", color_scheme=scheme, forced_colors=forced_colors)
        self._visit = Visit(self._page, file.as_uri())
        self._page.goto(self._visit.file)
        return self._visit

    def _heard(self, route: Any) -> None:
        self._visit.heard(route)

    def close(self) -> None:
        """Close the window."""
        self._context.close()


@pytest.fixture(scope="package")
def opened(browser: Browser) -> Iterator[Opener]:
    """A function that opens a file without network access, in place of the file before, and returns its `Visit`."""
    opener = Opener(browser)
    yield opener
    opener.close()
