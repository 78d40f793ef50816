"""CONTRIBUTING, followed step by step.

| promise | test |
| --- | --- |
| every path and `make` target in CONTRIBUTING exists | test_named, test_make |
| the hooks before a commit run ruff, mypy or pytest from `.venv`, and fetch nothing | test_hooks |
| a card that is added by its steps is known, and makes it day | test_card |
| an edition that is added by its steps is cited | test_edition |
| a language that is added by its steps has a catalogue, and can be chosen | test_language |
| the steps for an importer have the same entry point as the guide, named as the importer | test_importer |
| the test in the steps for a mechanic runs with the example turnstile | test_mechanic |
"""

import json
import re
import tomllib
from pathlib import Path

import pytest

from daynight.cards import Catalogue
from daynight.events import Designation
from daynight.game import Game
from daynight.languages import speaking
from daynight.rules import citations
from daynight.speech.sentences import designation_word
from tests.documents import GUIDES, ROOT
from tests.languages import messages

TEXT = (ROOT / ".github/CONTRIBUTING.md").read_text("utf-8")


def recipe(title):
    """Return the texts of the numbered steps in the section `title`; there are at least four."""
    text = TEXT.split(f"## {title}\n")[1].split("\n## ")[0]
    steps = re.split(r"^\d+\. ", text, flags=re.MULTILINE)[1:]
    assert len(steps) > 3
    return steps


def block(title, language):
    """Return the text of the only block of code in this language in the section `title`."""
    (found,) = re.findall(rf"^ *```{language}\n(.*?)^ *```$", "\n".join(recipe(title)), re.MULTILINE | re.DOTALL)
    return found.strip()


@pytest.mark.parametrize(
    "name", sorted(set(re.findall(r"`((?:daynight|tests|events|projections|examples)/[\w./-]+)`", TEXT)))
)
def test_named(name):
    assert (ROOT / name).exists() or "/de/" in name or name.endswith("de.txt")


@pytest.mark.parametrize("target", sorted(set(re.findall(r"`?make ([a-z-]+)", TEXT))))
def test_make(target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


def test_hooks():
    yaml = pytest.importorskip("yaml")
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    assert "local" == repository["repo"]
    for hook in repository["hooks"]:
        assert "system" == hook["language"]
        command, dash, module, *_rest = hook["entry"].split()
        assert (".venv/bin/python", "-m") == (command, dash)
        assert module in ("ruff", "mypy", "pytest")


def test_card(tmp_path):
    line = block("Add a card", "json")
    cards = (ROOT / "daynight/cards/cards.json").read_text("utf-8")
    path = tmp_path / "cards.json"
    path.write_text(cards.replace("[\n", f"[\n{line},\n", 1), "utf-8")
    name = json.loads(line)["name"]
    begun = {"type": "game-started", "format": 1, "game": "g", "players": ["Ana", "Bo"]}
    game = Game([begun], catalogue=Catalogue.read(path))
    game.record({"type": "permanents-entered", "permanents": [{"id": "w", "card": name, "controller": "Ana"}]})
    assert Designation.DAY is game.designation


def test_edition():
    source = (ROOT / "daynight/rules/citations.py").read_text("utf-8")
    line = block("Add an edition of the rules", "python")
    section, days = re.fullmatch(r'\("(\d+)", "([\d -]+)"\),', line).groups()
    before = re.search(rf'^ *\("{section}", "[\d -]+"\),$', source, re.MULTILINE)
    made = {"__name__": "daynight.rules.citations"}
    exec(compile(source.replace(before[0].strip(), line), "citations", "exec"), made)
    newest = days.split()[-1]
    assert (*citations.EDITIONS, newest) == made["EDITIONS"]
    assert f"{section}.2a" == made["cited"]("check-day", newest)


@pytest.mark.wide
def test_language(tmp_path, monkeypatch):
    made = {}
    exec(block("Add a language", "python"), made)
    (code,) = set(made["LANGUAGES"]) - set(speaking.LANGUAGES)
    for module in (messages, speaking):
        monkeypatch.setattr(module, "CATALOGUES", tmp_path)
    monkeypatch.setattr(speaking, "LANGUAGES", made["LANGUAGES"])
    catalogue = messages.renewed(code)
    assert len(catalogue) == len(messages.messages())
    for message in catalogue:
        if message.id == "night":
            message.string = "Nacht"
    path = messages.po_file(code).with_suffix(".mo")
    path.parent.mkdir(parents=True)
    path.write_bytes(messages.compiled(catalogue))
    with speaking.speaking(code):
        assert "Nacht" == designation_word(Designation.NIGHT)
        assert "day" == designation_word(Designation.DAY)


def test_importer():
    named = tomllib.loads(block("Add an importer", "toml"))["project"]["entry-points"]["daynight.importers"]
    guide = (GUIDES / "how-to/importer.md").read_text("utf-8")
    assert tomllib.loads(re.search(r"```toml\n(.*?)```", guide, re.DOTALL)[1])["project"]["entry-points"] == {
        "daynight.importers": named
    }
    made = {}
    exec(next(each for each in re.findall(r"```python\n(.*?)```", guide, re.DOTALL) if ">>>" not in each), made)
    ((name, place),) = named.items()
    assert name == made[place.partition(":")[2]].name
    assert (ROOT / "tests/importers").is_dir()


def test_mechanic():
    made = {}
    exec("from daynight.framework import given\nfrom examples.turnstile import *", made)
    made["tried"] = eval(block("Add a mechanic", "python"), made)
    assert "audited" in dir(made["tried"])
    assert Path(ROOT / "examples/turnstile.py").is_file()
