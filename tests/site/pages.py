"""Collects the sources of the site: the guides and other documents, and the files that they link to."""

import posixpath
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from .tables import filled

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ROOT / "daynight" / "guides"

PAPERS = {
    ".github/CONTRIBUTING.md": "contributing.md",
    ".github/SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
}
"""Documents outside the guides, with their page in the site; `doors` adds the READMEs as `rooms/ROOM.md`."""

TEXTS = {
    ".py": "python", ".awk": "text", ".toml": "toml", ".json": "json", ".jsonl": "json", ".dn": "text", ".log": "text",
    ".lark": "text", ".ipynb": "json", ".html": "html", ".csv": "text", ".txt": "text",
}  # fmt: skip
"""The language by file ending: such a file becomes a page of code if a page links to it."""

SHOWN = {"examples/demo.html", "events/record.schema.json"}
"""Files that are copied unchanged: the demo game, which is an HTML page itself, and the schema, which is long."""

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(((?!https?:|mailto:)[^)\s]+)\)")
BLOCK = re.compile(r"(^ *```.*?^ *```$)", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")


def sources() -> dict[str, str]:
    """Return the page of each source: the key is a path in the clone, the value a path in the site."""
    found = {path.relative_to(ROOT).as_posix(): path.relative_to(GUIDES).as_posix() for path in GUIDES.rglob("*.md")}
    return found | PAPERS | {readme: f"rooms/{name}.md" for readme, name in doors()}


def doors() -> Iterator[tuple[str, str]]:
    """Yield the path of each README, and the name of its room: its folder without `daynight/`, hyphens for slashes."""
    for folder in ("daynight", "events", "projections", "examples", "tests"):
        for path in sorted((ROOT / folder).rglob("README.md")):
            inner = path.relative_to(ROOT).parent
            name = "-".join(inner.parts[1:] if folder == "daynight" and len(inner.parts) > 1 else inner.parts)
            if not {"node_modules", "before"} & set(inner.parts):
                yield path.relative_to(ROOT).as_posix(), name


def assemble(into: Path) -> None:
    """Write every page into a folder, which is emptied before."""
    shutil.rmtree(into, ignore_errors=True)
    Assembly(into).write()


class Assembly:
    """The pages of a site while they are written. `named` are the files of the clone that pages link to."""

    def __init__(self, into: Path) -> None:
        self.into = into
        self.pages = sources()
        self.named: set[str] = set()
        self.dead: list[str] = []

    def write(self) -> None:
        """Write every page, and each file that pages link to: texts as pages of code, others as copies.

        Raises:
            FileNotFoundError: if pages link to missing files.
        """
        for source, page in sorted(self.pages.items()):
            self.put(page, self.rewritten(filled((ROOT / source).read_text("utf-8")), source))
        if self.dead:
            raise FileNotFoundError("\n".join(self.dead))
        texts = [file for file in sorted(self.named) if is_text(file)]
        for file in texts:
            self.put(f"files/{file}.md", code_page(file))
        for file in sorted(SHOWN | self.named - {*texts}):
            self.copy(file, f"_extra/files/{file}")
        rooms = [page for page in self.pages.values() if page.startswith("rooms/")]
        self.put("files/index.md", "# Files that the pages name\n\n" + listed((file, f"{file}.md") for file in texts))
        self.put("rooms/index.md", "# The rooms\n\n" + listed((room_of(page), room_of(page) + ".md") for page in rooms))

    def put(self, page: str, text: str) -> None:
        """Write `text` as a page; pages in `rooms/` and `files/`, which no navigation lists, get the mark `orphan`."""
        (self.into / page).parent.mkdir(parents=True, exist_ok=True)
        # What is found from a list alone is not in the navigation beside each page.
        alone = page.startswith(("rooms/", "files/")) and not page.endswith("/index.md")
        (self.into / page).write_text(f"---\norphan: true\n---\n\n{text}" if alone else text, "utf-8")

    def copy(self, file: str, to: str) -> None:
        """Copy a file of the clone to the path `to` in the site."""
        (self.into / to).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, self.into / to)

    def rewritten(self, text: str, source: str) -> str:
        """Return the text of a page with its links rewritten: they lead to pages and files of the site."""
        return "".join(part if BLOCK.fullmatch(part) else self._linked(part, source) for part in BLOCK.split(text))

    def _linked(self, text: str, source: str) -> str:
        spans = [found.span() for found in CODE.finditer(text)]

        def link(found: re.Match[str]) -> str:
            middle = found.start(3) - 1
            is_code = any(start < middle < end for start, end in spans)
            return found[0] if is_code else self.link(found, source)

        return LINK.sub(link, text)

    def link(self, found: re.Match[str], source: str) -> str:
        """Return the found link with its address in the site; only its text if it leads to a folder or nowhere.

        `named` gets a linked file, `dead` a sentence about a missing one; a picture is copied.
        """
        mark, shown, address = found.groups()
        target, _, fragment = address.partition("#")
        if not target:
            return found[0]
        file, page = posixpath.normpath(posixpath.join(posixpath.dirname(source), target)), self.pages[source]
        if file in self.pages:
            return f"{mark}[{shown}]({relative(self.pages[file], page)}{'#' + fragment if fragment else ''})"
        if (ROOT / file).is_dir():
            return shown
        if not (ROOT / file).is_file():
            self.dead.append(f"{source} links to {address}, which is not there")
            return shown
        if mark:
            self.copy(file, f"_pictures/{file}")
            return f"![{shown}]({relative('_pictures/' + file, page)})"
        self.named.add(file)
        if is_text(file):
            return f"[{shown}]({relative(f'files/{file}.md', page)})"
        return f"[{shown}](static:{relative('files/' + file, page)})"


def relative(to: str, page: str) -> str:
    """Return the path `to` in the site relative to the folder of a page."""
    return posixpath.relpath(to, posixpath.dirname(page) or ".")


def is_text(file: str) -> bool:
    """Return whether a file is shown as a page of code."""
    return PurePosixPath(file).suffix in TEXTS and file not in SHOWN


def listed(pages: Iterable[tuple[str, str]]) -> str:
    """Return a Markdown list of links from pairs of name and file, in the order of the names."""
    return "\n".join(f"- [`{name}`]({file})" for name, file in sorted(pages)) + "\n"


def room_of(page: str) -> str:
    """Return the name of a room from the path of its page: `rooms/ROOM.md` gives ROOM."""
    return PurePosixPath(page).stem


def code_page(file: str) -> str:
    """Return a page with the text of a file as a block of code."""
    text = (ROOT / file).read_text("utf-8").rstrip("\n")
    name = PurePosixPath(file)
    return f"# {name.name}\n\n`{file}`\n\n~~~~{{code-block}} {TEXTS[name.suffix]}\n{text}\n~~~~\n"
