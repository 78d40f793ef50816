"""The row that the library must have for a game, computed from the game in memory; and two games with odd cases."""

from daynight.events.actions import SpellCast, TurnBegan
from daynight.game import Game
from daynight.projections.library import Entry
from tests.rules.judges import back_up, claim, claim_tally, ruled
from tests.rules.words import Event, cast, doubt, effect, joined, restarted, started, turn, untap

BACKED_UP: list[Event] = [
    started(),
    turn(1),
    claim("day"),  # disputed, event 3
    claim("neither"),  # right, event 4
    cast(),
    effect("night"),
    claim("day"),  # disputed, event 7
    back_up(4),  # the one at 7 is undone
    cast("Bo"),
    back_up(2),  # now all of them are
    claim("neither"),
    ruled("day"),
    back_up(11),
    ruled("night"),
    back_up(2),
    doubt("Ana", 0, 2),
    turn(2, "Bo"),
    untap(),
    turn(3),
    claim_tally("Ana", 1, 1),
    effect("day"),
    back_up(19),
    restarted(),
    turn(1, "Bo"),
    back_up(22),
    claim("night"),
]
"""A game with back-ups to claims, turns and another back-up, and out of a restarted game to the old one."""


RULED_NEITHER: list[Event] = [
    started(),
    joined("neither", "day"),
    turn(1),
    turn(2, "Bo"),
    untap(),
    ruled("neither"),  # takes the change at event 5 back
    effect("day"),
    restarted(),
    turn(1),
    effect("night"),
    back_up(8),
    back_up(5),
    ruled("neither"),
    restarted(),
    effect("night"),
    ruled("night"),
]
"""A game in which a ruling undoes changes, the game restarts, and back-ups undo the restart and the ruling."""


def expected(name: str, game: Game) -> Entry:
    """Return the expected row of a game, from the game in memory and its audit."""
    standing = [event for number, event in enumerate(game.events, 1) if game.stands(number)]
    audit, state = game.audit(), game.state
    return Entry(
        game=name,
        events=len(game),
        turns=sum(isinstance(event, TurnBegan) for event in standing),
        spells=sum(isinstance(event, SpellCast) for event in standing),
        changes=len(state.timeline.changes),
        possible=state.possible,
        verdict=audit.verdict,
        disputes=len(audit.disputes),
        over=state.over,
    )
