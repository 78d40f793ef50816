"""Retried commands: on every writing route, the request is compared with what is stored."""

from hashlib import sha256

import msgspec
import pytest

from daynight.store.proving.chain import seal
from tests.web.sending import post, refused, send

PASS = {"do": "pass-turn"}
WORDS = {"words": ["Ana casts Opt", "Bo casts Shock"]}
EVENTS = {"events": [{"type": "spell-cast", "player": "Bo", "card": "Opt"}]}
CLAIM = {"events": [{"type": "designation-claimed", "designation": "day"}]}
ENTERS = {"events": [{"type": "permanents-entered", "permanents": [
    {"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}]}]}  # fmt: skip


def planted(house, game, command, asked, first, last):
    """Replace the row of events `first` to `last` by a forged one: `command`, whose request is `asked`; valid seal."""
    recorder, request = house.store.recorder, sha256(msgspec.json.encode(asked, order="sorted")).digest()
    mark = seal(game, command, first, last, request, recorder.digest(game, last))
    with recorder.transaction(write=True) as cursor:
        cursor.execute("DELETE FROM commands WHERE game = ? AND last_event >= ?", (game, first))
        cursor.execute("INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?)", (game, command, first, last, request, mark))


@pytest.mark.parametrize("path, body", [
    ("commands", {"seen": 4, **PASS}), ("commands", {"seen": 4, **WORDS}), ("commands", {"seen": 4, **EVENTS}),
    ("commands", {"seen": 4, **CLAIM}), ("commands", {"seen": 4, **ENTERS}), ("undo", {"seen": 4, "undoes": "t1"}),
    ("undo", {"seen": 4}), ("corrections", {"seen": 4, "edits": [{"at": 4, "drop": True}]}),
    ("notes", {"about": 3, "says": "hm"}), ("disputes", {"about": 3}), ("disputes", {"about": 3, "dispute": "x"}),
    ("disputes/d1/rulings", {"outcome": "back-up", "to": 3, "carry_out": True}),
    ("disputes/d1/claims", {"says": "so"}),
], ids=[
    "pass", "words", "events", "claim", "enter", "undo", "last", "fix", "note", "dispute", "named", "ruling", "says",
])  # fmt: skip
def test_sent_again(house, game, path, body):
    """A retry gets 200 with `repeated` and stores nothing, whoever sends it, and whatever happened since."""
    if "d1" in path:
        post(house, f"games/{game}/disputes", {"command": "o", "about": 3})
    first = post(house, f"games/{game}/{path}", {"command": "c", **body})
    assert first.status_code == 201, first.text
    house.store.append(game, [{"type": "turn-began", "turn": 9, "active": ["Ana"]}])
    last = house.store.last(game)
    for key in (None, house.link("judge", "Jo", game)):
        again = post(house, f"games/{game}/{path}", {"command": "c", **body}, key)
        assert (again.status_code, again.json()["repeated"]) == (200, True), again.text
    assert house.store.last(game) == last


@pytest.mark.parametrize("path, asked, told", [
    ("commands", PASS, PASS), ("commands", WORDS, WORDS), ("commands", EVENTS, EVENTS),
    ("notes", {"about": 3, "says": "hm"}, {"note-added": {"about": 3, "says": "hm"}}),
    ("undo", {"undoes": "t1"}, {"undo": {"undoes": "t1"}}),
    ("disputes", {"about": 3}, {"dispute-opened": {"about": 3}}),
], ids=["pass", "words", "events", "note", "undo", "dispute"])  # fmt: skip
def test_a_planted_row_is_no_answer(house, game, path, asked, told):
    """A command with the id of a forged row gets `command-reused` and stores nothing; with another id it is stored."""
    house.store.append(game, [{"type": "spell-cast", "player": "Ana"}] * 2, command="before")
    planted(house, game, "c", told, 5, 6)
    seen = {"seen": 6} if path in ("commands", "undo") else {}
    refused(post(house, f"games/{game}/{path}", {"command": "c", **seen, **asked}), 422, "command-reused")
    assert house.store.last(game) == 6
    assert post(house, f"games/{game}/{path}", {"command": "d", **seen, **asked}).status_code == 201


def test_a_row_that_names_what_is_not_there_is_damage(house, game):
    recorder = house.store.recorder
    with recorder.transaction(write=True) as cursor:
        row = (game, "c", 5, 9, bytes(32), bytes(32))
        cursor.execute("INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?)", row)
    found = refused(send(house, game, {"command": "c", "seen": 4, **PASS}), 500, "store-damaged")
    assert "'c' is said to have stored events 5 to 9" in found["detail"]
    assert (found["exit"], house.store.last(game)) == (5, 4)


def test_a_game_is_begun_once_though_its_row_was_planted(house):
    """A forged row says that this command began the game: the command is refused, and the game is unchanged."""
    name = f"planted{len(house.store.games())}"
    house.store.new(name, ["Ana", "Bo"])
    planted(house, name, "n", {"begins": {"game": name, "players": ["Cy", "Di"]}}, 1, 1)
    refused(post(house, "games", {"command": "n", "game": name, "players": ["Cy", "Di"]}), 422, "command-reused")
    assert house.store.at(name).players == ("Ana", "Bo")
