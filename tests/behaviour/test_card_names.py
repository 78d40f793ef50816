"""Card names in French and Japanese, and names that are similar to a card's.

| promise | test |
| --- | --- |
| an arrival may use any name in any language; the front's English name is stored | test_filled_in |
| a mixture of two languages is not a name; an unknown name is kept | test_no_name |
| a cast given as JSON keeps its name | test_a_cast_keeps_its_name |
| the notation and typed lines store the English name | test_notation, test_permanents_by_name, test_typed |
| texts show the name in the reader's language, and JSON stays English | test_shown |
| no two cards share a name in any language | test_names_are_of_one_card |
| every face has a French and a Japanese name, but the few that the cards' guide lists | test_every_face_has_names |
| a name that is similar to a card's is reported, in any language; no other is | test_near, test_doubts |
| one letter in five may differ, wherever, and not one more | test_as_far_as_that |
| for a token, a card is proposed if a letter or an article differs, not if a word is shared | test_near_a_token |
| accents are ignored in typed names; French and Japanese basic lands are stored in English | test_accents |
| a misspelt name is never read as another card: one letter, one word, an article, the other kana | test_slips |
| the name of a known card is kept | test_known |
"""

import json

import pytest

from daynight.cards import Card, Catalogue, bundled, doubt_sentence, doubting
from daynight.cards.likeness import nearest
from daynight.events import decode
from daynight.game import Game
from daynight.languages.speaking import speaking
from daynight.notation import Names, read_text
from daynight.notation.phrases import understood
from daynight.projections.transcript import told as transcript
from tests.behaviour.games import told
from tests.rules.words import said, started, turn

CARD = {
    "name": "Day Cat", "double_faced": True,
    "front": {"name": "Day Cat", "names": {"fr": "Chat d'aube", "ja": "昼の猫"}, "keywords": ["daybound"]},
    "back": {"name": "Night Cat", "names": {"fr": "Chat nocturne", "ja": "夜の猫"}, "keywords": ["nightbound"]},
}  # fmt: skip


def entered(card, **fields):
    """Return an arrival of one permanent, whose card has the name `card`."""
    return said("permanents-entered", permanents=[{"id": "c", "card": card, "controller": "Ana"} | fields])


def stored(card, catalogue, **fields):
    """Return the permanent of such an arrival as `catalogue` completes it."""
    return catalogue.fill(decode(json.dumps(entered(card, **fields)))).permanents[0]


@pytest.fixture(scope="module")
def cats(tmp_path_factory):
    """A catalogue of one card."""
    path = tmp_path_factory.mktemp("cats") / "cards.json"
    path.write_text(json.dumps([CARD]), encoding="utf-8")
    return Catalogue.read(path)


@pytest.mark.parametrize("name", [
    "Day Cat", "Night Cat", "Day Cat // Night Cat",
    "Chat d'aube", "Chat d\u2019aube", "Chat nocturne", "Chat d'aube // Chat nocturne",
    "昼の猫", "夜の猫", "昼の猫 // 夜の猫",
])  # fmt: skip
def test_filled_in(cats, name):
    """An arrival may use any of these names; the front's English name is stored."""
    found = stored(name, cats)
    assert ("Day Cat", "Day Cat", "Night Cat", True) == (
        found.card, found.front.name, found.back.name, found.double_faced,
    )  # fmt: skip
    assert name in cats
    assert "Day Cat" == cats[name].name


@pytest.mark.parametrize("name", ["Day Cat // Chat nocturne", "chat d'aube", "Chat", "Storm Crow"])
def test_no_name(cats, name):
    """An unknown name is kept, as a single-faced card without day and night."""
    found = stored(name, cats)
    assert (name, False, ()) == (found.card, found.double_faced, found.front.keywords)


def test_bundled_names():
    """Printed cards are found by their French and Japanese names."""
    for name, english in (("Cathare brutal", "Brutal Cathar"), ("Fracasseuse de taverne", "Tavern Ruffian"),
                          ("ガヴォニーの黎明護衛", "Gavony Dawnguard")):  # fmt: skip
        assert english == bundled()[name].name


def test_names_are_of_one_card():
    """No two cards share a name, so that a record can't mean another card."""
    names = [name for card in bundled() for language in ("fr", "ja") for name in card.names_in(language).values()]
    assert sorted(names) == sorted({*names} - {name for card in bundled() for name in card.names})


def test_every_face_has_names():
    """Every face has a French and a Japanese name, unless it is listed here: a new card without names fails."""
    faces = [face for card in bundled() for face in (card.front, card.back) if face is not None]
    nameless = {language: {face.name for face in faces if face.names.of(language) is None} for language in ("fr", "ja")}
    unprinted = {"Angel of Eternal Dawn", "Werewhat", "The Weekly Princess"}
    assert nameless == {"fr": unprinted | {"Rahilda, Wanted Cutthroat", "Rahilda, Feral Outlaw"}, "ja": unprinted}


def test_a_cast_keeps_its_name():
    """A cast keeps its name: names are translated only in arrivals."""
    game = told(turn(1), said("spell-cast", player="Ana", card="Cathare brutal"))
    assert "Cathare brutal" == game.events[-1].card


@pytest.mark.parametrize("name, stored", [
    ("Forêt", "Forest"), ("foret", "Forest"), ("Ile", "Island"), ("平地", "Plains"), ("Le Célestus", "The Celestus"),
    ("Soeur de meute sauvage", "Savage Packmate"), ("tisseuse de fleurs", "Weaver of Blossoms"),
    ("Garde aube de Gavonie", None),
])  # fmt: skip
def test_accents(name, stored):
    """`completed` gives the English name in spite of accents, also of basic lands; None if a name is merely similar."""
    assert stored == Names().completed(name)


@pytest.mark.parametrize("name", ["Cathare brutal", "cathare brutal", "Cathare br", "Brutal Cathar"])
def test_notation(name):
    """A name may be typed in lower case or shortened; the notation writes the stored name."""
    lines = ("game g", "players Ana, Bo", "turn 1 Ana", f"Ana casts {name}", f"Ana: {name} enters")
    events = [placed.event for placed in read_text("\n".join(lines) + "\n")]
    assert ["Brutal Cathar", "Brutal Cathar"] == [events[2].card, events[3].permanents[0].card]


def test_permanents_by_name():
    """A permanent is found by its card's name in any language."""
    lines = ("game g", "players Ana, Bo", "turn 1 Ana", "Ana: Tavern Ruffian enters", "ruffiane des tavernes leaves")
    events = [placed.event for placed in read_text("\n".join(lines) + "\n")]
    assert ("tavern-ruffian-1",) == events[-1].permanents


def test_typed():
    """Typed lines find permanents of the current game by the card, or by the face that is up."""
    game = Game([started(), turn(1), entered("Tavern Ruffian"), said("effect-resolved", becomes="night")])
    for words in ("ruffiane des tavernes leaves", "Fracasseuse de taverne leaves", "Tavern Smasher leaves", "c leaves"):
        (event,) = understood(words, game.state)
        assert ("c",) == event.permanents


def test_shown():
    """Sentences show the translated name; documents keep the English one."""
    named = said("spell-cast", player="Ana", card="Tavern Ruffian")
    game = Game([started(), turn(1), named, entered("Tavern Ruffian")])
    english = json.dumps(game.document())
    with speaking("fr"):
        lines = [line.sentence for line in transcript(game)]
        assert english == json.dumps(game.document())
    assert "Ana lance Ruffiane des tavernes" == lines[2]
    assert lines[3].startswith("Ruffiane des tavernes (c)")
    with speaking("ja"):
        assert [line.sentence for line in transcript(Game([started(), entered("Brutal Cathar")]))][1].startswith(
            "粗暴な聖戦士"
        )
    with speaking("en"):
        assert "Ana casts Tavern Ruffian" == [line.sentence for line in transcript(game)][2]


@pytest.mark.parametrize("name, near", [
    ("Cathare brutale", ("Cathare brutal",)),
    ("cathare brutal", ("Cathare brutal",)),
    ("Brutal Cathare", ("Brutal Cathar",)),
    ("Tavern Rufian", ("Tavern Ruffian",)),
    ("Moonmits", ("Moonmist",)),
    ("ガヴォニーの黎明護術", ("ガヴォニーの黎明護衛",)),
    ("Brutal Cathar", ()),
    ("Cathare brutal", ()),
    ("Storm Crow", ()),
    ("Opt", ()), ("Celestus", ("The Celestus",)),
    ("le Célestus", ("The Celestus",)), ("Village Rites", ()), ("Wolf of Devil's Breach", ()),
    ("The Village Watch", ("Village Watch",)), ("Village watchman", ("Village Watch",)),
    ("Ruffian de taverne", ("Ruffiane des tavernes",)),
    ("Brutal", ("Brutal Cathar", "Furielune brutal")),
    ("酒場のゴロツキ", ("酒場のごろつき",)), ("残忍な聖戦士", ("粗暴な聖戦士",)),
    ("Glum Imp of the North", ()), ("Moonmist now", ("Moonmist",)), ("Curse of Sheep", ("Curse of Leeches",)),
])  # fmt: skip
def test_near(name, near):
    """Similar names differ in a letter, in case, in accents or in one word; a card's own name has no similar names."""
    assert near == bundled().near(name)


def test_nearest_first():
    """At most two names are proposed, the most similar first."""
    assert ("Moonmist", "Moonmisty") == nearest("moonmist", ["Moonmisty", "Moonmist", "Moonmista"])
    assert () == nearest("Op", ["Opt"])


@pytest.mark.parametrize("most", [2, 3, 28])
@pytest.mark.parametrize("place", [2, 4, 6])
def test_as_far_as_that(most, place):
    """At most one letter in five may differ, also where all inserted, removed or replaced letters are in one place."""
    name = "".join(chr(ord("a") + number % 23) for number in range(5 * most))
    for letters in ("x" * most, "x" * (most + 1), "x" * (2 * most)):
        for other in (
            name[:place] + letters + name[place:],
            name[:place] + name[place + len(letters) :],
            name[:place] + letters + name[place + len(letters) :],
        ):
            within = len(letters) <= max(len(name), len(other)) // 5
            assert within == (nearest(name, [other]) == (other,))


@pytest.mark.parametrize("name, near", [
    ("Angel", ()), ("Human", ()), ("Wolf", ()), ("Treasure", ()), ("Village Cat", ()),
    ("Tavern Rufian", ("Tavern Ruffian",)), ("The Tavern Ruffian", ("Tavern Ruffian",)),
])  # fmt: skip
def test_near_a_token(name, near):
    """With `token`, a wrong letter or an added article still finds a name; a shared word alone, `Wolf`, finds none."""
    assert near == bundled().near(name, token=True)


def test_doubts():
    """A similar name is reported once; not if faces are given, and not outside a `doubting` block."""
    with doubting() as doubts:
        for card in ("Cathare brutale", "Cathare brutale", "Storm Crow", "Brutal Cathar"):
            stored(card, bundled())
        stored("Moonmits", bundled(), front={"name": "Moonmits"})
    assert {"Cathare brutale": ("Cathare brutal",)} == doubts
    assert doubt_sentence("Cathare brutale", doubts["Cathare brutale"]).endswith("did you mean Cathare brutal?")
    stored("Moonmits", bundled())
    assert 1 == len(doubts)


def test_a_conditional_card_is_marked():
    """`conditional` is True for Tovolar, who makes it night under a condition, and False for Unnatural Moonrise."""
    tovolar, moonrise = bundled()["Tovolar, Dire Overlord"], bundled()["Unnatural Moonrise"]
    assert ("night", True) == (tovolar.resolves, tovolar.conditional)
    assert "three or more" in tovolar.note
    assert ("night", False) == (moonrise.resolves, moonrise.conditional)
    assert isinstance(tovolar, Card)


NAMES = sorted({name for card in bundled() for face in card.faces for name in bundled().called(face.name)})


def misspelt(name):
    """Yield typical misspellings of a name: a letter, a word, an article, kana."""
    for place in range(0, len(name), 5):
        if name[place].isalnum():
            yield name[:place] + name[place + 1 :]
            yield name[:place] + "q" + name[place + 1 :]
            yield name[:place] + "q" + name[place:]
    words = name.split()
    for place in range(len(words)) if len(words) > 1 else ():
        yield " ".join(words[:place] + words[place + 1 :])
    yield from (f"{article} {name}" for article in ("the", "a", "An", "Le", "la", "une"))
    yield "".join(chr(ord(sign) - 0x60) if "\u30a1" <= sign <= "\u30f6" else sign for sign in name)
    yield "".join(chr(ord(sign) + 0x60) if "\u3041" <= sign <= "\u3096" else sign for sign in name)


@pytest.mark.slow
def test_slips():
    """For a misspelt name `completed` gives the right card or None, unless it is itself a card's name or very short."""
    silent, names = [], Names()
    for name in NAMES:
        card = bundled()[name].front.name
        for slip in misspelt(name):
            read = names.completed(slip)
            if read is not None and (read not in bundled() or bundled()[read].front.name != card):
                silent.append((name, slip))
    # Names shorter than four letters, such as an article alone, are not compared: they are unknown names.
    assert [] == [(name, slip) for name, slip in silent if not bundled().knows(slip) and min(len(name), len(slip)) > 3]


@pytest.mark.parametrize("name", ["Village Rites", "Storm Crow", "Seven Dwarves", "Forest", "Wear // Tear"])
def test_known(name):
    """The name of a card that the catalogue only knows by name is kept."""
    assert name == Names().completed(name)
    assert bundled().knows(name)
