"""`daynight cards`, and what every command says of a name that is nearly a card's.

| promise | test |
| --- | --- |
| a card is found by its name in any language, and shown in the language spoken | test_a_card |
| a conditional card is marked, with its note, and no importer takes what it does from its name | test_conditional, |
| | test_conditional_is_not_taken_from_the_name |
| a record with a name that is nearly a card's is taken as it is, and that is said on standard error | test_nearly |
| in the language spoken | test_nearly_in_french |
| nothing is said of other names, nor of the same name twice | test_not_nearly, test_nearly |
| a card table may have names in any language; an import says in its report which names are nearly a card's | |
| | test_importing_names |
| the chart is drawn in the language spoken, and its JSON is English | test_chart |
"""

import json

import pytest

from daynight.cards import bundled
from daynight.logs import known_of
from tests.behaviour.games import kept
from tests.importers.arena_logs import Game, Log, csv_table, day_and_night
from tests.rules.words import said, started, turn


def entered(*cards):
    """An arrival of cards."""
    return said("permanents-entered", permanents=[
        {"id": f"c{number}", "card": card, "controller": "Ana"} for number, card in enumerate(cards)
    ])  # fmt: skip


@pytest.mark.parametrize("name", ["Brutal Cathar", "Moonrage Brute", "Cathare brutal", "粗暴な聖戦士"])
def test_a_card(daynight, name):
    """The same card."""
    assert ["Brutal Cathar"] == [card["name"] for card in daynight("cards", name, "--json").documents]
    assert "Cathare brutal // Furielune brutal" in daynight("--lang", "fr", "cards", name).out
    assert "粗暴な聖戦士 // 月憤怒の粗暴者" in daynight("--lang", "ja", "cards", name).out


def test_no_card(daynight):
    """The nearest is told, in whatever language."""
    ran = daynight("--lang", "fr", "cards", "Cathare brutale")
    assert (4, "") == (ran.code, ran.out)
    assert "Cathare brutal " in ran.err


def test_conditional(daynight):
    """Tovolar, and his note; a card without a condition has neither."""
    ran = daynight("cards", "Tovolar, Dire Overlord")
    words = " ".join(ran.out.split())
    assert "three or more Wolves and Werewolves" in words
    (card,) = daynight("cards", "Tovolar, Dire Overlord", "--json").documents
    assert ("night", True) == (card["resolves"], card["conditional"])
    (other,) = daynight("cards", "Unnatural Moonrise", "--json").documents
    assert ("night", False) == (other["resolves"], "conditional" in other)
    assert "trois loups" in " ".join(daynight("--lang", "fr", "cards", "Tovolar, Dire Overlord").out.split())


def test_conditional_is_not_taken_from_the_name():
    """What importers are told that a resolved card makes of day and night."""
    effects = known_of(bundled(), None).effects
    assert ("night", None) == (effects["Unnatural Moonrise"], effects.get("Tovolar, Dire Overlord"))


def test_nearly(daynight, tmp_path):
    """Once, in one line; the record is accepted, and standard output is the answer alone."""
    record = kept(tmp_path / "g.jsonl", [started(), turn(1), entered("Cathare brutale", "Cathare brutale", "Opt")])
    ran = daynight("replay", record, "--json")
    assert (0, 1) == (ran.code, len(ran.documents))
    assert ["neither"] == [document["designation"] for document in ran.documents]
    assert ran.err == (
        "no card 'Cathare brutale' in the catalogue, so it has no ability that matters to day and night;"
        " did you mean Cathare brutal?\n"
    )


def test_nearly_in_french(daynight, tmp_path):
    """As everything that is said."""
    record = kept(tmp_path / "g.jsonl", [started(), turn(1), entered("Cathare brutale")])
    assert daynight("--lang", "fr", "show", record).err.startswith("aucune carte 'Cathare brutale' dans le catalogue")


@pytest.mark.parametrize("name", ["Cathare brutal", "Storm Crow"])
def test_not_nearly(daynight, tmp_path, name):
    """A card, and what is no card at all."""
    record = kept(tmp_path / "g.jsonl", [started(), turn(1), entered(name)])
    assert "" == daynight("replay", record, "--json").err


def test_importing_names(daynight, tmp_path):
    """French ones are those of the cards; a slip is among the warnings, and nothing is left out for it."""
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
    """States by their words, in table and drawing."""
    out = daynight("--lang", language, "chart").out
    assert f'    state "{neither}" as neither\n' in out
    assert "    neither --> day : day-if-neither (728.1) [" in out
    assert neither in out.partition("stateDiagram")[0]
    english = daynight("chart").out
    assert "    state " not in english
    assert daynight("chart", "--json").out == daynight("--lang", language, "chart", "--json").out
