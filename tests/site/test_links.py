"""The source pages: links, anchors, and things that no page may contain.

| promise | test |
| --- | --- |
| a link in a guide, a README or another document leads to a file, and to a heading in it | test_links |
| the site does not rewrite a link inside code, and no page has a link to a path inside code | test_code |
| `dead` finds a link to a missing file or heading | test_found |
| the index lists under each kind, such as Tutorials, exactly the guides in that kind's folder | test_kinds |
| a room's README has no block of code, and fewer than 50 lines | test_doors |
| every command in a block exists, also in blocks that no test runs | test_commands |
"""

import re

import pytest

from daynight.cli.commands import COMMANDS
from tests.documents import GUIDES, ROOT

from .pages import BLOCK, CODE, LINK, Assembly, doors, sources
from .tables import filled

KINDS = ("Tutorials", "How to", "Reference", "Explanation")
PAPERS = sorted({*sources(), "README.md", "daynight/web/page/README.md"})


def slug(heading):
    """Return the anchor of a heading, in the form that GitHub and the site use."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(text):
    """Return the anchors of the headings in a page's source."""
    plain = "".join(part for part in BLOCK.split(text) if not BLOCK.fullmatch(part))
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", plain, re.MULTILINE)}


def dead(source, text):
    """Return the addresses of links in `text` whose file or heading does not exist; links in code do not count."""
    found = []
    plain = "".join(part for part in BLOCK.split(text) if not BLOCK.fullmatch(part))
    spans = [code.span() for code in CODE.finditer(plain)]
    for link in LINK.finditer(plain):
        if any(start < link.start(3) - 1 < end for start, end in spans):
            continue
        target, _, anchor = link[3].partition("#")
        path = (ROOT / source).parent / target if target else ROOT / source
        if not path.exists() or (anchor and anchor not in anchors(filled(path.read_text("utf-8")))):
            found.append(link[3])
    return found


@pytest.mark.parametrize("source", PAPERS)
def test_links(source):
    assert [] == dead(source, (ROOT / source).read_text("utf-8"))


def test_found():
    text = "# A b\n\n[1](#a-b) [2](#b) [3](README.md) [4](there.md) `[5](there.md)`\n\n```\n[6](there.md)\n```\n"
    assert ["#b", "there.md"] == [link for link in dead("README.md", text) if link != "#a-b"]


def test_code(tmp_path):
    text = "| a | `Language[Happening](tests/README.md)` and [`x`]({}) |\n\n```\n[y](tests/README.md)\n```\n"
    assembly = Assembly(tmp_path)
    assert text.format("rooms/tests.md") == assembly.rewritten(text.format("tests/README.md"), "CHANGELOG.md")
    for source in PAPERS:
        plain = BLOCK.sub("", (ROOT / source).read_text("utf-8"))
        assert [] == [code for code in CODE.findall(plain) if re.search(r"\]\([.]*/", code)], source


def test_kinds():
    text = (GUIDES / "index.md").read_text("utf-8")
    listed = dict(re.findall(r"^:caption: (.*)\n\n((?:.+\n)+?)```", text, re.MULTILINE))
    folders = dict(zip(KINDS, ("tutorials", "how-to", "reference", "explanation"), strict=True))
    for kind, folder in folders.items():
        there = {path.relative_to(GUIDES).with_suffix("").as_posix() for path in (GUIDES / folder).glob("*.md")}
        there |= {f"{folder}/python/index"} if kind == "Reference" else set()
        assert there == set(listed[kind].split()), kind
    assert {path.parent.name for path in GUIDES.rglob("*.md")} == {"guides", "python", *folders.values()}


@pytest.mark.parametrize("source", [source for source, _name in doors()])
def test_doors(source):
    text = (ROOT / source).read_text("utf-8")
    assert "```" not in text
    assert 50 > len(text.splitlines())


@pytest.mark.parametrize("source", [source for source in PAPERS if source != "CHANGELOG.md"])
def test_commands(source):
    text = (ROOT / source).read_text("utf-8")
    blocks = "\n".join(re.findall(r"^```(?:console|sh)\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    verbs = set(re.findall(r"^(?:\$ )?daynight ([a-z][\w-]+)", blocks, re.MULTILINE))
    assert verbs <= {*COMMANDS, "version", "help"}
