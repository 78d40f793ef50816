"""Pages of moments of another mechanic: each part's value and origin after every event, as the record gives them."""

from dataclasses import replace
from random import Random

import pytest

from daynight.framework.language.codec import encode_lines
from daynight.framework.mechanic import Derived, Part
from daynight.framework.recorded import Recorded
from daynight.records import Held
from daynight.web.shelf import Shelf
from daynight.web.telling.parts import PartsTeller
from examples.monarch import MECHANIC, BackedUp, Damaged, EndStepBegan, Left, Made, Started, TurnBegan
from tests.web.asking import asking

PLAYERS = ("Ana", "Bo", "Cy")


class Counting:
    """A function that derives a part: its `Derived` names no event as origin; `reads` counts the calls."""

    def __init__(self):
        self.reads = 0

    def __call__(self, reign, player):
        """Return how many cards `player` drew; None if the player has left."""
        self.reads += 1
        return Derived((len(reign.draws.get(player, ())),)) if player in reign.players else None


def bare(draws):
    """Return the monarch mechanic with four parts; `draws` derives one, and only `way` names events as origins.

    A back-up does not undo `active` (`lasts`); `monarch` says how early its value can have begun.
    """
    return replace(MECHANIC, parts={
        "monarch": Part(lambda reign, subject: Derived((reign.monarch,), (), reign.way.event)),
        "draws": Part(draws, lambda reign: reign.players),
        "active": Part(lambda reign, subject: Derived((reign.active,)), lasts=True),
        "way": MECHANIC.parts["monarch"],
    })  # fmt: skip


def game_of(mechanic, seed, events):
    """Return a random game of `events` events of `mechanic`, with back-ups and players who leave."""
    random = Random(seed)
    game = Recorded(mechanic)
    game.take(Started(game="g", players=PLAYERS))
    while len(game) < events:
        names = list(game.state.players) or ["Ana"]
        one, other = random.choice(names), random.choice(names)
        kinds = [TurnBegan(player=one), Damaged(player=one, by=other), Made(player=one), EndStepBegan()]
        kinds += [BackedUp(to=random.randint(1, len(game)))] * 2
        kinds += [Left(player=one)] if len(names) > 2 and random.random() < 0.2 else []
        event = random.choice(kinds)
        if isinstance(event, BackedUp) and not game.stands(event.to):
            continue
        game.take(event)
    return game


@pytest.mark.parametrize("seed", [0, *[pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20)]])
def test_the_log_says_of_each_event_what_the_record_answers(seed):
    """`walk` gives for each event the parts that `Recorded.parts` gives, whichever event the page begins after."""
    game = game_of(bare(Counting()), seed, 60)
    teller = PartsTeller(game.mechanic)
    want = {number: teller._document(number, game.parts(number)) for number in range(1, len(game) + 1)}
    assert {number: teller.now(game, number, None) for number in want} == want
    for after in (0, 17, 31, 45, 5):
        told = {moment.number: document for moment, document in teller.walk(game, after, min(after + 14, len(game)))}
        assert told == {number: want[number] for number in told}
        assert len(told) == min(14, len(game) - after)


@pytest.mark.wide
def test_a_log_reads_each_part_of_each_event_a_few_times():
    """Reading all pages of a game with 200 events calls a part's function less than 4.5 times as often as with 50."""

    def reads(events):
        draws = Counting()
        game = game_of(bare(draws), 1, 2)
        mechanic = game.mechanic
        lines = encode_lines([game.events[0], *happenings(events - 1)])
        ask = asking(Shelf(None, [Held("g.jsonl", lines)], mechanic=mechanic))
        first, draws.reads = 1, 0
        while first <= events:
            first = ask.document(f"/v1/games/g/moments?from={first}&limit=20")["to"] + 1
        return draws.reads

    few, many = reads(50), reads(200)
    assert many < 4.5 * few


def happenings(events):
    """Yield this many `events`: turns, new monarchs and end steps."""
    for number in range(events):
        player = PLAYERS[number % 3]
        yield (TurnBegan(player=player), Made(player=player), EndStepBegan())[number // 2 % 3]
