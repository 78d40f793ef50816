"""The built site.

| promise | test |
| --- | --- |
| the site builds without a warning, and with the same bytes in another folder at another time | test_twice |
| no page loads anything from another host; each internal link leads to a page and an anchor in it | test_pages |
| the site has each kind of page, and the demo game | test_there |
"""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.documents import ROOT

pytestmark = pytest.mark.slow


def built(into, **environment):
    """Build the site into a folder, in another process with this environment; return the folder."""
    pytest.importorskip("sphinx")
    command = [sys.executable, "-m", "tests.site.build", str(into)]
    ran = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, encoding="utf-8", check=False
    )
    assert (0, "") == (ran.returncode, ran.stderr)
    return into


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of a site that is built once for all tests of this module."""
    return built(tmp_path_factory.mktemp("once") / "site")


def files(folder):
    """Return the bytes of every file below a folder, by its path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_twice(site, tmp_path):
    again = built(tmp_path / "elsewhere" / "again", TZ="Asia/Tokyo", PYTHONHASHSEED="7", LANG="fr_FR.UTF-8")
    one, other = files(site), files(again)
    assert set(one) == set(other)
    assert [] == [name for name in one if one[name] != other[name]]


class Parts(HTMLParser):
    """Parse a page of HTML: `links` of the page, the addresses that it `loads`, and its `anchors`."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        self.loads += [found[name] for name in ("src", "srcset", "data") if found.get(name) and tag != "a"]
        if tag == "link" and found.get("rel") != "canonical":
            self.loads.append(found.get("href", ""))


def test_pages(site):
    pages = {path: Parts(path.read_text("utf-8")) for path in site.rglob("*.html")}
    wrong = []
    for path, parts in pages.items():
        wrong += [f"{path.name} loads {one}" for one in parts.loads if re.match(r"(?:\w+:)?//", one)]
        if path.name == "demo.html":
            continue
        for link in [*parts.links, *parts.loads]:
            target, _, anchor = unquote(link).partition("#")
            if re.match(r"\w+:", target):
                continue
            there = (path.parent / target.partition("?")[0]).resolve() if target else path
            if not there.is_file():
                wrong.append(f"{path.relative_to(site)} leads to {link}")
            elif anchor and there in pages and anchor not in pages[there].anchors:
                wrong.append(f"{path.relative_to(site)} leads to {link}, where no such place is")
    assert [] == wrong
    styles = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    assert [] == re.findall(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//[^)]*", styles)


def test_there(site):
    for name in ("index", "search", "tutorials/arena", "how-to/ask", "reference/commands", "explanation/events"):
        assert (site / f"{name}.html").is_file()
    assert (ROOT / "examples/demo.html").read_bytes() == (site / "files/examples/demo.html").read_bytes()
    assert not [path for path in Path(site).rglob("*") if path.suffix in (".pickle", ".md")]
