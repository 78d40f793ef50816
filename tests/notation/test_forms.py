"""All forms of lines: the published table, other ways to type them, and the phrases of what-if.

| promise | test |
| --- | --- |
| each example in the table is read as an event of its tag, and written exactly like that | test_examples |
| every kind of event is in the table | test_every_tag |
| other phrasings are read as the same event | test_other_ways |
| shortened names are completed; quoted names are literal | test_completed, test_literal |
| a card in no catalogue is typed bare, or quoted if it looks like a number or a line | \
test_other_cards, test_other_cards_quoted |
| a card of a custom catalogue is typed bare, whatever its name looks like | test_own_catalogue |
| a name that is ambiguous or misspelled is refused | test_not_guessed |
| a name is looked up again when its meaning may have changed | test_not_remembered |
| phrases are lines of the notation, and its lines are phrases | test_phrases, test_phrases_refused |
| keywords may be names, or parts of names | test_keywords_in_names |
"""

import json
import re

import pytest

from daynight.cards import Card, Catalogue, bundled
from daynight.cards.catalogue import CardFace
from daynight.events import actions, claims, disputes, rulings
from daynight.events.language import TAGS, decode
from daynight.events.permanents import Permanent
from daynight.framework.language.codec import encode
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.happening import tag_of
from daynight.game import Game
from daynight.notation import Reading, lines_of, read_text
from daynight.notation.lines.forms import FORMS
from daynight.notation.lines.parsing import parser
from daynight.notation.phrases import PHRASES, PhraseError, understood

from .slips import SLIPS
from .words import and_back, in_words

BEFORE = """\
game friday
players Ana, Bo
turn 4 Ana
Ana: Tavern Ruffian (w1) enters
Bo: Grizzly Bears (b1), Grizzly Bears (b2) enter
"""
SPOKEN = {
    "Ana casts 2 spells": "Ana casts a spell",
    "Tavern Ruffian enters under Ana as w2": "Ana: Tavern Ruffian (w2) enters",
}
"""The examples that daynight reads but never writes, each with the line that it writes for their event."""


def of(line: str, before: str = BEFORE) -> list:
    """The events that are read from `line` when it follows the lines `before`."""
    return [one.event for one in read_text(before + line)][len(read_text(before)) :]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.example)
def test_examples(form):
    """Each example is read as an event of its tag (`Ana casts 2 spells` as two), and is written exactly like that.

    The examples in `SPOKEN` are written differently.
    """
    if form.tag == "game-started":
        text = {
            "game": "game friday\nplayers Ana, Bo",
            "teams": "game friday\nplayers Ana, Bo, Cy, Di\n" + form.example,
        }
        text = text.get(form.example.split()[0], f"game friday\nplayers Ana, Bo\n{form.example}")
        text = "game friday\n" + form.example if form.example.startswith("players") else text
        (placed,) = read_text(text)
        assert form.tag == tag_of(type(placed.event))
        assert text.split("\n") == next(lines_of([placed.event]))
        assert form.example in text.split("\n")
        return
    event, *again = of(form.example)
    assert [event] * (form.example == "Ana casts 2 spells") == again
    assert form.tag == tag_of(type(event))
    written = [line.strip() for line in list(lines_of([*(one.event for one in read_text(BEFORE)), event]))[-1]]
    assert [SPOKEN.get(form.example, form.example)] == [line for line in written if line]


def test_every_tag():
    """The table has a form for every tag."""
    assert {*TAGS} == {form.tag for form in FORMS}


@pytest.mark.wide(but=17)
@pytest.mark.parametrize("line, as_well", [
    ("Bo casts", "Bo casts a spell"),
    ("BO CASTS OPT", "Bo casts OPT"),
    ("bo copies", "bo copies a spell"),
    ("Bo cast 0-1 more", "Bo casts 0-1 more spells"),
    ("Bo casts 0 to 1 more", "Bo casts 0-1 more"),
    ("Bo perhaps casts 1 more", "Bo casts 0-1 more"),
    ("Bo perhaps casts more", "Bo casts 0+ more"),
    ("Bo casts 2 more", "Bo casts 2-2 more"),
    ("Bo casts two more", "Bo casts 2-2 more"),
    ("Bo casts 1 or 2 more", "Bo casts 1-2 more"),
    ("Bo casts no or one more spell", "Bo casts 0-1 more"),
    ("Bo casts 0 or 1 more", "Bo casts 0-1 more"),
    ("Bo casts up to 2 more", "Bo casts 0-2 more"),
    ("Bo casts at most two more spells", "Bo casts 0-2 more"),
    ("Bo casts at least 1 more", "Bo casts 1+ more"),
    ("Bo casts one or more spells", "Bo casts 1+ more"),
    ("Bo casts maybe 1 more", "Bo casts 0-1 more"),
    ("Bo maybe casts 1 more", "Bo casts 0-1 more"),
    ("Bo casts no more", "Bo casts 0-0 more"),
    ("Bo casts one spell", "Bo casts a spell"),
    ("Bo casts TWO Spells", "Bo casts 2 spells"),
    ("Bo casts ten", "Bo casts 10 spells"),
    ("untap, upkeep,draw", "untap · upkeep · draw"),
    ("main phase", "main"),
    ("postcombat main phase", "postcombat main"),
    ("step upkeep", "upkeep"),
    ("cleanup step", "cleanup"),
    ("main", "precombat-main"),
    ("second main", "postcombat main"),
    ("turn 5 Ana and Bo", "turn 5 Ana, Bo"),
    ("Bo: Immerwolf enters (i1)", "Bo: Immerwolf (i1) enters"),
    ("enters Immerwolf under Bo as i1", "Bo: Immerwolf (i1) enters"),
    ("Immerwolf enters under Bo as i1", "Bo: Immerwolf (i1) enters"),
    ("Bo: Immerwolf enters as i1", "Bo: Immerwolf (i1) enters"),
    ("Bo: Immerwolf (i1), Opt (o1) enter", "Bo: Immerwolf (i1), Bo: Opt (o1) enter"),
    ("Bo: Arlinn, the Pack's Hope (a1) enters", 'Bo: "Arlinn, the Pack\'s Hope" (a1) enters'),
    ("Ana casts Arlinn, the Pack's Hope", 'Ana casts "Arlinn, the Pack\'s Hope"'),
    ("Bo: arlinn, the pack’s hope (a1) enters", 'Bo: "Arlinn, the Pack\'s Hope" (a1) enters'),
    ("Ana casts Arlinn, the Pack’s", 'Ana casts "Arlinn, the Pack\'s Hope"'),
    ("Ana casts Olivia’s Mid", "Ana casts Olivia's Midnight Ambush"),
    ("leaves w1 to exile", "w1 leaves to exile"),
    ("w1 and b1 leave", "w1, b1 leave"),
    ("Tavern Ruffian leaves", "w1 leaves"),
    ("tavern smasher leaves", "w1 leaves"),
    ("w1 gets its abilities back", "w1 regains abilities"),
    ("w1, b1 lose all their abilities", "w1, b1 lose abilities"),
    ("w1 cannot transform by X", "w1 can't transform by X"),
    ("w1 can transform by X", "transforming allowed by X"),
    ("it becomes switch by X", "it switches by X"),
    ("it becomes night if it is day", "it becomes night if day"),
    ("night claimed by Bo", "Bo says night"),
    ("it is night, says Bo", "Bo says night"),
    ("it's night, says Bo", "Bo says night"),
    ("Bo says it is night", "Bo says night"),
    ("Bo says it’s night", "Bo says night"),
    ("Jo rules it is night", "Jo rules night"),
    ("dispute d1: Bo says it is night", "dispute d1: Bo says night"),
    ("Ana wins the game", "Ana wins"),
    ("it is night? says Bo", "Bo says night"),
    ("w1 shows back claimed by Bo", "Bo says w1 shows back"),
    ("Ana cast 2 in turn 4 claimed by Bo", "Bo says Ana cast 2 spells in turn 4"),
    ("judge Jo: night", "Jo rules night"),
    ("judge Jo: back up to e2", "Jo backs the game up to 2"),
    ("dispute d1: Jo rules back up to e2", "dispute d1: Jo rules back up to 2"),
    ("Ana casts Opt {} @2024-06-07 19:30:00Z", "Ana casts Opt @2024-06-07 19:30:00Z {}"),
])  # fmt: skip
def test_other_ways(line, as_well):
    """Both phrasings give the same events."""
    assert of(line) == of(as_well)
    assert of(line)


def test_several_on_a_line():
    """A line with several steps or spells gives the events of several lines, each with the line's comment."""
    assert of("untap\nupkeep\ndraw") == of("untap · upkeep · draw")
    assert of("Bo casts # x\nBo casts # x") == of("Bo casts 2 spells # x")


def test_completed():
    """A unique prefix is completed to a player, from three characters on to a card of the catalogue.

    A permanent that is typed without an id gets one made from its card's name, such as `tavern-ruffian-1`.
    """
    assert of("Ana casts Tavern Ruffian") == of("a casts tav") == of("ANA casts TAVERN R")
    assert of("Ana casts Tavern Smasher") == of("ana casts Tavern S")
    both = "Tavern Ruffian // Tavern Smasher"
    assert [both] == [event.card for event in of(f"Ana casts {both}")], "a whole name stays as it is"
    assert ["Op", "Grizzly Bears"] == [of(f"Ana casts {card}")[0].card for card in ("Op", "Grizzly Bears")]
    (typed,) = of("Bo: village w (v1) enters")
    assert bundled().fill(decode(
        '{"type":"permanents-entered","permanents":[{"id":"v1","card":"Village Watch","controller":"Bo"}]}'
    )) == typed  # fmt: skip
    assert ["tavern-ruffian-1", "tavern-ruffian-2"] == [
        of(line)[-1].permanents[0].id for line in ("Bo: Tavern R enters", "Bo: Tav enters\nBo: Tav enters")
    ]


@pytest.mark.parametrize("card", [
    *("Sword of Fire and Ice", "Two-Headed Dragon", "No-Dachi", "About Face", "Nothingness", "Timeless Spellbook"),
    *("Once and Future", "Spelltithe Enforcer", "Ach! Hans, Run!", "Moons and Moonlight", "Morality Shift", "Onefold"),
])  # fmt: skip
def test_other_cards(card):
    """A card that is in no catalogue is read from its bare name, even if that is similar to something refused."""
    assert [card] == [event.card for event in of(f"Ana casts {card}")]
    assert [card] == [event.card for event in of(f"Bo copies {card}")]


CASTS = [line.removeprefix("Ana casts ") for line, column, _says in SLIPS if column and line.startswith("Ana casts ")]


@pytest.mark.wide(but=7)
@pytest.mark.parametrize("name", [name for name in CASTS if re.search('["{}]', name) is None])
def test_other_cards_quoted(name):
    """A name that is refused bare is accepted in quotation marks, and is written with them."""
    event = actions.SpellCast(player="Ana", card=name)
    assert [event] == of(f'Ana casts "{name}"')
    made = [actions.GameStarted(format=1, game="g", players=("Ana", "Bo")), event]
    given, read = and_back(made)
    assert given == read
    assert f"Ana casts {json.dumps(name)}" in in_words(made)


def test_own_catalogue():
    """A custom catalogue's card is written and read by its bare name; the fast path reads the same as the grammar."""
    names = ("No Mercy", "Two Spells", "Up To Two More", "Opt and Opt", "Kaboom.")
    own = Catalogue(Card(name=name, double_faced=False, front=CardFace(name=name)) for name in names)
    events = [actions.GameStarted(format=1, game="g", players=("Ana",))]
    events += [actions.SpellCast(player="Ana", card=name) for name in names]
    text = "".join(f"{line}\n" for lines in lines_of(events, own) for line in lines)
    assert events == [one.event for one in read_text(text, own)]
    assert ["No Mercy"] == [one.event.card for one in read_text("game g\nplayers Ana\nAna casts no mercy", own)[1:]]
    for line in ("Ana casts Two Spells", "Ana casts two spells", "Ana casts Up To Two More"):
        slowly = Reading(own)
        for number, text in enumerate(("game g", "players Ana", "turn 1 Ana"), 1):
            slowly.take(text, number)
        quickly = [one.event for one in read_text(f"game g\nplayers Ana\nturn 1 Ana\n{line}", own)][2:]
        assert [encode(event) for event in quickly] == [found for found, _line in slowly.take(line, 4)]


def test_literal():
    """A quoted name is exactly the quoted text: it is neither completed nor corrected."""
    assert "Tav" == of('Ana casts "Tav"')[0].card
    assert "An" == of('"An" casts Opt')[0].player
    assert ("w9",) == of('"w9" leaves')[0].permanents
    assert 'a "b" \\ c' == of(r'Ana casts "a \"b\" \\ c"')[0].card


@pytest.mark.parametrize("line, says", [
    ("Ana casts Howlpack", "'Howlpack' may be Howlpack Avenger, Howlpack Piper; write more of it"),
    ("Grizzly Bears leaves", "'Grizzly Bears' may be b1, b2; write more of it"),
    ("Ana casts Moonmits", "did you mean Moonmist?"),
])  # fmt: skip
def test_not_guessed(line, says):
    """A name that is ambiguous or misspelled is refused, and the message lists what it may be."""
    with pytest.raises(UnreadableError, match=re.escape(says)):
        of(line)


def test_not_remembered():
    """`An` means Ana, and Andy after a second header; a card's name is refused once two permanents have it."""
    text = "game a\nplayers Ana, Bo\nturn 1 An\nan casts Opt\ngame b\nplayers Bo, Andy\nturn 1 An\nan casts Opt"
    events = [one.event for one in read_text(text)]
    assert ["Ana", "Andy"] == [event.player for event in events if isinstance(event, actions.SpellCast)]
    literal = text.replace(
        "game b\nplayers Bo, Andy", '{"type":"game-started","format":1,"game":"b","players":["Andy"]}'
    )
    assert events[-2:] == [one.event for one in read_text(literal)][-2:]
    with pytest.raises(UnreadableError, match="'Tavern Ruffian' may be w1, w2") as error:
        of("Tavern Ruffian phases out\nAna: Tavern Ruffian (w2) enters\nTavern Ruffian phases out")
    assert 8 == error.value.line


def test_phrases():
    """Each example gives the same events as a line and as a phrase of what-if; only the header is no phrase."""
    game = Game(one.event for one in read_text(BEFORE))
    for form in FORMS:
        if form.tag != "game-started":
            assert tuple(of(form.example)) == tuple(map(bundled().fill, understood(form.example, game.state))), form
    assert {form.line for form in FORMS if form.tag != "game-started"} == {*PHRASES}


@pytest.mark.parametrize(
    "words", ["Ana casts nothing but air", "Ana casts Opt, Bo", "bo copies Opt twice", "an casts -1 more"]
)
def test_phrases_refused(words):
    """A phrase refuses a card that a line would refuse, and the error proposes quotation marks."""
    game = Game(one.event for one in read_text(BEFORE))
    with pytest.raises(PhraseError, match="in quotation marks"):
        understood(words, game.state)


@pytest.mark.slow
def test_keywords_in_names():
    """Every keyword is read back as a name, or as a part of one, wherever a name is allowed."""
    words = {"an", "and", "a", "day", "night", "neither", "switch", "front", "back", "can't"}
    for terminal in parser().terminals:
        if terminal.name not in ("WORD", "TEXT", "QUOTED"):
            words |= set(re.findall(r"[a-z']+", re.sub(r"\\[a-z]|\(\?[=!<:]", " ", terminal.pattern.value)))
    assert {"casts", "untap", "abilities"} <= words
    for word in sorted(words):
        for name in (word, f"{word.capitalize()} 2", f"x {word} y"):
            header = actions.GameStarted(format=1, game=name, players=(name, "Ana"), edition=name)
            permanent = Permanent(id=name, card=name, controller=name, without_abilities=name)
            made = [
                header, actions.TurnBegan(turn=1, active=(name, "Ana")),
                actions.PermanentsEntered(permanents=(permanent, permanent)),
                actions.SpellCast(player=name, card=name, spell=name), actions.SpellsUncertain(player=name, at_least=1),
                actions.PermanentsLeft(permanents=(name, name), to=name),
                actions.ControlChanged(permanents=(name,), controller=name),
                actions.EffectResolved(becomes="night", source=name),
                claims.DesignationClaimed(designation="day", by=name),
                claims.FaceClaimed(permanent=name, face="back", by=name),
                claims.TallyClaimed(player=name, spells=1, by=name), rulings.JudgeRuled(designation="day", by=name),
                disputes.DisputeClaimed(dispute=name, by=name, designation="day"),
                actions.GameEnded(winner=(name, "Ana")),
            ]  # fmt: skip
            given, read = and_back(made)
            assert given == read, name
