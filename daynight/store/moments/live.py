"""A record at its last event, ready for the next one: its state, and which of its events stand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, Generic, Protocol, TypeVar

from daynight.framework.history import Moment, State
from daynight.framework.language.errors import RecordError, locating
from daynight.framework.mechanic import Mechanic
from daynight.framework.standing import Standing, UndoneError, never_stood

S = TypeVar("S", bound=State)


class Past(Protocol):
    """What a live record reads from its store."""

    @property
    def game(self) -> str:
        """The record's name."""
        ...

    @property
    def recalls(self) -> bool:
        """Whether the states that it returns have what the mechanic remembers."""
        ...

    def at(self, number: int) -> Any:
        """The whole state after a stored event."""
        ...

    def whole(self, number: int) -> Live[Any]:
        """The record after a stored event, folded from its beginning."""
        ...


class Live(Generic[S]):
    """The state after event `number`, which is the last one: `whole` as the mechanic steps over it.

    A state that came from a snapshot does not `remember` everything: where an event asks for something that it
    `forgets`, the record is folded from its beginning. `recalls`: it has what the mechanic remembers all the same.
    """

    def __init__(
        self, mechanic: Mechanic[S, Any, Any], past: Past, number: int = 0, state: S | None = None,
        standing: Standing | None = None, *, remembers: bool = True,
        recalls: bool | None = None,
    ) -> None:  # fmt: skip
        self.mechanic = mechanic
        self._past = past
        self.number = number
        self.whole: S = mechanic.start() if state is None else state
        self.standing = Standing() if standing is None else standing
        self._remembers = remembers
        self.recalls = remembers if recalls is None else recalls

    @property
    def state(self) -> Any:
        """The state that people see."""
        return self.mechanic.shown(self.whole)

    @property
    def id(self) -> str:
        """The record's name, as the eventsourcing library asks for it."""
        return self._past.game

    @property
    def version(self) -> int:
        """The number of the last event, as the eventsourcing library asks for it."""
        return self.number

    def __deepcopy__(self, memo: object) -> Live[S]:
        state, standing = self.whole.copy(), self.standing.copy()
        memory = {"remembers": self._remembers, "recalls": self.recalls}
        return Live(self.mechanic, self._past, self.number, state, standing, **memory)

    def advance(self, events: Sequence[Any], *, stored: bool = False) -> list[Moment[Any, Any]]:
        """Take the record over more events, as filled in; answers what each set off. `stored`: they were taken before.

        Raises:
            RecordError: with its line, at the first that cannot happen; the record is then to be thrown away.
        """
        moments: list[Moment[Any, Any]] = []
        self._go(events, stored, moments)
        return moments

    def pass_over(self, events: Sequence[Any], *, stored: bool = False) -> None:
        """As `advance`, without the consequences, and faster.

        Raises:
            RecordError: as `advance`.
        """
        self._go(events, stored, None)

    def _go(self, events: Sequence[Any], stored: bool, moments: list[Moment[Any, Any]] | None) -> None:
        mechanic, start = self.mechanic, self.number
        backs = [*map(mechanic.restores, events)]
        if not start and events:
            with locating(line=1):
                mechanic.begins(events[0])
        wanted = {*backs} - {None}
        if moments is None and not wanted and (stored or self._remembers):
            mechanic.over(self.whole, events, start)
            self.number += len(events)
            return
        kept: dict[int, tuple[S, bool, bool]] = {}
        if wanted:
            self._keep(wanted, kept)
        for number, event, to in zip(count(start + 1), events, backs, strict=False):
            if to is not None:
                self._back_up(number, to, kept)
            elif not (stored or self._remembers) and mechanic.forgets(event, self.whole):
                live = self._past.whole(start)
                live.pass_over(events[: number - 1 - start], stored=True)
                self.whole, self._remembers, self.recalls = live.whole, True, True
            try:
                consequences = tuple(mechanic.step(self.whole, event, number))
            except RecordError as error:
                raise error.located(line=number) from None
            if moments is not None:
                moments.append(Moment(number, event, consequences, to))
            self.number = number
            if wanted:
                self._keep(wanted, kept)

    def _keep(self, wanted: set[int | None], kept: dict[int, tuple[S, bool, bool]]) -> None:
        if self.number in wanted:
            kept[self.number] = self.whole.copy(), self._remembers, self.recalls

    def _back_up(self, number: int, to: int, kept: dict[int, tuple[S, bool, bool]]) -> None:
        try:
            self.standing.back_up(number, to)
        except UndoneError:
            raise never_stood(to, number) from None
        if to not in kept:
            kept[to] = self._past.at(to), False, self._past.recalls
        then, self._remembers, self.recalls = kept[to]
        self.whole = self.mechanic.restored(self.whole, then.copy())
