"""Random play at a table: casts, passes, undo, corrections, late copies of requests, and new servers.

| promise | test |
| --- | --- |
| after each step the record has the acknowledged commands without the undone ones | test_film, test_long |
| a late copy of any request changes nothing: it gets the same answer, or is refused | test_film, test_long |
| undo reverts exactly the command that the game names; undoing a turn also undoes its casts | test_film, test_long |
| turn, designation and casts of the last state are those of a replay of the record | test_film, test_long |
"""

import json
import random
from collections import Counter

import pytest

from daynight import Game
from daynight.games import Store
from daynight.records import Held
from daynight.web.asgi import application
from daynight.web.limits import Limits
from daynight.web.shelf import Shelf
from daynight.web.visit import House
from tests.web.asking import HOST, Asking

FREE = Limits(requests=1e6, requests_burst=10**6, writes=1e6, writes_burst=10**6)
PLAYERS = ("Ana", "Bo")
SEATS = (("player", "Ana"), ("player", "Bo"), ("judge", "Jo"))

Played = tuple[list[int], Counter[tuple[int, str]]]
"""The turns, and how many spells each player cast in each."""


def played(lines: list[dict]) -> Played:
    """Return the turns and casts of a record, without those that a back-up undid."""
    there: list[tuple[int, dict]] = []
    for number, line in enumerate(lines, 1):
        if line["type"] == "game-backed-up":
            there = [one for one in there if one[0] <= line["to"]]
        there.append((number, line))
    turns: list[int] = []
    casts: Counter[tuple[int, str]] = Counter()
    for _number, line in there:
        if line["type"] == "turn-began":
            turns.append(line["turn"])
        elif line["type"] == "spell-cast":
            casts[turns[-1], line["player"]] += 1
    return turns, casts


class Film:
    """A table, the requests sent to it, and the effect of each command."""

    def __init__(self, place, seed: int) -> None:
        self.place, self.chance = place, random.Random(seed)
        self.store = None
        self.sent: list[tuple[str, int, dict]] = []
        self.did: dict[str, Counter] = {}
        self.answers: dict[str, dict] = {}
        self.count = 0
        self.rise()
        self.store.new("g", list(PLAYERS))
        self.links()
        assert self.act("commands", 2, {"seen": 1, "do": "pass-turn"}, Counter(turns=1)) == 201

    def rise(self) -> None:
        """Close the store, if it is open, and open it with a new server, which has no links yet."""
        if self.store is not None:
            self.store.close()
        self.store = Store.open(self.place)
        self.house = House(shelf=Shelf(self.store), limits=FREE)
        self.ask = Asking(application(self.house))
        self.keys: list[str] = []

    def links(self) -> None:
        """Make a link for each seat, and keep its key."""
        self.keys = [self.house.keys.add("g", role, name, 24)[1] for role, name in SEATS]

    @property
    def lines(self) -> list[dict]:
        """The stored lines of the game."""
        return [json.loads(line) for line in self.ask("/v1/games/g/record.jsonl").body.splitlines()]

    def post(self, route: str, seat: int, body: dict):
        """The answer to a POST of a seat."""
        headers = [("host", HOST), ("authorization", f"Bearer {self.keys[seat]}"), ("content-type", "application/json")]
        return self.ask(f"/v1/games/g/{route}", "POST", headers, json.dumps(body).encode())

    def act(self, route: str, seat: int, body: dict, did: Counter | None) -> int:
        """Send a new request, and return its status; if it is stored (201), its effect must be `did`.

        None for `did` means an undo: its effect is the reverse of that of the command that it undoes.
        """
        self.count += 1
        id = f"c{self.count}"
        body = {"command": id, **body}
        self.sent.append((route, seat, body))
        before = played(self.lines)
        answer = self.post(route, seat, body)
        after = played(self.lines)
        if answer.status != 201:
            assert (answer.status in (403, 409, 422), after) == (True, before), answer
            return answer.status
        self.answers[id] = answer.document
        if did is None:
            gone = body["undoes"]
            did = Counter({what: -many for what, many in self.did[gone].items()})
            if did["turns"] < 0:
                # What a correction put in between the first steps of this turn goes with it: the turn never began.
                did.update(
                    {(turn, player): -many for (turn, player), many in before[1].items() if turn == before[0][-1]}
                )
        self.did[id] = did
        assert difference(before, after) == {what: many for what, many in did.items() if many}, (route, body)
        return 201

    def late(self) -> None:
        """Send a copy of an earlier request, from its seat or the judge's; nothing is stored.

        A stored command gets its first answer with `repeated`; a refused one is refused again.
        """
        route, seat, body = self.chance.choice(self.sent)
        before = self.lines
        stored = self.answers.get(body["command"])
        # What a player may not do, a judge may: it is refused again to whom it was refused.
        sender = seat if stored is None else self.chance.choice([seat, 2])
        answer = self.post(route, sender, body)
        if stored is None:
            assert answer.status in (403, 409, 422), answer
        else:
            assert answer.status == 200, answer
            assert answer.document == stored | {"repeated": True}
        assert self.lines == before

    def step(self) -> None:
        """Perform one random action: a request, a late copy of one, or a restart of the server."""
        lines, seat = self.lines, self.chance.randrange(3)
        turns, casts = played(lines)
        seen = {"seen": len(lines), "head": self.ask.document("/v1/games/g")["head"]}
        if self.chance.random() < 0.15:
            # The client may not have seen the latest events.
            past = self.chance.randrange(2, len(lines) + 1)
            seen = {"seen": past, "head": self.store.recorder.digest("g", past).hex()}
        way = self.chance.choice(["cast", "cast", "pass", "undo", "undo", "fix", "fix", "note", "late", "late", "kill"])
        if way == "cast" and turns:
            player = self.chance.choice(PLAYERS)
            event = {"type": "spell-cast", "player": player}
            self.act("commands", seat, seen | {"events": [event]}, Counter({(turns[-1], player): 1}))
        elif way in ("cast", "pass"):
            self.act("commands", seat, seen | {"do": "pass-turn"}, Counter(turns=1))
        elif way == "undo":
            named = self.ask.document("/v1/games/g")["undoable"]
            if named is None:
                assert turns == []
                return
            status = self.act("undo", seat, seen | {"undoes": named["command"]}, None)
            fresh = seen["seen"] == len(lines)
            by = SEATS[seat][1]
            assert not fresh or status == (201 if seat == 2 or named["by"] == by else 403), named
        elif way == "fix":
            self.fix(seat, seen, lines, turns, casts)
        elif way == "note":
            self.act("notes", seat, {"about": 2, "says": "hm"}, Counter())
        elif way == "late":
            self.late()
        else:
            self.rise()
            self.links()

    def fix(self, seat: int, seen: dict, lines: list[dict], turns: list[int], casts: Counter) -> None:
        """Send a correction that removes or inserts one cast in a recent turn."""
        game = Game.load(Held("g.jsonl", b"".join(json.dumps(line).encode() + b"\n" for line in lines)))
        standing = [number for number in range(1, len(lines) + 1) if game.stands(number)]
        kinds = {"turn-began", "step-began", "spell-cast"}
        there = [number for number in standing if lines[number - 1]["type"] in kinds]
        if not there:
            return
        at = self.chance.choice(there[-8:])
        turn = max(lines[number - 1]["turn"] for number in there if number <= at and "turn" in lines[number - 1])
        line = lines[at - 1]
        if line["type"] == "spell-cast" and self.chance.random() < 0.5:
            self.act("corrections", seat, seen | {"edits": [{"at": at, "drop": True}]},
                     Counter({(turn, line["player"]): -1}))  # fmt: skip
            return
        player = self.chance.choice(PLAYERS)
        edit = {"at": at, "insert": [{"type": "spell-cast", "player": player}]}
        self.act("corrections", seat, seen | {"edits": [edit]}, Counter({(turn, player): 1}))

    def hold(self) -> None:
        """Assert that turn, designation and casts in the answer of `/state` fit the record; close the store."""
        data = self.ask("/v1/games/g/record.jsonl").body
        game = Game.load(Held("g.jsonl", data))
        state = self.ask.document("/v1/games/g/state")
        assert (state["turn"], state["designation"]) == (game.state.turn, game.state.designation.value)
        turns, casts = played(self.lines)
        assert state["turn"] == (turns[-1] if turns else 0)
        if turns:
            spells = state["tallies"]["current"]["spells"]
            assert spells == {player: casts[turns[-1], player] for player in PLAYERS}
        self.store.close()


def difference(before: Played, after: Played) -> dict:
    """Return how many turns (key `turns`) and casts (key: turn and player) were added; negative if removed."""
    found: dict = {}
    if len(after[0]) != len(before[0]):
        found["turns"] = len(after[0]) - len(before[0])
    for key in {*before[1], *after[1]}:
        if after[1][key] != before[1][key]:
            found[key] = after[1][key] - before[1][key]
    return found


def film(place, seed: int, most: int) -> None:
    """Run `most` random steps, and check the state that they lead to."""
    found = Film(place, seed)
    for _step in range(most):
        found.step()
    found.hold()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.wide(but=1)
def test_film(tmp_path, seed):
    film(tmp_path / "games.db", seed, 25)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 203))
def test_long(tmp_path, seed):
    film(tmp_path / "games.db", seed, 60)
