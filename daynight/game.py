"""A game in memory: append events, read the state at any moment, explain it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeAlias

from daynight.cards import Catalogue, bundled
from daynight.cards.catalogue import with_early_tokens
from daynight.cards.sides import check_one_side
from daynight.disputes.mechanic import GAME
from daynight.events import Consequence, Designation, Event, GameJoined, GameStarted, PermanentsEntered
from daynight.events.language import Recordable
from daynight.events.terms import tokens_transform
from daynight.framework import audit as held
from daynight.framework.folding import moment
from daynight.framework.language.source import Source
from daynight.framework.mechanic import Mechanic
from daynight.framework.positions import Position
from daynight.framework.recorded import Recorded
from daynight.notation.phrases import understood
from daynight.pictures import timeline_svg
from daynight.projections.audit.audit import Auditor
from daynight.projections.audit.findings import Audit
from daynight.questions.disputes import disputes
from daynight.questions.explain import Explanation, explain
from daynight.questions.proceedings import Dispute
from daynight.records import Record
from daynight.referee.documents import state_document
from daynight.referee.state import State
from daynight.rules.citations import DEFAULT_EDITION
from daynight.titles import own_name


def _title(first: Event) -> str:
    return own_name(first) if isinstance(first, GameStarted) else ""


@cache
def played() -> Mechanic[Any, Event, Consequence]:
    """Return `GAME`, extended: it completes permanents from the bundled catalogue, and reads short words as events."""
    return replace(GAME, fill=bundled().fill, phrase=understood, title=_title)


def started(
    game: str, players: Iterable[str], teams: Iterable[Iterable[str]] | None, edition: str | None
) -> GameStarted:
    """Return the first event of a game of these players. With `teams`, the players of each team share their turns.

    Raises:
        TypeError: where `players` is a single text.
    """
    if isinstance(players, str):
        raise TypeError("players is a list of names, not one name")
    shared = None if teams is None else tuple(tuple(team) for team in teams)
    return GameStarted(format=1, game=game, players=tuple(players), teams=shared, edition=edition)


Moment: TypeAlias = moment.Moment[Event, Consequence]
"""An event of a game with all its consequences."""


class Game(Recorded[State, Event, Consequence]):
    """A recorded game: a `Recorded` that also explains the designation, audits claims about it, and lists disputes.

    >>> game = Game.start("g1", ["Ana", "Bo"])
    >>> game.record({"type": "turn-began", "turn": 1, "active": ["Ana"]}).number
    2
    >>> arrival = {"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}
    >>> moment = game.record({"type": "permanents-entered", "permanents": [arrival]})
    >>> game.designation
    Designation.DAY
    >>> game.why().rule
    'daybound-starts-day'
    >>> Game(game.events) == eval(repr(game), vars(__import__("daynight.events").events) | {"Game": Game})
    True
    """

    def __init__(self, events: Iterable[Recordable] = (), *, catalogue: Catalogue | None = None) -> None:
        self.catalogue = bundled() if catalogue is None else catalogue
        super().__init__(played() if catalogue is None else replace(played(), fill=catalogue.fill), events)

    def _read(self, event: Recordable, *, careful: bool) -> Event:
        read = super()._read(event, careful=careful)
        if careful and isinstance(read, (PermanentsEntered, GameJoined)):
            check_one_side(read)
        if isinstance(read, (PermanentsEntered, GameJoined)) and len(self) and not tokens_transform(self.state.edition):
            read = with_early_tokens(read, strictly=careful)
        return read

    @classmethod
    def start(
        cls,
        game: str,
        players: Iterable[str],
        *,
        teams: Iterable[Iterable[str]] | None = None,
        edition: str | None = None,
    ) -> Game:
        """Start a game of these players. With `teams`, the players of a team share their turns.

        Raises:
            RecordError: where there are no players, or a player is listed twice, or is in no team.
        """
        return cls([started(game, players, teams, edition)])

    @classmethod
    def load(  # type: ignore[override]
        cls,
        source: Path | str | Source,
        *,
        catalogue: Catalogue | None = None,
        progress: Callable[[int], None] = lambda events: None,
    ) -> Self:
        """Load a game: a file (`.jsonl`, `.jsonl.gz`, `.dn`), `-` for standard input, or `demo`.

        `progress` is called with the number of events read so far.

        Raises:
            RecordError: naming file, line and path of the first line that is refused.
            NotFoundError: where there is no such file.
        """
        record = source if isinstance(source, Source) else Record(source)
        game = cls(catalogue=catalogue)
        with record.locating(), record.open() as stream:
            for events in game.mechanic.language.read_blocks(stream):
                game.filled(events)
                progress(len(game))
        return game

    @property
    def designation(self) -> Designation | None:
        """The designation after the last event: neither, day or night; None if the record leaves it open."""
        return self.state.designation

    @property
    def edition(self) -> str:
        """The edition of the rules that the record names, or else the default one; answers cite it."""
        return self.state.edition or DEFAULT_EDITION

    def why(self, position: Position | str | int | None = None, *, edition: str | None = None) -> Explanation:
        """Explain the designation after the event at `position`, citing the rules of `edition`."""
        return explain(self, self.number(position), edition or self.edition)

    def audit(self, *, edition: str | None = None) -> Audit:
        """Compare every claim and ruling with what follows from the recorded actions; return the audit."""
        return Auditor(edition).game(self)

    def audited(self) -> held.Audit:
        """Return the same audit as `audit`, in the framework's form, which every mechanic's record has."""
        return self.audit().held

    def disputes(self, *, edition: str | None = None) -> tuple[Dispute, ...]:
        """Return every dispute, undone ones too: its claims, the derived designation, rulings, appeals and outcome."""
        return disputes(self, edition=edition)

    def document(self, position: str | int | None = None, *, edition: str | None = None) -> dict[str, Any]:
        """Return the state after a position as JSON, as `daynight replay --json` prints it."""
        return state_document(self.at(position), edition or self.edition)

    def _repr_svg_(self) -> str:
        """The timeline, as notebooks show a game."""
        return timeline_svg(self)

    def __repr__(self) -> str:
        return f"Game([{', '.join(map(repr, self.events))}])"
