"""The site in a browser: opened from the disk, without a network.

The site is built once for this file, unless DAYNIGHT_SITE names the folder of a built one.

| promise | test |
| --- | --- |
| each kind of page fits 320 px (light) and 1,100 px (dark), axe finds nothing, no other requests | test_pages |
| the search finds a name, from the disk | test_search |
| the keyboard reaches the content, the search and scrollable parts, and switches the colours | test_keyboard |
| the demo game is a page that can be stepped through | test_demo |
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from tests.documents import ROOT

from .conftest import barriers, missing

KINDS = (
    "index.html", "tutorials/judge.html", "how-to/store.html", "reference/rules.html", "reference/commands.html",
    "reference/python/cards.html", "explanation/chain.html", "explanation/house.html", "contributing.html",
    "files/examples/monarch.py.html",
)  # fmt: skip
"""A page of each kind, those with the widest tables among them."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site."""
    if there := os.environ.get("DAYNIGHT_SITE"):
        return Path(there).resolve()
    if find_spec("sphinx") is None:
        missing("sphinx is not installed here: pip install -e '.[docs]' brings it")
    into = tmp_path_factory.mktemp("site") / "site"
    subprocess.run([sys.executable, "-m", "tests.site.build", str(into)], cwd=ROOT, check=True)
    return into


class Window:
    """A window that may only load files of the site; `refused` lists other requests."""

    def __init__(self, browser, site):
        self.site, self.refused, self.complaints = site, [], []
        self.context = browser.new_context()
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.route("**/*", self.heard)

    def heard(self, route):
        address = urlsplit(route.request.url)
        ours = address.scheme == "file" and Path(url2pathname(address.path)).is_relative_to(self.site)
        if ours or address.scheme == "data":
            route.continue_()
        else:
            self.refused.append(route.request.url)
            route.abort()

    def open(self, name, *, width=1100, scheme="light", query=""):
        self.page.set_viewport_size({"width": width, "height": 800})
        self.page.emulate_media(color_scheme=scheme)
        self.page.goto((self.site / name).as_uri() + query)
        return self.page


@pytest.fixture(scope="module")
def window(browser, site):
    """The `Window` that all tests of this file share."""
    found = Window(browser, site)
    yield found
    found.context.close()


@pytest.mark.parametrize("width, scheme", [(320, "light"), (1100, "dark")])
@pytest.mark.parametrize("name", KINDS)
def test_pages(window, name, width, scheme):
    page = window.open(name, width=width, scheme=scheme)
    found = [(one["id"], [node["html"][:200] for node in one["nodes"]][:3]) for one in barriers(page)["violations"]]
    assert [] == found
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert [] == window.refused
    assert [] == window.complaints


def test_search(window):
    page = window.open("search.html", query="?q=NotAcceptedError")
    page.locator("#search-results a", has_text="The store").first.wait_for()
    page.locator("#search-results a", has_text="The store").first.click()
    page.get_by_role("heading", level=1, name="The store").wait_for()
    assert [] == window.refused
    assert [] == window.complaints


def focused(page):
    """Return a list of the class and the text of the element that has the focus."""
    return page.evaluate("[document.activeElement.className, document.activeElement.textContent.trim()]")


def test_keyboard(window):
    page = window.open("explanation/chain.html")
    page.keyboard.press("Tab")
    assert "Skip to content" == focused(page)[1]
    page.keyboard.press("Enter")
    assert "#furo-main-content" == page.evaluate("location.hash")
    found = set()
    for _press in range(30):
        page.keyboard.press("Tab")
        found.add(focused(page)[0].split()[0] if focused(page)[0] else "")
    assert "table-wrapper" in found
    page = window.open("explanation/chain.html")
    for _press in range(10):
        page.keyboard.press("Tab")
        if focused(page)[0] == "sidebar-search":
            break
    page.keyboard.type("daybound")
    page.keyboard.press("Enter")
    page.locator("#search-results a").first.wait_for()
    page = window.open("index.html")
    before = page.evaluate("document.body.dataset.theme")
    page.locator("button.theme-toggle:visible").focus()
    page.keyboard.press("Enter")
    assert before != page.evaluate("document.body.dataset.theme")


def test_demo(window):
    page = window.open("index.html")
    page.get_by_role("link", name="The demo game").click()
    page.get_by_role("heading", level=1).get_by_text("wagic-G1").wait_for()
    page.keyboard.press("x")
    page.wait_for_function("location.hash.includes('e=122')")
    assert [] == window.refused
