"""The catalogues of messages: collects all texts to translate. `make messages` runs this.

Texts are in seven places: calls of `_` and `counted`; calls of `t` and `counted` in the page's sources; the help of the
commands; click's own texts; the rules and rulings cited in explanations, with the names of their sources; notes on
cards; and the conditions (guards) of the arcs in the chart of day and night. The catalogues,
daynight/languages/locale/LANGUAGE/LC_MESSAGES/daynight.po, are sorted by the English text and contain no source places,
so that they change only if a text does. The page is built with its translations, which are written into its sources.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias, cast

import click
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from daynight.cards import bundled
from daynight.cli.commands import daynight
from daynight.cli.mechanics import commands
from daynight.cli.terminal.interpreter import AS_WRITTEN, paragraphs
from daynight.disputes.mechanic import GAME
from daynight.languages.speaking import CATALOGUES, DOMAIN, LANGUAGES
from daynight.rules.designation import CHART

__all__ = [
    "CLICK",
    "KEYWORDS",
    "TRANSLATED",
    "Key",
    "catalogue",
    "compiled",
    "forms",
    "messages",
    "page_cards",
    "page_catalogue",
    "page_faces",
    "page_messages",
    "po_file",
    "renewed",
    "spelled",
]  # fmt: skip

ROOT = Path(__file__).resolve().parents[2]

TRANSLATED = LANGUAGES[1:]
"""The languages that have catalogues: all but English."""

Key: TypeAlias = str | tuple[str, str]
"""A sentence, or the singular and plural of a counted one in English."""

KEYWORDS = {"_": None, "counted": (1, 2)}
"""The functions that translate, for Babel: their arguments that are texts; None means the first argument."""

SAID = re.compile(rb"\b(?:_|counted)\s*\(")
"""Finds a call of a function in `KEYWORDS`. Most modules have none, and are not parsed."""

CLICK: tuple[Key, ...] = (
    "Usage:", "Options", "Commands", "Positional arguments", "[OPTIONS]", "COMMAND [ARGS]...",
    "Show this message and exit.", "Show the version and exit.",
    "default: {default}", "required",
    "Missing command.", "Missing argument", "Missing option", "Missing parameter", "Choose from:\n\t{choices}",
    "Invalid value: {message}", "Invalid value for {param_hint}: {message}",
    "No such option {name!r}.", "No such command {name!r}.",
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    "Option {name!r} does not take a value.",
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    ("Takes {nargs} values but 1 was given.", "Takes {nargs} values but {len} were given."),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    "{value!r} is not a valid {number_type}.", "{value} is not in the range {range}.",
    "{name} {filename!r} does not exist.", "{name} {filename!r} is a directory.", "{name} {filename!r} is a file.",
    "{name} {filename!r} is not readable.", "{name} {filename!r} is not writable.",
    "file", "directory", "path",
)  # fmt: skip
"""click's own texts, as far as users can see them."""

PAGE = ROOT / "daynight/web/page/src"
"""The sources of the page, which is built with its translations in every language."""

_TEXT = r'"((?:[^"\\\\]|\\\\.)*)"'
_CALLED = re.compile(rf"\bt\(\s*{_TEXT}|\bcounted\(\s*{_TEXT}\s*,\s*{_TEXT}")
"""The calls that translate in the page: `t("...")`, and `counted("one", "many", n)`."""

PLURALS = {"fr": "nplurals=2; plural=(n > 1);", "ja": "nplurals=1; plural=0;"}
"""The plural forms of each catalogue. Versions of Babel differ in those of French, so they are written here."""

_WRITTEN = datetime(2026, 11, 21, tzinfo=UTC)
"""The date in the header of each catalogue. It is fixed, so that catalogues change only if a text does."""


@cache
def messages() -> dict[Key, set[str]]:
    """All messages to translate, each with the set of its kinds: click, help, source, card, guard.

    A message that only occurs in calls has an empty set.
    """
    found: dict[Key, set[str]] = defaultdict(set)
    for key in (*_called(), *page_messages()):
        found[key] |= set()
    for what, keys in (
        ("click", CLICK),
        ("help", _helped()),
        ("source", _cited()),
        ("card", _catalogued()),
        ("guard", _guards()),
    ):
        for key in keys:
            found[key].add(what)
    return dict(found)


def _called() -> Iterator[Key]:
    for folder in ("daynight", "events", "projections"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not SAID.search(path.read_bytes()):
                continue
            for found in extract_from_file("python", path, keywords=KEYWORDS):
                # The tuple of Babel is line, message, comments, context; versions annotate it differently.
                key = cast(Any, found)[1]
                yield key if isinstance(key, str) else (key[0], key[1])


def page_messages() -> list[Key]:
    """The messages of the page, sorted by the English text."""
    found: set[Key] = set()
    for path in (*PAGE.rglob("*.ts"), *PAGE.rglob("*.svelte")):
        for said, one, many in _CALLED.findall(path.read_text(encoding="utf-8")):
            found.add(json.loads(f'"{said}"') if said else (json.loads(f'"{one}"'), json.loads(f'"{many}"')))
    return sorted(found, key=lambda key: key if isinstance(key, str) else key[0])


def page_catalogue(language: str) -> bytes:
    """The page's translations into a language, as a JSON object from the English text to its translation.

    The key of a counted message is its singular and its plural on two lines. Untranslated messages are left out.
    """
    there = catalogue(language)
    told: dict[str, str | list[str]] = {}
    for key in page_messages():
        message = there.get(key)
        if message is not None and all(forms(message)):
            told["\n".join([key] if isinstance(key, str) else key)] = (
                forms(message)[0] if isinstance(key, str) else forms(message)
            )
    return (json.dumps(told, ensure_ascii=False, indent=1) + "\n").encode()


def page_cards() -> bytes:
    """A JSON list for completion: for each card `[English, French, Japanese name, whether its front has daybound]`."""
    rows = [
        [
            card.name,
            *[card.names_in(language).get(card.name, card.name) for language in TRANSLATED],
            "daybound" in card.front.keywords,
        ]
        for card in bundled()
    ]
    return ("[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n").encode()


def page_faces() -> bytes:
    """A JSON list for the page's battlefield: for each back face its `[English, French, Japanese name]`."""
    rows = {
        name: [name, *[card.names_in(language).get(name, name) for language in TRANSLATED]]
        for card in bundled()
        for name in dict.fromkeys(name for language in TRANSLATED for name in card.names_in(language))
        if name != card.name and " // " not in name
    }
    told = ",\n".join(json.dumps(rows[name], ensure_ascii=False) for name in sorted(rows))
    return f"[\n{told}\n]\n".encode()


def _helped() -> Iterator[Key]:
    context = click.Context(daynight)
    yield from _of_command(daynight)
    for name in daynight.list_commands(context):
        command = daynight.get_command(context, name)
        assert command is not None
        yield from _of_command(command)
    for command in commands(GAME).commands.values():
        yield from _of_command(command)


def _of_command(command: click.Command) -> Iterator[Key]:
    texts = [paragraphs(command.help or "")]
    if command.epilog is not None and not command.epilog.startswith(AS_WRITTEN):
        texts.append(paragraphs(command.epilog))
    for parameter in command.params:
        texts += [parameter.metavar or "", paragraphs(getattr(parameter, "help", None) or "")]
    yield from (text for text in texts if text and text not in CLICK)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from _of_command(inner)


def _catalogued() -> Iterator[Key]:
    for card in bundled():
        if card.note is not None:
            yield card.note


def _cited() -> Iterator[Key]:
    for source in json.loads((ROOT / "daynight/rules/sources.json").read_text(encoding="utf-8")):
        yield source["says"]
        if source["kind"] != "card ruling":
            yield source["source"]


def _guards() -> Iterator[Key]:
    for *_arc, guard in CHART.table():
        yield guard


def template() -> Catalog:
    """All messages as a catalogue without translations."""
    made = Catalog(project="daynight", charset="utf-8", creation_date=_WRITTEN, revision_date=_WRITTEN)
    for key, kinds in messages().items():
        made.add(key, auto_comments=sorted(kinds))
    return made


def po_file(language: str) -> Path:
    """The path of a language's catalogue."""
    return CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def catalogue(language: str) -> Catalog:
    """A language's catalogue as it is in the file; empty if there is none yet."""
    path = po_file(language)
    if not path.exists():
        return _begun(language)
    with path.open("rb") as stream:
        return read_po(stream, locale=language, abort_invalid=True)


def _begun(language: str) -> Catalog:
    made = Catalog(
        language, DOMAIN, project="daynight", version="1", charset="utf-8", msgid_bugs_address="-",
        creation_date=_WRITTEN, revision_date=_WRITTEN,
        header_comment=f"# daynight in {language}; `make messages` keeps it complete.", fuzzy=False,
        last_translator="the daynight developers", language_team="the daynight developers",
    )  # fmt: skip
    if language in PLURALS:
        made.mime_headers = [("Plural-Forms", PLURALS[language])]
    return made


def renewed(language: str) -> Catalog:
    """A new catalogue with exactly the messages of `messages`, and with the translations that the file has for them."""
    there, made = catalogue(language), _begun(language)
    for message in template():
        if message.id:
            known = there.get(message.id)
            # A message that becomes a counted one is a different message, even with the same words.
            kept = known.string if known is not None and type(known.id) is type(message.id) else None
            made.add(message.id, kept, auto_comments=message.auto_comments)
    return made


def spelled(catalog: Catalog) -> bytes:
    """The content of a catalogue's .po file."""
    stream = BytesIO()
    write_po(stream, catalog, width=116, sort_output=True, no_location=True, ignore_obsolete=True)
    return stream.getvalue()


def compiled(catalog: Catalog) -> bytes:
    """The content of a catalogue's .mo file, which gettext reads at run time."""
    stream = BytesIO()
    write_mo(stream, catalog)
    return stream.getvalue()


def main() -> int:
    """Write the catalogues, their compiled files and the page's files, and print the untranslated messages.

    Returns the exit code: 1 if a message is untranslated, else 0.
    """
    left = 0
    for language in TRANSLATED:
        made = renewed(language)
        path = po_file(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(spelled(made))
        path.with_suffix(".mo").write_bytes(compiled(catalogue(language)))
        (PAGE / f"words/{language}.json").write_bytes(page_catalogue(language))
        open_ones = [message.id for message in made if message.id and not all(forms(message))]
        left += len(open_ones)
        print(f"{path.relative_to(ROOT)}: {len(made)} messages, {len(open_ones)} to be translated")
        for one in open_ones:
            print(f"  {one!r}")
    (PAGE / "words/cards.json").write_bytes(page_cards())
    (PAGE / "words/faces.json").write_bytes(page_faces())
    return int(left > 0)


def forms(message: Message) -> list[str]:
    """The translations of a message: one, or one for each plural form; "" if there is no translation."""
    string = message.string or ""
    return [string] if isinstance(string, str) else [*string]


if __name__ == "__main__":
    sys.exit(main())
