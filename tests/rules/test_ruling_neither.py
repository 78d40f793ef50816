"""A judge rules that it is neither: only where neither is possible (the contract's `judge-ruled`).

| clause | the contract in our words | test |
| --- | --- | --- |
| refused | if neither is not possible at that event | test_it_never_leads_back |
| refused | ... in the state after a pending untap step | test_it_is_judged_after_the_untap_step |
| settles | other possibilities are removed, with the consequences only they had | test_it_settles_a_doubt |
| settles | ... changes before the game restarted stay | test_an_earlier_game_is_not_touched |
| effect | from then on it is neither, and the rules continue from that | test_it_goes_on_as_neither |
| nothing triggers | | test_it_settles_a_doubt |
| not | if it is certainly neither, the ruling changes nothing | test_where_it_is_neither_for_sure |
| audit | the ruling agrees if the rules alone allow neither; unsettled if they allow more | test_the_audit |
| back-up | it restores the removed possibilities | test_a_back_up_brings_it_back |
| policy | night is assumed only where night is possible | test_the_policy_needs_the_night |
"""

import pytest

from daynight.framework.language.errors import ImpossibleError

from .judges import back_up, claim, ruled
from .placing import enter, permanent
from .scenario import given
from .wolves import CLONE_OF_DAYBOUND, VANDAL
from .words import cast, effect, joined, restarted, turn, untap

WATCHED = [permanent("v1", VANDAL)]
DOUBT = (joined("neither", "day", "night", permanents=WATCHED), turn(3), untap())


@pytest.mark.parametrize("before", [
    [effect("day")], [joined("day", "night")], [joined("neither", "night"), ruled("day")],
    [joined("neither"), enter("c1", CLONE_OF_DAYBOUND)],
])  # fmt: skip
def test_it_never_leads_back(before):
    """If neither is not possible, the ruling is refused and changes nothing."""
    game = given(*before)
    shown = game.game.document()
    with pytest.raises(ImpossibleError):
        game.when(ruled("neither"))
    assert shown == game.game.document()


def test_it_is_judged_after_the_untap_step():
    """In Ana's turn her daybound permanent first phases in and makes it day, so the ruling of neither is refused.

    In Bo's turn it stays phased out, and the ruling is accepted.
    """
    found = [permanent("c1", CLONE_OF_DAYBOUND, phased_out=True)]
    assert "neither" == given(joined("neither", permanents=found), turn(3, "Bo"), ruled("neither")).designation
    with pytest.raises(ImpossibleError):
        given(joined("neither", permanents=found), turn(3), ruled("neither"))


def test_it_settles_a_doubt():
    """Neither, day or night: the ruling leaves neither, and removes the changes and triggers of the others."""
    game = given(*DOUBT)
    assert (["neither", "day", "night"], 2, 1) == (game.possible, len(game.changes), len(game.triggers))
    game.when(ruled("neither"))
    assert ("neither", [], []) == (game.designation, game.changes, game.triggers)
    unwritten = given(*DOUBT[:2], ruled("neither"))
    assert ("neither", [], []) == (unwritten.designation, unwritten.changes, unwritten.triggers)


def test_an_earlier_game_is_not_touched():
    """Uncertain changes of the game before the restart stay listed after the ruling."""
    game = given(joined("neither", "day"), effect("night"), restarted())
    before = game.changes
    assert 2 == len(before)
    assert before == game.when(ruled("neither")).changes


def test_it_goes_on_as_neither():
    """After the ruling there is no check; later daybound makes it day, certainly."""
    game = given(*DOUBT, ruled("neither"), turn(4, "Bo"), cast("Bo"))
    assert ("neither", []) == (game.designation, game.changes)
    game.when(enter("c1", CLONE_OF_DAYBOUND))
    assert [("neither", "day", None)] == [(one["was"], one["became"], one.get("certain")) for one in game.changes]


def test_where_it_is_neither_for_sure():
    """If it is certainly neither, the ruling changes nothing."""
    game = given(ruled("neither"), turn(1), ruled("neither"))
    assert ("neither", (), []) == (game.designation, game.followed, game.changes)


def test_the_audit():
    """The verdict is `exact` for rulings of neither; where day and night were possible too, `unsettled` lists them.

    A claim of day after such a ruling makes the verdict `disputed`.
    """
    assert "exact" == given(ruled("neither")).game.audit().document()["verdict"]
    game = given(*DOUBT, ruled("neither"), claim("neither"), ruled("neither"))
    audit = game.game.audit().document()
    assert "exact" == audit["verdict"]
    assert [5, 7] == [one["event"] for one in audit["unsettled"]]
    assert "disputed" == given(*DOUBT, ruled("neither"), claim("day")).game.audit().document()["verdict"]


def test_a_back_up_brings_it_back():
    """After a back-up to before the ruling, neither, day and night are possible again."""
    game = given(*DOUBT, ruled("neither"), back_up(4))
    assert (["neither", "day", "night"], 2) == (game.possible, len(game.changes))


def test_the_policy_needs_the_night():
    """The policy is to assume night if it is neither or night; for neither or day there is no policy."""
    assert "policy" not in given(joined("neither", "day")).game.document()
    assert "night" == given(joined("neither", "night")).policy["designation"]
    assert "policy" not in given(joined("night")).game.document()
