"""Records of any mechanic, as documents for the page, by their parts and their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec

from daynight.framework.folding.moment import Moment
from daynight.framework.mechanic import Derived, Mechanic, agrees
from daynight.framework.recorded import PartAt
from daynight.web.shelf import Played
from daynight.web.telling.games import VERDICTS
from daynight.web.telling.traces import parts_after, parts_at


class PartsTeller:
    """The teller of the records of one mechanic."""

    def __init__(self, mechanic: Mechanic[Any, Any, Any]) -> None:
        self._mechanic = mechanic

    def now(self, game: Played, number: int, state: Any) -> dict[str, Any]:
        """Return every part after event `number`, by its name and its subject."""
        return self._document(number, parts_at(game, number))

    def walk(self, game: Played, after: int, until: int) -> Iterator[tuple[Moment[Any, Any], dict[str, Any]]]:
        """Yield the moments after event `after`, each with every part after it, in one pass through the record."""
        for moment, parts in islice(parts_after(game, after), until - after):
            yield moment, self._document(moment.number, parts)

    def _document(self, number: int, found: Iterable[PartAt]) -> dict[str, Any]:
        parts: dict[str, dict[str, Any]] = {name: {} for name in self._mechanic.parts}
        for part, subject, derived in found:
            parts[part]["" if subject is None else str(subject)] = _part(derived)
        return {"event": number, "parts": parts}

    def sentence(self, game: Played, number: int, event: Any) -> str:
        """Return the event in the words of the mechanic."""
        return self._mechanic.words.event(event)

    def consequence(self, game: Any, consequence: Any) -> Any:
        """Return a consequence as JSON, with its type."""
        found = plain(consequence)
        kind = type(consequence).__struct_config__.tag or type(consequence).__name__.lower()
        return found if "type" in found else {"type": kind, **found}

    def claim(self, game: Any, number: int, event: Any) -> dict[str, Any] | None:
        """Return a claim or a ruling beside what is derived; None for any other event."""
        for said in self._mechanic.says(event):
            state = self._mechanic.seen(game.whole(number - 1), number)
            part = self._mechanic.parts[said.part]
            found = part.of(state, said.subject)
            right = agrees(None if found is None else found.values, said.value)
            told = {"about": said.part, "subject": said.subject, "claimed": plain(said.value)}
            return told | {"derived": None if found is None else plain(found.value), "verdict": VERDICTS[right]}
        return None

    def delta(self, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any] | None:
        """Return what changed."""
        changed = {name: value for name, value in after.items() if before.get(name) != value}
        return changed | {"event": after["event"]}

    def starts_over(self, event: Any) -> bool:
        """Return whether the event backs the record up."""
        return self._mechanic.restores(event) is not None


def plain(value: Any) -> Any:
    """Return a value of a mechanic as JSON; a value that JSON has no form for becomes its text."""
    return msgspec.to_builtins(value, enc_hook=str, str_keys=True)


def _part(found: Derived) -> dict[str, Any]:
    way = found.way
    return {
        "values": [plain(value) for value in found.values],
        "event": None if way is None else way.event,
        "rule": None if way is None else way.rule,
        "because": list(found.because),
    }
