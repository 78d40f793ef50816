"""A real Chromium, driven by Playwright, that may ask nobody for anything; and axe-core, which looks for barriers.

Where there is no Chromium the tests are left out and say so; where CI is set they fail.
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
"""The tags of WCAG 2.0 to 2.2, A and AA, and of what is good beside them."""

TRIED = ("label-content-name-mismatch", "table-fake-caption", "td-has-header", "css-orientation-lock")
"""The experimental rules of axe that are tried too. The others were looked at: hidden-content finds whatever is hidden,
focus-order-semantics headings that the focus is led to, and p-as-heading the sign, which is a value and no heading."""

CANNOT_TELL = (
    "Element content contains only non-text characters",
    "Element content is too short to determine if it is actual text content",
    "Element's background color could not be determined because it is overlapped by another element",
)
"""What axe leaves to people: signs beside words, letters, text on a drawn box (its contrast has a test of its own)."""


SCROLLED_AWAY = "Element's background color could not be determined because it's partially obscured by another element"
"""The same of a cell that a narrow window has moved out of its box; in a wide one its contrast is measured."""


def barriers(page: Page) -> dict[str, Any]:
    """What axe-core finds in a page: violations, and what it cannot tell."""
    # The debugger's own evaluation: the policy of the page stays in force for the page.
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    look = "([tags, rules]) => axe.run(document, {runOnly: {type: 'tag', values: tags}, rules, resultTypes: RESULTS})"
    rules = {rule: {"enabled": True} for rule in TRIED}
    found: dict[str, Any] = page.evaluate(look.replace("RESULTS", "['violations', 'incomplete']"), [list(RULES), rules])
    return found


def missing(sentence: str) -> NoReturn:
    """Leave the test out, or, where nothing may be left out, fail."""
    if os.environ.get("CI"):
        pytest.fail(sentence)
    pytest.skip(sentence)


LONG = {
    "test_film.py", "test_kills.py", "test_looking.py", "test_offline.py", "test_other_game.py", "test_report.py",
    "test_site.py", "test_travel.py",
}  # fmt: skip
"""The files that take longest. CI leaves them to `make browser` and `make prove`, so that it ends in its time."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what drives Chromium, itself or by what it is given."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            if item.path.name in LONG:
                item.add_marker(pytest.mark.wide)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The Chromium of this machine, started once; not kept for other rooms, as its loop is in the way of theirs."""
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
    """A file opened in a window: the page, every address asked for beside the file's own, and every complaint."""

    page: Page
    file: str
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def heard(self, route: Any) -> None:
        """A request: the file itself, or one that is counted and not let out."""
        if route.request.url.partition("#")[0] == self.file:
            route.continue_()
        else:
            self.asked.append(route.request.url)
            route.abort()

    def axe(self) -> dict[str, Any]:
        """What axe-core finds."""
        return barriers(self.page)


class Opener:
    """Opens files one after the other, in a window made once: to make one takes longer than most tests."""

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
        # Files share one storage: a language chosen in one would be spoken by the next.
        if self._page.url.startswith("file:"):
            self._page.evaluate("localStorage.clear()")
        # What is not loaded any more complains to nobody.
        self._page.goto("about:blank")
        self._page.set_viewport_size({"width": width, "height": 900})
        self._page.emulate_media(media="null", color_scheme=scheme, forced_colors=forced_colors)
        self._visit = Visit(self._page, file.as_uri())
        self._page.goto(self._visit.file)
        return self._visit

    def _heard(self, route: Any) -> None:
        self._visit.heard(route)

    def close(self) -> None:
        """The window."""
        self._context.close()


@pytest.fixture(scope="package")
def opened(browser: Browser) -> Iterator[Opener]:
    """Opens a file, with nothing else let in: what was opened before is gone."""
    opener = Opener(browser)
    yield opener
    opener.close()
