"""`daynight cards`, and the notice about a name that is similar to a card's.

| promise | test |
| --- | --- |
| a card is found by its name in any language, and shown in the reader's language | test_a_card |
| a card with a conditional effect has a mark and a note; importers derive nothing from its name | test_conditional, |
| | test_conditional_is_not_taken_from_the_name |
| a name that is similar to a card's is accepted, with a notice on standard error | test_nearly |
| the notice is in the reader's language | test_nearly_in_french |
| there is no notice for other names, and only one for each name | test_not_nearly, test_nearly |
| a card table may have names in any language; the import report lists names similar to a card's | |
| | test_importing_names |
| the chart is drawn in the reader's language, and its JSON is English | test_chart |
"""

import json

import pytest

from daynight.cards import bundled
from daynight.logs import known_of
from tests.behaviour.games import kept
from tests.importers.arena_logs import Game, Log, csv_table, day_and_night
from tests.rules.words import said, started, turn


def entered(*cards):
    """Return an event in which permanents of these `cards` enter."""
    return said("permanents-entered", permanents=[
        {"id": f"c{number}", "card": card, "controller": "Ana"} for number, card in enumerate(cards)
    ])  # fmt: skip


@pytest.mark.parametrize("name", ["Brutal Cathar", "Moonrage Brute", "Cathare brutal", "粗暴な聖戦士"])
def test_a_card(daynight, name):
    """The same card is found by each of its names."""
    assert ["Brutal Cathar"] == [card["name"] for card in daynight("cards", name, "--json").documents]
    assert "Cathare brutal // Furielune brutal" in daynight("--lang", "fr", "cards", name).out
    assert "粗暴な聖戦士 // 月憤怒の粗暴者" in daynight("--lang", "ja", "cards", name).out


def test_no_card(daynight):
    """A misspelt name exits with 4, and the error names the most similar card name, here the French one."""
    ran = daynight("--lang", "fr", "cards", "Cathare brutale")
    assert (4, "") == (ran.code, ran.out)
    assert "Cathare brutal " in ran.err


def test_conditional(daynight):
    """Tovolar, whose effect has a condition, is marked `conditional` and has a note; another card has no mark."""
    ran = daynight("cards", "Tovolar, Dire Overlord")
    words = " ".join(ran.out.split())
    assert "three or more Wolves and Werewolves" in words
    (card,) = daynight("cards", "Tovolar, Dire Overlord", "--json").documents
    assert ("night", True) == (card["resolves"], card["conditional"])
    (other,) = daynight("cards", "Unnatural Moonrise", "--json").documents
    assert ("night", False) == (other["resolves"], "conditional" in other)
    assert "trois loups" in " ".join(daynight("--lang", "fr", "cards", "Tovolar, Dire Overlord").out.split())


def test_conditional_is_not_taken_from_the_name():
    """Importers know the effect of Unnatural Moonrise from its name, but none of the conditional Tovolar."""
    effects = known_of(bundled(), None).effects
    assert ("night", None) == (effects["Unnatural Moonrise"], effects.get("Tovolar, Dire Overlord"))


def test_nearly(daynight, tmp_path):
    """A name that occurs twice gets one notice in one line; the exit code is 0, and standard output has the answer."""
    record = kept(tmp_path / "g.jsonl", [started(), turn(1), entered("Cathare brutale", "Cathare brutale", "Opt")])
    ran = daynight("replay", record, "--json")
    assert (0, 1) == (ran.code, len(ran.documents))
    assert ["neither"] == [document["designation"] for document in ran.documents]
    assert ran.err == (
        "no card 'Cathare brutale' in the catalogue, so it has no ability that matters to day and night;"
        " did you mean Cathare brutal?\n"
    )


def test_nearly_in_french(daynight, tmp_path):
    """The notice is in French."""
    record = kept(tmp_path / "g.jsonl", [started(), turn(1), entered("Cathare brutale")])
    assert daynight("--lang", "fr", "show", record).err.startswith("aucune carte 'Cathare brutale' dans le catalogue")


@pytest.mark.parametrize("name", ["Cathare brutal", "Storm Crow"])
def test_not_nearly(daynight, tmp_path, name):
    """A card's exact name, and a name similar to none, get no notice."""
    record = kept(tmp_path / "g.jsonl", [started(), turn(1), entered(name)])
    assert "" == daynight("replay", record, "--json").err


def test_importing_names(daynight, tmp_path):
    """French names are known; a misspelt name is among the warnings, and nothing is skipped because of it."""
    log = Log()
    day_and_night(Game(log))
    (tmp_path / "one.log").write_bytes(log.bytes())

    def run(name):
        table = csv_table().decode().replace("Tavern Ruffian", name)
        (tmp_path / "cards.csv").write_text(table, encoding="utf-8")
        files = (tmp_path / "one.log", "--cards", tmp_path / "cards.csv", "-o", tmp_path / name)
        (document,) = daynight("import", *files, "--json").documents
        (file,) = (tmp_path / name).glob("*.jsonl")
        return document, [json.loads(line) for line in file.read_text("utf-8").splitlines()]

    english, french, slip = map(run, ("Tavern Ruffian", "Ruffiane des tavernes", "Tavern Rufian"))
    assert english[1] == french[1]
    assert [] == [warning for warning in french[0]["warnings"] if "did you mean" in json.dumps(warning)]
    (warned,) = [warning for warning in slip[0]["warnings"] if "did you mean" in json.dumps(warning)]
    assert "Tavern Ruffian" in json.dumps(warned)
    assert "Tavern Rufian" in json.dumps(slip[1])


@pytest.mark.parametrize("language, neither", [("fr", "ni l’un ni l’autre"), ("ja", "どちらでもない")])
def test_chart(daynight, language, neither):
    """The table and the drawing name the states in the reader's language."""
    out = daynight("--lang", language, "chart").out
    assert f'    state "{neither}" as neither\n' in out
    assert "    neither --> day : day-if-neither (728.1) [" in out
    assert neither in out.partition("stateDiagram")[0]
    english = daynight("chart").out
    assert "    state " not in english
    assert daynight("chart", "--json").out == daynight("--lang", language, "chart", "--json").out
