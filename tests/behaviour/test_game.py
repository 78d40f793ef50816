"""A game in memory: recording, looking at any moment, saving, and pasting its repr."""

import gzip
import io
import json
import re

import pytest

import daynight
from daynight import Designation, events
from daynight.cards import Catalogue
from daynight.events import NotFoundError, RecordError, TurnBegan, decode, encode
from daynight.framework.folding.moment import Moment
from daynight.framework.positions import Position, PositionError
from daynight.game import Game
from daynight.records import Record
from tests.behaviour.games import CONTRACT, EVERY_TYPE, kept, lines, told
from tests.oracle.walks import random_walk
from tests.rules.judges import back_up
from tests.rules.placing import enter, leave
from tests.rules.words import cast, doubt, effect, ended, joined, restarted, said, started, step, turn, untap, upkeep
from tests.sampling import quick_or_wide


def test_every_type_is_in_the_example():
    """The example contains every type of event, so tests with this game cover the whole language."""
    assert set(events.TAGS) == {event["type"] for event in EVERY_TYPE}


@pytest.mark.parametrize("form", [decode, dict, lambda line: line, str.encode], ids=["event", "object", "str", "bytes"])
def test_recordable(form):
    """The game records an event object, its JSON object, and its line alike."""
    written = [json.dumps(event) for event in CONTRACT]
    forms = [json.loads(line) if form is dict else form(line) for line in written]
    assert Game(CONTRACT) == Game(forms)
    assert Game(CONTRACT).document() == Game(forms).document()


@pytest.mark.parametrize("event", CONTRACT[1:], ids=lambda event: event["type"])
def test_read_once(event, monkeypatch):
    """`record` reads an event with `strictly` once and not twice, whatever its type."""
    game, read = Game(CONTRACT[: CONTRACT.index(event)]), []
    strictly = game.mechanic.language.strictly
    monkeypatch.setattr(game.mechanic.language, "strictly", lambda given: read.append(given) or strictly(given))
    game.record(event)
    assert [event] == read


def test_start():
    """`Game.start` makes the first line from Python arguments."""
    assert Game([started()]) == Game.start("g1", ["Ana", "Bo"])
    four = ("Ana", "Al", "Bo", "Bea")
    game = Game.start("g1", iter(four), teams=iter([four[:2], four[2:]]), edition="2026-08-07")
    assert Game([started(*four, teams=[["Ana", "Al"], ["Bo", "Bea"]], edition="2026-08-07")]) == game
    assert ("2026-08-07", "2024-06-07") == (game.edition, Game.start("g1", ["Ana"]).edition)
    with pytest.raises(RecordError, match=r"1: \$.players"):
        Game.start("g1", [])


def test_an_empty_game():
    """A game without events is neither day nor night, and has no moments."""
    game = Game()
    assert (0, (), [], Designation.NEITHER) == (len(game), game.events, [*game], game.designation)


def test_record_answers_the_moment():
    """The returned moment has the stored event, its number, and its consequences."""
    game = Game(CONTRACT[:7])
    moment = game.record(CONTRACT[7])
    assert (8, game.events[7]) == (moment.number, moment.event)
    assert ["check-day", "daybound-as-night"] == [one.rule for one in moment.consequences]
    assert ("night", None) == (game.designation, moment.restores)
    assert 3 == game.record(back_up(3)).restores


REFUSED = [
    pytest.param("{", "9: $: not JSON", id="no JSON"),
    pytest.param(b"\xff", "9: $: not UTF-8", id="no UTF-8"),
    pytest.param("\ud800", "9: $: not UTF-8", id="no text"),
    pytest.param({"type": "nonsense"}, "9: $.type: unknown tag 'nonsense'", id="no tag"),
    pytest.param({"type": "spell-cast", "player": object()}, "9: $", id="no JSON object"),
    pytest.param({"type": "spell-cast", "player": "\ud800"}, "9: $", id="no name"),
    pytest.param(cast("Anna"), "9: $.player: no player 'Anna'; players are Ana, Bo", id="nobody"),
    pytest.param(started(), "9: $.type: game-started stands on line 1", id="started twice"),
    pytest.param(leave("w1", "x"), "9: $.permanents[1]: no permanent 'x'", id="one of two is there"),
    pytest.param(enter("w1"), "9: $.permanents[0].id: 'w1' is on the battlefield already", id="entered twice"),
    pytest.param(turn(3), "9: $.turn: turn 3 does not rise above turn 3", id="turn"),
    pytest.param(back_up(9), "9: $.to: event 9 is not an earlier one", id="back to now"),
    pytest.param(back_up(0), "9: $.to: event 0 is not an earlier one", id="back to nothing"),
    pytest.param(step("untap", phased_out=["w1", "x"]), "9: $.phased_out[1]: no permanent 'x'", id="phasing"),
]


@pytest.mark.parametrize("event, says", REFUSED)
def test_refused_the_game_is_as_it_was(event, says):
    """A refused event changes nothing, and later events behave as if it had not been tried."""
    game = Game(CONTRACT)
    before = (game.events, game.document(), [*game])
    with pytest.raises(RecordError) as error:
        game.record(event)
    assert str(error.value).startswith(says)
    assert before == (game.events, game.document(), [*game])
    for following in (cast(), turn(4, "Bo"), untap()):
        game.record(following)
    assert Game([*CONTRACT, cast(), turn(4, "Bo"), untap()]).document() == game.document()


def test_refused_where_it_was_undone():
    """A back-up to an undone event is refused; the refusal names its number."""
    game = Game([*CONTRACT, back_up(4)])
    before = game.document()
    with pytest.raises(RecordError, match="event 6 was undone by backing up; back up to one that stands") as error:
        game.record(back_up(6))
    assert (10, "$.to") == (error.value.line, error.value.path)
    assert before == game.document()


def test_the_first_refused_line_is_told():
    """If several events are recorded at once, the refusal names the first impossible one."""
    with pytest.raises(RecordError) as error:
        Game([*CONTRACT[:5], cast("Anna"), *CONTRACT[6:]])
    assert 6 == error.value.line


@pytest.mark.parametrize("name", ["game.jsonl", "game.jsonl.gz"])
def test_loaded(tmp_path, name):
    """A game loads from a file, compressed or not, by path or name, or from a record."""
    path = kept(tmp_path / name, EVERY_TYPE)
    for source in (path, str(path), Record(path)):
        assert Game(EVERY_TYPE) == Game.load(source)


def test_saved_and_loaded(tmp_path):
    """A saved game is equal when loaded, and saving it again gives the same bytes."""
    game = Game(EVERY_TYPE)
    game.save(tmp_path / "a.jsonl")
    game.save(str(tmp_path / "b.jsonl"))
    written = (tmp_path / "a.jsonl").read_bytes()
    assert written == (tmp_path / "b.jsonl").read_bytes()
    assert len(EVERY_TYPE) == written.count(b"\n")
    again = Game.load(tmp_path / "a.jsonl")
    assert (game, game.document()) == (again, again.document())
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as stream:
        again.save(stream)
    (tmp_path / "c.jsonl.gz").write_bytes(packed.getvalue())
    assert game == Game.load(tmp_path / "c.jsonl.gz")
    assert written == gzip.decompress(packed.getvalue())


def test_loading_what_is_refused(tmp_path):
    """RecordError names the file, the line, and the path within the event; a missing file raises NotFoundError."""
    path = kept(tmp_path / "bad.jsonl", [*CONTRACT[:5], cast("Anna")])
    with pytest.raises(RecordError) as error:
        Game.load(path)
    assert f"{path}:6: $.player: no player 'Anna'; players are Ana, Bo" == str(error.value)
    with pytest.raises(NotFoundError, match=r"nowhere\.jsonl: no such file"):
        Game.load(tmp_path / "nowhere.jsonl")


AGAIN = (turn(1), untap(), turn(2, "Bo"), upkeep(), back_up(1), turn(1), upkeep(), untap(), untap(), turn(4, "Bo"))
"""Turn 1 twice: the first (2 to 5) is undone at 6; the second is 7, with untap steps at 9 and 10; turn 4 is 11."""


@pytest.mark.parametrize("position, event", [
    (None, 11), (1, 1), ("3", 3), ("e3", 3), (" e3 ", 3), ("turn:1", 7), ("turn:1/untap", 9),
    ("turn:1/upkeep", 8), ("turn:4", 11), ("turn:01", 7), ("e0003", 3),
])  # fmt: skip
def test_at(position, event):
    """Every spelling of a position works; a turn is the latest one of its number, a step the first one in it."""
    game = told(*AGAIN)
    assert event == game.number(position) == game.at(position).event
    assert game.document(event) == game.document(position)
    assert Game([started(), *AGAIN][:event]).document() == game.document(position)


@pytest.mark.parametrize(
    "position", ["turn:2", "turn:2/upkeep", "turn:3", "turn:4/untap", "e12", "0", 0, "e999", "1" * 19]
)
def test_at_nowhere(position):
    """An undone or missing position raises NotFoundError."""
    with pytest.raises(NotFoundError, match=r"no[t]? "):
        told(*AGAIN).at(position)


@pytest.mark.parametrize("position, sentence", [
    ("turn:4/untap", "the untap step of turn 4 is not written down; the turn begins at event 11"),
    ("turn:4/upkeep", "this record has no turn:4/upkeep"),
    ("turn:2", "this record has no turn 2 (it has 1 to 4)"),
    ("turn:2/untap", "this record has no turn 2 (it has 1 to 4)"),
    ("turn:9/end", "this record has no turn 9 (it has 1 to 4)"),
    ("e12", "no event 12; the last one is 11"),
])  # fmt: skip
def test_nowhere_in_words(position, sentence):
    """The error about a missing position names what exists."""
    with pytest.raises(NotFoundError, match=f"^{re.escape(sentence)}$"):
        told(*AGAIN).at(position)


def test_before_the_first_turn():
    """A record has no turn:1 before its first turn begins, nor after a back-up to before it."""
    for before in ((), (turn(1), back_up(1))):
        with pytest.raises(NotFoundError, match=r"^this record has no turn:1$"):
            told(*before).at("turn:1")
    assert 4 == told(turn(1), back_up(1), turn(1)).number("turn:1")
    assert 2 == told(turn(1), back_up(2), upkeep()).number("turn:1")


@pytest.mark.parametrize(
    "text", ["", "e", "-1", -1, "1.5", "turn", "turn:", "turn:x", "turn:1/", "turn:1/end of turn", "turn5", "T5",
             "e 1", "turn:-1", "١", "week:1"],
)  # fmt: skip
def test_no_position(text):
    """A text that is no position raises PositionError, which lists the possible spellings."""
    sentence = f"{str(text)!r} is no position; write 18, e18, turn:4, turn:4/untap or branch:NAME/e18"
    with pytest.raises(PositionError, match=f"^{re.escape(sentence)}$"):
        told(*AGAIN).at(text)


def test_no_step():
    """An unknown step raises PositionError, which names the steps of a turn."""
    with pytest.raises(
        PositionError, match=r"^'turn:1/lunch' is no position; the steps of a turn are untap, .*cleanup$"
    ):
        told(*AGAIN).at("turn:1/Lunch")


@pytest.mark.parametrize("text", ["e18", "turn:4", "turn:4/untap"])
def test_positions_are_spelled_as_read(text):
    """A position that is read and written again has the same spelling."""
    assert text == str(Position.parse(text))


def test_turns_of_a_restarted_game():
    """After a restart, turn:1 is that of the new game."""
    assert 4 == told(turn(1), restarted(), turn(1, "Bo")).number("turn:1")


def test_moments():
    """All moments in order, also from a later one on, as returned when they were recorded."""
    game = Game()
    recorded = [game.record(event) for event in EVERY_TYPE]
    assert recorded == [*game] == [*game.moments()]
    for after in (0, 1, 24, 27, len(game)):
        assert recorded[after:] == [*game.moments(after)]
    assert all(isinstance(moment, Moment) for moment in recorded)
    assert [27] == [moment.number for moment in recorded if moment.restores is not None]


def test_stands():
    """`stands` is False for exactly the events that a back-up undid."""
    game = Game(EVERY_TYPE)
    assert [25, 26] == [number for number in range(1, len(game) + 1) if not game.stands(number)]


def test_what_if():
    """A what-if is a separate game from a moment on; the original does not change."""
    game = Game(CONTRACT)
    before = (game.events, game.document())
    other = game.what_if(5, [cast("Bo"), turn(3), untap()])
    assert ("day", "night") == (other.designation, game.designation)
    other.record(effect("night"))
    assert (game.events[:5], before) == (other.events[:5], (game.events, game.document()))
    with pytest.raises(RecordError):
        game.what_if(5, [cast("Anna")])
    assert Game(CONTRACT) == game.what_if(8, ())


def test_a_state_is_ones_own():
    """A returned state is a copy: changing it does not change the game."""
    game = Game(CONTRACT)
    before = game.document()
    for state in (game.state, game.at(8), game.at(4)):
        state.battlefield.remove("w1")
        state.tallies.begin(9, ("Bo",), 9)
    assert before == game.document()


def test_pasted_back():
    """The repr of a game with every type of event, if evaluated, gives an equal game."""
    game = Game(EVERY_TYPE)
    pasted = eval(repr(game), {"Game": Game} | vars(events))
    assert game == pasted
    assert repr(game) == repr(pasted)
    assert game.document() == pasted.document()


def test_equal():
    """Games with equal events are equal; a game is not hashable, because it grows."""
    assert Game(CONTRACT) == Game(CONTRACT)
    assert Game(CONTRACT) != Game(CONTRACT[:7])
    assert Game(CONTRACT) != CONTRACT
    with pytest.raises(TypeError, match="unhashable"):
        hash(Game(CONTRACT))


def test_stored_events_are_filled_in(tmp_path):
    """A later catalogue does not change an old game: its faces are stored."""
    game = Game(CONTRACT)
    (stored,) = game.events[3].permanents
    assert (True, "Tavern Ruffian", "Tavern Smasher") == (stored.double_faced, stored.front.name, stored.back.name)
    game.save(tmp_path / "old.jsonl")
    again = Game.load(tmp_path / "old.jsonl", catalogue=Catalogue(()))
    assert (game, game.document()) == (again, again.document())
    unknowing = Game(CONTRACT, catalogue=Catalogue(()))
    assert Designation.NEITHER is unknowing.designation
    assert False is unknowing.events[3].permanents[0].double_faced
    assert unknowing == Game(unknowing.events)


def test_a_catalogue_of_ones_own_goes_on_in_what_if():
    """What-if uses the same catalogue."""
    game = Game(CONTRACT[:3], catalogue=Catalogue(()))
    assert Designation.NEITHER is game.what_if(3, CONTRACT[3:]).designation


def test_any_name_of_the_card():
    """A card may be named by its front, its back, or both: the front is stored."""
    named = [told(enter("w1", {"card": name})).events for name in
             ("Tavern Ruffian", "Tavern Smasher", "Tavern Ruffian // Tavern Smasher")]  # fmt: skip
    assert named[0] == named[1] == named[2]


def test_lines_are_stored_with_what_they_carry():
    """Time, note and meta are stored and read back; no rule reads them."""
    event = cast() | {"at": "2024-06-07T19:30:00+02:00", "note": "‘so’", "meta": {"a": [1, {"b": None}]}}
    game = told(turn(1), event)
    assert event == json.loads(encode(game.events[2]))
    assert told(turn(1), cast()).document() == game.document()


@pytest.mark.parametrize("many", quick_or_wide(3, 10))
def test_walks_are_saved_and_loaded(tmp_path, many):
    """Long random games are equal when saved and loaded."""
    for seed in range(many):
        game = Game(random_walk(seed, 60))
        game.save(tmp_path / "walk.jsonl")
        again = Game.load(tmp_path / "walk.jsonl")
        assert (game, game.document()) == (again, again.document())
        assert Game(eval(repr(game.events), vars(events))) == game


def test_the_package():
    """`daynight.Game` and `daynight.Designation` are the classes; an unknown name raises AttributeError."""
    assert (Game, Designation) == (daynight.Game, daynight.Designation)
    assert {"Game", "Designation", "__version__"} <= set(daynight.__all__)
    with pytest.raises(AttributeError, match="module 'daynight' has no attribute 'game_over'"):
        daynight.game_over  # noqa: B018


def test_uncertain_has_no_designation():
    """`designation` is None if more than one is possible."""
    game = told(joined("day", "night"), turn(1), doubt("Ana", 0), ended())
    assert game.designation is None
    assert ("day", "night") == game.state.possible


def test_numbers_are_lines(tmp_path):
    """Event n is line n of the file."""
    game = Game(EVERY_TYPE)
    game.save(tmp_path / "game.jsonl")
    for number, line in enumerate((tmp_path / "game.jsonl").read_bytes().splitlines(), 1):
        assert game.events[number - 1] == decode(line)
    assert TurnBegan(turn=1, active=("Ana",), skips=("draw",)) == game.events[2]
    assert lines(EVERY_TYPE).count(b"\n") == len(game)
    assert said("game-restarted") == json.loads(encode(game.events[29]))
