"""Writes records in the notation: for each event a line that the reader reads as the same event.

An event without a line of its own, such as an arrival of no permanents, is written as JSON, so nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TextIO, TypeAlias

import msgspec
from msgspec.structs import replace

from daynight.cards import Catalogue
from daynight.events import Event, Permanent, actions, claims, disputes, rulings
from daynight.events.terms import tokens_transform
from daynight.framework.language.codec import encode
from daynight.framework.language.happening import Unmarked
from daynight.notation.lines.lines import WORDS_LENGTH, commented
from daynight.notation.lines.making import with_unknown
from daynight.notation.lookups import Names
from daynight.notation.reader import read_again
from daynight.notation.spelling import by, is_cast, is_id, is_speaker, is_tail, is_words, literals, quoted, step_words
from daynight.notation.spoken.telling import said

INDENT = "  "
"""The indentation of all lines in a turn."""


def write(events: Iterable[Event], stream: TextIO, catalogue: Catalogue | None = None, *, language: str = "en") -> int:
    """Write a record in the notation; return the number of events. Reading the text gives equal events.

    `language` is the language of the lines: `en`, `fr` or `ja`. A line that would not be read as the same event is in
    English.
    """
    written = 0
    for lines in lines_of(events, catalogue, language):
        stream.write("".join(f"{line}\n" for line in lines))
        written += 1
    return written


def lines_of(events: Iterable[Event], catalogue: Catalogue | None = None, language: str = "en") -> Iterator[list[str]]:
    """Yield the lines of each event, with a blank line before each turn; only a header has more than one line."""
    writing = Writing(Names(catalogue), language)
    for number, event in enumerate(events):
        lines = writing.lines(event)
        gap = [""] if number and isinstance(event, actions.TurnBegan) else []
        yield gap + lines


class Writing:
    """The state of writing: whether a turn has begun, and the names so far; only known names need no quotes."""

    def __init__(self, names: Names, language: str = "en") -> None:
        self.names = names
        self.indent = ""
        self._language = language
        # The unknown names in the present event that are written bare, because its `meta` has them.
        self._bare: tuple[str, ...] = ()

    def lines(self, event: Event) -> list[str]:
        """Return the lines of an event, indented."""
        self._bare = self._unknown(event)
        if isinstance(event, actions.GameStarted):
            lines = self._header(event)
            self.indent = ""
        else:
            words = WRITERS[type(event)](self, event)
            if words is None or len(words) > WORDS_LENGTH:
                lines = [encode(event).decode()]
            else:
                lines = [self._said(words, event) + self.behind(event)]
        self.names.noted(event)
        outer = isinstance(event, actions.TurnBegan | actions.GameStarted | actions.GameJoined)
        if isinstance(event, actions.TurnBegan):
            self.indent = INDENT
        return lines if outer else [self.indent + line for line in lines]

    def _said(self, words: str, event: Event) -> str:
        told = None if self._language == "en" else said(self._language, event, words, self.names)
        return words if told is None or read_again(told + self.behind(event), self.names) != event else told

    def _unknown(self, event: Event) -> tuple[str, ...]:
        """Return the unknown card names to write bare in an event's line: the reader puts them into `meta` again.

        Empty if that would give another `meta`: then the names are quoted, and the `meta` is written as it is.
        """
        if event.meta is None or "typed" not in event.meta:
            return ()
        if isinstance(event, actions.BecameCopy):
            named, fits = [event.front.name or ""], is_tail
        elif isinstance(event, actions.GameJoined | actions.PermanentsEntered):
            plain = [one for one in event.permanents if one.front is None or _filled(self, _bare(one)) == one]
            named, fits = [one.card for one in plain if not one.token], is_words
        else:
            return ()
        unknown = [name for name in named if not self.names.catalogue.knows(name)]
        bare = tuple(dict.fromkeys(name for name in unknown if fits(name) and self.names.completed(name) == name))
        rest = {key: value for key, value in event.meta.items() if key != "typed"}
        same = encode(replace(event, meta=with_unknown(rest or None, bare))) == encode(event)
        return bare if bare and same else ()

    def behind(self, event: Unmarked) -> str:
        """Return the text at the end of the line: the time, `meta` as a JSON object, and the note."""
        meta = event.meta
        if self._bare and meta is not None:
            meta = {key: value for key, value in meta.items() if key != "typed"} or None
        return (
            ("" if event.at is None else f" @{event.at}")
            + ("" if meta is None else f" {msgspec.json.encode(meta).decode()}")
            + ("" if event.note is None else commented(event.note))
        )

    def _header(self, event: actions.GameStarted) -> list[str]:
        if not event.players or (event.teams is not None and not all(event.teams)) or event.teams == ():
            return [encode(event).decode()]
        lines = [f"game {self.tail(event.game)}{self.behind(event)}", f"players {literals(event.players)}"]
        if event.teams is not None:
            lines.append("teams " + " / ".join(literals(team) for team in event.teams))
        if event.edition is not None:
            lines.append(f"edition {self.tail(event.edition)}")
        return lines if max(map(len, lines[1:])) <= WORDS_LENGTH else [encode(event).decode()]

    # --------------------------------------------------------------------------------------------------------- names

    def tail(self, name: str) -> str:
        """Return a name, quoted if need be, for the end of a line, where the reader does not look it up."""
        return name if is_tail(name) else quoted(name)

    def word(self, name: str) -> str:
        """Return a name, quoted if need be, for a place before other words where the reader does not look it up."""
        return name if is_words(name) else quoted(name)

    def speaker(self, name: str) -> str:
        """Return the name, quoted if need be, of the person who says or rules something.

        A bare name that differs from a player's only by upper and lower case would be read as the player's.
        """
        like = {player for player in self.names.plain_players if player.casefold() == name.casefold()}
        return name if is_speaker(name) and like <= {name} else quoted(name)

    def player(self, name: str) -> str:
        """Return a player's name; bare if the header has it, and it needs no quotes."""
        return name if name in self.names.plain_players else quoted(name)

    def players(self, names: Iterable[str]) -> str:
        """Return players' names with commas between them."""
        return ", ".join(map(self.player, names))

    def permanents(self, ids: Iterable[str]) -> str:
        """Return the ids of permanents with commas between them; bare if they have entered, and need no quotes."""
        return ", ".join(one if one in self.names.plain_ids else quoted(one) for one in ids)

    def card(self, name: str, fits: Callable[[str], bool] = is_words, *, token: bool = False) -> str:
        """Return a card or a `token`; bare if it `fits`, is unambiguous, and known or marked as unknown."""
        plain = fits(name) and self.names.completed(name, token=token) == name
        return name if plain and (token or name in self._bare or self.names.catalogue.knows(name)) else quoted(name)


Writer: TypeAlias = Callable[[Writing, Any], str | None]
"""Returns the words of an event, without time, `meta` and note; None if the event has no line of its own."""


def _joined(writing: Writing, event: actions.GameJoined) -> str | None:
    if not (event.possible or event.permanents):
        return None
    parts = ["joined midway: " + " or ".join(event.possible) if event.possible else "joined midway"]
    if event.permanents:
        parts.append(_permanents(writing, event.permanents))
    for place, effect in enumerate(event.forbids, 1):
        # At the end of a line a semicolon would be a part of a bare name.
        source = writing.tail(effect.source) if place == len(event.forbids) else quoted(effect.source)
        parts.append(f"{literals(effect.permanents)} can't transform by {source}".lstrip())
    return "; ".join(parts)


def _turn(writing: Writing, event: actions.TurnBegan) -> str | None:
    if not event.active:
        return None
    skips = "".join([f", no {step_words(step)}" for step in event.skips])
    return f"turn {event.turn} {writing.players(event.active)}{skips}"


def _step(writing: Writing, event: actions.StepBegan) -> str:
    phased = [
        f"{writing.permanents(ids)} {verb}{'s' if len(ids) == 1 else ''} {way}"
        for ids, verb, way in (
            (event.phased_in, "phase", "in"),
            (event.phased_out, "phase", "out"),
            (event.stays_out, "stay", "out"),
        )
        if ids
    ]
    return step_words(event.step) + (": " + "; ".join(phased) if phased else "")


def _spell(verb: str, writing: Writing, event: actions.SpellCast | actions.SpellCopied) -> str:
    card = "a spell" if event.card is None else writing.card(event.card, is_cast)
    spell = "" if event.spell is None else f" ({event.spell if is_id(event.spell) else quoted(event.spell)})"
    return f"{writing.player(event.player)} {verb} {card}{spell}"


def _doubt(writing: Writing, event: actions.SpellsUncertain) -> str:
    most = "+" if event.at_most is None else f"-{event.at_most}"
    return f"{writing.player(event.player)} casts {event.at_least}{most} more"


def _entered(writing: Writing, event: actions.PermanentsEntered) -> str | None:
    if not event.permanents:
        return None
    return _permanents(writing, event.permanents) + (" enters" if len(event.permanents) == 1 else " enter")


def _permanents(writing: Writing, permanents: Sequence[Permanent]) -> str:
    """Return the text for entering permanents; a controller is written before the first, and at every change."""
    items: list[str] = []
    controller: str | None = None
    for one in permanents:
        label = "" if one.controller == controller else f"{writing.player(one.controller)}: "
        controller = one.controller
        items.append(label + _arriving(writing, one))
    return ", ".join(items)


def _arriving(writing: Writing, one: Permanent) -> str:
    options = [one.id if is_id(one.id) else quoted(one.id)]
    words = {"back face up": one.face == "back", "face down": one.face_down, "token": one.token}
    options += [word for word, there in (words | {"phased out": one.phased_out}).items() if there]
    if one.without_abilities:
        source = one.without_abilities
        options.append("without abilities" + ("" if source is True else f" by {writing.word(str(source))}"))
    card = writing.card(one.card, token=one.token is True)
    if _filled(writing, _bare(one)) == one:
        return f"{card} ({', '.join(options)})"
    fields = {name: getattr(one, name) for name in ("double_faced", "front", "back")}
    given = {name: value for name, value in fields.items() if value is not None}
    if given:
        options.append(msgspec.json.encode(given).decode())
    inside = ", ".join(options)
    return f"{card} [{inside}]" if _is_early(writing, one) or _filled(writing, one) != one else f"{card} ({inside})"


def _bare(one: Permanent) -> Permanent:
    """Return a permanent without the fields that the catalogue completes."""
    return replace(one, double_faced=None, front=None, back=None)


def _is_early(writing: Writing, one: Permanent) -> bool:
    return one.token is True and one.double_faced is not False and not tokens_transform(writing.names.edition)


def _filled(writing: Writing, one: Permanent) -> Permanent:
    if one.double_faced is None and _is_early(writing, one):
        one = replace(one, double_faced=False)
    event = writing.names.catalogue.fill(actions.PermanentsEntered(permanents=(one,)))
    assert isinstance(event, actions.PermanentsEntered)
    return event.permanents[0]


def _left(writing: Writing, event: actions.PermanentsLeft) -> str | None:
    to = "" if event.to is None else f" to {writing.tail(event.to)}"
    return _verb(writing, event, "leaves", "leave", to)


def _verb(writing: Writing, event: Any, one: str, many: str, rest: str = "") -> str | None:
    """Return an event's words: its permanents, the verb (`one` or `many`) and `rest`; None if it has no permanents."""
    if not event.permanents:
        return None
    verb = one if len(event.permanents) == 1 else many
    return f"{writing.permanents(event.permanents)} {verb}{rest}"


def _of(one: str, many: str, writing: Writing, event: Any) -> str | None:
    """Return an event's words: its permanents, the verb (`one` or `many`), any source; None if it has no permanents."""
    return _verb(writing, event, one, many, by(getattr(event, "source", None)))


def _controlled(writing: Writing, event: actions.ControlChanged) -> str | None:
    if not event.permanents:
        return None
    return f"{writing.player(event.controller)} controls {writing.permanents(event.permanents)}"


def _copy(writing: Writing, event: actions.BecameCopy) -> str | None:
    name = event.front.name
    if name is not None and writing.names.face_of(name) == event.front:
        rest = f" of {writing.card(name, is_tail)}"
    else:
        rest = f" {msgspec.json.encode(event.front).decode()}"
    return _verb(writing, event, "becomes a copy", "become a copy", rest)


def _transformed(writing: Writing, event: actions.TransformInstructed) -> str | None:
    since = "" if event.own_since is None else f" since e{event.own_since}"
    if not since and event.source is None:
        return _verb(writing, event, "is told to transform", "are told to transform")
    return _verb(writing, event, "transforms", "transform", since + by(event.source))


def _effect(writing: Writing, event: actions.EffectResolved) -> str:
    words = "it switches" if event.becomes == "switch" else f"it becomes {event.becomes}"
    return words + ("" if event.only_if is None else f" if {event.only_if}") + by(event.source)


def _ended(writing: Writing, event: actions.GameEnded) -> str:
    if event.winner is None:
        return "the game ends"
    if not event.winner:
        return "the game ends, nobody wins"
    return f"{writing.players(event.winner)} {'wins' if len(event.winner) == 1 else 'win'}"


def _player_left(writing: Writing, event: actions.PlayerLeft) -> str:
    owned = f" with {writing.permanents(event.permanents)}" if event.permanents else ""
    return f"{writing.player(event.player)} leaves the game{owned}"


def _note(writing: Writing, event: disputes.NoteAdded) -> str:
    about = "" if event.about is None else f" about e{event.about}"
    return f"{writing.speaker(event.by)} notes {quoted(event.says)}{about}"


def _face_claimed(writing: Writing, event: claims.FaceClaimed) -> str:
    return f"{writing.speaker(event.by)} says {writing.permanents([event.permanent])} shows {event.face}"


def _tally(writing: Writing, event: claims.TallyClaimed) -> str:
    turn = "" if event.turn is None else f" in turn {event.turn}"
    return f"{writing.speaker(event.by)} says {writing.player(event.player)} cast {event.spells}{turn}"


def _dispute(writing: Writing, event: Any, words: str) -> str:
    return f"dispute {writing.word(event.dispute)}: {writing.speaker(event.by)} {words}"


def _saying(says: str | None) -> str:
    return "" if says is None else f" ({quoted(says)})"


def _dispute_opened(writing: Writing, event: disputes.DisputeOpened) -> str:
    about = "" if event.about is None else f" about e{event.about}"
    return _dispute(writing, event, f"calls the judge{about}")


def _dispute_claimed(writing: Writing, event: disputes.DisputeClaimed) -> str:
    designation = "" if event.designation is None else f" {event.designation}"
    return _dispute(writing, event, f"says{designation}{_saying(event.says)}")


def _dispute_ruled(writing: Writing, event: disputes.DisputeRuled) -> str | None:
    if event.to is not None and (event.outcome != "back-up" or event.designation is not None):
        return None
    words = event.outcome.replace("-", " ")
    words += "" if event.to is None else f" to e{event.to}"
    words += "" if event.designation is None else f" {event.designation}"
    return _dispute(writing, event, f"rules {words}{_saying(event.says)}")


WRITERS: dict[type[Unmarked], Writer] = {
    actions.GameJoined: _joined,
    actions.TurnBegan: _turn,
    actions.StepBegan: _step,
    actions.SpellCast: partial(_spell, "casts"),
    actions.SpellCopied: partial(_spell, "copies"),
    actions.SpellsUncertain: _doubt,
    actions.PermanentsEntered: _entered,
    actions.PermanentsLeft: _left,
    actions.ControlChanged: _controlled,
    actions.AbilitiesLost: partial(_of, "loses abilities", "lose abilities"),
    actions.AbilitiesRegained: partial(_of, "regains abilities", "regain abilities"),
    actions.BecameCopy: _copy,
    actions.CopyEnded: partial(_of, "is itself again", "are themselves again"),
    actions.TurnedFaceDown: partial(_of, "turns face down", "turn face down"),
    actions.TurnedFaceUp: partial(_of, "turns face up", "turn face up"),
    actions.PhasedOut: partial(_of, "phases out", "phase out"),
    actions.PhasedIn: partial(_of, "phases in", "phase in"),
    actions.TransformInstructed: _transformed,
    actions.TransformForbidden: partial(_of, "can't transform", "can't transform"),
    actions.TransformAllowed: lambda writing, event: f"transforming allowed{by(event.source)}",
    actions.EffectResolved: _effect,
    actions.PlayerLeft: _player_left,
    actions.GameRestarted: lambda writing, event: "the game restarts",
    actions.GameEnded: _ended,
    claims.DesignationClaimed: lambda writing, event: f"{writing.speaker(event.by)} says {event.designation}",
    claims.FaceClaimed: _face_claimed,
    claims.TallyClaimed: _tally,
    rulings.JudgeRuled: lambda writing, event: f"{writing.speaker(event.by)} rules {event.designation}",
    rulings.GameBackedUp: lambda writing, event: (
        f"{writing.speaker(event.by)} backs up to e{event.to}" if not event.corrects else None
    ),
    disputes.NoteAdded: _note,
    disputes.DisputeOpened: _dispute_opened,
    disputes.DisputeClaimed: _dispute_claimed,
    disputes.DisputeRuled: _dispute_ruled,
    disputes.DisputeAppealed: lambda writing, event: _dispute(writing, event, "appeals"),
    disputes.DisputeClosed: lambda writing, it: _dispute(writing, it, f"closes it: {it.outcome.replace('-', ' ')}"),
}
"""The writer of every type of event but the header."""
