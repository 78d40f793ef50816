"""Commands: what happened at a table, given in words, as events, or by passing the turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins
from msgspec.structs import replace

from daynight.events import StepBegan, TurnBegan
from daynight.framework.language.errors import RecordError
from daynight.framework.language.strict import read_json
from daynight.framework.language.wording import _
from daynight.game import played
from daynight.keeping.mending.catching_up import Remembered, caught_up
from daynight.keeping.next_turn import next_turn
from daynight.store import Appended
from daynight.store.moments.live import Live
from daynight.web.door.grants import Grant
from daynight.web.errors import Problem
from daynight.web.writing.authors import signed, spoken
from daynight.web.writing.pen import Pen

CommandId = Annotated[str, Meta(min_length=1, max_length=200)]
"""The id of a command: the client chooses it, and it is unique in the game."""

Seen = Annotated[int, Meta(ge=0, le=2**53)]
"""The number of the last event that the client has seen."""


Head = Annotated[str, Meta(min_length=1, max_length=200)]
"""The digest at the last event that the client has seen: it distinguishes games of the same name."""


Spells = Annotated[int, Meta(ge=0, le=100)]
"""The number of spells that a player cast in a turn."""

_TURN = re.compile("[1-9][0-9]{0,14}")


class AtLeast(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player cast at least this many spells."""

    at_least: Spells


class Commanded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command: `words`, `events`, or something to `do`, and the last event that its sender has seen.

    An event number in `expected` must be that of the game's last event; in `seen`, later events of the same turn are
    allowed. `head` is the digest at that event. `pass-turn` begins the next turn. `catch-up` adds the turns that
    nobody recorded, and begins turn `turn` of the players `active`; `casts` has by turn and player the number of
    spells that is known. `skips` are the steps that the turn begun skips.
    """

    command: CommandId
    seen: Seen | UnsetType = UNSET
    expected: Seen | UnsetType = UNSET
    head: Head | UnsetType = UNSET
    words: list[str] | UnsetType = UNSET
    events: list[dict[str, Any]] | UnsetType = UNSET
    do: Literal["pass-turn", "catch-up"] | UnsetType = UNSET
    turn: Annotated[int, Meta(ge=0, le=2**53)] | UnsetType = UNSET
    casts: dict[str, dict[str, Spells | AtLeast]] | UnsetType = UNSET
    skips: list[str] | UnsetType = UNSET
    active: list[str] | UnsetType = UNSET

    def asked(self) -> dict[str, Any]:
        """Return the request without its id, and without what its sender has seen.

        A command with a stored id is a repetition if its `asked` is the same, and is refused if it is not.
        """
        names = ("words", "events", "do", "turn", "casts", "skips", "active")
        found = {name: getattr(self, name) for name in names}
        return {name: value for name, value in found.items() if value is not UNSET}


def check(asked: Commanded, most: int) -> None:
    """Check that a command has exactly one of `words`, `events` and `do`, and one of `seen` and `expected`.

    Raises:
        Problem: where it has not, has more than `most` words or events, none of them, or a field that does not belong
            to its kind of request, such as `turn` without `catch-up`.
    """
    check_many(max(len(asked.words or ()), len(asked.events or ())), most)
    if [asked.words, asked.events, asked.do].count(UNSET) != 2:
        raise Problem(400, "bad-request", _("a command has exactly one of words, events and do"))
    if [asked.seen, asked.expected].count(UNSET) != 1:
        raise Problem(400, "bad-request", _("a command has exactly one of seen and expected"))
    if asked.do is UNSET and (asked.skips is not UNSET or asked.active is not UNSET):
        raise Problem(400, "bad-request", _("skips and active are for passing a turn"))
    if (asked.do == "catch-up") is (asked.turn is UNSET) or (asked.casts is not UNSET and asked.turn is UNSET):
        raise Problem(400, "bad-request", _("turn and casts are for catching up, which needs a turn"))
    if asked.do == "catch-up" and asked.active is UNSET:
        raise Problem(400, "bad-request", _("catching up needs whose turn it is: active"))
    if asked.words == [] or asked.events == []:
        raise Problem(400, "bad-request", _("there is nothing in this command"))


def check_many(events: int, most: int) -> None:
    """Check that a command has at most `most` events.

    Raises:
        Problem: where it has more.
    """
    if events > most:
        raise Problem(413, "too-large", _("a command may have {most} events").format(most=most))


def command(pen: Pen, game: str, grant: Grant, asked: Commanded, most: int) -> Appended:
    """Store the events of a command, once, even if it is sent again.

    Raises:
        StaleError: where later events were stored that `expected` or `seen` does not allow.
        OtherGameError: where `head` is not the digest at the event that the sender has seen.
        Problem: where the role does not allow it, the id was used for another request, or there are more than `most`
            events (without limit for `catch-up`).
        RecordError: where an event is refused, or words are not understood.
        NotFoundError, StoreError: as `Pen.write`.
    """

    def is_seen(last: int) -> None:
        if asked.head is not UNSET:
            pen.check_head(game, asked.seen or asked.expected or 0, asked.head)
        if asked.expected is not UNSET:
            pen.check_expected(game, asked.expected, last)
        elif asked.seen is not UNSET:
            pen.check_seen(game, asked.seen, last)

    def make(last: int) -> Sequence[Any]:
        events = _made(pen, game, grant, asked, last)
        if asked.do != "catch-up":
            check_many(len(events), most)
        return [signed(pen.store.mechanic, event, grant) for event in events]

    return pen.write(game, asked.command, asked.asked(), make, is_seen)


def _made(pen: Pen, game: str, grant: Grant, asked: Commanded, last: int) -> Sequence[Any]:
    mechanic = pen.store.mechanic
    if asked.events is not UNSET:
        return _spoken(pen, grant, asked.events, last)
    live = pen.live(game, last)
    if asked.words is not UNSET:
        return _understood(pen, grant, live, asked.words)
    if mechanic.language is not played().language:
        raise Problem(404, "no-such-route", _("this can only be asked of games of day and night"))
    if asked.do == "catch-up":
        return _caught_up(live, asked)
    return passed(live.state, asked.skips or (), None if asked.active is UNSET else asked.active)


def _caught_up(live: Live, asked: Commanded) -> list[Any]:
    """Return events for the unrecorded turns before turn `asked.turn`, then those that begin that turn."""
    assert asked.turn is not UNSET
    mechanic, casts = live.mechanic, dict[int, dict[str, Remembered]]()
    for turn, named in (asked.casts or {}).items():
        if not _TURN.fullmatch(turn):
            raise Problem(400, "bad-request", _("expected the number of a turn"), path="$.casts")
        casts[int(turn)] = {
            player: Remembered(said) if isinstance(said, int) else Remembered(said.at_least, exactly=False)
            for player, said in named.items()
        }

    def advance(events: Sequence[Any]) -> Any:
        live.advance([mechanic.fill(event) for event in events])
        return live.state

    found: list[Any] = caught_up(live.state, asked.turn, casts, advance)
    return [*found, *passed(live.state, asked.skips or (), asked.active or ())]


def _spoken(pen: Pen, grant: Grant, given: Sequence[dict[str, Any]], last: int) -> list[Any]:
    """Read JSON objects as events, and return them; an error names the line, counted from event `last`."""
    found: list[Any] = []
    for fields in given:
        try:
            found.append(spoken(pen.store.mechanic, fields, grant))
        except RecordError as error:
            raise error.located(line=last + 1 + len(found)) from None
    return found


def _understood(pen: Pen, grant: Grant, live: Live, lines: Sequence[str]) -> list[Any]:
    """Return the events that lines of words mean; each line is read in the state after the lines before it."""
    mechanic, found = pen.store.mechanic, list[Any]()
    for number, text in enumerate(lines, 1):
        try:
            events = words_of(pen, grant, text, live.state)
            found += events
            if number < len(lines):
                live.advance([mechanic.fill(event) for event in events])
        except RecordError as error:
            raise error.located(line=live.number + 1) from None
    if not found:
        raise Problem(400, "bad-request", _("nothing happens there that a record has a line for"))
    return found


def words_of(pen: Pen, grant: Grant, text: str, state: Any) -> Sequence[Any]:
    """Return the events that words mean in a state; a JSON object is read as an event.

    Raises:
        RecordError: where the words are not understood.
        Problem: where the mechanic understands no words.
    """
    mechanic = pen.store.mechanic
    if text.lstrip().startswith("{"):
        return (spoken(mechanic, read_json(text.encode()), grant),)
    if mechanic.language is played().language:
        # The grammar is slow to load, and JSON does not need it.
        from daynight.notation import Names
        from daynight.notation.phrases import happening

        return happening(text, state, Names(pen.store.catalogue))
    if mechanic.phrase is None:
        raise Problem(404, "no-such-route", _("no words are understood here; give events"))
    return mechanic.phrase(text, state)


def passed(state: Any, skips: Sequence[str], active: Sequence[str] | None) -> list[Any]:
    """Return the events that begin the next turn: the turn, its untap step and its upkeep, without those in `skips`.

    `active` are the players of the turn; None: the next ones in turn order.

    Raises:
        UnreadableError: where a step or a name is not valid.
    """
    began, *steps = next_turn(state)
    assert isinstance(began, TurnBegan)
    given: dict[str, Any] = to_builtins(replace(began, skips=()))
    given |= {"active": list(active)} if active is not None else {}
    given |= {"skips": list(skips)} if skips else {}
    turn = played().language.strictly(given)
    return [turn, *[step for step in steps if isinstance(step, StepBegan) and step.step not in skips]]
