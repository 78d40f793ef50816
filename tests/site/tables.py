"""Tables and lists that are generated from the program: commands, rules, routes, columns, rooms, versions."""

import re
from collections.abc import Callable
from typing import Any

import click

from daynight.cli.commands import COMMANDS, SECTIONS
from daynight.cli.commands import daynight as group
from daynight.questions.explain import sources_for
from daynight.rules.citations import DEFAULT_EDITION, EDITIONS, KEYS, LATEST_EDITION, cited
from tests.house.reading import imports, modules, room
from tests.house.table import FLOORS, LIBRARIES, STEADY

from .python import fenced, page

HEADINGS = {
    "look": "Look at a game",
    "judge": "Judge a game",
    "compare": "Compare games",
    "keep": "Keep games",
    "words": "Words and tools",
}
"""The heading of each section of commands."""


def commands() -> str:
    """Every command by section, with the help that the program prints."""
    with click.Context(group, info_name="daynight", terminal_width=96, max_content_width=96) as context:
        text = []
        for section, names in SECTIONS.items():
            text.append(f"## {HEADINGS[section]}")
            text.append("| command | what it does |\n| --- | --- |\n" + "\n".join(row(context, name) for name in names))
            for name in names:
                text += helped(context, name, "daynight " + name, 3)
        return "\n\n".join(text) + "\n"


def row(context: click.Context, name: str) -> str:
    """Return a table row of a command, with the first sentence of its help."""
    command = group.get_command(context, name)
    assert command is not None
    return f"| [`daynight {name}`](#daynight-{name}) | {command.get_short_help_str(200).replace('|', chr(92) + '|')} |"


def helped(context: click.Context, name: str, whole: str, level: int) -> list[str]:
    """Return heading and help of a command, then those of its subcommands, one `level` of headings lower.

    `whole` is the command as it is typed, such as `daynight show`.
    """
    parent = context.command
    assert isinstance(parent, click.Group)
    command = parent.get_command(context, name)
    assert command is not None
    with click.Context(command, info_name=name, parent=context, terminal_width=96, max_content_width=96) as inner:
        text = [f"{'#' * level} {whole}", fenced(command.get_help(inner).rstrip(), "text")]
        if isinstance(command, click.Group):
            for verb in command.list_commands(inner):
                text += helped(inner, verb, f"{whole} {verb}", level + 1)
    return text


UNNUMBERED = {
    "judge": "a judge ruled it",
    "assumed": "it was assumed, by `--assume`",
    "told-to-enter": "an effect says that it enters with its back face up",
    "cannot-transform": "an effect keeps it from transforming",
    "put-on-stack": "what waited since the untap step goes on the stack in the upkeep",
    "backed-up": "the game was backed up",
}
"""The text of each key of a rule that has no number in the rules."""


def said(key: str) -> str:
    """Return the text of the rule with this key in the latest edition, or from UNNUMBERED."""
    sources = sources_for(key, LATEST_EDITION)
    return sources[0].says if sources else UNNUMBERED[key]


def rules() -> str:
    """The rules by their keys: the text, the number in the default edition and the latest, and all numbers."""
    text = [
        f"| key | what it says | {DEFAULT_EDITION} (the default) | {LATEST_EDITION} |\n| --- | --- | --- | --- |\n"
        + "\n".join(
            f"| `{key}` | {said(key)} | {cited(key, DEFAULT_EDITION) or ''} | {cited(key, LATEST_EDITION) or ''} |"
            for key in KEYS
        )
    ]
    text.append(
        "## The numbers by edition\n\nRules that never moved stand once; the others by the edition that moved them."
    )
    for key in KEYS:
        numbers = [(edition, cited(key, edition)) for edition in EDITIONS]
        if not any(number for _edition, number in numbers):
            continue
        changes = [each for n, each in enumerate(numbers) if n == 0 or numbers[n - 1][1] != each[1]]
        text.append(
            f"`{key}`: " + ", ".join(f"{number or 'not checked'} since {edition}" for edition, number in changes) + "."
        )
    return "\n\n".join(text) + "\n"


def routes() -> str:
    """The routes of the server by their addresses, with the types of request body and answer."""
    from daynight.web.describing.openapi import openapi
    from daynight.web.routes.table import ROUTES

    found = openapi(ROUTES)
    text = []
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            text.append(f"## {method.upper()} {path}")
            text.append(operation.get("summary", ""))
            if given := operation.get("parameters"):
                lines = [f"| `{one['name']}` | {one['in']} | {shape(one['schema'])} |" for one in given]
                text.append("| parameter | in | shape |\n| --- | --- | --- |\n" + "\n".join(lines))
            lines = [f"| sent | {shapes(operation['requestBody'])} |"] if "requestBody" in operation else []
            lines += [f"| {status} | {shapes(answer)} |" for status, answer in operation.get("responses", {}).items()]
            text.append("| | shape |\n| --- | --- |\n" + "\n".join(lines))
    return "\n\n".join(part for part in text if part) + "\n"


def shapes(body: dict[str, Any]) -> str:
    """Return media types and schemas of a body or an answer as text; its description if it has no content."""
    told = [f"`{kind}` {shape(one.get('schema', {}))}".strip() for kind, one in body.get("content", {}).items()]
    return "; ".join(told) or body.get("description", "")


def shape(schema: dict[str, Any]) -> str:
    """Return a JSON schema in a few words, such as `a list of string`."""
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    if "anyOf" in schema:
        return " or ".join(shape(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"a list of {shape(schema.get('items', {})) or 'values'}"
    bounds = [f"{word} {schema[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in schema]
    return " ".join([str(schema.get("type", "")), *bounds]).strip()


def columns() -> str:
    """The tables of a corpus: their columns with meaning and type."""
    from daynight.corpus.building.card import COLUMNS
    from daynight.corpus.schema import TABLES, WORDS

    text = []
    for name, schema in TABLES.items():
        lines = []
        for field in schema:
            words = ", ".join(f"`{word}`" for word in WORDS.get(field.name, ())) if field.name != "tag" else "every tag"
            kind = "word" if "dictionary" in str(field.type) else str(field.type).replace("element: ", "")
            null = "may be null" if field.nullable else ""
            lines.append(f"| `{field.name}` | {COLUMNS[name][field.name]} | `{kind}` | {null} | {words} |")
        head = "| column | meaning | type | null | words |\n| --- | --- | --- | --- | --- |\n"
        text += [f"## {name}", head + "\n".join(lines)]
    return "\n\n".join(text) + "\n"


def rooms() -> str:
    """Return a table of rooms (packages) by floor, the lowest first: modules, imported rooms, allowed libraries."""
    uses: dict[str, set[str]] = {}
    for module in modules():
        for one in imports(module):
            if one.name.startswith("daynight") and not one.for_types and room(one.name) != module.room:
                uses.setdefault(module.room, set()).add(room(one.name))
    libraries: dict[str, list[str]] = {}
    for library, places in LIBRARIES.items():
        for place in places:
            libraries.setdefault(place, []).append(library)
    sizes = {name: sum(1 for one in modules() if one.room == name) for name in {one.room for one in modules()}}
    lines = ["| floor | room | modules | imports | libraries |", "| --- | --- | --- | --- | --- |"]
    for number, floor in enumerate(FLOORS, 1):
        for name in floor:
            steady = " (no clock, no random, no environment)" if name in STEADY else ""
            told = ", ".join(f"`{one}`" for one in sorted(uses.get(name, ())))
            also = ", ".join(f"`{one}`" for one in libraries.get(name, ()))
            lines.append(f"| {number} | `{name}`{steady} | {sizes.get(name, 0)} | {told} | {also} |")
    return "\n".join(lines) + "\n"


def floors() -> str:
    """Return the floors as an SVG, the lowest at the bottom, with a box for each room (package)."""
    high, wide, letter = 30, 1000, 8.2
    drawn, bottom = [], high * len(FLOORS)
    for number, floor in enumerate(FLOORS, 1):
        top, left = bottom - high * number, 40.0
        drawn.append(f'<text x="4" y="{top + 20}">{number}</text>')
        for name in floor:
            box = letter * len(name) + 16
            drawn.append(f'<rect x="{left:g}" y="{top + 3}" width="{box:g}" height="24" rx="4"/>')
            drawn.append(f'<text x="{left + 8:g}" y="{top + 20}">{name}</text>')
            left += box + 8
    label = f"{len(FLOORS)} floors of rooms; a room imports only rooms on lower floors. The table below says the same."
    head = f'<svg class="floors" role="img" aria-label="{label}" viewBox="0 0 {wide} {bottom}" width="{wide}">'
    return "\n".join([head, *drawn, "</svg>"]) + "\n"


def versions() -> str:
    """The version of each format, read from the program."""
    from daynight import __version__
    from daynight.conformance.cases import SUITE
    from daynight.corpus.schema import FORMAT

    return "\n".join([
        "| what | version | where it stands |",
        "| --- | --- | --- |",
        f"| daynight | {__version__} | `daynight --version` |",
        "| [a record](record.md) | 1 | `format` in line 1 |",
        "| [documents of commands](command-line.md#json) | 1 | `version` at the beginning of each |",
        "| [the report](report.md) | 1 | `format` in the document |",
        "| [the HTTP interface](http.md) | 1 | `/v1` in each address |",
        f"| [a corpus](corpus.md) | {FORMAT} | `format` in `corpus.json` |",
        f"| [the conformance suite](../how-to/conformance.md) | {SUITE} | its name |",
        f"| editions of the rules | {len(EDITIONS)}, {EDITIONS[0]} to {LATEST_EDITION} | [the rules](rules.md) |",
    ]) + "\n"  # fmt: skip


MADE: dict[str, Callable[[], str]] = {
    "commands": commands,
    "rules": rules,
    "routes": routes,
    "columns": columns,
    "floors": floors,
    "rooms": rooms,
    "versions": versions,
}
"""The function for each NAME in a mark `<!-- generated: NAME -->`; `python MODULE` gives a module's reference."""

MARK = re.compile(r"^<!-- generated: ([\w. -]+) -->$", re.MULTILINE)


def filled(text: str) -> str:
    """Return the text of a page with each mark replaced by the generated text."""
    return MARK.sub(lambda found: made(found[1]).rstrip("\n"), text)


def made(name: str) -> str:
    """Return the generated text for the name in a mark."""
    kind, _, module = name.partition(" ")
    return page(module) if kind == "python" else MADE[name]()


__all__ = ["COMMANDS", "MARK", "filled", "made"]
