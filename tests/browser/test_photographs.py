"""The README's pictures of the page show the page as it is.

| promise | test |
| --- | --- |
| each PNG has the set size, and its description has the text of the demo's page as it is now | test_current |
| a description is read back from a PNG as it was written | test_described |
"""

from struct import unpack

import pytest

from .photographs import FILES, HEIGHT, SCHEMES, WIDTH, described, posed, said, spoken
from .served.conftest import ended, started

STALE = "examples/page-*.png show an older page: `make pictures` takes them anew"


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A server of the demo."""
    found, process = started("demo", cwd=tmp_path_factory.mktemp("demo"))
    yield found
    ended(process)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_current(browser, demo, scheme):
    picture = FILES[scheme].read_bytes()
    assert unpack(">II", picture[16:24]) == (WIDTH, HEIGHT)
    page = posed(browser, demo.address, scheme)
    assert spoken(picture) == said(page), STALE
    assert "Brutal Cathar, event 122, turn 21" in spoken(picture)
    page.close()


def test_described():
    picture = FILES["light"].read_bytes()
    assert spoken(described(picture.replace(b"iTXt", b"iTXx"), "night: 夜")) == "night: 夜"
