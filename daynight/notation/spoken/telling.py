"""Writes events in French or Japanese, as `daynight write --lang` does: the templates are data, in `writing.txt`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from daynight.events import Event, actions, claims, rulings
from daynight.notation.lookups import Names


@cache
def templates(language: str) -> dict[str, str]:
    """Return the templates of a language, by kind of event."""
    text = files("daynight.notation.spoken").joinpath("writing.txt").read_text("utf-8")
    rows = (row.partition(" => ") for row in text.splitlines() if row.startswith(f"{language} "))
    return {what.removeprefix(f"{language} "): line for what, _arrow, line in rows}


def said(language: str, event: Event, words: str, names: Names) -> str | None:
    """Return the line of an event in a language; None if it has no template. `words` is its English line.

    The caller must read the line again to check it, because names may be mistaken for other words.
    """
    teller = _TELLERS.get(type(event))
    found = None if teller is None else teller(event)
    if found is None:
        return None
    what, values = found
    if isinstance(event, actions.PermanentsEntered):
        values = {"arrivals": _arrivals(language, event, words, names)}
    if "card" in values:
        values["card"] = _card(language, values["card"], names)
    line = templates(language).get(what)
    return None if line is None else line.format(**values)


def _card(language: str, name: str, names: Names) -> str:
    """Return a card's name in a language; its English `name` if the reader does not find the card by the other name."""
    there = names.catalogue.names_in(language).get(name, name)
    return there if names.completed(there) == name else name


def _arrivals(language: str, event: actions.PermanentsEntered, words: str, names: Names) -> str:
    """Return the arrival part of the English line, with its cards and bracketed words in the language."""
    text = re.sub(" enters?$", "", words)
    for name in dict.fromkeys(one.card for one in event.permanents if not one.token):
        there = _card(language, name, names)
        text = text.replace(f": {name} (", f": {there} (").replace(f", {name} (", f", {there} (")
    for what, line in templates(language).items():
        if what.startswith("bracket "):
            text = re.sub(rf"(?<=, ){what.removeprefix('bracket ')}(?=[,)\]])", line, text)
    return text


def _ids(ids: Sequence[str]) -> str:
    return ", ".join(ids)


def _of(what: str, **fields: Callable[[Any], Any]) -> Callable[[Any], tuple[str, dict[str, Any]]]:
    """Return a function that returns an event's template name (`what`; `what by` if it has a source) and its values."""

    def told(event: Any) -> tuple[str, dict[str, Any]]:
        values = {"what": _ids(event.permanents)} | {name: field(event) for name, field in fields.items()}
        source = getattr(event, "source", None)
        return (what, values) if source is None else (f"{what} by", values | {"source": source})

    return told


def _spell(what: str, event: Any) -> tuple[str, dict[str, Any]]:
    spell = "" if event.spell is None else f" ({event.spell})"
    return (f"{what} unknown" if event.card is None else what), {
        "who": event.player, "spell": spell, **({} if event.card is None else {"card": event.card}),
    }  # fmt: skip


def _step(event: actions.StepBegan) -> tuple[str, dict[str, Any]] | None:
    phased = event.phased_in or event.phased_out or event.stays_out
    return None if phased else (f"step {event.step}", {})


def _turn(event: actions.TurnBegan) -> tuple[str, dict[str, Any]] | None:
    plain = len(event.active) == 1 and not event.skips
    return ("turn", {"turn": event.turn, "who": event.active[0]}) if plain else None


def _doubt(event: actions.SpellsUncertain) -> tuple[str, dict[str, Any]]:
    most = "+" if event.at_most is None else f"-{event.at_most}"
    return "doubt", {"who": event.player, "range": f"{event.at_least}{most}"}


def _effect(event: actions.EffectResolved) -> tuple[str, dict[str, Any]] | None:
    if event.only_if is not None:
        return None
    by = "" if event.source is None else "by "
    return f"effect {by}{event.becomes}", {"source": event.source}


def _ended(event: actions.GameEnded) -> tuple[str, dict[str, Any]] | None:
    if event.winner is None:
        return "ended", {}
    if len(event.winner) > 1:
        return None
    return ("won", {"who": event.winner[0]}) if event.winner else ("ended drawn", {})


def _tally(event: claims.TallyClaimed) -> tuple[str, dict[str, Any]]:
    values = {"by": event.by, "who": event.player, "n": event.spells, "turn": event.turn}
    return "tally" if event.turn is None else "tally turn", values


_TELLERS: dict[type, Callable[[Any], tuple[str, dict[str, Any]] | None]] = {
    actions.TurnBegan: _turn,
    actions.StepBegan: _step,
    actions.SpellCast: lambda event: _spell("cast", event),
    actions.SpellCopied: lambda event: None if event.card is None else _spell("copied", event),
    actions.SpellsUncertain: _doubt,
    actions.PermanentsEntered: lambda event: (
        ("entered one" if len(event.permanents) == 1 else "entered several"), {},
    ),
    actions.PermanentsLeft: lambda event: (
        "left" if event.to is None else f"left {event.to}", {"what": _ids(event.permanents)},
    ),
    actions.ControlChanged: _of("controlled", who=lambda event: event.controller),
    actions.AbilitiesLost: _of("lost"),
    actions.AbilitiesRegained: _of("regained"),
    actions.BecameCopy: lambda event: (
        None if event.front.name is None else ("copy", {"what": _ids(event.permanents), "card": event.front.name})
    ),
    actions.CopyEnded: _of("copy ended"),
    actions.TurnedFaceDown: _of("face down"),
    actions.TurnedFaceUp: _of("face up"),
    actions.PhasedOut: _of("phased out"),
    actions.PhasedIn: _of("phased in"),
    actions.TransformInstructed: _of("told"),
    actions.TransformForbidden: lambda event: (
        "forbidden", {"what": _ids(event.permanents), "source": event.source},
    ),
    actions.TransformAllowed: lambda event: ("allowed", {"source": event.source}),
    actions.EffectResolved: _effect,
    actions.PlayerLeft: lambda event: None if event.permanents else ("left game", {"who": event.player}),
    actions.GameRestarted: lambda event: ("restarted", {}),
    actions.GameEnded: _ended,
    claims.DesignationClaimed: lambda event: (f"says {event.designation}", {"by": event.by}),
    claims.FaceClaimed: lambda event: (f"shows {event.face}", {"by": event.by, "one": event.permanent}),
    claims.TallyClaimed: _tally,
    rulings.JudgeRuled: lambda event: (f"rules {event.designation}", {"by": event.by}),
    rulings.GameBackedUp: lambda event: ("backed up", {"by": event.by, "event": event.to}),
}  # fmt: skip
