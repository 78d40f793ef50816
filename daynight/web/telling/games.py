"""Games of day and night, as documents for the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from daynight.events import GameBackedUp, GameRestarted
from daynight.framework import audit as framework
from daynight.framework.folding.moment import Moment
from daynight.framework.language.codec import document_of
from daynight.framework.mechanic import agrees
from daynight.projections.audit.findings import Finding
from daynight.projections.transcript import ids_of, line_of
from daynight.referee.documents import consequence_document, now_document
from daynight.web.file_game import Played

VERDICTS = {True: "agrees", False: "differs", None: "open"}
"""The verdict on a claim: it equals the derived value, or differs, or the record leaves it open."""

_GONE = "policy"
"""The one member of a state's document that may be missing."""


class Games:
    """Turns games of day and night into documents."""

    def now(self, game: Played, number: int, state: Any) -> dict[str, Any]:
        """Return the document of `state`, without the changes and triggers that led to it."""
        return now_document(state)

    def walk(self, game: Played, after: int, until: int) -> Iterator[tuple[Moment[Any, Any], dict[str, Any]]]:
        """Yield the moments after event `after` up to `until`, each with the document of the state after it."""
        for moment, state in walk(game, after, until):
            yield moment, now_document(state)

    def sentence(self, game: Played, number: int, event: Any) -> str:
        """Return the sentence of event `number`, as in the transcript."""
        # Most events name no permanent: their sentence needs no state.
        there = game.at(number - 1).battlefield if number > 1 and any(ids_of(event)) else ()
        return line_of(number, event, {status.id: status.permanent for status in there}).sentence

    def consequence(self, game: Any, consequence: Any) -> Any:
        """Return a consequence as JSON; it cites the game's edition of the rules."""
        return consequence_document(consequence, game.edition)

    def claim(self, game: Any, number: int, event: Any) -> dict[str, Any] | None:
        """Return a claim or a ruling with the derived value and the verdict; None for any other event."""
        mechanic = game.mechanic
        for said in mechanic.says(event):
            state = mechanic.seen(game.whole(number - 1), number)
            part = mechanic.parts[said.part]
            right = agrees(part.may_be(state, said.subject), said.value)
            held = framework.Finding(number, said, part.of(state, said.subject), right, mechanic.shown(state))
            told = document_of(Finding(held, game.edition), "about subject claimed derived")
            return told | {"verdict": VERDICTS[right]}
        return None

    def delta(self, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any] | None:
        """Return the members of `after` that changed: of `battlefield` the changed permanents, and those that `left`.

        None if the new order of the permanents cannot be derived from these.
        """
        found = {
            name: value
            for name, value in after.items()
            if name != "battlefield" and (name not in before or before[name] != value)
        }
        found["event"] = after["event"]
        if _GONE in before and _GONE not in after:
            found[_GONE] = None
        if before["battlefield"] == after["battlefield"]:
            return found
        return _battlefield(found, before["battlefield"], after["battlefield"])

    def starts_over(self, event: Any) -> bool:
        """Return whether the event backs the game up, or restarts it."""
        return isinstance(event, (GameBackedUp, GameRestarted))


def _battlefield(
    found: dict[str, Any], before: list[dict[str, Any]], after: list[dict[str, Any]]
) -> dict[str, Any] | None:
    was = {one["permanent"]: one for one in before}
    there = {one["permanent"] for one in after}
    left = [id for id in was if id not in there]
    stayed = [id for id in was if id in there]
    if [one["permanent"] for one in after][: len(stayed)] != stayed:
        # Some left and came again under the same name: they are taken out, and stand at the end.
        order = [one["permanent"] for one in after]
        kept: list[str] = []
        for id in stayed:
            if order[len(kept)] == id:
                kept.append(id)
            else:
                left.append(id)
        if order[: len(kept)] != kept:
            return None
        stayed = kept
    same = set(stayed)
    found["battlefield"] = [one for one in after if one["permanent"] not in same or was[one["permanent"]] != one]
    if left:
        found["left"] = left
    return found


def walk(game: Any, after: int, until: int) -> Iterator[tuple[Moment[Any, Any], Any]]:
    """Yield the moments after event `after` up to `until`, each with the state after it.

    The next moment changes the same state object: read the state before it.
    """
    for moment, state in game.walk(after):
        yield moment, state
        if moment.number >= until:
            return
