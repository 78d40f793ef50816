"""What if: a branch of a record, which leaves its parent unchanged.

| promise | test |
| --- | --- |
| events are inserted, left out or replaced at positions of the parent | test_edits |
| an impossible event ends the branch with a sentence, or is left out and listed | test_impossible |
| references to other events are renumbered | test_renumbered |
| the parent does not change | test_the_parent_stays |
| branches of branches work | test_branches_of_branches |
| a written branch names its origin | test_record |
| edits may be short phrases, read in the state at their place | test_phrases |
| an unknown phrase is refused, and the error says what to write | test_not_understood |
| meaningless edits and invalid names are refused | test_senseless, test_named |
| a branch without edits equals its parent | test_without_edits |
| a branch equals an independent replay of the edited record | test_random_edits, test_ten_thousand_random_edits |
"""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import pytest

from daynight.events.terms import Designation, Face
from daynight.framework.branches import EditError, branched, digest
from daynight.framework.edits import drop, insert, replace
from daynight.framework.language.codec import encode, encode_lines
from daynight.framework.language.errors import ImpossibleError, NotFoundError, RecordError, UnreadableError
from daynight.game import Game
from daynight.notation.lines.forms import FORMS
from daynight.notation.phrases import PHRASES, PhraseError, understood
from tests.behaviour.games import CONTRACT, EVERY_TYPE, told
from tests.differential.compare import agree
from tests.oracle.walks import random_walk
from tests.rules.judges import back_up, claim
from tests.rules.placing import enter, leave
from tests.rules.turning import transform
from tests.rules.words import cast, effect, turn
from tests.sampling import quick_or_wide

Json = dict[str, Any]
DAY, NIGHT = Designation.DAY, Designation.NIGHT


def test_edits():
    """Edits insert, leave out or replace events: in the record it becomes night; with a cast by Bo it stays day."""
    game = Game(CONTRACT)
    assert NIGHT is game.designation
    branch = game.branch(insert("turn:2", "Bo casts Opt"))
    assert (DAY, 5, (1, 2, 3, 4, 5, None, 6, 7, 8)) == (branch.game.designation, branch.parted, branch.origins)
    branch = game.branch(replace(6, "bo casts Opt"))
    assert (DAY, 5, (6,)) == (branch.game.designation, branch.parted, branch.dropped)
    branch = game.branch(drop(8))
    assert (DAY, 7, (8,), 7) == (branch.game.designation, branch.parted, branch.dropped, len(branch))
    branch = game.branch(insert(None, effect("day")), insert(None, effect("night")))
    assert (8, 10, NIGHT) == (branch.parted, len(branch), branch.game.designation)
    branch = game.branch(insert(4, cast(), cast("Bo")), drop(6, 7))
    assert (1, 2, 3, 4, None, None, 5, 8) == branch.origins
    assert branch == game.branch(insert(4, cast()), insert(4, cast("Bo")), drop(6), drop(7))


def test_impossible():
    """Without a permanent's arrival, an event about it is impossible: it ends the branch, or is left out and listed."""
    game = told(enter("w1"), turn(1), leave("w1"), turn(2, "Bo"), cast())
    branch = game.branch(drop(2))
    assert (4, 2, ()) == (branch.stopped.number, len(branch), branch.left_out)
    assert "no permanent 'w1' on the battlefield; there: none" == branch.stopped.reason
    branch = game.branch(drop(2), leave_out=True)
    assert (None, [4], (2, 4)) == (branch.stopped, [lost.number for lost in branch.left_out], branch.dropped)
    assert (1, 3, 5, 6) == branch.origins
    whole = game.branch(drop(6), leave_out=True)
    assert (None, ()) == (whole.stopped, whole.left_out)


def test_renumbered():
    """A reference names the same event on the branch, by its new number; for a removed one, the event before it."""
    game = told(turn(1), cast(), effect("night"), back_up(3), enter("w1"), transform("w1", own_since=6))
    branch = game.branch(insert(1, enter("v1")))
    assert (4, 7) == (branch.events[5].to, branch.events[7].own_since)
    assert (3, 6) == (game.events[4].to, game.events[6].own_since)
    # A reference to a removed event goes to the event before it.
    assert 2 == game.branch(drop(3)).events[3].to
    assert 4 == game.branch(replace(3, cast(), cast())).events[5].to
    # An event inserted after a standing event comes after an undone stretch and its back-up, so it stands.
    branch = game.branch(insert(1, enter("v1")), insert(3, effect("day")))
    assert (4, DAY, True) == (branch.events[5].to, branch.events[6].becomes, branch.game.stands(7))
    branch = game.branch(insert(3, effect("night")))
    assert (5, 3, (1, 2, 3, 4, 5, None, 6, 7)) == (branch.parted, branch.events[4].to, branch.origins)
    assert (NIGHT, True, 7) == (branch.events[5].becomes, branch.game.stands(6), branch.events[7].own_since)
    # Where the back-up is dropped, the event stays after the one that was named.
    branch = game.branch(insert(3, effect("day")), drop(5))
    assert (1, 2, 3, None, 4, 6, 7) == branch.origins
    # An event inserted after an undone event is undone too, wherever the branch has parted before.
    branch = game.branch(insert(1, enter("v1")), insert(4, effect("day")))
    assert (4, False) == (branch.events[6].to, branch.game.stands(6))
    branch = game.branch(insert(4, effect("night")))
    assert (3, False) == (branch.events[5].to, branch.game.stands(5))
    # References in an inserted event are to the parent's numbers too.
    assert 2 == game.branch(drop(3), insert(4, back_up(3)), leave_out=True).events[3].to
    for number, edit in ((7, insert(4, back_up(7))), (5, insert(4, back_up(5))), (4, replace(4, back_up(4)))):
        with pytest.raises(ImpossibleError, match=rf"^\$: event {number} is not an earlier one \(an event put in"):
            game.branch(edit)


def test_the_parent_stays():
    """The parent's bytes and hash do not change."""
    game = Game(EVERY_TYPE)
    before, state = encode_lines(game.events), game.document()
    for edits in ([drop(5)], [insert(3, cast())], [replace(3, turn(1, "Bo"))], [drop(3, 20)]):
        branch = game.branch(*edits, leave_out=True)
        branch.game.record(claim("day"))
        branch.branch(drop(2), leave_out=True)
        assert (before, state) == (encode_lines(game.events), game.document())
        assert hashlib.sha256(before).hexdigest() == digest(game.events) == digest(branch.parent)
        assert branch == game.branch(*edits, leave_out=True)
    game.record(back_up(2))
    assert before == encode_lines(branch.parent)


def test_branches_of_branches():
    """A branch of a branch uses the branch's own numbers, and names the branch as its origin."""
    first = Game(CONTRACT).branch(insert(5, cast("Bo")), name="Bo cast")
    second = first.branch(drop(6), name="Bo did not")
    assert (("Bo cast", "Bo did not"), NIGHT) == ((second.parent_name, second.name), second.game.designation)
    assert list(second.events[1:]) == [*Game(CONTRACT).events[1:]]
    assert first.record() == second.parent
    assert digest(first.record()[:5]) == second.record()[0].meta["branched_from"]["digest"]


def test_record():
    """The first line of a branch names its parent game, the last common event, and the hash of the lines up to it."""
    game = Game([CONTRACT[0] | {"meta": {"table": 7}}, *CONTRACT[1:]])
    branch = game.branch(insert(5, cast("Bo")), name="b1")
    first, *others = branch.record()
    lines = encode_lines(game.events[:5])
    assert {
        "table": 7,
        "branched_from": {"game": "g1", "event": 5, "digest": hashlib.sha256(lines).hexdigest()},
        "branch": "b1",
    } == first.meta
    assert others == [*branch.events[1:]]
    assert "feed" == branch.record("feed")[0].meta["branched_from"]["digest"]
    assert branch.game.document() == Game(branch.record()).document()


EXAMPLES: list[tuple[str, Json]] = [
    ("Ana casts Opt", {"type": "spell-cast", "player": "Ana", "card": "Opt"}),
    ("an  CASTS Tavern Ruffian ", {"type": "spell-cast", "player": "Ana", "card": "Tavern Ruffian"}),
    ("bo casts", {"type": "spell-cast", "player": "Bo"}),
    ("bo casts a spell", {"type": "spell-cast", "player": "Bo"}),
    ("bo casts 1 to 2 more", {"type": "spells-uncertain", "player": "Bo", "at_least": 1, "at_most": 2}),
    ("bo perhaps casts 2 more spells", {"type": "spells-uncertain", "player": "Bo", "at_least": 0, "at_most": 2}),
    ("bo perhaps casts more", {"type": "spells-uncertain", "player": "Bo", "at_least": 0}),
    ("Ana copies Opt", {"type": "spell-copied", "player": "Ana", "card": "Opt"}),
    ("turn 5 A", {"type": "turn-began", "turn": 5, "active": ["Ana"]}),
    ("turn 5 ana and bo", {"type": "turn-began", "turn": 5, "active": ["Ana", "Bo"]}),
    ("turn 5 A, no untap", {"type": "turn-began", "turn": 5, "active": ["Ana"], "skips": ["untap"]}),
    ("untap", {"type": "step-began", "step": "untap"}),
    ("step upkeep", {"type": "step-began", "step": "upkeep"}),
    ("Precombat Main", {"type": "step-began", "step": "precombat-main"}),
    ("cleanup step", {"type": "step-began", "step": "cleanup"}),
    ("leaves w1", {"type": "permanents-left", "permanents": ["w1"]}),
    ("w1 and Clone leave to exile", {"type": "permanents-left", "permanents": ["w1", "c1"], "to": "exile"}),
    ("Bo leaves the game", {"type": "player-left", "player": "Bo"}),
    ("Bo leaves the game with c1", {"type": "player-left", "player": "Bo", "permanents": ["c1"]}),
    ("Bo controls w1", {"type": "control-changed", "permanents": ["w1"], "controller": "Bo"}),
    ("tavern loses abilities by Humility", {"type": "abilities-lost", "permanents": ["w1"], "source": "Humility"}),
    ("w1 regains abilities", {"type": "abilities-regained", "permanents": ["w1"]}),
    ("w1 phases out", {"type": "phased-out", "permanents": ["w1"]}),
    ("tavern ruf phases out", {"type": "phased-out", "permanents": ["w1"]}),
    ("w1 phases in", {"type": "phased-in", "permanents": ["w1"]}),
    ("c1 turns face down", {"type": "turned-face-down", "permanents": ["c1"]}),
    ("c1 turns face up", {"type": "turned-face-up", "permanents": ["c1"]}),
    ("w1 is told to transform", {"type": "transform-instructed", "permanents": ["w1"]}),
    ("w1 transforms by Moonmist", {"type": "transform-instructed", "permanents": ["w1"], "source": "Moonmist"}),
    ("w1 can't transform by X", {"type": "transform-forbidden", "permanents": ["w1"], "source": "X"}),
    ("w1 can transform by X", {"type": "transform-allowed", "source": "X"}),
    ("it becomes night", {"type": "effect-resolved", "becomes": "night"}),
    ("It becomes switch by The Celestus", {"type": "effect-resolved", "becomes": "switch", "source": "The Celestus"}),
    ("night claimed by X", {"type": "designation-claimed", "designation": "night", "by": "X"}),
    ("X says neither", {"type": "designation-claimed", "designation": "neither", "by": "X"}),
    ("w1 shows back", {"type": "face-claimed", "permanent": "w1", "face": "back", "by": "somebody"}),
    ("w1 shows front claimed by X", {"type": "face-claimed", "permanent": "w1", "face": "front", "by": "X"}),
    ("bo cast 2 claimed by X", {"type": "tally-claimed", "player": "Bo", "spells": 2, "by": "X"}),
    ("bo cast 2 in turn 3 claimed by X", {"type": "tally-claimed", "player": "Bo", "spells": 2, "by": "X", "turn": 3}),
    ("Jo rules day", {"type": "judge-ruled", "by": "Jo", "designation": "day"}),
    ("Jo backs up to e2", {"type": "game-backed-up", "by": "Jo", "to": 2}),
    ("the game restarts", {"type": "game-restarted"}),
    ("the game ends", {"type": "game-ended"}),
]  # fmt: skip


@pytest.mark.parametrize("text, event", EXAMPLES, ids=[text for text, _event in EXAMPLES])
def test_phrases(text, event):
    """Each phrase gives the same event as its JSON."""
    state = told(enter("w1"), enter("c1", {"card": "Clone"})).state
    assert understood(text, state) == understood(json.dumps(event), state)


def test_phrases_of_several_and_of_arrivals():
    """A phrase with a number gives that many events; an arrival is filled in, and gets an id if it has none."""
    game = told(turn(1))
    assert 2 == len(understood("A casts 2", game.state)) == len(understood("A casts 2 spells", game.state))
    (permanent,) = understood("Tavern Ruffian enters under B", game.state)[0].permanents
    assert ("tavern-ruffian-1", "Tavern Ruffian", "Bo") == (permanent.id, permanent.card, permanent.controller)
    branch = game.branch(
        insert(2, "enters Tavern Ruffian under A as w1", "enters Tavern Ruffian under A", "w1 shows back")
    )
    assert (DAY, Face.FRONT) == (branch.game.designation, branch.game.state.face("tavern-ruffian-1"))
    assert "tavern-ruffian-2" == understood("enters Tavern Ruffian under A", branch.game.state)[0].permanents[0].id


def test_every_phrase_has_an_example():
    """Each form of a line, except the header's, is a phrase; its example is understood as events of its type."""
    state = told(*(enter(id, {"card": "Bear"}) for id in ("w1", "b1", "b2"))).state
    forms = [form for form in FORMS if form.tag != "game-started"]
    assert [form.line for form in forms] == [*PHRASES]
    for form in forms:
        assert {form.tag} == {json.loads(encode(event))["type"] for event in understood(form.example, state)}, form


@pytest.mark.parametrize("text, says", [
    ("Bo castes Opt", "'Bo castes Opt' is not understood; a line is like: Ana casts Opt. Or"),
    ("foo bar", "write B casts Opt"),
    ("Cy casts Opt", "no 'Cy' here; there: Ana, Bo"),
    ("w9 phases out", "no 'w9' here; there: w1, w2"),
    ("tavern phases out", "'tavern' may be w1, w2; write more of it"),
    ("X rules dusk", "no 'dusk' here; there: neither, day, night"),
    ("Ana casts 0", "0 times; a phrase stands for 1 to 100 events"),
    ("", "is not understood"),
])  # fmt: skip
def test_not_understood(text, says):
    """A phrase that is not understood is refused with a sentence that says what is possible."""
    with pytest.raises(PhraseError) as error:
        understood(text, told(enter("w1"), enter("w2")).state)
    assert says in str(error.value)


def test_senseless():
    """Refused: edits at missing events, overlapping edits, dropping line 1, invalid or impossible events, no record."""
    game = Game(CONTRACT)
    for edit in (drop(9), drop(0), insert("e12", cast()), replace("turn:9", cast())):
        with pytest.raises(NotFoundError):
            game.branch(edit)
    twice = "event 4 is dropped or replaced twice"
    for edits, sentence in (
        ([drop(4, 3)], "event 3 is before event 4"),
        ([drop(1)], "without event 1 there is no record; replace it instead"),
        ([drop(4), drop(3, 5)], twice),
        ([replace(4, cast()), drop(4)], twice),
    ):
        with pytest.raises(EditError, match=f"^{sentence}$"):
            game.branch(*edits)
    with pytest.raises(UnreadableError):
        game.branch(insert(3, '{"type": "spell-cost"}'))
    with pytest.raises(ImpossibleError, match=r"no player 'Anna'.*\(an event put in at event 3\)"):
        game.branch(insert(3, cast("Anna")))
    with pytest.raises(ImpossibleError, match=r"no player 'Anna'.*\(an event put in at event 5\)"):
        game.branch(drop(3), replace(5, cast("Anna")))
    with pytest.raises(ImpossibleError, match=r"no player 'Anna'.*\(an event put in at event 6\)"):
        game.branch(drop(3), insert(6, cast("Anna")))
    with pytest.raises(NotFoundError, match=r"^an empty record has no branches$"):
        Game().branch()


def test_without_edits():
    """A branch without edits equals its parent, with its own name."""
    game = Game(CONTRACT)
    for branch in (game.branch(), branched(game, ())):
        assert (8, (*range(1, 9),), game.events) == (branch.parted, branch.origins, branch.events)
        assert ("branch", "g1", (), None) == (branch.name, branch.parent_name, branch.left_out, branch.stopped)
    assert "branch" == branch.branch().name
    # An impossible event ends it, unless such events may be left out.
    arrived = told(enter("w1"), turn(1), leave("w1"), cast())
    assert arrived.branch(drop(2)) == branched(arrived, [drop(2)])
    lost = branched(arrived, [drop(2)]).stopped
    assert (4, arrived.events[3]) == (lost.number, lost.event)
    assert 4 == arrived.branch().branch(drop(2)).stopped.number


@pytest.mark.parametrize("name", ["", "a\nb", "a" * 201])
def test_named(name):
    """An empty name, a control character, or more than 200 characters are refused as a branch's name."""
    with pytest.raises(EditError, match=r"^a branch's name has 1 to 200 characters, none of them a control character$"):
        Game(CONTRACT).branch(name=name)
    assert "a" * 200 == Game(CONTRACT).branch(name="a" * 200).name


def edited(record: list[Json], plan: dict[int, tuple[bool, list[Json]]], leave_out: bool) -> Game | None:
    """A naive replay of the record edited by `plan` (stays, inserted after it); None if an insert is impossible."""
    game, last = Game(), {0: 0}
    for number, event in enumerate(record, 1):
        stays, put_in = plan.get(number, (True, []))

        def renumbered(event: Json) -> Json:
            return event | {key: last[event[key]] for key in ("to", "own_since") if isinstance(event.get(key), int)}

        if stays:
            try:
                game.record(renumbered(event))
            except RecordError:
                if not leave_out:
                    return game
            last[number] = len(game)
        for extra in put_in:
            try:
                game.record(renumbered(extra))
            except (RecordError, KeyError):
                return None
        if not stays:
            last[number] = len(game)
    return game


def random_edits(seed: int) -> bool:
    """Compare a random branch of a random game with its independent replay; return whether it was possible."""
    chance = random.Random(seed)
    record = random_walk(seed, chance.randint(8, 45), newest=True)
    game = Game(record)
    events = [*record[2:], *random_walk(seed + 1, 20, newest=True)[2:]]
    others = [event for event in events if event["type"] != "game-joined"]
    plan: dict[int, tuple[bool, list[Json]]] = {}
    edits, inserts = [], []
    for number in sorted(chance.sample(range(2, len(record) + 1), chance.randint(1, 4))):
        extra = chance.choices(others, k=chance.randint(1, 2))
        match chance.randint(0, 2):
            case 0:
                inserts.append((number, extra))
                edit = insert(number, *extra)
            case 1:
                plan[number], edit = (False, []), drop(number)
            case _:
                plan[number], edit = (False, extra), replace(number, *map(json.dumps, extra))
        edits.append(edit)
    for at, extra in inserts:
        # After an event that stands, an insert goes after the back-ups that lead back to it.
        backs = [(place, event["to"]) for place, event in enumerate(record, 1)
                 if event["type"] == "game-backed-up" and place > at and plan.get(place, (True,))[0]]  # fmt: skip
        number = at
        for place, to in backs if min([at, *[to for _place, to in backs]]) == at else ():
            number = place if to <= number else number
        stays, put_in = plan.get(number, (True, []))
        plan[number] = (stays, [*put_in, *extra])
    before, leave_out = encode_lines(game.events), chance.random() < 0.7
    expected = edited(record, plan, leave_out)
    try:
        branch = game.branch(*edits, leave_out=leave_out)
    except ImpossibleError:
        assert expected is None
        return False
    assert expected is not None
    assert expected.events == branch.events
    assert expected.document() == branch.game.document()
    assert before == encode_lines(game.events) == encode_lines(branch.parent)
    assert [None if origin is None else type(game.events[origin - 1]) for origin in branch.origins] == [
        None if origin is None else type(event) for origin, event in zip(branch.origins, branch.events, strict=True)
    ]
    agree([json.loads(line) for line in encode_lines(branch.events).splitlines()])
    return True


@pytest.mark.parametrize("many", quick_or_wide(8, 25))
def test_random_edits(many):
    """A branch equals the independent replay of the edited record, and that of the naive referee in `tests/oracle`."""
    assert sum(map(random_edits, range(many))) > many / 4


@pytest.mark.slow
def test_ten_thousand_random_edits():
    """Ten thousand random branches equal independent replays of the edited records."""
    assert sum(map(random_edits, range(1000, 11_000))) > 4000


def test_notes_are_about_the_same_event():
    """A note is about the same event on the branch: `about` is renumbered, or set if another event comes between."""
    note = {"type": "note-added", "by": "Ana", "says": "looked it up"}
    game = told(turn(1), note, effect("day"), note | {"about": 3})
    about = [event.about for event in game.branch(drop(2)).events if getattr(event, "says", None)]
    assert [None, 2] == about
    about = [event.about for event in game.branch(insert(2, effect("night"))).events if getattr(event, "says", None)]
    assert [2, 4] == about
    # Nothing came between the second note and its event, so it is still about the previous one.
    game = told(turn(1), effect("day"), note)
    assert [None] == [event.about for event in game.branch(insert(1, enter("w1"))).events if hasattr(event, "says")]
