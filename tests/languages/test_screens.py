"""The terminal output in each language.

| promise | test |
| --- | --- |
| the stored story is what the commands print, in English, French and Japanese | test_story |
| no English is left, except in notes and typed commands | test_no_english_left, test_english_is_found |
| `--lang` may be before or after the command, with `=`; the last wins; else the environment | test_where_it_is_asked |
| the same holds in a new process | test_where_a_process_is_asked |
| `asked` finds `--lang` before the command line is parsed | test_asked |
| an unknown language is wrong usage, and the three are named | test_no_such_language |
| every help text, its headings, and click's usage errors are translated | test_help, test_wrong_usage |
| wide Japanese characters: no line is too long, columns are aligned, nothing is cut off | test_wide |
| JSON differs only in its sentences | test_json |
| refusals keep file, line, path and exit code | test_refusals |
| programs started by a command get the original environment | test_environment |
| a command line does not change the language of the process | test_nothing_is_left |
"""

import gettext
import json
import os
import re
import unicodedata
from functools import cache

import click
import pytest

from daynight.cli.commands import COMMANDS, daynight, run
from daynight.cli.terminal.interpreter import asked, interpreted, interpreting
from daynight.framework.language import wording
from daynight.languages.speaking import VARIABLES
from tests.sampling import sampled

from .messages import TRANSLATED, catalogue, forms
from .story import ROOT, path, ran, story

EVERY_LANGUAGE = pytest.mark.parametrize("language", TRANSLATED)
LEAST = 9
"""Shorter pieces of English are not searched for, since another language may have them by chance."""


@cache
def english(language):
    """What `pieces` yields for `language`, as a tuple; cached."""
    return tuple(pieces(language))


def pieces(language):
    """Cut each English message at placeholders, quoted words and line ends; yield the pieces not in its translation.

    Such a piece in a translated text shows that the text stayed English. It has `LEAST` characters or more, and two
    words.
    """
    for message in catalogue(language):
        for source in [message.id] if isinstance(message.id, str) else message.id:
            for piece in re.split(r"\{[^{}]*\}|'[^']*'|\n", source):
                words = piece.strip(" .,;:()")
                if len(words) < LEAST or not re.search(" (?!report$)", words):
                    continue
                if not any(words in one for one in forms(message)):
                    yield words


def left(text, language):
    """The pieces of `english(language)` in a text; notes, quoted words and lines with a command are not searched."""
    lines = [line.partition("  # ")[0] for line in text.splitlines() if not line.startswith("$ ")]
    lines = [re.sub('"[^"]*"', "", line) if line.lstrip().startswith("daynight ") else line for line in lines]
    lines = [re.sub("'[^']*'", "", line) for line in lines]
    return [words for words in english(language) if any(words in line for line in lines)]


@pytest.mark.wide
@pytest.mark.parametrize("language", ["en", *TRANSLATED])
def test_story(language):
    """The stored story equals a new run; `python -m tests.languages.story` rewrites it for speakers to read."""
    assert path(language).read_text(encoding="utf-8") == story(language)


@pytest.mark.wide(but=1)
@EVERY_LANGUAGE
def test_no_english_left(language):
    """`left` finds no English in the story, nor in any help text."""
    assert [] == left(path(language).read_text(encoding="utf-8"), language)
    for name in COMMANDS:
        assert [] == left(helped(name, language), language), name


def helped(name, language):
    """The help of a command in a language, with lines that are not wrapped."""
    with interpreting(language):
        context = click.Context(interpreted(daynight), info_name="daynight")
        command = daynight.get_command(context, name)
        return command.get_help(command.context_class(command, info_name=name, terminal_width=10_000, parent=context))


@EVERY_LANGUAGE
def test_english_is_found(language):
    """The control: `left` finds more than 50 pieces in the English story."""
    assert len(left(path("en").read_text(encoding="utf-8"), language)) > 50


WHY = ("why", "demo", "--at", "122")


@pytest.mark.wide(but=5)
@pytest.mark.parametrize("arguments, environment, word", [
    (WHY, {}, "night"),
    (("--lang", "fr", *WHY), {}, "nuit"),
    (("--lang=ja", *WHY), {}, "夜"),
    ((*WHY, "--lang", "fr"), {}, "nuit"),
    (("--lang", "fr", *WHY, "--lang=ja"), {}, "夜"),
    ((*WHY, "--lang=fr"), {"LANG": "ja_JP.UTF-8"}, "nuit"),
    ((*WHY, "--lang", "en"), {"LANG": "ja_JP.UTF-8"}, "night"),
    (WHY, {"LANG": "fr_FR.UTF-8"}, "nuit"),
    (WHY, {"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "night"),
    (WHY, {"LANG": "fr_FR.UTF-8", "LANGUAGE": "de:ja"}, "夜"),
    (WHY, {"LANG": "fr_FR.UTF-8", "DAYNIGHT_LANG": "ja"}, "夜"),
    (WHY, {"LANG": "de_DE.UTF-8"}, "night"),
])  # fmt: skip
def test_where_it_is_asked(capsys, monkeypatch, arguments, environment, word):
    """In this process the last `--lang` gives a command's language, else the environment, else it is English."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert 0 == run(list(arguments))
    told = capsys.readouterr()
    assert (f"e122  ☾ {word}", "") == (told.out.splitlines()[0], told.err)


@pytest.mark.parametrize("arguments, environment, word", [
    pytest.param((*WHY, "--lang=fr"), {"LANG": "ja_JP.UTF-8"}, "nuit", marks=pytest.mark.slow),
    (WHY, {"LANG": "fr_FR.UTF-8", "DAYNIGHT_LANG": "ja"}, "夜"),
])  # fmt: skip
def test_where_a_process_is_asked(arguments, environment, word):
    """In a new process `--lang` gives the language, else DAYNIGHT_LANG, else LANG."""
    answer = ran(*arguments, **environment)
    assert (0, f"e122  ☾ {word}", "") == (answer.returncode, answer.stdout.splitlines()[0], answer.stderr)


@pytest.mark.parametrize("arguments, environment, language", [
    (["why", "--lang", "fr", "--lang", "ja"], {}, "ja"),
    (["--lang", "fr", "dispute", "show", "--lang=ja", "g.jsonl"], {}, "ja"),
    (["--lang", "fr", "why", "--lang", "de"], {}, "fr"),
    (["record", "g", "--", "--lang", "fr"], {"LANG": "ja"}, "ja"),
    (["why", "--lang"], {"LANG": "ja"}, "ja"),
    (["why", "--lang", "de"], {"LANG": "ja"}, "ja"),
    (["why", "--language=fr"], {}, None),
    ([], {}, None),
])  # fmt: skip
def test_asked(arguments, environment, language):
    """`asked` returns the last known language after `--lang`, else that of the environment, else None."""
    assert language == asked(arguments, environment)


@pytest.mark.parametrize("language, sentence", [
    ("en", "{0}: invalid value for '--lang': 'de' is not one of {1}; try {2}\n"),
    ("fr", "{0} : valeur incorrecte pour '--lang' : 'de' n’est aucun de ceux-ci : {1} ; essayez {2}\n"),
    ("ja", "{0}：'--lang'の値が正しくありません：'de'は次のどれでもありません：{1}。くわしくは{2}を見てください\n"),
])  # fmt: skip
@pytest.mark.parametrize("place", [0, 2])
def test_no_such_language(capsys, monkeypatch, language, sentence, place):
    """An unknown `--lang` gives exit code 2, and an error in the environment's language with the known ones."""
    monkeypatch.setenv("DAYNIGHT_LANG", language)
    arguments = ["why", "demo"]
    arguments[place:place] = ["--lang", "de"]
    assert 2 == run(arguments)
    captured = capsys.readouterr()
    assert "" == captured.out
    command = "daynight why" if place else "daynight"
    assert sentence.format(command, "'en', 'fr', 'ja'", f"{command} --help") == captured.err.replace("\u00a0", " ")


@EVERY_LANGUAGE
def test_help(capsys, language):
    """The main help has translated headings, options and exit codes, and a text beside each command."""
    assert 0 == run(["--help", "--lang", language])
    text = capsys.readouterr().out
    joined = " ".join(text.split())
    expected = {
        "fr": [
            "Utilisation\u00a0: daynight", "Options\u00a0:", "Garder des parties\u00a0:",
            "Afficher cette aide et quitter.", "130 interrompu",
        ],
        "ja": ["使い方: daynight", "オプション:", "ゲームを保管する:", "この説明を表示して終了します。", "130 中断"],
    }[language]  # fmt: skip
    assert [] == [words for words in expected if words not in text.replace("\n  ", "") and words not in joined]
    for name in COMMANDS:
        assert re.search(rf"^  {name} +\S", text, re.MULTILINE), name


@pytest.mark.parametrize("arguments, french, japanese", [
    (["why"], "argument manquant\u00a0: 'FICHIER'", "引数がありません: 'ファイル'"),
    (["why", "demo", "w", "x"], "argument de trop (x)", "余分な引数があります（x）"),
    (["why", "demo", "w", "x", "y"], "arguments de trop (x y)", "余分な引数があります（x y）"),
    (["why", "--foo"], "aucune option '--foo'", "'--foo'というオプションはありません"),
    (["why", "--jsn"], "vouliez-vous dire --json\u00a0?", "--jsonのことですか？"),
    (["whi"], "aucune commande 'whi'\u00a0; vouliez-vous dire why", "'whi'というコマンドはありません。why"),
    (["why", "demo", "--at"], "l’option '--at' attend un argument", "オプション'--at'には引数が1個必要です"),
    (["why", "demo", "--json=1"], "l’option '--json' ne prend pas de valeur", "オプション'--json'は値を取りません"),
    (["chart", "--format", "x"], "'x' n’est aucun de ceux-ci", "'x'は次のどれでもありません"),
    (["record", "g", "--expect", "x"], "'x' n’est pas un nombre entier à partir de 0", "'x'は0以上の整数"),
    (["record", "g", "--expect", "-1"], "'-1' n’est pas un nombre entier à partir de 0", "'-1'は0以上の整数"),
    (["diff"], "donnez deux enregistrements", "記録を2つ"),
    (["why", "demo", "--at", "x"], "'x' n’est pas une position", "'x'は位置ではありません"),
    (["what-if", "demo", "--insert", "Z casts Opt"], "aucun 'Z' ici", "ここに'Z'はありません"),
])  # fmt: skip
def test_wrong_usage(capsys, arguments, french, japanese):
    """Wrong usage gives exit code 2, and one translated line on standard error with nothing English in it."""
    for language, sentence in (("fr", french), ("ja", japanese)):
        assert 2 == run(["--lang", language, *arguments]), language
        captured = capsys.readouterr()
        assert "" == captured.out
        assert sentence in captured.err
        assert 1 == captured.err.count("\n")
        assert [] == left(captured.err, language)
        assert not re.search(r"(?i)\b(usage|try|error|missing|invalid|no such|got|did you)\b", captured.err)


def cells(line):
    """The width of a line in terminal cells."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in line)


def test_wide(capsys, monkeypatch):
    """Japanese help fits into 60 columns, the chart into 80 with nothing cut off, and columns of tables are aligned."""
    monkeypatch.chdir(ROOT)

    def told(*arguments, columns):
        monkeypatch.setenv("COLUMNS", columns)
        assert 0 == run(["--lang", "ja", *arguments])
        return capsys.readouterr().out

    for name in ("what-if", "record", "diff"):
        lines = told(name, "--help", columns="60").splitlines()
        words = [line for line in lines if not re.search(r"[-\w/|=.]{20}|^  daynight ", line)]
        assert max(map(cells, words)) <= 60
        assert max(map(cells, words)) > 50
        assert not any(re.match(" *[、。）」]", line) for line in lines), lines
    table = told("chart", "--format", "table", columns="80")
    assert "…" not in table
    assert max(map(cells, table.splitlines())) <= 80
    table = told("chart", "--format", "table", columns="170")
    head, *rows = (line for line in table.splitlines() if re.match("元|neither|day|night", line))
    place = cells(head.partition("条件")[0])
    for row in rows:
        assert place == cells(re.match(r"(?:\S+ +){4}", row)[0]), row
    battlefield = told("replay", "examples/games/uncertain.jsonl", columns="110").splitlines()[-3:]
    assert 1 == len(
        {cells(line.partition(word)[0]) for line, word in zip(battlefield, ("コント", "Ana", "Ana"), strict=True)}
    )


def without_sentences(document):
    """A copy of the JSON document with `...` as the text of each field for sentences, such as `says` or `reason`."""
    if isinstance(document, dict):
        told = ("sentence", "short", "says", "almost", "if", "reason")
        return {
            key: ("..." if isinstance(value, str) else value) if key in told else without_sentences(value)
            for key, value in document.items()
        }
    return [without_sentences(one) for one in document] if isinstance(document, list) else document


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("command", [
    ["why", "demo", "--at", "122"], ["audit", "demo"], ["replay", "demo"], ["show", "demo"], ["blame", "demo"],
    ["forecast", "demo"], ["repair", "demo"], ["bisect", "demo"], ["chart"], ["cards", "Immerwolf"], ["schema"],
    ["unknowns", "examples/games/uncertain.jsonl", "--at", "14"],
    ["what-if", "demo", "--at", "turn:20", "--insert", "B casts 2"],
], ids=lambda command: command[0])  # fmt: skip
def test_json(capfdbinary, monkeypatch, command):
    """The JSON output in French and Japanese differs from the English one in its sentences only."""
    monkeypatch.chdir(ROOT)
    answers = {}
    for language in ("en", *TRANSLATED):
        run([*command, "--json", "--lang", language])
        answers[language] = json.loads(capfdbinary.readouterr().out)
    for language in TRANSLATED:
        assert without_sentences(answers["en"]) == without_sentences(answers[language])
    said = answers["en"] != without_sentences(answers["en"])
    assert said is (answers["en"] != answers["fr"]) is (answers["en"] != answers["ja"])


def test_refusals(capsys, tmp_path, monkeypatch):
    """In French and Japanese an invalid record or a folder gives exit code 3, a missing file 4; each error names it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.jsonl").write_text('{"type": "game-started", "format": "x", "game": "g", "players": ["Ana"]}\n')
    expected = {
        "fr": ("g.jsonl:1: $.format: on attendait int, et non str\n", "h.jsonl\u00a0: aucun fichier de ce nom"),
        "ja": ("g.jsonl:1: $.format: intが必要ですが、strです\n", "h.jsonl：そのファイルはありません"),
    }
    for language, (unreadable, missing) in expected.items():
        assert 3 == run(["why", "g.jsonl", "--lang", language])
        assert unreadable == capsys.readouterr().err
        assert 4 == run(["why", "h.jsonl", "--lang", language])
        assert capsys.readouterr().err.startswith(missing)
        assert 3 == run(["why", ".", "--lang", language])
        assert {"fr": ".: est un dossier\n", "ja": ".: フォルダです\n"}[language] == capsys.readouterr().err


@pytest.mark.parametrize("language", sampled(["de", ""], 2))
def test_environment(tmp_path, language):
    """The script of `bisect --run` gets the LANGUAGE of the command's environment, not the language of `--lang`."""
    test = f'sh -c \'echo "<$LANGUAGE>" >> "{tmp_path}/told"; exit 0\''
    before = {"LANGUAGE": language} if language else {}
    assert 0 == ran("bisect", "demo", "--lang", "fr", "--run", test, **before).returncode
    assert {f"<{language}>"} == set((tmp_path / "told").read_text(encoding="utf-8").split())


def test_nothing_is_left(capsys, monkeypatch):
    """Commands run in different languages, with English in between: none affects the next."""
    monkeypatch.setenv("LANGUAGE", "")
    # A help text made in English is not reused for another language.
    assert "Show this message and exit." in daynight.get_help(click.Context(daynight, help_option_names=["--help"]))
    before = dict(os.environ)
    for language, word in (("fr", "Utilisation"), ("ja", "使い方"), ("fr", "Utilisation")):
        assert 0 == run(["--help", "--lang", language])
        assert "Show this message" not in capsys.readouterr().out
        assert 0 == run(["why", "--help", "--lang", language])
        assert capsys.readouterr().out.startswith(word)
        assert 2 == run(["why", "--lang", language])
        assert 0 == run(["why", "--help"])
        assert capsys.readouterr().out.startswith("Usage: ")
        assert before == os.environ
        assert "messages" == gettext.textdomain()
        assert "en" == wording.language()
