"""The reference of Python has every public name.

| promise | test |
| --- | --- |
| each public module has its page, and no other module has one | test_modules |
| each public name and method has a docstring, which names the errors that it raises itself | test_meanings |
| `missing` finds a name without a docstring, and one with an undocumented error | test_found |
| the page of a module has an entry for each name, with its declaration, methods and source | test_pages |
| a docstring becomes Markdown: examples, sections, links | test_docstrings |
| no page contains a memory address or a path of this machine | test_steady |
"""

import inspect
import re
from typing import NamedTuple

import pytest

from tests.documents import GUIDES, ROOT

from .names import MODULES, Entry, entries, members, page_of, plain, raised
from .python import docstring, file_name, page, signature


def missing(entry):
    """Return what the docstrings of a name and its methods lack: the name without one, and errors that none names."""
    there = [entry, *(members(entry) if entry.is_class else ())]
    found = [one.name for one in there if not (one.meaning or inspect.getdoc(plain(one.value)))]
    for one in there:
        made = (
            [vars(one.value)[name] for name in ("__init__", "__post_init__") if name in vars(one.value)]
            if one.is_class
            else []
        )
        told = " ".join(
            [one.meaning, entry.meaning, *(inspect.getdoc(plain(each)) or "" for each in [one.value, *made])]
        )
        kinds = {kind for each in (made if one.is_class else [one.value]) for kind in raised(each)}
        found += [f"{one.name} raises {kind}" for kind in sorted(kinds) if kind not in told]
    return found


def test_modules():
    there = {path.stem for path in (GUIDES / "reference" / "python").glob("*.md")} - {"index"}
    assert {file_name(module).removesuffix(".md") for module in MODULES} == there
    index = (GUIDES / "reference" / "python" / "index.md").read_text("utf-8")
    for module in MODULES:
        text = (GUIDES / "reference" / "python" / file_name(module)).read_text("utf-8")
        assert f"<!-- generated: python {module} -->" in text
        assert re.search(rf"^{re.escape(file_name(module).removesuffix('.md'))}$", index, re.MULTILINE)


@pytest.mark.parametrize("module", MODULES)
def test_meanings(module):
    assert entries(module)
    assert [] == [each for entry in entries(module) for each in missing(entry)]


def silent():
    raise ValueError("no")


def half_silent():
    """Raise an error that this docstring does not name, for `test_found`."""
    raise LookupError


def test_found():
    assert ["silent", "silent raises ValueError"] == missing(Entry(__name__, "silent", silent))
    assert ["half_silent raises LookupError"] == missing(Entry(__name__, "half_silent", half_silent))


@pytest.mark.parametrize("module", MODULES)
def test_pages(module):
    text = page(module)
    for entry in entries(module):
        if page_of().get(id(entry.value), module) != module:
            assert re.search(rf"^\| `{entry.name}` \| \[", text, re.MULTILINE), entry.name
            continue
        part = re.search(rf"^## {entry.name}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]
        assert re.match(rf"\n```python\n(class |def )?{entry.name}\b", part), entry.name
        if entry.is_class or inspect.isroutine(entry.value):
            assert f"Source: `{entry.path}`" in part
            assert (ROOT / entry.path).is_file()
        for one in members(entry) if entry.is_class else ():
            assert f"\n### {one.name}\n" in part


class Pair(NamedTuple):
    left: int = 1


def test_docstrings():
    text = docstring(
        "Says it.\n\n>>> 1 + 1\n2\n\n"
        "Raises:\n    ValueError: where `Recorded` is not\n        there.\n    OSError: else."
    )
    assert "```python\n>>> 1 + 1\n2\n```" in text
    assert (
        "**Raises**\n\n- `ValueError`: where [`Recorded`](framework.md#recorded) is not\n  there.\n- `OSError`: else."
        in text
    )
    assert "left: int = 1" in signature("Pair", Pair)


@pytest.mark.parametrize("module", MODULES)
def test_steady(module):
    text = page(module)
    assert " at 0x" not in text
    assert str(ROOT) not in text
