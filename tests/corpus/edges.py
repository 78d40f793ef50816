"""Random games that just meet, or fail, the conditions of `daynight.corpus.plain`; a few claims are wrong."""

import json
from functools import cache
from random import Random
from typing import Any

from daynight.cards import bundled
from daynight.disputes.docket import Docket, Listing
from daynight.events import Event as Happened
from daynight.events import decode
from daynight.framework.folding.standing import Standing
from daynight.framework.language.errors import RecordError
from daynight.referee.due import shown
from daynight.referee.referee import run
from daynight.referee.state import State
from tests.rules import judges, placing, turning, wolves, words
from tests.rules.words import Event

PLAYERS = ("Ana", "Bo", "Cy")
RUFFIAN_FACES: Event = {
    "card": "Wolf", "double_faced": True, "front": wolves.DAYBOUND_FACE, "back": wolves.NIGHTBOUND_FACE,
}  # fmt: skip
_SORCERY = {"name": "Roar", "types": ["Sorcery"], "permanent": False}

KINDS: tuple[tuple[int, Event], ...] = (
    (12, wolves.RUFFIAN), (3, {"card": "Grizzly Bears"}), (2, wolves.CLONE_OF_DAYBOUND),
    (2, wolves.CLONE_OF_NIGHTBOUND), (2, wolves.VANDAL), (1, {"card": "Werewhat"}), (2, wolves.OLD_WEREWOLF),
    (2, wolves.RUFFIAN | {"face": "back"}), (2, wolves.RUFFIAN | {"face_down": True}),
    (1, wolves.RUFFIAN | {"face_down": True}), (2, wolves.RUFFIAN | {"without_abilities": True}),
    (1, wolves.RUFFIAN | {"without_abilities": "Humility", "face": "back"}),
    (1, wolves.VANDAL | {"without_abilities": True}), (1, RUFFIAN_FACES | {"token": True}),
    (1, RUFFIAN_FACES | {"back": _SORCERY}), (1, RUFFIAN_FACES | {"front": {"name": "Man"}, "face": "back"}),
    (
        1,
        {
            "card": "Cave", "double_faced": True, "front": {"name": "Cave", "day_if_neither": True},
            "back": {"name": "Den"},
        },
    ),
    (
        1,
        {
            "card": "Cave", "double_faced": True, "front": {"name": "C"}, "back": {"day_if_neither": True},
            "face": "back",
        },
    ),
)  # fmt: skip
"""The usual permanents, each with its weight: they leave a game plain, except the one whose front is `Man`."""

ODD_KINDS: tuple[Event, ...] = (
    wolves.IMMERWOLF, wolves.ANGEL, RUFFIAN_FACES | {"back": {"name": "No keyword"}},
    RUFFIAN_FACES | {"front": {"name": "Man"}}, RUFFIAN_FACES | {"front": wolves.DAYBOUND_FACE | {"permanent": False}},
    RUFFIAN_FACES | {"back": wolves.NIGHTBOUND_FACE | {"holds": "night"}},
)  # fmt: skip
"""The permanents that make a game not plain as they enter, at least if one in it cares about day and night."""


@cache
def _read(line: str) -> Happened:
    happened: Happened = bundled().fill(decode(line))
    return happened


class Player:
    """Makes one game: events that the rules refuse are left out, and most claims agree with the state."""

    def __init__(self, seed: int, odd: float) -> None:
        self.random = Random(seed)
        self.odd = odd
        self.events: list[Event] = []
        self.state = State()
        self.ids = 0
        teams = {"teams": [["Ana"], ["Bo", "Cy"]]} if self.random.random() < odd / 4 else {}
        at = {"at": f"2024-0{self.random.randint(1, 9)}-07T19:30:00Z"} if self.random.random() < 0.5 else {}
        self.take(words.started(*PLAYERS, **teams, **at) | {"game": f"edge {seed}"})

    def take(self, event: Event) -> bool:
        """Add an event, if it is possible; return whether it was added."""
        after = self.state.copy()
        try:
            happened: Any = _read(json.dumps(event))
            if type(happened) in Listing().before:
                self.docket.take(happened, len(self.events) + 1, _stands)
            run(after, (happened,), len(self.events))
        except RecordError:
            return False
        self.state = after
        self.events.append(event)
        return True

    docket = Docket()

    def go(self, length: int, cares: bool = True) -> list[Event]:
        """Add random events up to about `length`; return all. With `cares`, permanents may be daybound and the like."""
        self.docket = Docket()
        steps = [
            (14, self.turn), (8, self.untap), (6, self.step), (12, self.cast), (2, self.copy), (2, self.note),
            (8 if cares else 4, lambda: self.enter(cares)), (2, self.leave), (2, self.control), (1, self.quit),
            (5 if cares else 0, self.effect), (8, self.claim), (6, self.claim_face), (6, self.claim_tally),
        ]  # fmt: skip
        # Where nothing cares a game may have doubts, or moved faces, or both, if nobody claims what they concern.
        without = (
            frozenset() if cares else self.random.choice((frozenset(), {self.claim_face}, {self.claim_tally}, _NONE))
        )
        steps = [(weight, one) for weight, one in steps if one not in without and (without is not _NONE or one not in (
            self.claim_face, self.claim_tally))]  # fmt: skip
        for _try in range(length * 4):
            if len(self.events) >= length:
                break
            if self.random.random() < self.odd:
                self.oddity(cares)
            else:
                self.random.choices([one for _weight, one in steps], [weight for weight, _one in steps])[0]()
        if self.random.random() < 0.3:
            self.take(words.ended())
            self.claim()
        return self.events

    def who(self) -> str:
        return self.random.choice(PLAYERS)

    def turn(self) -> None:
        if self.state.turn and self.random.random() < 0.4:
            for _cast in range(self.random.choice((0, 1, 2, 2))):
                self.take(words.cast(self.random.choice(self.state.active)))
        number = self.state.turn + self.random.choice((1, 1, 1, 2))
        skips = ["untap"] if self.random.random() < 0.15 else None
        active = [self.who()]
        if self.state.teams is not None:
            active = [name for name in self.random.choice(self.state.teams) if name in self.state.present]
        self.take(words.turn(number, *active, skips=skips))

    def untap(self) -> None:
        self.take(words.untap(**({"phased_in": []} if self.random.random() < 0.1 else {})))

    def step(self) -> None:
        self.take(words.upkeep())

    def cast(self) -> None:
        who = self.random.choice(self.state.active) if self.state.active and self.random.random() < 0.7 else self.who()
        self.take(words.cast(who) | ({"card": "Opt"} if self.random.random() < 0.5 else {}))

    def copy(self) -> None:
        self.take(words.copied(self.who()))

    def note(self) -> None:
        self.take(judges.noted())

    def enter(self, cares: bool) -> None:
        kinds = [kind for _weight, kind in KINDS] if cares else [{"card": "Grizzly Bears"}, wolves.OLD_WEREWOLF]
        weights = [weight for weight, _kind in KINDS] if cares else [1, 1]
        some = self.random.choices(kinds, weights, k=self.random.choice((1, 1, 1, 2)))
        self.arrive(some)

    def arrive(self, some: list[Event]) -> None:
        permanents = []
        for kind in some:
            self.ids += 1
            permanents.append(placing.permanent(f"p{self.ids}", kind, controller=self.who()))
        self.take(placing.together(*permanents))

    def there(self) -> list[str]:
        return [status.id for status in self.state.battlefield]

    def leave(self) -> None:
        if self.there():
            self.take(placing.leave(self.random.choice(self.there())))

    def control(self) -> None:
        if self.there():
            self.take(placing.control(self.who(), self.random.choice(self.there())))

    def quit(self) -> None:
        if self.random.random() < (0.6 if self.odd else 0.2) and len(self.state.present) > 1:
            who = self.who()
            theirs = [status.id for status in self.state.battlefield if status.controller == who]
            if self.odd and self.random.random() < 0.5:
                theirs = theirs[1:]
            self.take(words.quits(who, *theirs))

    def effect(self) -> None:
        self.take(words.effect(self.random.choice(("day", "night"))))

    def claim(self) -> None:
        possible = shown(self.state).possible
        right = self.random.random() < 0.93
        self.take(judges.claim(possible[0] if right else self.random.choice(("neither", "day", "night"))))

    def claim_face(self) -> None:
        if self.there():
            id = self.random.choice(self.there())
            face = shown(self.state).face(id)
            right = face is not None and self.random.random() < 0.93
            self.take(judges.claim_face(id, face.value if right and face else self.random.choice(("front", "back"))))

    def claim_tally(self) -> None:
        who = self.who()
        turn = None if self.random.random() < 0.5 else max(1, self.state.turn - self.random.choice((0, 1, 1, 2, 3)))
        tally = self.state.tallies.find(self.state.turn if turn is None else turn)
        right = tally is not None and self.random.random() < 0.93
        spells = tally.range(who)[0] if right and tally is not None else self.random.choice((0, 1, 2))
        self.take(judges.claim_tally(who, spells, turn))

    def oddity(self, cares: bool) -> None:
        """Try to add an event that makes a game not plain; some do so only if a permanent cares about day and night."""
        some = [self.random.choice(self.there())] if self.there() else []
        odd: list[Any] = [
            words.doubt(self.who(), self.random.choice((0, 0, 1, 2)), self.random.choice((None, 1, 2, 3))),
            placing.phase_out(*some), placing.phase_in(*some), placing.lose(*some), placing.regain(*some),
            turning.face_down(*some), turning.face_up(*some), turning.transform(*some), turning.forbid("Bound", *some),
            turning.allow("Bound"), turning.copy({"name": "Copy"}, *some), turning.uncopy(*some),
            words.untap(phased_out=some),
        ]  # fmt: skip
        if cares:
            odd += [
                words.restarted(), judges.opens(f"d{len(self.events)}"),
                turning.copy(wolves.DAYBOUND_FACE, *some), words.effect("switch"), words.effect("night", "day"),
                judges.ruled("day"), judges.ruled("night"),
            ]  # fmt: skip
            odd += [None] * 3
        one = self.random.choice(odd)
        if one is None:
            self.arrive([self.random.choice(ODD_KINDS)])
        else:
            self.take(one)


_NONE: frozenset[Any] = frozenset({None})


def _stands(event: int, number: int) -> bool:
    return Standing().stands(event, number)


def edge(seed: int, length: int = 60) -> list[Event]:
    """Return a random game: mostly plain if `seed` ends in 0-3; if in 3, 8 or 9, nothing cares about day and night."""
    kind = seed % 10
    odd = 0.0 if kind < 4 else 0.03 if kind < 8 else 0.08
    return Player(seed, odd).go(length, cares=kind not in (3, 9, 8))
