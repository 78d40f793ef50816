"""Refusals: impossible events with the error's line, path and sentence, each with a similar event that is accepted.

Every row in `refused` has the record before, the refused event, its path, the whole sentence, and an event that is
accepted in its place. The line is always the next one.

| clause of section 5 | rows |
| --- | --- |
| an unknown player, or one who left | players |
| an unknown permanent; one that enters twice; a missing back | permanents |
| a turn number that does not rise; an active player that is not one | turns |
| a cast, copy, doubt or step before the first turn | turns |
| `at_most` below `at_least`; a tally's turn that never was | numbers |
| a `to`, or an `own_since`, that is not an earlier event | numbers |
| the same id or player twice in one list | lists |
| phasing in a phased-in one, turning up a face-up one, turning down a double-faced one | statuses |
| "neither" ruled while it is day or night | rulings |
| a step skipped twice; one permanent both phases in and stays out | steps |
| an action after the end | test_after_the_end |
"""

import pytest

from daynight.framework.language.errors import ImpossibleError
from daynight.game import Game
from tests.sampling import case

from .placing import control, enter, leave, lose, phase_in, phase_out, regain
from .refused import ROWS
from .scenario import given
from .turning import allow, copy, face_down, face_up, forbid, transform, uncopy
from .wolves import OLD_WEREWOLF
from .words import cast, copied, doubt, effect, ended, joined, quits, restarted, started, turn, untap

ENDED = "the game has ended; only claims and judge's acts may follow"


@pytest.mark.parametrize("before, refused, path, sentence, neighbour", ROWS)
def test_refused_where_and_why(before, refused, path, sentence, neighbour):
    """A refusal has the line, the path and the sentence of its row; the game does not change."""
    game = given(*before).game
    shown = game.document()
    with pytest.raises(ImpossibleError) as error:
        game.record(refused)
    line = len(before) + 2
    assert f"{line}: {path}: {sentence}" == str(error.value)
    assert (path, line, None, sentence) == (error.value.path, error.value.line, error.value.file, error.value.sentence)
    assert (line - 1, shown) == (len(game), game.document())


def test_the_neighbour_is_accepted():
    """The row's last event, which differs only in the refused detail, is accepted."""
    for before, _refused, path, sentence, neighbour in ROWS:
        with case((path, sentence)):
            assert len(before) + 2 == given(*before).game.record(neighbour).number


def test_a_record_of_it_is_refused_at_that_line():
    """A whole record that contains the refused event is refused with the same line, path and sentence."""
    for before, refused, path, sentence, _neighbour in ROWS:
        with case((path, sentence)):
            with pytest.raises(ImpossibleError) as error:
                Game([started(), *before, refused, effect("day")])
            assert f"{len(before) + 2}: {path}: {sentence}" == str(error.value)


ACTIONS = [
    turn(2), untap(), cast("Ana"), copied("Ana"), doubt("Ana", 0), enter("w2"), leave("w1"), control("Bo", "w1"),
    lose("w1"), regain("w1"), copy({"name": "A"}, "w1"), uncopy("w1"), face_down("w1"), face_up("w1"), phase_out("w1"),
    phase_in("w1"), transform("w1"), forbid("A", "w1"), allow("A"), effect("day"), quits("Ana"), restarted(), ended(),
]  # fmt: skip


@pytest.mark.parametrize("action", ACTIONS, ids=[action["type"] for action in ACTIONS])
def test_after_the_end(action):
    """No action may follow `game-ended`; this refusal has priority over all others."""
    game = given(enter("w1", OLD_WEREWOLF), turn(1), ended()).game
    with pytest.raises(ImpossibleError) as error:
        game.record(action)
    assert f"5: $: {ENDED}" == str(error.value)


def test_joined_not_on_line_two():
    """`game-joined` is refused on any line but line 2."""
    with pytest.raises(ImpossibleError) as error:
        given(effect("day"), joined("day"))
    assert "3: $.type: game-joined stands on line 2 or nowhere" == str(error.value)


def test_what_a_refusal_names():
    """The error's `earlier` is the event in which w1 entered; `first` is the path where a list first names w1."""
    game = given(turn(1), enter("w1"))
    with pytest.raises(ImpossibleError) as there:
        game.game.record(enter("w1"))
    assert (3, None) == (there.value.earlier, there.value.first)
    with pytest.raises(ImpossibleError) as twice:
        game.game.record(leave("w1", "w1"))
    assert (None, "$.permanents[0]") == (twice.value.earlier, twice.value.first)
