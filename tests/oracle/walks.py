"""Legal random records over the whole vocabulary, drawn by Hypothesis or from a seed."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st

from .cast import EDITIONS, SOURCES, arrival, copied_face
from .chooser import Chooser, DrawnChooser, SeededChooser
from .naive import Naive
from .vocabulary import DESIGNATIONS, STEPS, Event

T = TypeVar("T")
TABLES: list[tuple[list[str], list[list[str]] | None]] = [
    (["Ana", "Bo"], None),
    (["Ana", "Bo"], None),
    (["Ana", "Bo", "Cy", "Di"], [["Ana", "Bo"], ["Cy", "Di"]]),
    (["Ana", "Bo", "Cy"], None),
    (["Ana", "Bo", "Cy", "Di"], [["Ana", "Cy"], ["Bo"], ["Di"]]),
]
CAN_BE_SAID_BY = ("Ana", "arena", "helper card")


class Walk:
    """A record being made: the events so far and the oracle's state after them."""

    def __init__(self, chooser: Chooser, naive: Naive | None = None) -> None:
        self.chooser = chooser
        self.naive = Naive() if naive is None else naive
        self.events: list[Event] = []
        self.arrivals = 0
        self.doubtful = self.chance(50)
        self.judged = self.chance(60)

    def chance(self, percent: int) -> bool:
        """True so many times in a hundred."""
        return self.chooser.number(0, 99) >= 100 - percent

    def pick(self, options: Sequence[T]) -> T:
        """One of several."""
        return self.chooser.pick(options)

    def some(self, names: Sequence[str], most: int = 3) -> list[str]:
        """Some of these names, at least one, none twice, in any order."""
        left, taken = list(names), []
        for _ in range(self.chooser.number(1, min(most, len(left)))):
            taken.append(left.pop(self.chooser.number(0, len(left) - 1)))
        return taken

    def add(self, event: Event) -> None:
        """Take an event into the record."""
        if self.chance(3):
            event = event | {"note": "a remark", "meta": {"table": 7}, "at": "2024-06-07T12:00:00Z"}
        self.naive.apply(event)
        self.events.append(event)

    @property
    def state(self) -> dict[str, Any]:
        """The oracle's state now."""
        return self.naive.state

    def ids(self, **wanted: Any) -> list[str]:
        """The permanents on the battlefield whose fields have these values."""
        found = self.state["battlefield"]
        return [one["id"] for one in found if all(one[key] == value for key, value in wanted.items())]

    def playing(self) -> list[str]:
        """The players still in the game."""
        return [player for player in self.state["players"] if player not in self.state["left"]]

    def caster(self) -> str:
        """A player still in the game, rather an active one."""
        active = [player for player in self.state["active"] if player in self.playing()]
        return self.pick(active) if active and self.chance(70) else self.pick(self.playing())

    def standing(self, first: int) -> list[int]:
        """The events from `first` on that are not undone."""
        return [n for n in range(first, len(self.events) + 1) if n not in self.naive.undone]

    def new_id(self) -> str:
        """An id that nothing on the battlefield has, now and then one that has been there before."""
        for number in range(1, self.arrivals + 1):
            if f"p{number}" not in self.ids() and self.chance(15):
                return f"p{number}"
        self.arrivals += 1
        return f"p{self.arrivals}"


def begin(walk: Walk) -> None:
    """The first line, and now and then a second that joins the game midway."""
    players, teams = walk.pick(TABLES)
    event: Event = {"type": "game-started", "format": 1, "game": "walk", "players": players}
    if teams is not None:
        event["teams"] = teams
    if walk.chance(20):
        event["edition"] = walk.pick(EDITIONS)
    walk.add(event)
    if walk.doubtful and walk.chance(40):
        walk.add({"type": "game-joined", "possible": sorted(walk.some(DESIGNATIONS), key=DESIGNATIONS.index)})


def turn(walk: Walk) -> None:
    """The next turn, mostly with its untap step."""
    state, playing = walk.state, walk.playing()
    teams = state["teams"] or [[player] for player in playing]
    sides = [[player for player in team if player in playing] for team in teams]
    sides = [side for side in sides if side]
    following = sides[(sides.index(state["active"]) + 1) % len(sides)] if state["active"] in sides else sides[0]
    active = following if walk.chance(85) else walk.pick(sides)
    number = state["turn"] + (walk.chooser.number(2, 3) if walk.chance(10) else 1)
    walk.add({"type": "turn-began", "turn": number, "active": active})
    if walk.chance(85):
        untap(walk)


def untap(walk: Walk) -> None:
    """An untap step, sometimes with its phasing."""
    event: Event = {"type": "step-began", "step": "untap"}
    away, here = walk.ids(phased_in=False), walk.ids(phased_in=True)
    if away and walk.chance(50):
        event["phased_in"] = walk.some(away)
    if here and walk.chance(8):
        event["phased_out"] = walk.some(here)
    walk.add(event)


def step(walk: Walk) -> None:
    """Some other step, rather the upkeep."""
    walk.add({"type": "step-began", "step": walk.pick(STEPS[1:]) if walk.chance(40) else "upkeep"})


def cast(walk: Walk) -> None:
    """One or two spells."""
    player = walk.caster()
    walk.add({"type": "spell-cast", "player": player, "card": walk.pick(("Opt", "Tavern Ruffian"))})
    if walk.chance(40):
        walk.add({"type": "spell-cast", "player": player, "spell": "s1"})


def copy_spell(walk: Walk) -> None:
    """A copy that nobody cast."""
    walk.add({"type": "spell-copied", "player": walk.caster()})


def doubt(walk: Walk) -> None:
    """Spells that nobody has counted."""
    event: Event = {
        "type": "spells-uncertain",
        "player": walk.caster(),
        "at_least": walk.chooser.number(0, 2),
    }
    if walk.chance(70):
        event["at_most"] = event["at_least"] + walk.chooser.number(0, 2)
    walk.add(event)


def arrive(walk: Walk) -> None:
    """Permanents enter together."""
    permanents: list[dict[str, Any]] = []
    for _ in range(walk.pick((1, 1, 1, 2, 3))):
        name = walk.new_id()
        while any(other["id"] == name for other in permanents):
            name = walk.new_id()
        permanents.append(arrival(walk, name, walk.pick(walk.playing())))
    walk.add({"type": "permanents-entered", "permanents": permanents})


def depart(walk: Walk) -> None:
    """Permanents leave."""
    event: Event = {"type": "permanents-left", "permanents": walk.some(walk.ids(), 2)}
    if walk.chance(50):
        event["to"] = walk.pick(("graveyard", "exile"))
    walk.add(event)


def change_control(walk: Walk) -> None:
    """Somebody else controls permanents."""
    ids, player = walk.some(walk.ids(), 2), walk.pick(walk.playing())
    walk.add({"type": "control-changed", "permanents": ids, "controller": player})


def abilities(walk: Walk) -> None:
    """Abilities are lost or regained."""
    lacking = [one["id"] for one in walk.state["battlefield"] if one["losses"]]
    back = bool(lacking) and walk.chance(60)
    event: Event = {"type": "abilities-regained" if back else "abilities-lost"}
    event["permanents"] = walk.some(lacking if back else walk.ids())
    if walk.chance(60):
        event["source"] = walk.pick(SOURCES)
    walk.add(event)


def copy_permanent(walk: Walk) -> None:
    """Permanents become copies, or stop being copies."""
    copies = [one["id"] for one in walk.state["battlefield"] if one["copy"] is not None]
    if copies and walk.chance(50):
        walk.add({"type": "copy-ended", "permanents": walk.some(copies)})
    else:
        walk.add({"type": "became-copy", "permanents": walk.some(walk.ids(), 2), "front": copied_face(walk)})


def turn_face(walk: Walk) -> None:
    """Permanents are turned face up or face down."""
    down, up = walk.ids(face_down=True), walk.ids(face_down=False, double_faced=False)
    if down and (not up or walk.chance(60)):
        walk.add({"type": "turned-face-up", "permanents": walk.some(down)})
    else:
        walk.add({"type": "turned-face-down", "permanents": walk.some(up, 2)})


def phase(walk: Walk) -> None:
    """Permanents phase in or out, outside the untap step's own phasing."""
    away, here = walk.ids(phased_in=False), walk.ids(phased_in=True)
    if away and (not here or walk.chance(50)):
        walk.add({"type": "phased-in", "permanents": walk.some(away)})
    else:
        walk.add({"type": "phased-out", "permanents": walk.some(here, 2)})


def instruct(walk: Walk) -> None:
    """Something tells permanents to transform, sometimes their own ability."""
    ids = walk.some(walk.ids(double_faced=True) or walk.ids())
    event: Event = {"type": "transform-instructed", "permanents": ids, "source": walk.pick(SOURCES)}
    if walk.chance(40):
        since = max(one["arrived"] for one in walk.state["battlefield"] if one["id"] in ids)
        event["own_since"] = walk.pick(walk.standing(since))
    walk.add(event)


def forbid(walk: Walk) -> None:
    """An effect that forbids to transform begins or ends."""
    if walk.chance(40):
        walk.add({"type": "transform-allowed", "source": walk.pick(SOURCES)})
    else:
        ids = walk.some(walk.ids(double_faced=True) or walk.ids())
        walk.add({"type": "transform-forbidden", "source": walk.pick(SOURCES), "permanents": ids})


def effect(walk: Walk) -> None:
    """It becomes day, or night, or the other one."""
    event: Event = {"type": "effect-resolved", "becomes": walk.pick(("night", "day", "switch"))}
    if walk.chance(25):
        event["only_if"] = walk.pick(DESIGNATIONS)
    walk.add(event)


def leave(walk: Walk) -> None:
    """A player leaves after the permanents under their control."""
    player = walk.pick(walk.playing())
    if walk.ids(controller=player):
        walk.add({"type": "permanents-left", "permanents": walk.ids(controller=player)})
    walk.add({"type": "player-left", "player": player})


def restart(walk: Walk) -> None:
    """The game is restarted."""
    walk.add({"type": "game-restarted"})


def end(walk: Walk) -> None:
    """The game ends."""
    event: Event = {"type": "game-ended"}
    if walk.chance(50):
        event["winner"] = [walk.pick(walk.playing())]
    walk.add(event)


def claim_designation(walk: Walk) -> None:
    """Somebody says what the designation is, often rightly."""
    said = walk.pick(walk.naive.possible()) if walk.chance(65) else walk.pick(DESIGNATIONS)
    walk.add({"type": "designation-claimed", "designation": said, "by": walk.pick(CAN_BE_SAID_BY)})


def claim_face(walk: Walk) -> None:
    """Somebody says which face is up."""
    name = walk.pick(walk.ids(face_down=False))
    walk.add({"type": "face-claimed", "permanent": name, "face": walk.pick(("front", "back")), "by": "Ana"})


def claim_tally(walk: Walk) -> None:
    """Somebody says how many spells a player has cast."""
    player = walk.pick(walk.state["players"])
    event: Event = {
        "type": "tally-claimed",
        "player": player,
        "spells": walk.chooser.number(0, 3),
        "by": "Bo",
    }
    if walk.chance(50):
        event["turn"] = walk.pick([one["number"] for one in walk.state["turns"] if not one["unknown"]])
    walk.add(event)


def rule(walk: Walk) -> None:
    """A judge rules."""
    walk.add({"type": "judge-ruled", "by": "judge", "designation": walk.pick(("night", "day"))})


def back_up(walk: Walk) -> None:
    """A judge backs the game up, mostly by a few events."""
    joined = len(walk.events) > 1 and walk.events[1]["type"] == "game-joined"
    standing = walk.standing(2 if joined else 1)
    target = walk.pick(standing[-6:]) if walk.chance(75) else walk.pick(standing)
    walk.add({"type": "game-backed-up", "to": target, "by": "judge"})


def always(walk: Walk) -> bool:
    """Legal at any time."""
    return bool(walk.events)


def in_turn(walk: Walk) -> bool:
    """Legal once a turn has begun."""
    return bool(walk.state["turn"] > 0)


def peopled(walk: Walk) -> bool:
    """Legal while there are permanents."""
    return bool(walk.ids())


class Kind(NamedTuple):
    """A kind of step: how often it is taken, when it is legal, how it goes on."""

    weight: int
    legal: Callable[[Walk], bool]
    make: Callable[[Walk], None]
    action: bool = True


KINDS = [
    Kind(16, always, turn),
    Kind(5, in_turn, untap),
    Kind(7, in_turn, step),
    Kind(9, in_turn, cast),
    Kind(2, in_turn, copy_spell),
    Kind(6, lambda walk: in_turn(walk) and walk.doubtful, doubt),
    Kind(16, lambda walk: len(walk.ids()) < 8, arrive),
    Kind(5, peopled, depart),
    Kind(3, peopled, change_control),
    Kind(5, peopled, abilities),
    Kind(4, peopled, copy_permanent),
    Kind(3, lambda walk: bool(walk.ids(face_down=True) or walk.ids(double_faced=False)), turn_face),
    Kind(5, peopled, phase),
    Kind(5, peopled, instruct),
    Kind(4, peopled, forbid),
    Kind(9, always, effect),
    Kind(1, lambda walk: len(walk.playing()) > 2 or (len(walk.playing()) > 1 and walk.chance(20)), leave),
    Kind(1, lambda walk: walk.chance(50), restart),
    Kind(1, lambda walk: walk.chance(50), end),
    Kind(5, always, claim_designation, action=False),
    Kind(4, lambda walk: bool(walk.ids(face_down=False)), claim_face, action=False),
    Kind(4, in_turn, claim_tally, action=False),
    Kind(4, lambda walk: walk.judged, rule, action=False),
    Kind(4, lambda walk: walk.judged or walk.state["ended"], back_up, action=False),
]


def go(walk: Walk, length: int) -> list[Event]:
    """Walk on until the record has `length` events."""
    begin(walk)
    while len(walk.events) < length:
        legal = [kind for kind in KINDS if (not kind.action or not walk.state["ended"]) and kind.legal(walk)]
        chosen = walk.chooser.number(0, sum(kind.weight for kind in legal) - 1)
        for kind in legal:
            chosen -= kind.weight
            if chosen < 0:
                kind.make(walk)
                break
    return walk.events[:length]


def random_walk(seed: int, length: int) -> list[Event]:
    """A legal record of `length` events, always the same one for a seed."""
    return go(Walk(SeededChooser(seed)), length)


@st.composite
def walks(draw: Callable[[st.SearchStrategy[Any]], Any], length: int = 40) -> list[Event]:
    """Legal records of at most `length` events."""
    chooser = DrawnChooser(draw)
    return go(Walk(chooser), chooser.number(2, length))
