"""Turns records of any mechanic into documents for the page, by their parts and words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec

from daynight.framework.folding.moment import Moment
from daynight.framework.mechanic import Derived, Mechanic, Said, agrees
from daynight.framework.recorded import PartAt
from daynight.speaker import Speaker
from daynight.web.file_game import Played
from daynight.web.telling.games import VERDICTS
from daynight.web.telling.traces import parts_after, parts_at


class PartsTeller:
    """Turns the records of one mechanic into documents."""

    def __init__(self, mechanic: Mechanic[Any, Any, Any]) -> None:
        self._mechanic = mechanic
        self._speaker = Speaker(mechanic)

    def now(self, game: Played, number: int, state: Any) -> dict[str, Any]:
        """Return the document of the state after event `number`: `parts` has every part, by its name and subject."""
        return self._document(number, parts_at(game, number))

    def walk(self, game: Played, after: int, until: int) -> Iterator[tuple[Moment[Any, Any], dict[str, Any]]]:
        """Yield the moments after event `after` up to `until`, each with every part after it, in one pass."""
        for moment, parts in islice(parts_after(game, after), until - after):
            yield moment, self._document(moment.number, parts)

    def _document(self, number: int, found: Iterable[PartAt]) -> dict[str, Any]:
        parts: dict[str, dict[str, Any]] = {name: {} for name in self._mechanic.parts}
        for part, subject, derived in found:
            parts[part]["" if subject is None else str(subject)] = self._part(part, subject, derived)
        return {"event": number, "parts": parts}

    def _part(self, part: str, subject: Any, found: Derived) -> dict[str, Any]:
        way = found.way
        return {
            "values": [plain(value) for value in found.values],
            "event": None if way is None else way.event,
            "rule": None if way is None else way.rule,
            "because": list(found.because),
            "says": self._speaker.value(part, subject, found),
            "rule_says": self._rule(None if way is None else way.rule),
        }

    def _rule(self, rule: str | None) -> str | None:
        """Return the mechanic's sentence for a rule, or the rule itself if it has none; None for None."""
        return None if rule is None else self._mechanic.rules.get(rule, rule)

    def sentence(self, game: Played, number: int, event: Any) -> str:
        """Return the sentence of an event, in the words of the mechanic."""
        return self._mechanic.words.event(event)

    def consequence(self, game: Any, consequence: Any) -> Any:
        """Return a consequence as JSON, with its type and its sentence."""
        found = plain(consequence)
        kind = type(consequence).__struct_config__.tag or type(consequence).__name__.lower()
        return {"type": kind, **found, "sentence": self._mechanic.words.consequence(consequence)}

    def claim(self, game: Any, number: int, event: Any) -> dict[str, Any] | None:
        """Return a claim or a ruling with the derived value and the verdict; None for any other event.

        If the event has several claims, the first one that differs is returned, or else the first one.
        """
        found = None
        for said in self._mechanic.says(event):
            told = self._claim(game, number, said)
            if told["verdict"] == VERDICTS[False]:
                return told
            found = found or told
        return found

    def _claim(self, game: Any, number: int, said: Said) -> dict[str, Any]:
        state = game.whole(number) if said.after else self._mechanic.seen(game.whole(number - 1), number)
        found = self._mechanic.named(said.part).of(state, said.subject)
        right = agrees(None if found is None else found.values, said.value)
        told = {"about": said.part, "subject": said.subject, "claimed": plain(said.value)}
        told |= {"derived": None if found is None else plain(found.value), "verdict": VERDICTS[right]}
        claimed = self._speaker.value(said.part, said.subject, Derived((said.value,)))
        derived = self._speaker.value(said.part, said.subject, found)
        rule = None if found is None or found.way is None else found.way.rule
        return told | {"claimed_says": claimed, "derived_says": derived, "rule_says": self._rule(rule)}

    def delta(self, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any] | None:
        """Return the members of `after` that differ from those of `before`, and its `event`."""
        changed = {name: value for name, value in after.items() if before.get(name) != value}
        return changed | {"event": after["event"]}

    def starts_over(self, event: Any) -> bool:
        """Return whether the event is a back-up, after which the state is not based on the one before."""
        return self._mechanic.restores(event) is not None


def plain(value: Any) -> Any:
    """Return a value of a mechanic as JSON; a value that JSON has no form for becomes its text."""
    return msgspec.to_builtins(value, enc_hook=str, str_keys=True)
