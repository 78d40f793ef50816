"""Makes logs in the format of Arena's real ones, event by event: also with day and night, which no public log has.

A `Log` is a file: its lines, and the games in them. A `Game` is written event by event: a method such as `cast` adds
the states that Arena would send, each with the number of the state before, and fields and annotations as in real logs.
"""

import json
from collections.abc import Iterable
from itertools import count
from typing import Any

LIBRARY, HAND, STACK, BATTLEFIELD, GRAVEYARD, EXILE = 32, 31, 27, 28, 33, 29
ZONES = [
    {"zoneId": STACK, "type": "ZoneType_Stack"}, {"zoneId": BATTLEFIELD, "type": "ZoneType_Battlefield"},
    {"zoneId": EXILE, "type": "ZoneType_Exile"}, {"zoneId": 30, "type": "ZoneType_Limbo"},
    {"zoneId": HAND, "type": "ZoneType_Hand", "ownerSeatId": 1},
    {"zoneId": LIBRARY, "type": "ZoneType_Library", "ownerSeatId": 1},
    {"zoneId": GRAVEYARD, "type": "ZoneType_Graveyard", "ownerSeatId": 1},
]  # fmt: skip
STEPS = {"untap": (1, 1), "upkeep": (1, 2), "draw": (1, 3), "main": (2, 0), "end": (5, 9), "cleanup": (5, 10)}
DAY, NIGHT = 10, 11

RUFFIAN, SMASHER, OPT, HAWK, CELESTUS, DELVER, ABERRATION = 78516, 78517, 67224, 68475, 78620, 78378, 78379
NAMES = {
    RUFFIAN: "Tavern Ruffian", SMASHER: "Tavern Smasher", OPT: "Opt", HAWK: "Healer's Hawk", CELESTUS: "The Celestus",
    DELVER: "Delver of Secrets", ABERRATION: "Insectile Aberration",
}  # fmt: skip
"""The name of each card number of Arena in these logs."""

OTHER_SIDE = {RUFFIAN: SMASHER, SMASHER: RUFFIAN, DELVER: ABERRATION, ABERRATION: DELVER}


def csv_table() -> bytes:
    """Return the cards of NAMES as a table in the CSV format of 17Lands."""
    rows = ["id,expansion,name,rarity", *(f'{number},MID,"{name}",common' for number, name in NAMES.items())]
    return "\n".join(rows).encode()


def scryfall_table() -> bytes:
    """Return the cards as JSON in Scryfall's format: a double-faced card has the number of its front only."""
    cards: list[dict[str, Any]] = [{"arena_id": number, "name": NAMES[number]} for number in (OPT, HAWK, CELESTUS)]
    for front, back in ((RUFFIAN, SMASHER), (DELVER, ABERRATION)):
        faces = [{"name": NAMES[front]}, {"name": NAMES[back]}]
        cards.append({"arena_id": front, "name": " // ".join(NAMES[n] for n in (front, back)), "card_faces": faces})
    cards.append({"name": "A card that is not on Arena"})
    return json.dumps(cards).encode()


def note(kind: str, affected: Iterable[int] = (), by: int | None = None, **details: int | str) -> dict[str, Any]:
    """Return an annotation: its `kind`, the ids that it is about, the id `by` of its cause, and its details by key."""
    made: dict[str, Any] = {"affectedIds": list(affected), "type": [f"AnnotationType_{kind}"]}
    if by is not None:
        made["affectorId"] = by
    if details:
        made["details"] = [
            {"key": key, "type": "KeyValuePairValueType_string", "valueString": [value]}
            if isinstance(value, str)
            else {"key": key, "type": "KeyValuePairValueType_int32", "valueInt32": [value]}
            for key, value in details.items()
        ]
    return made


class Log:
    """The lines of a file. `spaced`: the JSON has spaces after commas and colons; `pace`: milliseconds between
    lines."""

    def __init__(self, *, ending: str = "\r\n", spaced: bool = True, seat: int = 1, pace: int = 1_000) -> None:
        self.lines: list[str] = ["Initialize engine version: 2022.3.62f2", "DETAILED LOGS: ENABLED"]
        self.seat = seat
        self.pace = pace
        self._ending = ending
        self._separators = (", ", ": ") if spaced else (",", ":")

    def message(self, *messages: dict[str, Any]) -> None:
        """Add a header line, and a line of JSON with these messages of the game's server."""
        stamp = 1_771_790_431_366 + self.pace * len(self.lines)
        made = {"requestId": 2, "timestamp": str(stamp), "greToClientEvent": {"greToClientMessages": list(messages)}}
        self.lines.append("[UnityCrossThreadLogger]2/22/2026 12:00:31 PM: Match to ABC: GreToClientEvent")
        self.lines.append(json.dumps(made, separators=self._separators))

    def bytes(self) -> bytes:
        """Return the content of the file."""
        return "".join(line + self._ending for line in self.lines).encode()


class Game:
    """One game in a log. `send` and `full` write a state; `state`, `turn` and `active` hold the number of the
    latest state, of its turn, and the seat of the active player."""

    def __init__(self, log: Log, match: str = "a1b2", number: int = 1, *, first: int = 1) -> None:
        self.log = log
        self.match, self.number = match, number
        self.state = 0
        self.turn = 0
        self.active = first
        self.queued = False
        self._instances = count(300)
        self._persistent = count(900)
        self._shown: dict[int, dict[str, Any]] = {}
        self._designation: int | None = None
        log.message({"type": "GREMessageType_ConnectResp", "systemSeatIds": [log.seat]})
        self.full(stage="GameStage_Start", turn=False)
        self.send(annotations=[note("NewTurnStarted", [first], first)], turnInfo={"activePlayer": first})

    # ------------------------------------------------------------------------------------------------------- states

    def info(self, stage: str, **more: Any) -> dict[str, Any]:
        """Return the field `gameInfo`: match, number and variant of the game, and `stage`, such as `GameStage_Play`."""
        about = {"matchID": self.match, "gameNumber": self.number, "stage": stage, "variant": "GameVariant_Normal"}
        return about | more

    def send(self, *, skip: int = 1, kind: str = "GameStateMessage", **fields: Any) -> None:
        """Write the next state as a change; `skip` above 1 jumps over state numbers, which is not a gap."""
        before, self.state = self.state, self.state + skip
        state = {"type": "GameStateType_Diff", "gameStateId": self.state, "prevGameStateId": before, **fields}
        self._message(state | {"update": "GameStateUpdate_SendHiFi"}, kind)

    def full(self, *, stage: str = "GameStage_Play", turn: bool = True, **fields: Any) -> None:
        """Write the next state as a whole state; with `turn=False` it has no turn number yet."""
        self.state += 1
        state = {
            "type": "GameStateType_Full", "gameStateId": self.state, "gameInfo": self.info(stage),
            "players": [{"systemSeatNumber": 1, "teamId": 1}, {"systemSeatNumber": 2, "teamId": 2}],
            "zones": [self._with_objects(zone) for zone in ZONES], "gameObjects": list(self._shown.values()),
            "turnInfo": {"turnNumber": self.turn, "activePlayer": self.active} if turn else {"decisionPlayer": 1},
            "update": "GameStateUpdate_SendAndRecord",
        }  # fmt: skip
        self._message(state | fields)

    def _with_objects(self, zone: dict[str, Any]) -> dict[str, Any]:
        there = [instance for instance, one in self._shown.items() if one["zoneId"] == zone["zoneId"]]
        return {**zone, "objectInstanceIds": there} if there else zone

    def _message(self, state: dict[str, Any], kind: str = "GameStateMessage") -> None:
        about = {"systemSeatIds": [self.log.seat], "gameStateId": state["gameStateId"]}
        self.log.message({"type": f"GREMessageType_{kind}", **about, "gameStateMessage": state})

    # --------------------------------------------------------------------------------------------------- happenings

    def begin(self, *steps: str) -> None:
        """Give turn 1 its number, and go on to its main phase. `steps` is not used."""
        self.turn = 1
        self.send(
            turnInfo={"turnNumber": 1, "activePlayer": self.active, "phase": "Phase_Beginning", "step": "Step_Upkeep"},
            annotations=[self.step("untap"), self.step("upkeep")],
        )
        self.send(annotations=[self.step("main")])

    def step(self, name: str) -> dict[str, Any]:
        """Return the annotation that this step of the active player's turn begins."""
        phase, step = STEPS[name]
        return note("PhaseOrStepModified", [self.active], phase=phase, step=step)

    def next_turn(self, designation: tuple[int, str] | None = None, active: int | None = None, **fields: Any) -> None:
        """End a turn and begin the next; untap step and upkeep are in one change.

        With a `designation`, a pair of DAY or NIGHT and a shape, it becomes day or night between untap step and upkeep.
        """
        before, self.active = self.active, 3 - self.active if active is None else active
        self.turn += 1
        changed = self.designation(*designation) if designation else {}
        ended = note("PhaseOrStepModified", [before], phase=5, step=10)
        middle = changed.pop("annotations", [])
        self.send(
            turnInfo={
                "turnNumber": self.turn, "activePlayer": self.active, "phase": "Phase_Beginning", "step": "Step_Upkeep",
            },
            annotations=[
                ended, note("NewTurnStarted", [self.active], self.active), self.step("untap"), *middle,
                self.step("upkeep"),
            ],
            **changed,
            **fields,
        )  # fmt: skip
        self.send(annotations=[self.step("draw"), self.step("main")])

    def designation(self, kind: int, shape: str) -> dict[str, Any]:
        """Return the fields of a state that make it day or night. In the `shape` `persistent` the persistent annotation
        has a new id, in `updated` the same id as before; in `gained` there is no persistent annotation."""
        fields: dict[str, Any] = {"annotations": []}
        if shape == "updated" and self._designation is not None:
            id = self._designation
        else:
            id = next(self._persistent)
            if self._designation is not None:
                fields["diffDeletedPersistentAnnotationIds"] = [self._designation]
                fields["annotations"].append(note("LoseDesignation", [1], DesignationType=21 - kind))
        if shape != "gained":
            self._designation = id
            fields["persistentAnnotations"] = [{"id": id, **note("Designation", [1], DesignationType=kind)}]
        if shape != "updated":
            fields["annotations"].append(note("GainDesignation", [1], DesignationType=kind))
        return fields

    def shown(self, instance: int, card: int, zone: int, seat: int, **more: Any) -> dict[str, Any]:
        """Return an object for the fields of a state: a card in a zone. Later whole states contain it."""
        made = {
            "instanceId": instance, "grpId": card, "type": "GameObjectType_Card", "zoneId": zone,
            "visibility": "Visibility_Public", "ownerSeatId": seat, "controllerSeatId": seat, "overlayGrpId": card,
        }  # fmt: skip
        if card in OTHER_SIDE:
            made["othersideGrpId"] = OTHER_SIDE[card]
        made |= more
        self._shown[instance] = made
        return made

    def cast(self, seat: int, card: int, *, action: int = 1, **more: Any) -> int:
        """Cast a spell; return the instance id of the spell."""
        instance = next(self._instances)
        self.send(gameObjects=[self.shown(instance, card, STACK, seat)], annotations=[
            note("ObjectIdChanged", [instance - 150], orig_id=instance - 150, new_id=instance),
            note("ZoneTransfer", [instance], zone_src=HAND, zone_dest=STACK, category="CastSpell"),
            note("UserActionTaken", [instance], seat, actionType=action, abilityGrpId=0),
        ], **more)  # fmt: skip
        return instance

    def resolve(self, instance: int, *, face: int | None = None, designation: tuple[int, str] | None = None) -> int:
        """A permanent spell resolves and enters, with the card number `face` if it is given; return `instance`."""
        was = self._shown[instance]
        seat = was["controllerSeatId"]
        changed = self.designation(*designation) if designation else {}
        later = changed.pop("annotations", [])
        self.send(
            gameObjects=[self.shown(instance, was["grpId"] if face is None else face, BATTLEFIELD, seat)],
            annotations=[
                note("ResolutionStart", [instance], instance, grpid=was["grpId"]),
                note("ResolutionComplete", [instance], instance, grpid=was["grpId"]),
                note("ZoneTransfer", [instance], seat, zone_src=STACK, zone_dest=BATTLEFIELD, category="Resolve"),
                *later,
            ],
            **changed,
        )
        return instance

    def turn_over(self, instance: int) -> dict[str, Any]:
        """Return a permanent with its other side up, for the fields of a state; Arena adds no annotation."""
        was = self._shown[instance]
        return self.shown(instance, OTHER_SIDE[was["grpId"]], BATTLEFIELD, was["controllerSeatId"])

    def die(self, instance: int) -> None:
        """A permanent goes to the graveyard, where it has a new instance id."""
        gone, now = self._shown.pop(instance), next(self._instances)
        self.send(gameObjects=[gone | {"instanceId": now, "zoneId": GRAVEYARD}], annotations=[
            note("ObjectIdChanged", [instance], orig_id=instance, new_id=now),
            note("ZoneTransfer", [now], zone_src=BATTLEFIELD, zone_dest=GRAVEYARD, category="Destroy"),
        ], diffDeletedInstanceIds=[instance])  # fmt: skip

    def ability(self, seat: int, source: int, designation: tuple[int, str]) -> None:
        """An ability of the card `source` resolves, and makes it day or night, as the pair `designation` says."""
        instance = next(self._instances)
        ability = self.shown(instance, 190_000, STACK, seat, type="GameObjectType_Ability", objectSourceGrpId=source)
        self.send(gameObjects=[ability])
        del self._shown[instance]
        changed = self.designation(*designation)
        middle = changed.pop("annotations")
        start, end = (note(f"Resolution{kind}", [instance], instance, grpid=190_000) for kind in ("Start", "Complete"))
        self.send(annotations=[start, *middle, end], diffDeletedInstanceIds=[instance], **changed)

    def undo(self, to: int, **fields: Any) -> None:
        """Write the whole state by which Arena undoes all after state `to`; `fields` are more fields of this state."""
        self.full(update="GameStateUpdate_Undo", prevGameStateId=to, **fields)

    def over(self, winner: int = 1) -> None:
        """End the game; the results of the match's earlier games come before its own."""
        result = {"scope": "MatchScope_Game", "result": "ResultType_WinLoss", "winningTeamId": winner}
        results = [{**result, "winningTeamId": 3 - winner} for _earlier in range(self.number - 1)] + [result]
        self.send(gameInfo=self.info("GameStage_GameOver", results=results))


def day_and_night(game: Game, *, wrong: bool = False) -> None:
    """Play a game in which it becomes day, night and day again, each in another shape; two werewolves transform.

    With `wrong`, the client says at the end that it is night, after a turn in which a spell was cast.
    """
    one, two = game.active, 3 - game.active
    game.begin()
    wolf = game.cast(one, RUFFIAN)
    game.resolve(wolf, designation=(DAY, "persistent"))
    game.cast(two, OPT)
    game.next_turn()
    # Only the other player casts in turn 2, so it is night in turn 3.
    game.cast(one, OPT)
    game.next_turn((NIGHT, "updated"), gameObjects=[game.turn_over(wolf)])
    late = game.cast(one, RUFFIAN)
    game.resolve(late, face=SMASHER)
    game.cast(one, OPT)
    game.next_turn((DAY, "gained"), gameObjects=[game.turn_over(wolf), game.turn_over(late)])
    game.cast(two, HAWK)
    game.die(late)
    if wrong:
        game.next_turn((NIGHT, "persistent"))
    else:
        game.next_turn()
    game.over(one)
