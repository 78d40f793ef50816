"""Lines with several clauses, of which a later one needs an earlier one, and lines in unusual spelling.

| promise | test |
| --- | --- |
| a clause without a name (`it dies`) is about the card or permanent that was named before | test_clauses |
| `Bo kills w1 with Shock` is two events: Bo casts Shock, and w1 leaves | test_removed |
| a line is refused if `it` may be two permanents, or if it says what would happen | test_not_wrongly |
| a remark beside an event adds no event and changes none | test_asides |
| players in kana, translated names, and names in lower case or capitals are understood | test_spelled |
| a claim by `someone` is refused, and the error asks who says so | test_nobody |
| a claim or ruling may give its reason, or name the turn as `last turn` | test_claims |
| French `garde` is read as a verb (keeps) or as a part of a permanent's name, as the sentence needs it | test_verbs |
"""

import pytest

from tests.notation.test_spoken import bare, refused, understood


def same(line, meant):
    assert bare(understood(meant.replace(" ;; ", "\n")) if meant else []) == bare(understood(line))


@pytest.mark.parametrize("line, meant", [
    ("Bo casts Shock on w1, it dies", "Bo casts Shock ;; w1 leaves to graveyard"),
    ("Bo lance Shock sur w1 qui meurt", "Bo casts Shock ;; w1 leaves to graveyard"),
    ("Boがw1にShock、死亡", "Bo casts Shock ;; w1 leaves to graveyard"),
    ("Ana casts Unsummon on b1, back to hand", "Ana casts Unsummon ;; b1 leaves to hand"),
    ("Ruffian blocked by Watch, both die", "w1, w2 leave to graveyard"),
    ("Hound Tamer from Ana, no response, it's on the battlefield", "Ana casts Hound Tamer ;; Ana: Hound Tamer enters"),
    ("Ana casts Unnatural Moonrise, it resolves and now it's night",
     "Ana casts Unnatural Moonrise ;; it becomes night by Unnatural Moonrise"),
    ("Ana casts Hound Tamer, countered by Bo's Counterspell", "Ana casts Hound Tamer ;; Bo casts Counterspell"),
    ("Bo casts Shock on w1, it survives", "Bo casts Shock"),
])  # fmt: skip
def test_clauses(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line, meant", [
    ("Bo kills w1 with Lightning Strike", "Bo casts Lightning Strike ;; w1 leaves to graveyard"),
    ("Bo exile w1 avec Swords to Plowshares", "Bo casts Swords to Plowshares ;; w1 leaves to exile"),
    ("AnaがUnsummonでb1を手札に戻す", "Ana casts Unsummon ;; b1 leaves to hand"),
    ("Lightning Strike from Bo kills w1", "Bo casts Lightning Strike ;; w1 leaves to graveyard"),
])  # fmt: skip
def test_removed(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line", [
    "Ana casts Opt on w1 and c1, it dies", "Bo would kill w1 with Lightning Strike", "Ana kills",
    "Ana casts Shock, so it becomes night",
])  # fmt: skip
def test_not_wrongly(line):
    refused(line)
    same("Bo blocks the crow with the watch and nothing dies", "")


@pytest.mark.parametrize("line, meant", [
    ("Bo casts two spells, didn't catch the names", "Bo casts 2 spells"),
    ("Ana lance un sort, pas vu lequel", "Ana casts a spell"),
    ("Anaが呪文を1つ唱えた、何かは見えず", "Ana casts a spell"), ("okay so Ana casts Opt", "Ana casts Opt"),
    ("with one red open Bo casts Shock", "Bo casts Shock"),
    ("Anaは土地が欲しいのでOptを唱えた", "Ana casts Opt"),
])  # fmt: skip
def test_asides(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line, meant", [
    ("アナが選択を唱えた", "Ana casts Opt"), ("ボー、対抗呪文！", "Bo casts Counterspell"),
    ("Bo claque une Foudre", "Bo casts Lightning Bolt"), ("bo bolts the crow, its dead",
     "Bo casts Lightning Bolt ;; c1 leaves to graveyard"), ("ana joue consider", "Ana casts Consider"),
    ("ANA LANCE OPT", "Ana casts Opt"), ("ana wins!! gg", "Ana wins"), ("ana dit que c la nuit", "Ana says night"),
    ("アナの勝ち！", "Ana wins"),
])  # fmt: skip
def test_spelled(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line", ["someone says it's day", "quelqu'un dit qu'il fait jour", "誰かが夜だと言っている"])
def test_nobody(line):
    assert "who says so?" in refused(line)


@pytest.mark.parametrize("line, meant", [
    ("judge: it's day, because Ana cast a spell on turn 2", '"the judge" rules day'),
    ("décision de l'arbitre, nuit", '"l\'arbitre" rules night'), ("裁定、昼です", '"ジャッジ" rules day'),
    ("Ana says Bo cast two spells last turn", "Ana says Bo cast 2 in turn 2"),
    ("Ana says w1 should be Tavern Smasher", "Ana says w1 shows back"), ("Arena affiche la nuit", "Arena says night"),
    ("Judge backs the game up to event 3", '"the judge" backs up to e3'),
])  # fmt: skip
def test_claims(line, meant):
    same(line, meant)


def test_verbs():
    same("Opt d'Ana, elle garde dessus", "Ana casts Opt")
    same("la garde meurt", "w2 leaves to graveyard")
