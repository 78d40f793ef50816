"""The README's pictures of the page, light and dark: `make pictures` takes them in Chromium, of `serve demo`.

Each picture carries the text of the page it shows, as its PNG description, so a test can tell when the page says
something else now.
"""

from __future__ import annotations

import sys
from pathlib import Path
from struct import pack, unpack
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal
from zlib import crc32

from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.served.conftest import SETTLED, ended, started

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["FILES", "SCHEMES", "described", "posed", "said", "spoken"]

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
FILES = {scheme: EXAMPLES / f"page-{scheme}.png" for scheme in SCHEMES}
WIDTH, HEIGHT = 1280, 800
"""The size of the window in CSS pixels, and that of the picture in its own."""

KEYS = ("x", "w")
"""The keys that lead to the claim that is wrong, and to what would make it right."""

SIGNATURE = b"\x89PNG\r\n\x1a\n"
KEYWORD = b"Description\0\0\0en\0\0"
"""The head of an uncompressed iTXt chunk: keyword, no compression, language, no translated keyword."""


def posed(browser: Browser, address: str, scheme: Scheme) -> Page:
    """A window on the demo at the claim that is wrong and its repair, after everything has arrived."""
    page = browser.new_page(
        viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme, locale="en", device_scale_factor=1
    )
    page.goto(address)
    page.locator(".answer .says:not(.soft)").wait_for()
    for key in KEYS:
        page.keyboard.press(key)
        page.locator(".claim.differs").wait_for()
    page.get_by_text("every claim would be right").wait_for()
    page.evaluate("document.activeElement.blur()")
    page.wait_for_load_state("networkidle")
    page.evaluate(SETTLED)
    return page


def said(page: Page) -> str:
    """All text of a page, with white space collapsed."""
    return " ".join(page.inner_text("body").split())


def chunks(picture: bytes) -> list[tuple[bytes, bytes]]:
    """The kind and the data of each chunk of a PNG."""
    found, at = [], len(SIGNATURE)
    while at < len(picture):
        (size,) = unpack(">I", picture[at : at + 4])
        found.append((picture[at + 4 : at + 8], picture[at + 8 : at + 8 + size]))
        at += size + 12
    return found


def described(picture: bytes, text: str) -> bytes:
    """Return the PNG `picture` with `text` as its description, in a chunk before the last one."""
    *before, last = chunks(picture)
    whole = [*before, (b"iTXt", KEYWORD + text.encode()), last]
    packed = [pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data)) for kind, data in whole]
    return SIGNATURE + b"".join(packed)


def spoken(picture: bytes) -> str:
    """The description of a PNG; "" if it has none."""
    found = (data for kind, data in chunks(picture) if kind == b"iTXt" and data.startswith(KEYWORD))
    return next(found, KEYWORD).removeprefix(KEYWORD).decode()


def main() -> int:
    """Take both pictures and print their paths; return 0, the exit code."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        site, process = started("demo", cwd=Path(folder))
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            for scheme, file in FILES.items():
                page = posed(browser, site.address, scheme)
                file.write_bytes(described(page.screenshot(animations="disabled", caret="hide"), said(page)))
                print(file.relative_to(EXAMPLES.parent))
            browser.close()
        finally:
            ended(process)
    return 0


if __name__ == "__main__":
    sys.exit(main())
