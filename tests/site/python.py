"""The reference of Python: a page for each public module, generated from its docstrings."""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Generic

from .names import MODULES, Entry, entries, fields, members, page_of, plain

SECTION = re.compile(r"^(Args|Arguments|Raises|Returns|Yields|Attributes|Note|Example|Examples):$")
ITEM = re.compile(r"^([\w.*, ]+?)(?: \([^)]*\))?: +(.*)$")
WIDTH = 88
"""The most characters of a signature on one line; a longer one has a line for each parameter."""


def page(module: str) -> str:
    """The body of a module's page: its purpose, a list of its names, and each name."""
    found = entries(module)
    here = [one for one in found if page_of().get(id(one.value), module) == module]
    elsewhere = [one for one in found if one not in here]
    text = [f"{capital(MODULES[module])}. `from {module} import ...`", docstring(import_module(module).__doc__ or "")]
    if elsewhere:
        text.append("| also offered here | described in |\n| --- | --- |\n" + "\n".join(map(other, elsewhere)))
    text += [part for one in here for part in entry(one)]
    return "\n\n".join(part for part in text if part) + "\n"


def capital(text: str) -> str:
    """Return the text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def other(one: Entry) -> str:
    """Return a table row for a name that is described on another page, with the link."""
    module = page_of()[id(one.value)]
    return f"| `{one.name}` | [`{module}.{one.value.__name__}`]({file_name(module)}#{one.value.__name__.lower()}) |"


def file_name(module: str) -> str:
    """The file of the page of a module: `events.md` for `daynight.events`."""
    return (module.removeprefix("daynight.") or module) + ".md"


def entry(one: Entry) -> Iterator[str]:
    """Yield the parts of a name's entry: declaration, docstring, fields, methods, and the path of its source."""
    yield f"## {one.name}"
    if one.is_class:
        yield fenced(f"class {declared(one)}")
    elif inspect.isroutine(one.value):
        yield fenced("def " + signature(one.name, one.value))
    else:
        yield fenced(value_of(one))
    yield docstring(one.meaning)
    if one.is_class and (rows := fields(one.value)):
        yield "| field | type | default |\n| --- | --- | --- |\n" + "\n".join(
            f"| `{name}` | {code(kind)} | {code(default) if default else ''} |"
            for name, (kind, default) in rows.items()
        )
    if one.is_class:
        for each in members(one):
            yield from member(each)
    yield f"Source: `{one.path}`" if one.is_class or inspect.isroutine(one.value) else ""


def declared(one: Entry) -> str:
    """Return the declaration of a class: its name with its bases, or with the parameters of its own `__init__`."""
    bases = [base.__name__ for base in one.value.__bases__ if base not in (object, Generic) and base.__name__[0] != "_"]
    if fields(one.value) or issubclass(one.value, BaseException) or "__init__" not in vars(one.value):
        return f"{one.name}({', '.join(bases)})" if bases else one.name
    return signature(one.name, one.value.__init__, skip=1)


def member(one: Entry) -> Iterator[str]:
    """Yield the parts of the entry of a method or a property: heading, signature, docstring."""
    kind, name = one.value, one.name.partition(".")[2]
    function = plain(kind)
    yield f"### {one.name}"
    if isinstance(kind, property) or (
        not isinstance(kind, classmethod | staticmethod) and not inspect.isfunction(kind)
    ):
        returned = inspect.signature(function).return_annotation
        yield fenced(name + ("" if returned is inspect.Signature.empty else f": {spelled(returned)}"))
    else:
        before = "@classmethod\n" if isinstance(kind, classmethod) else ""
        before = "@staticmethod\n" if isinstance(kind, staticmethod) else before
        yield fenced(before + "def " + signature(name, function, skip=int(not isinstance(kind, staticmethod))))
    yield docstring(inspect.getdoc(function) or "")


def signature(name: str, function: Any, skip: int = 0) -> str:
    """Return the signature of a function without its first `skip` parameters, on several lines if it is long."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return f"{name}(...)"
    parameters = list(found.parameters.values())[skip:]
    shown, star = [], False
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not star:
            shown.append("*")
        star = star or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        mark = "*" if one.kind is one.VAR_POSITIONAL else "**" if one.kind is one.VAR_KEYWORD else ""
        kind = "" if one.annotation is one.empty else f": {spelled(one.annotation)}"
        default = "" if one.default is one.empty else (" = " if kind else "=") + value_shown(one.default)
        shown.append(f"{mark}{one.name}{kind}{default}")
    answer = found.return_annotation
    end = (
        ")"
        if answer in (inspect.Signature.empty, None, "None") and skip and name[:1].isupper()
        else (")" if answer is inspect.Signature.empty else f") -> {spelled(answer)}")
    )
    line = f"{name}({', '.join(shown)}{end}"
    return line if len(line) <= WIDTH else f"{name}(\n" + "".join(f"    {one},\n" for one in shown) + end


def spelled(annotation: Any) -> str:
    """Return a type as source text, without the names of modules."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z])", "", text).replace("~", "")


def value_shown(value: Any) -> str:
    """Return a value as text; "..." if it is long or has a memory address, which differs from run to run."""
    if inspect.isclass(value) or inspect.isroutine(value):
        return str(value.__name__)
    text = repr(value)
    return "..." if " at 0x" in text or len(text) > 40 else text


def value_of(one: Entry) -> str:
    """Return `NAME = value` for a constant; only the name for an alias of a type, or if the value is long."""
    text = value_shown(one.value)
    return (
        one.name
        if text == "..." or text.startswith(("typing.", "daynight.")) or "|" in text
        else f"{one.name} = {text}"
    )


def code(text: str) -> str:
    """Return text as code for a cell of a Markdown table."""
    return "`" + text.replace("|", "\\|") + "`" if text else ""


def fenced(text: str, language: str = "python") -> str:
    """Text as a block of code."""
    return f"```{language}\n{text}\n```"


def docstring(text: str) -> str:
    """A docstring as Markdown: examples and sections become blocks and lists, and public names are linked."""
    out: list[str] = []
    lines = inspect.cleandoc(text).splitlines()
    place = 0
    while place < len(lines):
        line = lines[place]
        if line.startswith(">>> "):
            end = next((n for n in range(place, len(lines)) if not lines[n].strip()), len(lines))
            out += ["", "```python", *lines[place:end], "```", ""]
            place = end
        elif found := SECTION.match(line):
            end = next((n for n in range(place + 1, len(lines)) if lines[n].strip() and lines[n][0] != " "), len(lines))
            out += ["", f"**{found[1]}**", "", *items(lines[place + 1 : end]), ""]
            place = end
        elif line.startswith("    ") and (not out or not out[-1].strip()):
            end = next((n for n in range(place, len(lines)) if lines[n].strip() and lines[n][0] != " "), len(lines))
            out += ["```text", *[one[4:] for one in lines[place:end]], "```", ""]
            place = end
        else:
            out.append(line)
            place += 1
    return linked("\n".join(out).strip())


def items(lines: list[str]) -> list[str]:
    """Return Markdown list items for the lines below a heading such as `Raises:`."""
    text = inspect.cleandoc("\n".join(lines)).splitlines()
    found: list[str] = []
    for line in text:
        if line and line[0] != " " and (match := ITEM.match(line)):
            found.append(f"- `{match[1]}`: {match[2]}")
        elif line.strip() and found:
            found.append(f"  {line.strip()}")
        elif line.strip():
            found.append(line.strip())
    return found


def linked(text: str) -> str:
    """The text with a link at each public name in backticks, except in blocks of code."""
    names = links()
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(
        part if part.startswith("```") else re.sub(r"(?<![\[`])`(\w+)`(?!\])", lambda found: link(found, names), part)
        for part in parts
    )


def link(found: re.Match[str], names: dict[str, str]) -> str:
    """Return the found name in backticks, as a link if `names` has its page."""
    return f"[`{found[1]}`]({names[found[1]]})" if found[1] in names else found[0]


def links() -> dict[str, str]:
    """Return page and anchor of each public class, by name; a name that two modules have is left out."""
    found: dict[str, set[str]] = {}
    for module in MODULES:
        for one in entries(module):
            if page_of().get(id(one.value)) == module:
                found.setdefault(one.name, set()).add(f"{file_name(module)}#{one.name.lower()}")
    return {name: next(iter(places)) for name, places in found.items() if len(places) == 1 and not name.islower()}
