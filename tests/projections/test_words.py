"""Words and sentences of the views that few records come to, to the letter.

| promise | test |
| --- | --- |
| a number of spells: one, several, from so many to so many, so many or more | test_spells |
| the keywords by their names | test_keywords |
| what phases in by itself: one, several, and perhaps | test_phased_back |
| what is taken back: a change, a face with the other face's name, a trigger | test_taken_back |
| a note with its event, a player who leaves | test_notes |
"""

import pytest

from daynight.events import Characteristics, Designation, Face, NoteAdded, Permanent, PlayerLeft
from daynight.events.consequences import Changed, PhasedBack, PutOnStack, Refused, Transformed, Triggered
from daynight.projections.reversals import reversal_sentence
from daynight.projections.sentences import consequence_sentence, keyword_word, spells_word
from daynight.projections.transcript import event_sentence
from tests.sampling import folded

FACES = {
    id: Permanent(id=id, card=card, controller="Ana", front=Characteristics(name=card), back=Characteristics(name=back))
    for id, card, back in (("w1", "Tavern Ruffian", "Tavern Smasher"), ("w2", "Brutal Cathar", "Moonrage Brute"))
}
WHY = {"event": 9, "rule": "check-day", "because": (9,)}


@folded(
    "least, most, expected",
    [
        (0, 0, "0 spells"),
        (1, 1, "1 spell"),
        (2, 2, "2 spells"),
        (0, 1, "0-1 spells"),
        (1, 3, "1-3 spells"),
        (1, None, "1 or more spells"),
        (2, None, "2 or more spells"),
    ],
)
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


def test_notes():
    assert "Ana leaves the game" == event_sentence(PlayerLeft(player="Ana"), {})
    assert "Bo notes: a judge was called" == event_sentence(NoteAdded(by="Bo", says="a judge was called"), {})
    about = NoteAdded(by="Bo", says="a judge was called", about=3)
    assert "Bo notes on event 3: a judge was called" == event_sentence(about, {})
    before = NoteAdded(by="Bo", says="a judge was called")
    assert "Bo notes on event 6: a judge was called" == event_sentence(before, {}, 7)
