"""Arena's log, `Player.log`: its lines, and which game each of them is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import count, islice

import msgspec

from daynight.events.errors import UnreadableError
from daynight.events.wording import _, counted
from daynight.importers.arena_game import ArenaGame
from daynight.importers.arena_messages import LENGTH, MARK, GameInfo, GameState, Message, Wrapper, decode_line
from daynight.importers.frame import Finished, Importer, Item, Noted, Options, Rested, Skipped, Warned
from daynight.importers.sources import Source

__all__ = ["IMPORTER", "detect", "read"]

PRETTY = 20_000
"""The most lines that one object may be spread over."""

UNNAMED = 50_000
"""How many cards without a name are told apart: more than there are."""

STRAYS = 1_000
"""How many beginnings that are missing are remembered, to tell where they are."""

_SIGNS = (b"[UnityCrossThreadLogger]", b"DETAILED LOGS: ", MARK, b"MTGA_Data", b"Wizards.Mtga")
_OFF = b"DETAILED LOGS: DISABLED"
_SAFE = re.compile(r"[^A-Za-z0-9._-]+")


def detect(head: bytes) -> bool:
    """Whether this is how a log of Arena begins."""
    return any(sign in head for sign in _SIGNS)


def read(sources: Iterable[Source], options: Options) -> Iterator[Item]:
    """The games of logs, given from the oldest to the newest; one may begin in one log and go on in the next.

    Raises:
        UnreadableError: where a log has no game at all, saying what to do about it.
    """
    log = _Log(options)
    silent: UnreadableError | None = None
    source = None
    for source in sources:
        began = log.messages
        yield from log.read(source)
        if log.messages == began:
            error = _silent(source)
            silent = silent or error
            yield Noted("empty", error.sentence, error.line or 1)
    if source is None:
        return
    if silent is not None and not log.messages:
        raise silent
    yield from log.close(source)


def _silent(source: Source) -> UnreadableError:
    """What is to be said of a log without a single message of a game."""
    found = source.beginning.find(_OFF)
    if found >= 0:
        sentence = _(
            "Arena's detailed logs are switched off, so no game is in this log; switch them on in Arena: Options,"
            " Account, Detailed Logs (Plugin Support); then start Arena again and play"
        )
        return UnreadableError(sentence, line=source.beginning.count(b"\n", 0, found) + 1, file=source.name)
    sentence = _(
        "no game in this log: it has none of the messages that Arena writes during a game; give the log of a session"
        " in which one was played"
    )
    return UnreadableError(sentence, line=max(source.line, 1), file=source.name)


class _Log:
    """Lines in, items out: a game at a time, and how far the finished ones were read."""

    def __init__(self, options: Options) -> None:
        self.items: list[Item] = []
        self.messages = 0
        self._options = options
        self._game: ArenaGame | None = None
        self._read_before: set[str] = set()
        self._unnamed: set[int] = set()
        self._headless = False
        self._strays: list[tuple[int, str]] = []
        self._before = 0
        self._names: set[str] = set()
        self._stamp: str | int | None = None

    def read(self, source: Source) -> Iterator[Item]:
        source.mark = MARK
        lines = source.lines()
        after: list[tuple[int, bytes]] = []
        while (found := after.pop() if after else next(lines, None)) is not None:
            number, line = found
            try:
                wrappers: list[Wrapper] | None = decode_line(line)
            except (msgspec.MsgspecError, ValueError, RecursionError):
                wrappers = _spread(source, lines, line, after)
            if wrappers is None:
                self.messages += 1
                self.items.append(Skipped(number, _("a message that is cut off, too large, or no JSON")))
            else:
                stating = b"Designation" in line or len(wrappers) != 1 or number != source.line
                for wrapper in wrappers:
                    self._wrapper(wrapper, number, stating, source)
            if self.items:
                yield from self._flush()

    def _flush(self) -> Iterator[Item]:
        items = self.items[:]
        self.items.clear()
        yield from items

    def close(self, source: Source) -> Iterator[Item]:
        """What there is to say at the end of all logs."""
        game = self._game
        if game is not None:
            self._note_unnamed(game)
            if not game.over:
                self._order(game, source.line)
                sentence = _("the log ends in turn {n}, before this game does")
                self.items.append(Warned("truncated", sentence.format(n=game.turn), source.line, game.key))
        if self._unnamed:
            self.items.append(Noted("cards", self._unknown(), source.line))
        yield from self._flush()

    def _note_unnamed(self, game: ArenaGame) -> None:
        if len(self._unnamed) < UNNAMED:
            self._unnamed |= game.board.unnamed

    def _unknown(self) -> str:
        number = len(self._unnamed)
        if self._options.cards is None:
            told = counted(
                "{n} card is known by its number alone, so whether it has daybound is not known; --cards FILE names it",
                "{n} cards are known by their numbers alone, so which of them have daybound is not known; --cards FILE"
                " names them",
                number,
            )
        else:
            told = counted(
                "{n} card is not in the card table, so whether it has daybound is not known",
                "{n} cards are not in the card table, so which of them have daybound is not known",
                number,
            )
        return told.format(n=number)

    def _wrapper(self, wrapper: Wrapper, number: int, stating: bool, source: Source) -> None:
        if wrapper.greToClientEvent is None:
            return
        self._stamp = wrapper.timestamp
        for message in wrapper.greToClientEvent.greToClientMessages:
            self.messages += 1
            if message.gameStateMessage is not None:
                self._state(message, message.gameStateMessage, number, stating, source)

    def _state(self, message: Message, state: GameState, number: int, stating: bool, source: Source) -> None:
        game = self._game
        info = state.gameInfo or GameInfo()
        full = state.type == "GameStateType_Full"
        key = f"{info.matchID}/{info.gameNumber}"
        named = bool(info.matchID or info.gameNumber)
        if not named:
            # No word of which game this is: the one before goes on, unless a game begins.
            begins = game is None or (full and state.gameStateId == 1 and (game.over or game.chain.last > 1))
            key = f"line {source.number}:{number}" if begins or game is None else game.key
        if not full and (game is None or key != game.key or (not named and (self._headless or game.is_foreign(state)))):
            self._without_beginning(game, state, number, source)
            return
        if game is not None and key == game.key and state.gameStateId < game.chain.first:
            sentence = _("this is before what was read of this game, so it is left out: give the oldest log first")
            self.items.append(Warned("order", sentence, number, game.key))
            self._headless = True
            return
        self._headless = False
        if game is None or key != game.key:
            self._finish(number)
            self._begin(key, info, message, state, number, source)
        else:
            game.take(state, number, stating)

    def _without_beginning(self, game: ArenaGame | None, state: GameState, number: int, source: Source) -> None:
        # Every one after the first would say the same; so would any until a game is named, or begins: the numbers of
        # its states fall in with those of the game before sooner or later.
        if not self._headless:
            sentence = (
                _("a game whose beginning is in another log; give that one first")
                if game is None
                else _("changes of another game, whose beginning is missing; they are left out")
            )
            self.items.append(Warned("headless", sentence, number))
            if len(self._strays) < STRAYS:
                self._strays.append((state.prevGameStateId, source.name))
        self._headless = True

    def _order(self, game: ArenaGame, number: int) -> None:
        """Whether a game that does not end here goes on in what was given before it."""
        for before, name in self._strays[: self._before]:
            if before and before == game.chain.last:
                sentence = _("this game goes on in {name}, which was given before it: give the oldest log first")
                self.items.append(Warned("order", sentence.format(name=name), number, game.key))
                return

    def _name(self, info: GameInfo, state: GameState) -> str:
        """What the game is called: by its match, else by what its first state has in it, wherever that stands."""
        name = _SAFE.sub("-", info.matchID)[:100].strip("-.")
        if not name:
            content = blake2b(f"{self._stamp}\n".encode(), digest_size=5)
            content.update(msgspec.json.encode(state))
            name = f"arena-{content.hexdigest()}"
        if info.gameNumber:
            name = f"{name}-G{info.gameNumber}"
        if info.matchID:
            return name
        # The very same state may begin two games that nobody can tell apart.
        same = (f"{name}-{n}" if n > 1 else name for n in count(1))
        name = next(each for each in same if each not in self._names)
        self._names.add(name)
        return name

    def _begin(self, key: str, info: GameInfo, message: Message, state: GameState, number: int, source: Source) -> None:
        if key in self._read_before:
            self._headless = True
            self.items.append(Noted("again", _("a game that was read before; it is not read twice"), number))
            return
        place = source.place
        self.items.append(Rested(place.line, place.offset))
        self._before = len(self._strays)
        game = self._game = ArenaGame(key, self._name(info, state), self._options, self.items)
        seat = message.systemSeatIds[0] if len(message.systemSeatIds) == 1 else 0
        game.begin(state, number, seat, _time(self._stamp))

    def _finish(self, number: int) -> None:
        game = self._game
        if game is None:
            return
        self._note_unnamed(game)
        self._read_before.add(game.key)
        if not game.over:
            self._order(game, number)
            sentence = _("another game begins in turn {n}, before this game ends")
            self.items.append(Warned("truncated", sentence.format(n=game.turn), number, game.key))
        self.items.append(Finished(game.key, number))
        self._game = None


def _spread(
    source: Source, lines: Iterator[tuple[int, bytes]], line: bytes, after: list[tuple[int, bytes]]
) -> list[Wrapper] | None:
    """An object that is spread over several lines: its messages, or None where it is not, or never ends.

    Where another message begins before it ends, that one's line is put into `after`.
    """
    start = line.find(b'"' + MARK)
    if start < 0 or not line.rstrip().endswith((b"{", b"[", b",")):
        return None
    # What stood before it on lines of its own is not needed.
    parts = [line if line.lstrip().startswith(b"{") else b"{" + line[start:]]
    size, depth = len(line), parts[0].count(b"{") - parts[0].count(b"}")
    source.mark = None
    try:
        for number, more in islice(lines, PRETTY):
            if MARK in more:
                after.append((number, more))
                return None
            parts.append(more)
            size += len(more)
            depth += more.count(b"{") - more.count(b"}")
            if depth <= 0 or size > LENGTH:
                break
    finally:
        source.mark = MARK
    text = b"\n".join(parts)
    try:
        return decode_line(text[: text.rfind(b"}") + 1])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _time(stamp: str | int | None) -> str | None:
    """Milliseconds since 1970, or ticks since the year 1, as a time; None where it is neither."""
    if isinstance(stamp, str):
        stamp = int(stamp) if stamp.isascii() and stamp.isdigit() and len(stamp) < 20 else None
    if stamp is None:
        return None
    milliseconds = stamp if stamp < 10**15 else (stamp - 621_355_968_000_000_000) // 10_000
    if not 10**12 <= milliseconds < 10**13:
        return None
    return datetime.fromtimestamp(milliseconds // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


IMPORTER = Importer("arena", "Magic: The Gathering Arena, Player.log with detailed logs", detect, read)
"""How the frame knows it."""
