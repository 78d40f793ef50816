"""The transcript: every event and every consequence has a sentence."""

import pytest

from daynight.events import TAGS, decode
from daynight.events.consequences import (
    Changed,
    EnteredTransformed,
    PutOnStack,
    Refused,
    Restored,
    Transformed,
    Triggered,
)
from daynight.events.terms import Designation, Face
from daynight.game import Game
from daynight.projections.transcript import event_sentence, told
from daynight.rules.citations import with_number
from daynight.speech.sentences import consequence_sentence, designation_word, face_word, listed, names, step_word
from tests.behaviour.games import CONTRACT, EVERY_TYPE, lines
from tests.oracle.vocabulary import STEPS
from tests.oracle.walks import random_walk
from tests.rules.judges import argues, back_up, claim_tally, opens, rules_on
from tests.rules.placing import enter, leave
from tests.rules.turning import copy, transform
from tests.rules.wolves import VANDAL as VANDAL_CARD
from tests.rules.words import cast, copied, doubt, effect, ended, said, started, turn
from tests.sampling import few_or_all

RUFFIAN, VANDAL, OUTCASTS, BEAR = (
    "Tavern Ruffian (w1)", "Brimstone Vandal (v1)", "Grizzled Outcasts (o1)", "Runeclaw Bear (b1)",
)  # fmt: skip

TOLD = f"""\
g1 begins: Ana, Bo and Cy
the record takes the game up midway; it was day; on the battlefield: Tavern Ruffian (j1)
turn 1: Ana; skipped: draw step
untap step; Tavern Ruffian (j1): stays phased out
Ana casts Opt
Ana copies Opt; a copy is not cast
Bo perhaps cast 1 more spell
{RUFFIAN}, {VANDAL}, {OUTCASTS} and {BEAR} enter the battlefield
Bo gains control of {RUFFIAN}
{RUFFIAN}: all abilities lost
{RUFFIAN}: abilities regained
{BEAR}: now a copy of Tavern Ruffian
{BEAR}: no copy any more
{BEAR}: turned face down
{BEAR}: turned face up
{OUTCASTS}: phased out
{OUTCASTS}: phased in
Bound by Moonsilver: {OUTCASTS} can't transform
Bound by Moonsilver no longer keeps anything from transforming
{OUTCASTS}: told to transform by Moonmist
The Celestus: an effect makes it day if it is night, and night otherwise, if it is day
Ana says: it is night
Ana says: {RUFFIAN} shows its back face
Ana says: Ana cast 1 spell in turn 1
Jo rules: it is day
{BEAR} leaves the battlefield (graveyard)
Jo backs the game up to event 24
upkeep
Cy leaves the game, and with them Tavern Ruffian (j1)
the game restarts
turn 1: Bo
the game ends; won by Ana
Ana calls a judge: dispute d1, about event 25
Bo says in dispute d1: it is night; it was night
Jo rules in dispute d1: back up to event 24
Bo appeals the ruling in dispute d1
Jo rules in dispute d1: fix it, it is day (so it stays)
Jo closes dispute d1: fix the game where it stands
Jo notes on event 25: a note
"""


def the_lines(game):
    """Return the lines of a game's transcript; undone ones have `undone` set."""
    return [*told(game.moments(), stands=game.stands)]


def test_every_event_is_told():
    """The transcript has one line for each event, in order, with its number."""
    found = the_lines(Game(EVERY_TYPE))
    assert TOLD.splitlines() == [line.sentence for line in found]
    assert [*range(1, len(EVERY_TYPE) + 1)] == [line.number for line in found]
    assert set(TAGS) == {event["type"] for event in EVERY_TYPE}


def test_headings():
    """The game, each turn and a restart begin with a heading."""
    assert [1, 3, 30, 31] == [line.number for line in the_lines(Game(EVERY_TYPE)) if line.heading]


def test_undone():
    """Undone events are in the transcript; their lines have `undone` set only if `told` gets the game's `stands`."""
    assert [25, 26] == [line.number for line in the_lines(Game(EVERY_TYPE)) if line.undone]
    assert [] == [line.number for line in told(Game(EVERY_TYPE).moments()) if line.undone]


def test_notes():
    """The `note` of a line is that of its event, unchanged; it is empty if the event has none."""
    assert {1: "a sentence"} == {line.number: line.note for line in the_lines(Game(EVERY_TYPE)) if line.note}


@pytest.mark.parametrize("event, sentence", [
    (cast(), "Ana casts a spell"),
    (copied(), "Ana copies a spell; a copy is not cast"),
    (doubt("Bo", 1), "Bo cast at least 1 more spell"),
    (doubt("Bo", 2), "Bo cast at least 2 more spells"),
    (leave("x", "y"), "x and y leave the battlefield"),
    (transform("x"), "x: told to transform"),
    (effect("day"), "an effect makes it day"),
    (effect("night", "neither"), "an effect makes it night, if it is neither day nor night"),
    (ended(), "the game ends"),
    (said("game-ended", winner=[]), "the game ends"),
    (claim_tally("Bo", 1), "Ana says: Bo has cast 1 spell this turn"),
    (claim_tally("Bo", 0), "Ana says: Bo has cast 0 spells this turn"),
    (claim_tally("Bo", 2, 7), "Ana says: Bo cast 2 spells in turn 7"),
    (copy({}, "x"), "x: now a copy of something"),
    (started("Ana", "Al", "Bo", teams=[["Ana", "Al"], ["Bo"]]),
     "g1 begins: Ana and Al against Bo, sharing their turns"),
    (turn(3, "Ana", "Al"), "turn 3: Ana and Al"),
    (opens("d2"), "Ana calls a judge: dispute d2, about what is before"),
    (argues("d2", "neither"), "Bo says in dispute d2: it is neither day nor night"),
    (argues("d2", says="no"), "Bo says in dispute d2: no"),
    (rules_on("d2"), "Jo rules in dispute d2: leave the game as it is"),
    (rules_on("d2", "fix"), "Jo rules in dispute d2: fix the game where it stands"),
    (rules_on("d2", "back-up", to=4, says="late"), "Jo rules in dispute d2: back up to event 4 (late)"),
])  # fmt: skip
def test_events(event, sentence):
    """Each event has its sentence, without the parts whose fields are missing."""
    assert sentence == event_sentence(decode(lines([event]).strip()), {})


CHANGE = {"event": 8, "turn": 3, "because": (5,)}
DAY, NIGHT, NEITHER = Designation.DAY, Designation.NIGHT, Designation.NEITHER


@pytest.mark.parametrize("consequence, sentence", [
    (Changed(**CHANGE, rule="check-day", was=DAY, became=NIGHT, checked_turn=2, players=("Ana", "Al")),
     "it becomes night: none of Ana and Al, active in turn 2, cast a spell in it"),
    (Changed(**CHANGE, rule="check-night", was=NIGHT, became=DAY, checked_turn=2, players=("Bo",)),
     "it becomes day: Bo, active in turn 2, cast two or more spells in it"),
    (Changed(**CHANGE, rule="check-day", was=DAY, became=NIGHT),
     "it becomes night: no spell was cast by the active player of the turn before the record"),
    (Changed(**CHANGE, rule="check-night", was=NIGHT, became=DAY),
     "it becomes day: two or more spells were cast by the active player of the turn before the record"),
    (Changed(**CHANGE, rule="daybound-starts-day", was=NEITHER, became=DAY),
     "it becomes day: it was neither day nor night, and a permanent had daybound"),
    (Changed(**CHANGE, rule="nightbound-starts-night", was=NEITHER, became=NIGHT),
     "it becomes night: it was neither day nor night, a permanent had nightbound and none had daybound"),
    (Changed(**CHANGE, rule="day-if-neither", was=NEITHER, became=DAY, certain=False),
     "perhaps: it becomes day: it was neither day nor night as a permanent entered that makes it day then"),
    (Changed(**CHANGE, rule="becomes", was=DAY, became=NIGHT), "it becomes night: an effect made it so"),
    (Changed(**CHANGE, rule="judge", was=DAY, became=NIGHT), "it becomes night: a judge ruled so"),
    (Transformed(event=8, rule="transforms", because=(8,), permanents=("w1",), face=Face.BACK),
     "Tavern Ruffian (w1) transforms into Tavern Smasher"),
    (Transformed(event=8, rule="transforms", because=(8,), permanents=("w1", "o1"), face=Face.FRONT),
     "Tavern Smasher (w1) and Krallenhorde Wantons (o1) transform into Tavern Ruffian and Grizzled Outcasts"),
    (EnteredTransformed(event=8, rule="daybound-enters", because=(8,), permanents=("w1",)),
     "Tavern Ruffian (w1) enters with its back face up"),
    (EnteredTransformed(event=8, rule="daybound-enters", because=(8,), permanents=("w1", "o1")),
     "Tavern Ruffian (w1) and Grizzled Outcasts (o1) enter with their back faces up"),
    (Triggered(**CHANGE, rule="change-triggers", permanent="v1", was=DAY, became=NIGHT, stacked=None),
     "Brimstone Vandal (v1) triggers, and waits until a player would receive priority"),
    (Triggered(**CHANGE, rule="change-triggers", permanent="v1", was=DAY, became=NIGHT, stacked=8),
     "Brimstone Vandal (v1) triggers"),
    (PutOnStack(event=9, rule="put-on-stack", because=(8,)),
     "what triggered in the untap step goes on the stack"),
    (Restored(event=9, rule="backed-up", because=(4,), to=4), "the game is again as it was after event 4"),
    (Refused(event=9, rule="daybound-refuses", because=(9,), permanents=("w1",)),
     "Tavern Ruffian (w1) does not transform: only its daybound may do that"),
    (Refused(event=9, rule="nightbound-refuses", because=(9,), permanents=("w1",)),
     "Tavern Ruffian (w1) does not transform: only its nightbound may do that"),
    (Refused(event=9, rule="transformed-since", because=(9,), permanents=("o1",)),
     "Grizzled Outcasts (o1) has transformed since that ability went on the stack"),
    (Refused(event=9, rule="cannot-transform", because=(9,), permanents=("b1",), certain=False),
     "perhaps: Runeclaw Bear (b1) can't transform"),
])  # fmt: skip
def test_consequences(consequence, sentence):
    """Each kind of consequence has its sentence for each rule that can cause it."""
    permanents = {permanent.id: permanent for permanent in Game(EVERY_TYPE).events[7].permanents}
    assert sentence == consequence_sentence(consequence, permanents)


def test_refusals_of_several():
    """The sentence that two permanents do not transform is in the plural."""
    permanents = {permanent.id: permanent for permanent in Game(EVERY_TYPE).events[7].permanents}
    refused = Refused(event=9, rule="daybound-refuses", because=(9,), permanents=("w1", "o1"))
    assert "do not transform" in consequence_sentence(refused, permanents)


def test_every_consequence_is_told():
    """If `told` is given `number`, which adds rule numbers, each consequence ends with the number of its rule."""

    def number(sentence, rule):
        return with_number(sentence, rule, "2024-06-07")

    *_others, last = told(Game(CONTRACT).moments(), number=number)
    assert (
        "it becomes night: Bo, active in turn 2, cast no spell in it (CR 728.2a)",
        "Tavern Ruffian (w1) transforms into Tavern Smasher (CR 702.145b)",
    ) == last.consequences


@pytest.mark.parametrize("many", few_or_all(8, 30))
def test_walks_are_told(many):
    """Every event has a sentence on one line, without unfilled placeholders."""
    for seed in range(many):
        game = Game(random_walk(seed, 60))
        found = the_lines(game)
        assert len(game) == len(found)
        for line, moment in zip(found, game.moments(), strict=True):
            assert len(moment.consequences) == len(line.consequences)
            for sentence in (line.sentence, *line.consequences):
                assert sentence == sentence.strip() != ""
                assert not set("\n{}") & set(sentence)
                assert "None" not in sentence


def test_words():
    """Each designation, face and step has a word, and so has None; `listed` and `names` join words."""
    assert ["uncertain", "neither day nor night", "day", "night"] == [
        designation_word(one) for one in (None, *Designation)
    ]
    assert ["uncertain", "front face", "back face"] == [face_word(one) for one in (None, *Face)]
    assert len({step_word(step) for step in (None, *STEPS)}) == len(STEPS) + 1
    assert ["", "a", "a and b", "a, b and c"] == [listed(words) for words in ("", "a", "ab", "abc")]
    assert "x and y" == names(("x", "y"), {})


def test_a_back_up_is_no_end():
    """The transcript continues after a back-up."""
    found = the_lines(Game([*CONTRACT, back_up(4), cast("Bo")]))
    assert [5, 6, 7, 8] == [line.number for line in found if line.undone]
    assert ("the game is again as it was after event 4",) == found[8].consequences


def test_an_id_may_be_used_again():
    """A permanent has the name of the card that its id meant at that event, also after a back-up that changes this."""
    game = Game([started(), enter("x"), leave("x"), enter("x", VANDAL_CARD), back_up(2), leave("x")])
    assert [
        "Tavern Ruffian (x) enters the battlefield",
        "Tavern Ruffian (x) leaves the battlefield",
        "Brimstone Vandal (x) enters the battlefield",
        "Jo backs the game up to event 2",
        "Tavern Ruffian (x) leaves the battlefield",
    ] == [line.sentence for line in the_lines(game)[1:]]
