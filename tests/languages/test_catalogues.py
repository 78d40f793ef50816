"""The catalogues contain exactly the messages of the program, and every translation fits its message.

| promise | test |
| --- | --- |
| no message is untranslated, fuzzy, missing or outdated | test_complete, test_nothing_fuzzy, test_nothing_stale |
| a translation has the placeholders of its sentence, no others | test_placeholders |
| French has two plural forms, the second for `n > 1`; Japanese has one | test_plural_rules, test_plural_forms |
| the compiled catalogues match the .po files | test_compiled |
| the catalogues are as `make messages` writes them | test_spelled |
| French has its spaces, quotation marks and apostrophes; Japanese its own punctuation | test_french, test_japanese |
| options, commands and names of four types of events are in the translation as well | test_names_stay |
| texts are looked up at run time, and only as literal strings | test_calls |
| click has the texts in `CLICK`, and the catalogues contain them | test_click_says_so, test_all_of_click |
| `holes` finds a missing translation | test_a_hole_is_found |
"""

import ast
import gettext
import re

import pytest
from babel.messages.catalog import Catalog

from daynight.languages.speaking import CATALOGUES, DOMAIN, LANGUAGES

from .messages import CLICK, ROOT, TRANSLATED, catalogue, compiled, forms, messages, po_file, renewed, spelled

EVERY_LANGUAGE = pytest.mark.parametrize("language", TRANSLATED)
PLACEHOLDER = re.compile(r"\{(?:\w+(?:!r)?)\}")
UNUSED = {"{value!r} is not a valid {number_type}.": {"{number_type}"}}
"""By message, the placeholders that a translation does not use: click puts English names of types there."""

BY_NAME = {
    "daynight/cli/words/cards.py",
    "daynight/cli/terminal/helping.py",
    "daynight/cli/terminal/interpreter.py",
    "daynight/cli/words/chart.py",
    "daynight/questions/explain.py",
}
"""The modules that may call `translated` with a text that is not a literal; `messages` collects these texts."""


def said(catalog):
    """The list of pairs: each message except the header, and the list of its translations."""
    return [(message, forms(message)) for message in catalog if message.id]


def holes(catalog, expected):
    """The messages in `expected` that `catalog` does not have, or has without one of their translations."""
    there = {message.id: translations for message, translations in said(catalog)}
    return [key for key in expected if not there.get(key) or not all(there[key])]


@EVERY_LANGUAGE
def test_complete(language):
    """Every message of the program is in the catalogue, with all its translations."""
    assert [] == holes(catalogue(language), messages())


def test_a_hole_is_found():
    """`holes` returns a missing message, one without translation, and one without a plural form, but not a full one."""
    made = Catalog("fr")
    made.add("b", "")
    made.add(("c", "d"), ("c", ""))
    made.add("e", "f")
    assert ["a", "b", ("c", "d")] == holes(made, ["a", "b", ("c", "d"), "e"])


@EVERY_LANGUAGE
def test_nothing_fuzzy(language):
    """No translation is marked as fuzzy, and the file keeps no obsolete message (a line with `#~`)."""
    assert [] == [message.id for message in catalogue(language) if message.fuzzy]
    assert "#~" not in po_file(language).read_text(encoding="utf-8")


@EVERY_LANGUAGE
def test_nothing_stale(language):
    """Every message in the catalogue is still a message of the program."""
    assert [] == [message.id for message, _translations in said(catalogue(language)) if message.id not in messages()]


def test_languages():
    """There is a catalogue for each language except English, and no other."""
    assert ("en", *TRANSLATED) == LANGUAGES
    assert set(TRANSLATED) == {path.name for path in CATALOGUES.iterdir() if path.is_dir()}


@EVERY_LANGUAGE
def test_placeholders(language):
    """Each form has the placeholders of its English form; a single form has those of the English plural.

    The first of several forms may leave out `{n}` (`a spell`), and may use the placeholders of the English plural.
    """
    for message, translations in said(catalogue(language)):
        english = [message.id] if isinstance(message.id, str) else list(message.id)
        for source, translation in zip(english[-len(translations) :], translations, strict=True):
            missing = set(PLACEHOLDER.findall(source)) - UNUSED.get(source, set())
            if isinstance(message.id, tuple) and translation is translations[0] and len(translations) > 1:
                # A translation may say `a spell` for the English `{n} spell`.
                missing -= {"{n}"}
                assert set(PLACEHOLDER.findall(translation)) >= missing, message.id
                missing |= set(PLACEHOLDER.findall(english[-1]))
                assert set(PLACEHOLDER.findall(translation)) <= missing, message.id
            else:
                assert missing == set(PLACEHOLDER.findall(translation)), message.id


@pytest.mark.parametrize("language, number, rule", [("fr", 2, "(n > 1)"), ("ja", 1, "0")])
def test_plural_rules(language, number, rule):
    """French has two forms, the singular for 0 and 1; Japanese has one; each counted message has that many."""
    made = catalogue(language)
    assert (number, rule) == (made.num_plurals, made.plural_expr)
    assert all(number == len(translations) for message, translations in said(made) if isinstance(message.id, tuple))


@pytest.mark.parametrize(
    "language, expected",
    [("fr", ["0 sort", "1 sort", "2 sorts", "21 sorts"]), ("ja", ["呪文0個", "呪文1個", "呪文2個", "呪文21個"])],
)
def test_plural_forms(language, expected):
    """In the compiled catalogues gettext finds the right form of `{n} spell` for 0, 1, 2 and 21."""
    read = gettext.translation(DOMAIN, str(CATALOGUES), [language])
    assert expected == [read.ngettext("{n} spell", "{n} spells", n).format(n=n) for n in (0, 1, 2, 21)]


@EVERY_LANGUAGE
def test_compiled(language, tmp_path):
    """The .mo file has the messages of the .po file. Headers are not compared, for they name the version of Babel."""
    (tmp_path / "fresh.mo").write_bytes(compiled(catalogue(language)))
    read = []
    for path in (po_file(language).with_suffix(".mo"), tmp_path / "fresh.mo"):
        with path.open("rb") as stream:
            read.append(gettext.GNUTranslations(stream))
    there, fresh = [{key: text for key, text in one._catalog.items() if key} for one in read]
    assert len(messages()) <= len(fresh)
    assert fresh == there
    assert [language] * 2 == [one.info()["language"] for one in read]


@EVERY_LANGUAGE
def test_spelled(language):
    """The .po file is what `make messages` writes, but for the line with Babel's version; it has no source places."""
    written = po_file(language).read_bytes()
    lines = [line for line in written.splitlines() if b"Generated-By" not in line]
    assert lines == [line for line in spelled(renewed(language)).splitlines() if b"Generated-By" not in line]
    assert not re.search(rb"^#:", written, re.MULTILINE)
    assert b'#. click\nmsgid "Usage:"' in written


def test_french():
    """French has a non-breaking space before : ; ! ? and », and after «, and typographic apostrophes."""
    for _message, translations in said(catalogue("fr")):
        for text in translations:
            french = PLACEHOLDER.sub("0", re.sub(r"'[^'{]*'(?!\w)|memory:|\{\w+\}:\{\w+\}: ", "", text))
            assert not re.search(r" [:;!?»]|« ", french), text
            assert not re.search(r"\w[;!?»]|«\w|\w: ", french), text
            assert not re.search(r"[a-zéèêàùç]'[a-zéèêàùç]", french), text


def test_japanese():
    """Japanese has its own full stops and commas, and no space between sentences."""
    for message, translations in said(catalogue("ja")):
        for text in translations:
            japanese = re.sub(r"'[^']*'|\{.*?\}|\w*\.(?:json|jsonl|dn|proof|svg|html|md)|\.\.\.", "", text)
            assert not re.search(r"[぀-ヿ一-鿿][,.;?!]|[,;?!][぀-ヿ一-鿿]", japanese), text
            assert not re.search(r"。 ", japanese), text
            if isinstance(message.id, str) and message.id.endswith(".") and len(message.id) > 25 and "..." not in text:
                assert re.search(r"[。？'）)]$|[!-~]$", text), text


@EVERY_LANGUAGE
def test_names_stay(language):
    """Options, commands and four types of events (such as `spell-cast`) in a message are in its translations too."""
    kept = re.compile(
        r"--[a-z][\w-]*|daynight [a-z][\w-]+|(?:spell-cast|turn-began|game-started|game-joined)", re.ASCII
    )
    for message, translations in said(catalogue(language)):
        source = message.id if isinstance(message.id, str) else message.id[-1]
        if source == "daynight report":
            # Here it is a title, not the command.
            continue
        typed = {one for one in kept.findall(source) if not one.startswith("daynight ") or _is_command(one)}
        for text in translations:
            assert typed <= set(kept.findall(text)), (source, text)


def _is_command(words):
    from daynight.cli.commands import COMMANDS

    return words.partition(" ")[2] in COMMANDS


CALLED = re.compile(r"\b(?:_|counted|translated)\s*\(")


def calls(text):
    """Yield a pair for each call that translates: its node of `ast`, and whether it runs when the module is loaded."""
    # Only the statements in which such a call is written are searched.
    lines = {number for number, line in enumerate(text.splitlines(), 1) if CALLED.search(line)}
    waiting = [(ast.parse(text), True)]
    while waiting:
        node, at_import = waiting.pop()
        if isinstance(node, ast.stmt):
            decorators = [each.lineno for each in getattr(node, "decorator_list", ())]
            if lines.isdisjoint(range(min([node.lineno, *decorators]), node.end_lineno + 1)):
                continue
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in ("_", "counted", "translated"):
            yield node, at_import
        later = ()
        if at_import and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            later = node.body if isinstance(node.body, list) else [node.body]
        waiting += [(inner, at_import and inner not in later) for inner in ast.iter_child_nodes(node)]


def faults(text):
    """The pairs `(line, sentence)` of a module's wrong translating calls: run at import, or without literal strings."""
    found = []
    for node, at_import in calls(text):
        needed = {"_": 1, "counted": 2, "translated": 0}[node.func.id]
        literal = all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in node.args[:needed])
        if at_import:
            found.append((node.lineno, "said when the module is loaded: in whose language?"))
        if not literal or len(node.args) < needed:
            found.append((node.lineno, "not a literal: nobody can translate what is not there yet"))
    return found


def test_calls():
    """No module has a call with an error of `faults`, and only the modules in `BY_NAME` call `translated`."""
    for folder in ("daynight", "events", "projections"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if not CALLED.search(text):
                continue
            assert [] == faults(text), path
            if "translated(" in text and any(node.func.id == "translated" for node, _early in calls(text)):
                assert path.relative_to(ROOT).as_posix() in BY_NAME, path


@pytest.mark.parametrize("text", [
    '_("said too early")', 'def f(x=_("said too early")): ...', 'SAYINGS = {"a": _("said too early")}',
    'def f(): return _(f"put {together}")', 'def f(): return _("put" + together)',
    "def f(sentence): return _(sentence)", 'def f(n): return counted("one", many, n)',
])  # fmt: skip
def test_calls_are_judged(text):
    """`faults` returns one error for each `text` of the table, which has a wrong call, and none for right calls."""
    assert 1 == len(faults(text))
    assert [] == faults('def f(): return [_("well"), counted("one", "many", 2), (lambda: _("later"))]')


def test_click_says_so():
    """Each text in `CLICK` is still in click's sources; a later version of click may change them."""
    from pathlib import Path

    import click

    source = "".join(path.read_text(encoding="utf-8") for path in Path(click.__file__).parent.glob("*.py"))
    for key in CLICK:
        for text in [key] if isinstance(key, str) else key:
            assert text.replace("\n", "\\n").replace("\t", "\\t") in source, text


def test_all_of_click():
    """Each text in `CLICK` is one of `messages`, so the catalogues contain it."""
    assert set(CLICK) <= set(messages())
