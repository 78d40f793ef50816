"""The exact words and sentences that views print, for cases that are rare in records.

| promise | test |
| --- | --- |
| a number of spells has words: one, several, a range, an open range | test_spells |
| the keywords by their names | test_keywords |
| permanents that phase in by themselves: one, several, and uncertain | test_phased_back |
| undone consequences: a change, a face with the other face's name, a trigger | test_taken_back |
| a note with its event, a player who leaves | test_notes |
| a zone of the rules is named in the reader's language, any other as it is written | test_zones |
| which designations are possible, how many spells | test_either, test_counts |
| casts that do not count: by whom, of what, at most three by name | test_uncounted |
| the effect of a ruling, the players, the length of a game | test_games |
| an untap step that is not written down | test_unwritten |
| a permanent that can't transform, and one without a face of its own | test_faces |
"""

import pytest

from daynight.events import (
    Characteristics,
    Designation,
    Face,
    GameStarted,
    NoteAdded,
    Permanent,
    PermanentsLeft,
    PlayerLeft,
)
from daynight.events.consequences import Changed, PhasedBack, PutOnStack, Refused, Transformed, Triggered
from daynight.languages.speaking import speaking
from daynight.projections.transcript import event_sentence
from daynight.speech.reversals import reversal_sentence
from daynight.speech.sentences import (
    against,
    consequence_sentence,
    count_word,
    either_word,
    face_name,
    keyword_word,
    numbers_line,
    outcome_word,
    spells_word,
    uncounted_sentence,
)

FACES = {
    id: Permanent(id=id, card=card, controller="Ana", front=Characteristics(name=card), back=Characteristics(name=back))
    for id, card, back in (("w1", "Tavern Ruffian", "Tavern Smasher"), ("w2", "Brutal Cathar", "Moonrage Brute"))
}
NEITHER, DAY, NIGHT = Designation
WHY = {"event": 9, "rule": "check-day", "because": (9,)}


@pytest.mark.parametrize("least, most, expected", [
    (0, 0, "0 spells"),
    (1, 1, "1 spell"),
    (2, 2, "2 spells"),
    (0, 1, "0-1 spells"),
    (1, 3, "1-3 spells"),
    (1, None, "1 or more spells"),
    (2, None, "2 or more spells"),
])  # fmt: skip
def test_spells(least, most, expected):
    assert expected == spells_word(least, most)


def test_keywords():
    assert ["daybound", "nightbound"] == [keyword_word("daybound"), keyword_word("nightbound")]
    with pytest.raises(KeyError):
        keyword_word("flying")


def test_phased_back():
    one, both = (PhasedBack(permanents=ids, **WHY) for ids in (("w1",), ("w1", "w2")))
    assert "Tavern Ruffian (w1) phases in by itself" == consequence_sentence(one, FACES)
    expected = "Tavern Ruffian (w1) and Brutal Cathar (w2) phase in by themselves"
    assert expected == consequence_sentence(both, FACES)


def test_taken_back():
    back = Transformed(permanents=("w1",), face=Face.BACK, **WHY)
    front = Transformed(permanents=("w1", "w2"), face=Face.FRONT, **WHY)
    night = Changed(turn=3, was=Designation.DAY, became=Designation.NIGHT, **WHY)
    first = Changed(turn=3, was=Designation.NEITHER, became=Designation.NIGHT, certain=False, **WHY)
    trigger = Triggered(turn=3, permanent="w1", was=None, became=None, stacked=None, **WHY)
    assert "Tavern Smasher (w1) is Tavern Ruffian again" == reversal_sentence(back, FACES)
    expected = "Tavern Ruffian (w1) and Brutal Cathar (w2) are Tavern Smasher and Moonrage Brute again"
    assert expected == reversal_sentence(front, FACES)
    assert "it is day again" == reversal_sentence(night, FACES)
    assert "perhaps: it is neither day nor night again" == reversal_sentence(first, FACES)
    assert "what triggered of Tavern Ruffian (w1) is gone" == reversal_sentence(trigger, FACES)
    assert "what triggered in the untap step waits again" == reversal_sentence(PutOnStack(**WHY), FACES)
    assert reversal_sentence(Refused(permanents=("w1",), **WHY), FACES) is None


@pytest.mark.parametrize("language, to, expected", [
    ("en", "exile", "Tavern Ruffian (w1) leaves the battlefield (exile)"),
    ("fr", "graveyard", "Ruffiane des tavernes (w1) quitte le champ de bataille (cimetière)"),
    ("ja", "hand", "酒場のごろつき (w1)が戦場を離れる（手札）"),
    ("fr", "the shelf", "Ruffiane des tavernes (w1) quitte le champ de bataille (the shelf)"),
])  # fmt: skip
def test_zones(language, to, expected):
    with speaking(language):
        assert expected == event_sentence(PermanentsLeft(permanents=("w1",), to=to), FACES)


def test_notes():
    assert "Ana leaves the game" == event_sentence(PlayerLeft(player="Ana"), {})
    assert "Bo notes: a judge was called" == event_sentence(NoteAdded(by="Bo", says="a judge was called"), {})
    about = NoteAdded(by="Bo", says="a judge was called", about=3)
    assert "Bo notes on event 3: a judge was called" == event_sentence(about, {})
    before = NoteAdded(by="Bo", says="a judge was called")
    assert "Bo notes on event 6: a judge was called" == event_sentence(before, {}, 7)


@pytest.mark.parametrize("possible, expected", [
    ([NEITHER], "neither day nor night"),
    ([DAY, NIGHT], "day or night"),
    ([NEITHER, DAY], "day, or neither day nor night"),
    ([NEITHER, DAY, NIGHT], "day or night, or neither day nor night"),
    ([NIGHT, NIGHT], "night"),
    ([None], "uncertain"),
])  # fmt: skip
def test_either(possible, expected):
    assert expected == either_word(possible)


def test_uncounted():
    casts = [(8, "Ana", "Opt"), (9, "Cy", None), (10, "Ana", "Shock"), (11, "Ana", "Opt"), (12, "Cy", "Opt")]
    told = "Ana's Opt (e8), Cy's spell (e9) and Ana's Shock (e10)"
    rest = "were cast in Bo's turn and do not count."
    assert "Ana's Opt (e8) was cast in Bo's turn and does not count." == uncounted_sentence(casts[:1], ["Bo"])
    assert f"{told} {rest}" == uncounted_sentence(casts[:3], ["Bo"])
    told = told.replace(" and", ",")
    assert f"{told} and 1 more spell {rest}" == uncounted_sentence(casts[:4], ["Bo"])
    several = uncounted_sentence(casts, ["Bo", "Di"])
    assert f"{told} and 2 more spells were cast in Bo and Di's turn and do not count." == several


def test_counts():
    assert ["0", "2", "0-2", "1 or more"] == [count_word(*one) for one in ((0, 0), (2, 2), (0, 2), (1, None))]


def test_games():
    words = ["no ruling", "leave the game as it is", "fix the game where it stands", "back the game up"]
    assert words == [outcome_word(one) for one in (None, "leave", "fix", "back-up")]
    game = GameStarted(format=1, game="g", players=("Ana", "Bo", "Cy", "Di"))
    assert "Ana against Bo against Cy against Di" == against(game)
    teams = GameStarted(format=1, game="g", players=game.players, teams=(("Ana", "Cy"), ("Bo", "Di")))
    assert "Ana and Cy against Bo and Di" == against(teams)
    assert "1 turn · 1 event · rules: CR 2024-06-07" == numbers_line(1, 1, "2024-06-07")
    assert "0 turns · 2 events · rules: CR latest" == numbers_line(0, 2, "latest")


def test_unwritten():
    night = Changed(turn=3, was=DAY, became=NIGHT, players=("Ana",), checked_turn=2, implied=True, **WHY)
    night_fell = "it becomes night: Ana, active in turn 2, cast no spell in it"
    expected = f"in turn 3's untap step, which is not written down: {night_fell}"
    assert expected == consequence_sentence(night, {})
    back = PhasedBack(permanents=("w1",), implied=True, **WHY)
    assert (
        "in the untap step, which is not written down: Tavern Ruffian (w1) phases in by itself"
        == consequence_sentence(back, FACES)
    )


def test_faces():
    refused = [
        Refused(permanents=ids, event=9, rule="cannot-transform", because=(9,)) for ids in (("w1",), ("w1", "w2"))
    ]
    assert ["Tavern Ruffian (w1) can't transform", "Tavern Ruffian (w1) and Brutal Cathar (w2) can't transform"] == [
        consequence_sentence(one, FACES) for one in refused
    ]
    plain = Permanent(id="b", card="Bear", controller="Ana")
    assert ["Bear", "Bear", "Tavern Smasher"] == [
        face_name(plain, Face.FRONT), face_name(plain, Face.BACK), face_name(FACES["w1"], Face.BACK),
    ]  # fmt: skip
