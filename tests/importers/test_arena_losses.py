"""Missing parts of an Arena log cause no false findings, and games do not mix.

| promise | test |
| --- | --- |
| if Arena is right, no loss of states leads to a finding | test_any_loss, test_lost_effect |
| without a loss, and before a gap, a wrong statement is found | test_any_loss, test_found_before_a_gap |
| left-out claims are noted once, and only if there are any | test_noted |
| turns lost in a gap are recorded for the right players | test_whose_turns |
| spells of turns with unknown beginning or player are uncertain | test_turns_without_a_number, test_turns_of_whom |
| after an undo to before a gap, claims are compared again | test_undo_mends_a_gap |
| a game of which nothing is known before a gap is read from the gap on | test_taken_up |
| a loss before turn 1, or an unknown caster, makes spells uncertain | test_gap_before_turn_1, test_nobody_known |
| an undo to a lost state undoes the events after it | test_undo_to_the_lost |
| an undo to a state that the reader has forgotten undoes later events too | test_undo_far_back |
| a second game without its beginning is reported, and never joined to the first | test_second_beginning_lost |
| a state belongs to the game that it names | test_named |
| the game after an incomplete one is read normally | test_found_again |
| logs in the wrong order get a warning | test_wrong_order, test_wrong_order_of_a_game |
| a game without a match id is named after its content | test_name_by_content, test_names_differ |
| unprintable characters of a match id are removed | test_clean |
"""

import pytest

from tests.importers.arena_logs import CELESTUS, DAY, NIGHT, OPT, RUFFIAN, Game, Log, day_and_night
from tests.importers.arena_reading import casts, played, states, uncertain

HEAD = 2


def turns(events):
    return [(event["turn"], event["active"][0]) for event in events if event["type"] == "turn-began"]


def verdict(found):
    return {game.audit().verdict for game in (found.game(number) for number in range(len(found.games)))}


def without(log, *gone):
    """Return the bytes of the log without its states with the indices `gone`."""
    where = states(log)
    lost = {where[each] for each in gone}
    return "\r\n".join(line for at, line in enumerate(log.lines) if at not in lost).encode() + b"\r\n"


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_any_loss(read, every):
    """If Arena is right, there is no finding, whichever stretch or pair of states after the first is removed; a larger
    `every` tries fewer of them. Without a loss, a wrong statement is a finding."""
    log = played()
    number = len(states(log))
    assert "exact" == read(log.bytes()).game().audit().verdict
    lost = [range(one, two) for one in range(1, number) for two in range(one + 1, number)][:: max(1, every // 4)]
    lost += [(one, two) for one in range(1, number) for two in range(one + 2, number)][::every]
    exact = 0
    for gone in lost:
        found = read(without(log, *gone), check=False)
        verdict = found.game().audit().verdict
        assert "disputed" != verdict, list(gone)
        assert found.kinds["gap"] or found.kinds["truncated"], list(gone)
        exact += verdict == "exact"
    assert exact > 20 // max(1, every // 4)
    wrong = Log()
    day_and_night(Game(wrong), wrong=True)
    assert "disputed" == read(wrong.bytes()).game().audit().verdict


def test_lost_effect(read, game):
    """An effect made it night; whichever state is lost, Arena's statement is no finding."""
    game.resolve(game.cast(1, CELESTUS))
    wolf = game.resolve(game.cast(1, RUFFIAN), designation=(DAY, "persistent"))
    game.ability(1, CELESTUS, (NIGHT, "persistent"))
    game.send(gameObjects=[game.turn_over(wolf)])
    game.next_turn()
    assert {"disputed"} != verdict(read(game.log.bytes()))
    for gone in range(4, len(states(game.log))):
        assert {"disputed"} != verdict(read(without(game.log, gone))), gone


def test_found_before_a_gap(read, game):
    """A wrong statement before a gap is found; the one after the gap is not compared."""
    game.resolve(game.cast(1, RUFFIAN), designation=(NIGHT, "persistent"))
    game.state += 1
    game.next_turn((DAY, "persistent"))
    found = read(game.log.bytes())
    (finding,) = found.game().audit().findings
    assert "night" == finding.claimed
    assert 1 == found.kinds["unheld"]


def test_noted(read, game):
    """After a gap, claims of day and night are left out, with one note; a game without such claims gets no note."""
    game.state += 1
    game.next_turn()
    assert "unheld" not in read(game.log.bytes()).kinds
    for kind in (DAY, NIGHT):
        game.next_turn((kind, "persistent"))
    found = read(game.log.bytes())
    assert 1 == found.kinds["unheld"]
    assert "uncaused" not in found.kinds
    assert "designation-claimed" not in found.tags()


def test_whose_turns(read, game):
    """Turns 3 and 4, then also 5, are lost in a gap: they are recorded, alternating between the players."""
    before = len(states(game.log))
    for _turn in range(4):
        game.next_turn()
    # Each turn is two states: those of turn 2 stay, turns 3 and 4 are removed.
    found = read(without(game.log, *range(before + 2, before + 6)))
    assert [(1, "Seat 1"), (2, "Seat 2"), (3, "Seat 1"), (4, "Seat 2"), (5, "Seat 1")] == turns(found.events())
    game.next_turn()
    found = read(without(game.log, *range(before + 2, before + 8)))
    assert [(4, "Seat 2"), (5, "Seat 1"), (6, "Seat 2")] == turns(found.events())[2:]


@pytest.mark.parametrize("active", [None, 1, 2])
@pytest.mark.parametrize("missing", [1, 2, 3])
def test_turns_without_a_number(read, game, active, missing):
    """No state after the gap has a turn number until a turn begins: the spells of the turn before are uncertain."""
    game.state += 1
    game.send()
    game.turn += missing
    game.next_turn(active=active)
    events = read(game.log.bytes()).events()
    last = next(at for at, event in enumerate(events) if event.get("turn") == game.turn - 1)
    assert 2 == len(uncertain(events[last:]))


@pytest.mark.parametrize("turn", [1, 2, 3, 4])
def test_turns_of_whom(read, turn):
    """After the gap a state has the turn's number and no player: the turn is recorded, its spells are uncertain."""
    log = Log()
    game = Game(log)
    game.state += 1
    game.send(turnInfo={"turnNumber": turn})
    found = read(without(log, 1))
    assert turn == turns(found.events())[-1][0]
    assert 2 == len(uncertain(found.events()))


def test_taken_up(read):
    """The first four turns are lost: day and night are possible, and a werewolf's face is no finding."""
    log = Log()
    game = Game(log)
    first = len(states(log)) - 1
    game.begin()
    wolf = game.resolve(game.cast(1, RUFFIAN), designation=(DAY, "persistent"))
    for _turn in range(3):
        game.next_turn()
    last = len(states(log))
    game.next_turn((NIGHT, "updated"), gameObjects=[game.turn_over(wolf)])
    found = read(without(log, *range(first, last)))
    assert ["game-started", "game-joined", "turn-began"] == found.tags()[:3]
    assert ["day", "night"] == found.game().document()["possible"]
    assert "disputed" != found.game().audit().verdict


def test_gap_before_turn_1(read):
    """States are lost before turn 1 has its number: they may belong to it, so its spells are uncertain."""
    log = Log()
    game = Game(log)
    game.state += 1
    game.send()
    game.begin()
    found = read(without(log, 1))
    assert ([(1, "Seat 1")], 2) == (turns(found.events()), len(uncertain(found.events())))
    certain = Log()
    Game(certain).begin()
    assert not uncertain(read(certain.bytes()).events())


def test_nobody_known(read, game):
    """A cast by an unknown player is left out, and the spells of its turn are uncertain."""
    game.cast(7, OPT)
    found = read(game.log.bytes())
    assert [] == casts(found.events())
    assert ["Seat 1", "Seat 2"] == [event["player"] for event in uncertain(found.events())]


def test_undo_to_the_lost(read, game):
    """An undo names a lost state: casts after that state are undone, and the one before it stays."""
    game.cast(1, OPT)
    game.send()
    stood, place = game.state, len(states(game.log)) - 1
    game.cast(1, OPT)
    game.undo(stood)
    game.cast(2, OPT)
    assert ["300", "302"] == casts(read(game.log.bytes()).events())
    found = read(without(game.log, place))
    assert (["300", "302"], 2) == (casts(found.events()), found.kinds["gap"])
    assert uncertain(found.events())


@pytest.mark.parametrize("states", [10, 700, 2_000])
def test_undo_far_back(read, game, states):
    """Casts after the undo's target are gone, however far back it is; the one before it stays, or is uncertain."""
    game.cast(1, OPT)
    stood = game.state
    game.cast(1, OPT)
    for _state in range(states):
        game.send()
    game.cast(1, OPT)
    game.undo(stood)
    found = read(game.log.bytes())
    assert {"300"} >= set(casts(found.events()))
    assert casts(found.events()) == ["300"] or uncertain(found.events())


def test_undo_mends_a_gap(read, game):
    """Arena goes back to before the gap: later statements are compared with the rules again, and are right."""
    wolf = game.resolve(game.cast(1, RUFFIAN), designation=(DAY, "persistent"))
    stood = game.state
    game.state += 1
    game.send()
    game.undo(stood)
    game.next_turn()
    game.next_turn((NIGHT, "persistent"), gameObjects=[game.turn_over(wolf)])
    found = read(game.log.bytes())
    assert (2, "exact") == (found.tags().count("designation-claimed"), found.game().audit().verdict)
    assert not uncertain(found.events())


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize("lost", [1, 2, 3, 5, 8, 9, 10, 14])
def test_second_beginning_lost(read, game, ended, lost):
    """The second game lacks its first `lost` states: the events of the first game do not change. If the first has no
    end, and many states are lost, the report has a gap or a game without its beginning."""
    game.cast(1, OPT)
    game.next_turn()
    game.cast(2, OPT)
    if ended:
        game.over()
    alone, first = read(game.log.bytes()).events(), len(states(game.log))
    second = Game(game.log, number=2, first=2)
    second.begin()
    for turn in range(6):
        second.cast(1 + turn % 2, OPT)
        second.next_turn()
    found = read(without(game.log, *range(first, first + lost)))
    if ended or lost < 7:
        assert alone == found.events()
        assert 1 == found.kinds["headless"]
    else:
        # Its states are new and have no game id. Their events come after a gap, unless there is none.
        assert {"gap", "headless"} & set(found.kinds) or lost == first


def test_named(read, game):
    """After a change that names another game, nothing is read until a state names this game again."""
    game.send(gameInfo={"matchID": "c3d4", "gameNumber": 1, "stage": "GameStage_Play"})
    game.cast(1, OPT)
    found = read(game.log.bytes())
    assert ([], {"headless": 1, "truncated": 1}) == (casts(found.events()), found.kinds)
    game.send(gameInfo={"matchID": "a1b2", "gameNumber": 1, "stage": "GameStage_Play"})
    game.cast(1, OPT)
    assert ["301"] == casts(read(game.log.bytes()).events())


def test_found_again(read):
    """Of three games the second lacks its beginning: it is read from the next turn on, and named after its content."""
    log = Log()
    first = 0
    for number in (1, 2, 3):
        game = Game(log, number=number, first=1 + number % 2)
        game.begin()
        game.cast(1, OPT)
        game.over()
        first = first or len(states(log))
    found = read(without(log, first))
    first, second, third = [game.name for game in found.games]
    assert ("a1b2-G1", True, "a1b2-G3") == (first, second.startswith("arena-"), third)
    assert {"headless": 1, "joined": 1} == found.kinds


def test_wrong_order(read):
    """The newer log is given first: its game is read from the next turn on, and a warning says that the game of the
    older log goes on in it."""
    lines = played().bytes().splitlines(keepends=True)
    half = len(lines) // 2
    older, newer = b"".join(lines[:half]), b"".join(lines[half:])
    found = read(newer, older)
    assert {"headless": 1, "joined": 1, "order": 1, "truncated": 1, "unheld": 1} == found.kinds
    assert "goes on in log-1" in found.report.warnings["order"].sentence
    assert {} == read(older, newer).kinds


def test_wrong_order_of_a_game(read, game):
    """The newer log is given first and begins with a whole state: only its cast is read, with a warning."""
    game.cast(1, OPT)
    older = game.log.bytes()
    game.next_turn()
    game.log.lines = game.log.lines[:HEAD]
    game.full(prevGameStateId=game.state)
    game.cast(2, OPT)
    found = read(game.log.bytes(), older)
    assert (["301"], {"joined": 1, "order": 1, "truncated": 1}) == (casts(found.events()), found.kinds)
    assert ["300", "301"] == casts(read(older, game.log.bytes()).events())


def nameless(log):
    return log.bytes().replace(b'"matchID": "a1b2", "gameNumber": 1, ', b"")


def test_name_by_content(read):
    """A game's name does not change with lines before it, or with another log before its own."""
    log = played()
    (name,) = {game.name for game in read(nameless(log)).games}
    assert name.startswith("arena-")
    assert [name] == [game.name for game in read(b"a line\n" * 7 + nameless(log)).games]
    assert [name] == [game.name for game in read(b"DETAILED LOGS: ENABLED\n", nameless(log)).games]


def test_names_differ(read):
    """The second of two equal games gets a name with `-2`; the same game at another time has another name."""
    log = played()
    found = read(nameless(log) + nameless(log))
    one, two = (game.name for game in found.games)
    assert f"{one}-2" == two
    later = read(b"x\n" + nameless(log).replace(b'"timestamp": "1', b'"timestamp": "2'))
    assert one not in {game.name for game in later.games}


def test_clean(read):
    """Control characters and direction marks are removed from a match id."""
    log = Log()
    Game(log, match="a\x1b[31m\u202eb").begin()
    assert "a[31mb" == read(log.bytes()).games[0].events[0].meta["arena"]["match"]
