"""The exported file: the page with its script, its style sheet and a game inside."""

from __future__ import annotations

import re
import zlib
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

import msgspec

from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.wording import _, language
from daynight.languages.speaking import LANGUAGES
from daynight.web.exporting.document import document
from daynight.web.exporting.mended import branches
from daynight.web.shelf import Shelf, Shelved

_STATIC = files("daynight.web") / "static"
MOST = 4
"""The largest size of the packed document, as a multiple of the record's; a larger one gets one language only."""

_SCRIPT = re.compile(r'\s*<script type="module"[^>]* src="/(assets/[^"]+\.js)"></script>')
_STYLE = re.compile(r'\s*<link rel="stylesheet"[^>]* href="/(assets/[^"]+\.css)">')


def page_of(shelf: Shelf, shelved: Shelved) -> bytes:
    """Return a game as one page that works without a server or a network.

    Raises:
        NotFoundError: where the page is not built.
    """
    packed = _exported(shelf, shelved)
    shell, script, style = _parts()
    policy = (
        f"default-src 'none'; script-src 'sha256-{_hash(script)}'; style-src 'sha256-{_hash(style)}'; img-src data:;"
        " base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    shell = shell.replace("<head>", f"<head>\n    {head}", 1)
    shell = shell.replace("<title>daynight</title>", f"<title>{escape(shelved.name)} · daynight</title>", 1)
    # The script is at the end of the page: it runs when the rest is there.
    shell = shell.replace("</head>", f"<style>{style}</style>\n  </head>", 1)
    inside = f'<script type="application/octet-stream" id="exported">{packed}</script>\n'
    return shell.replace("</body>", f'{inside}<script type="module">{script}</script>\n  </body>', 1).encode()


def _exported(shelf: Shelf, shelved: Shelved) -> str:
    """Return the packed document of a game; branches of its repairs are added up to the size that `MOST` allows."""
    most = MOST * sum(len(line) + 1 for line in shelved.lines(0, shelved.last))
    told = document(shelf, shelved)
    packed = _packed(told)
    if len(packed) > most:
        return _packed(document(shelf, shelved, [language()]))
    for branch in branches(shelf, shelved, told, LANGUAGES):
        told["tried"].append(branch)
        larger = _packed(told)
        if len(larger) > most:
            break
        packed = larger
    return packed


def _packed(told: dict[str, Any]) -> str:
    """Return a document compressed and in base64, so that no text of a record is read as markup."""
    return b64encode(zlib.compress(msgspec.json.encode(told), 9)).decode()


def _parts() -> tuple[str, str, str]:
    """Return the page's HTML without its script and style references, the script, and the style sheet."""
    shell = _STATIC / "index.html"
    if not shell.is_file():
        raise NotFoundError(_("the page is not built; make page builds it"))
    text = shell.read_text(encoding="utf-8")
    script, style = _SCRIPT.search(text), _STYLE.search(text)
    assert script is not None, "the shell has one script"
    assert style is not None, "the shell has one style sheet"
    text = _SCRIPT.sub("", _STYLE.sub("", text))
    code = (_STATIC / script[1]).read_text(encoding="utf-8")
    # In a page these would end the script, or hide its end. In a string, the escape means the same character.
    code = code.replace("</script", "\\x3c/script").replace("<!--", "\\x3c!--").replace("<script", "\\x3cscript")
    return text, code, (_STATIC / style[1]).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
