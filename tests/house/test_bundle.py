"""The page and its bundle.

| law | test |
| --- | --- |
| the bundle is built from the sources as they are | test_not_stale |
| the TypeScript types are generated from the present schemas of openapi.json | test_types |
| the digest changes with the content and with the name of any source | test_digest |
| no source inserts a string into the page as HTML | test_policies |
| no template has an inline style | test_policies, test_policies_can_fail |
| the page loads no file from outside the bundle | test_from_here |
| the handwritten sources are short files, with few files in a folder | test_small |
| the page's files of translations are up to date and complete | test_sentences |
"""

import json
import re

import msgspec
import pytest

from tests.languages.messages import PAGE as PAGE_SOURCES
from tests.languages.messages import TRANSLATED, page_catalogue, page_messages

from . import bundle
from .bundle import BUNDLE, DIGEST, PAGE, TYPES, digest, headed, openapi, sources
from .table import LONGEST, MOST

WRITTEN = [path for path in sources() if path.suffix in (".ts", ".svelte", ".html", ".css")]


def faults(text, pattern):
    """Return the lines of `text` that match `pattern`, a regular expression for what a law forbids."""
    return [line.strip() for line in text.splitlines() if re.search(pattern, line)]


MARKUP = r"\{@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
STYLES = r"\bstyle\s*=(?!=)"


def test_not_stale():
    """The committed digest equals the digest of the present sources: who changes a source must build the bundle."""
    assert digest() == DIGEST.read_text(encoding="utf-8").strip(), "the bundle is stale: make page, and commit it"


def test_types():
    """The first line of the types file has the digest of the present schemas, and the file names each schema."""
    first, _blank, rest = TYPES.read_text(encoding="utf-8").split("\n", 2)
    assert headed() == first, "the types of the page are stale: make page, and commit it"
    for name in msgspec.json.decode(openapi())["components"]["schemas"]:
        assert f"\n        {name}: " in rest, name


def test_digest(monkeypatch, tmp_path):
    """The digest changes with the content and with the name of a source."""
    monkeypatch.setattr(bundle, "PAGE", tmp_path)
    found = set()
    for name, text in (("a.ts", "1"), ("a.ts", "2"), ("b.ts", "2")):
        for path in tmp_path.iterdir():
            path.unlink()
        (tmp_path / name).write_text(text, encoding="utf-8")
        found.add(bundle.digest())
    assert 3 == len(found)


@pytest.mark.parametrize("pattern", [MARKUP, STYLES])
def test_policies(pattern):
    """No source inserts HTML strings, and no template has inline styles: the page's security policy forbids both."""
    assert [] == [(path.name, line) for path in WRITTEN for line in faults(path.read_text(encoding="utf-8"), pattern)]


@pytest.mark.parametrize(
    "line, pattern",
    [("<p>{@html name}</p>", MARKUP), ("node.innerHTML = name;", MARKUP), ('<p style="color: red">', STYLES)],
)
def test_policies_can_fail(line, pattern):
    """`faults` finds each forbidden form; Svelte's `style:` directive, which sets a style by script, is allowed."""
    assert [line] == faults(line, pattern)
    assert [] == faults('<p style:height="{h}px">', pattern)


def test_from_here():
    """The page loads only files of the bundle, the service worker caches the same files, and none is a source map."""
    named = re.findall(r'(?:src|href)="([^"]*)"', (BUNDLE / "index.html").read_text(encoding="utf-8"))
    local = {name for name in named if not name.startswith("data:")}
    worker = BUNDLE / "assets/service-worker.js"
    assert local == {f"/assets/{path.name}" for path in (BUNDLE / "assets").iterdir() if path != worker}
    # The service worker caches a named list of files, and its source is short enough to be read.
    text = worker.read_text(encoding="utf-8")
    assert set(json.loads(text.partition("const FILES = ")[2].partition(";")[0])) == local
    assert len(text.splitlines()) < 100
    assert [] == list(BUNDLE.rglob("*.map"))


def test_small():
    """The page's sources obey the same limits as Python: short files, and few in a folder."""
    for path in {*WRITTEN} - {TYPES}:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST, path
    for room in {path.parent for path in WRITTEN}:
        assert sum(1 for path in WRITTEN if path.parent == room) <= MOST, room


@pytest.mark.parametrize("language", TRANSLATED)
def test_sentences(language):
    """The page's file of translations equals what would be generated now, and has one entry for each sentence."""
    written = (PAGE_SOURCES / f"words/{language}.json").read_bytes()
    assert page_catalogue(language) == written
    assert len(page_messages()) == len(json.loads(written))


def test_page_is_there():
    """The folder that these tests search contains the page's sources."""
    assert PAGE / "src/main.ts" in WRITTEN
