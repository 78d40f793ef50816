"""Acknowledges events that were just stored: prints their numbers and consequences, as the transcript does."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from daynight.cli.look.telling import tell_line
from daynight.cli.terminal.output import console, print_json
from daynight.events import Consequence, Event, GameJoined, Permanent, PermanentsEntered
from daynight.framework.folding.moment import Moment
from daynight.framework.language.codec import document_of
from daynight.framework.language.wording import _
from daynight.projections.transcript import Line, line_of
from daynight.referee.documents import consequence_document
from daynight.rules.citations import DEFAULT_EDITION, with_number

if TYPE_CHECKING:
    from daynight.games import Store
    from daynight.store import Appended


class Acknowledger:
    """Prints what was stored in a game, append by append.

    A sentence names permanents by their cards. To know these, the battlefield is read from the store once, and again
    if another client appended in between, or the game was backed up.
    """

    def __init__(self, store: Store, game: str, *, as_json: bool) -> None:
        self._store = store
        self._game = game
        self._as_json = as_json
        self._out = console()
        self._reached: int | None = None
        self._permanents: dict[str, Permanent] = {}

    def tell(self, appended: Appended) -> None:
        """Print what an append stored; for a repeated command, print the same again."""
        for moment in appended.moments or self._again(appended):
            if self._as_json:
                is_first = appended.others is not None and moment.number == appended.first
                print_json(self._document(appended, moment) | ({"others": appended.others} if is_first else {}))
            else:
                mark = _("[stored before]") if appended.repeated else ""
                tell_line(self._out, self._line(moment), mark=mark)

    def _again(self, appended: Appended) -> list[Moment[Event, Consequence]]:
        from daynight.store.moments.past import Past

        live = Past(self._store.recorder, self._game).live(appended.first - 1)
        return live.advance(list(self._store.events(self._game, appended.first - 1, appended.last)))

    def _document(self, appended: Appended, moment: Moment[Event, Consequence]) -> dict[str, object]:
        names = "game event command repeated consequences"
        found = [consequence_document(each, self._cited) for each in moment.consequences]
        return document_of(appended, names, game=self._game, event=moment.number, consequences=found)

    def _line(self, moment: Moment[Event, Consequence]) -> Line:
        before = moment.number - 1 if moment.restores is None else moment.restores
        if before != self._reached:
            state = None if before == 0 else self._store.at(self._game, before)
            self._permanents = {status.id: status.permanent for status in state.battlefield} if state else {}
        event = moment.event
        if isinstance(event, (PermanentsEntered, GameJoined)):
            self._permanents |= {permanent.id: permanent for permanent in event.permanents}
        self._reached = moment.number
        cited = partial(with_number, edition=self._cited)
        return line_of(moment.number, event, self._permanents, moment.consequences, cited=cited)

    @cached_property
    def _cited(self) -> str:
        return self._store.at(self._game, 1).edition or DEFAULT_EDITION
