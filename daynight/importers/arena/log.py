"""Arena's log, `Player.log`: reads its lines, and finds out to which game each belongs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from heapq import heapify, heappop, heappush

import msgspec

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _, counted
from daynight.importers.arena.cards import known_cards
from daynight.importers.arena.database import find_database
from daynight.importers.arena.game import ArenaGame
from daynight.importers.arena.messages import MARK, GameInfo, GameState, Wrapper, decode_line, time_of
from daynight.importers.arena.spread import gathered
from daynight.importers.arena.states.pauses import Pauses
from daynight.importers.arena.states.taking_up import Unbegun, begins_a_turn
from daynight.importers.arena.states.waiting import STATES, Received, WaitingStates
from daynight.importers.frame import Finished, Importer, Item, Noted, Options, Rested, Skipped, Warned
from daynight.importers.naming import named_anew, safe
from daynight.importers.sources import Source

UNKNOWN = 50_000
"""The most unknown cards that are counted; there are fewer cards than that."""

STRAYS = 1_000
"""The most games without a beginning that are remembered, to recognise logs in the wrong order."""

_SIGNS = (b"[UnityCrossThreadLogger]", b"DETAILED LOGS: ", MARK, b"MTGA_Data", b"Wizards.Mtga")
_OFF = b"DETAILED LOGS: DISABLED"


def detect(head: bytes) -> bool:
    """Return whether a file with these first bytes is a log of Arena."""
    return any(sign in head for sign in _SIGNS)


def read(sources: Iterable[Source], options: Options) -> Iterator[Item]:
    """Read the games of logs, oldest log first. A game may begin in one log and continue in the next.

    Raises:
        UnreadableError: where no log has a message of a game; the error says what to do.
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
    """Return the error for a log without any message of a game."""
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
    """Reads lines and yields items, one game at a time; it remembers the keys of the finished games."""

    def __init__(self, options: Options) -> None:
        self.items: list[Item] = []
        self.messages = 0
        self._options = options
        self._game: ArenaGame | None = None
        self._read_before: set[str] = set()
        self._unknown: set[int] = set()
        self._headless = False
        self._pauses = Pauses()
        self._unbegun: Unbegun | None = None
        self._last: Received | None = None
        self._strays: list[tuple[int, str]] = []
        self._before = 0
        self._names: set[str] = set()
        self._waiting = WaitingStates()

    def read(self, source: Source) -> Iterator[Item]:
        source.mark, source.pauses = MARK, True
        self._pauses.next_log(self._game is not None)
        lines = source.lines()
        after: list[tuple[int, bytes]] = []
        while (found := after.pop() if after else next(lines, None)) is not None:
            number, line = found
            if not line:
                # The log has no more for now; waiting states must not wait for ever.
                while self._waiting.forsaken:
                    self._let_go(source)
                yield from self._flush()
                continue
            try:
                wrappers: list[Wrapper] | None = decode_line(line)
            except (msgspec.MsgspecError, ValueError, RecursionError):
                wrappers = gathered(source, lines, line, after)
            if wrappers is None:
                self.messages += 1
                self.items.append(Skipped(number, _("a message that is cut off, too large, or no JSON")))
            else:
                stating = b"Designation" in line or len(wrappers) != 1 or number != source.line
                for wrapper in wrappers:
                    self._wrapper(wrapper, number, stating, len(line), source)
            if self.items:
                yield from self._flush()
        self._let_all_go(source)
        yield from self._flush()

    def _flush(self) -> Iterator[Item]:
        yield from self.items
        self.items.clear()

    def close(self, source: Source) -> Iterator[Item]:
        """After all logs, warn if the last game has no end, and note the unknown cards; yield these items."""
        self._take_up_late(source)
        game = self._game
        if game is not None:
            self._leave(game, source.line, _("the log ends in turn {n}, before this game does"))
        if self._unknown:
            self.items.append(Noted("cards", self._doubts(), source.line))
        yield from self._flush()

    def _leave(self, game: ArenaGame, number: int, truncated: str) -> None:
        """Leave `game` at line `number`: warn with `truncated` if it has no end; save its unknown cards."""
        if len(self._unknown) < UNKNOWN:
            self._unknown |= game.board.unknown
        if not game.over:
            self._order(game, number)
            self.items.append(Warned("truncated", truncated.format(n=game.turn), number, game.key))

    def _doubts(self) -> str:
        """Return the note on cards known by number only: how many there are, and that `--cards` can name them."""
        told = counted(
            "{n} card is known by its number alone, and was not on Arena by {date}: whether it has to do with day and"
            " night is not known; --cards FILE names it",
            "{n} cards are known by their numbers alone, and were not on Arena by {date}: whether they have to do with"
            " day and night is not known; --cards FILE names them",
            len(self._unknown),
        )
        return told.format(date=known_cards().as_of)

    def _wrapper(self, wrapper: Wrapper, number: int, stating: bool, size: int, source: Source) -> None:
        if wrapper.greToClientEvent is None:
            return
        self._pauses.count(wrapper)
        fast = not self._headless and not self._pauses.suspect
        for message in wrapper.greToClientEvent.greToClientMessages:
            self.messages += 1
            state = message.gameStateMessage
            if state is None:
                continue
            game = self._game
            if fast and game is not None and not self._waiting and game.goes_on(state):
                game.take(state, number, stating)
                continue
            seat = message.systemSeatIds[0] if len(message.systemSeatIds) == 1 else 0
            self._receive(Received(state, number, seat, stating, wrapper.timestamp, size), source)

    # ------------------------------------------------------------------------------------------------------- the order

    def _receive(self, each: Received, source: Source) -> None:
        """Read a state; if the state before it has not been read yet, put it into the waiting list."""
        game, waiting = self._game, self._waiting
        waiting.count(each)
        key, named = self._key(each, source)
        if game is not None and key == game.key and (named or not self._headless) and game.chain.is_early(each.state):
            waiting.hold(each, game.chain.last)
        else:
            if (
                waiting
                and key not in self._read_before
                and (_is_full(each.state) or self._is_strange(each, key, named))
            ):
                # The missing states before it will not come any more.
                self._let_all_go(source, each.state.gameStateId if game is not None and key == game.key else None)
            self._state(each, source)
            if waiting:
                self._follow(source)
        while waiting.overdue:
            self._let_go(source)

    def _follow(self, source: Source, after: int = 0) -> None:
        """Read the states that waited for the last one read (or for the given one), in the order of the chain."""
        if self._game is None:
            return
        ready = [(one.state.gameStateId, one.line, one) for one in self._waiting.after(after or self._game.chain.last)]
        heapify(ready)
        while ready:
            state, _line, each = heappop(ready)
            self._state(each, source)
            for one in self._waiting.after(state):
                heappush(ready, (one.state.gameStateId, one.line, one))

    def _let_go(self, source: Source, below: int | None = None) -> bool:
        """Read the waiting state with the lowest id (only if less than `below`); return False if there is none."""
        each = self._waiting.lowest(below)
        if each is None:
            return False
        game, state = self._game, each.state
        if game is not None and self._is_stray(game, each):
            self.items.append(Warned("stray", _("a state that follows none of this game; it is left out"), each.line))
        else:
            self._state(each, source)
            self._follow(source, state.gameStateId)
        return True

    def _is_stray(self, game: ArenaGame, each: Received) -> bool:
        """Return whether the game has gone on since this state began to wait, and the state cannot belong to it now."""
        number, last = each.state.gameStateId, game.chain.last
        if number <= last:
            return game.chain.is_foreign(each.state, game.turn, game.over)
        return last != each.last and number > last + STATES

    def _let_all_go(self, source: Source, below: int | None = None) -> None:
        while self._let_go(source, below):
            pass

    # ------------------------------------------------------------------------------------------------------- the games

    def _key(self, each: Received, source: Source) -> tuple[str, bool]:
        """Return the key of a state's game, and whether the state itself names the game."""
        game, state = self._game, each.state
        info = state.gameInfo
        if info is not None and (info.matchID or info.gameNumber):
            key = f"{info.matchID}/{info.gameNumber}"
            if game is not None and game.is_named(key, state):
                return game.key, True
            return key, True
        # It names no game: the game before continues, unless a new one begins.
        full = _is_full(state)
        if game is None or (full and state.gameStateId == 1 and (game.over or game.chain.last > 1)):
            return f"line {source.number}:{each.line}", False
        return game.key, False

    def _is_strange(self, each: Received, key: str, named: bool) -> bool:
        """Return whether this state, if it is not a full one, belongs to another game than the current one."""
        game = self._game
        if _is_full(each.state):
            return False
        if game is None or key != game.key:
            return True
        if named:
            return False
        if self._headless or game.chain.is_foreign(each.state, game.turn, game.over):
            return True
        suspect = self._pauses.suspect
        if suspect:
            game.board.suspect(True)
        return game.is_another(each.state, suspect, self._pauses.long)

    def _state(self, each: Received, source: Source) -> None:
        game, state, number = self._game, each.state, each.line
        key, named = self._key(each, source)
        if game is not None and not named and not self._headless and game.is_just_before(state):
            sentence = _("a state from before the turn in which this game is taken up; it is left out")
            self.items.append(Noted("late", sentence, number, game.key))
            return
        if self._is_strange(each, key, named):
            if key in self._read_before and not self._headless:
                self.items.append(Warned("stray", _("a change of a game that was read before; it is left out"), number))
            else:
                self._without_beginning(each, source)
            return
        if game is not None and key == game.key and state.gameStateId < game.chain.first:
            sentence = _("this is before what was read of this game, so it is left out: give the oldest log first")
            self.items.append(Warned("order", sentence, number, game.key))
            self._headless, self._unbegun = True, None
            return
        if not (state.turnInfo and state.turnInfo.turnNumber):
            self._take_up_late(source)
            game = self._game
        self._headless, self._unbegun = False, None
        # A second log of a game that is over begins with the state that the game began with.
        again = named and game is not None and game.over and _is_full(state) and state.gameStateId == game.chain.first
        if game is None or key != game.key or again:
            self._finish(number)
            self._begin(key, each, source)
        else:
            self._settle(state)
            game.take(state, number, each.stating)

    def _settle(self, state: GameState) -> None:
        """End the suspicion of another game if this state, which is read next, is full or shows the same cards."""
        game = self._game
        if game is None or not self._pauses.suspect:
            return
        if _is_full(state) or game.board.agreement(state.gameObjects) > 0:
            self._pauses.settle()
            game.board.suspect(False)

    def _without_beginning(self, each: Received, source: Source) -> None:
        """Read a state of a game whose beginning is missing; the game is joined in the next turn that begins."""
        state = each.state
        # Further ones would only repeat the first.
        if not self._headless:
            self._unbegun = Unbegun()
            sentence = (
                _("a game whose beginning is in another log; it is taken up in its next turn. Give that log first")
                if self._game is None
                else _("changes of another game, whose beginning is missing; they are left out until its next turn")
            )
            self.items.append(Warned("headless", sentence, each.line))
            if len(self._strays) < STRAYS:
                self._strays.append((state.prevGameStateId, source.name))
        self._headless = True
        if self._unbegun is None:
            # The game was read before.
            return
        self._unbegun.see(state)
        self._last = each
        over = state.gameInfo is not None and state.gameInfo.stage == "GameStage_GameOver"
        if over or begins_a_turn(state, self._unbegun.teams):
            self._take_up(self._unbegun, each, source)

    def _take_up(self, found: Unbegun, each: Received, source: Source) -> None:
        """Join a game whose beginning is missing, with this state."""
        self._unbegun, self._headless = None, False
        self._finish(each.line)
        name = self._name(found.info, each)
        key = f"line {source.number}:{each.line}"
        game = self._game = ArenaGame(key, name, self._options, self.items)
        game.take_up(found, each.state, each.line, each.seat, time_of(each.stamp))
        self._pauses.settle()

    def _take_up_late(self, source: Source) -> None:
        """If the log begins within a game, and no turn of it has begun, join that game with the last state read."""
        if self._game is None and self._unbegun is not None and self._last is not None:
            self._take_up(self._unbegun, self._last, source)

    def _order(self, game: ArenaGame, number: int) -> None:
        """Warn of a wrong order of the logs if this game, which has no end, goes on in a log that was given before."""
        for before, name in self._strays[: self._before]:
            if before and before == game.chain.last:
                sentence = _("this game goes on in {name}, which was given before it: give the oldest log first")
                self.items.append(Warned("order", sentence.format(name=name), number, game.key))
                return

    def _name(self, info: GameInfo, each: Received) -> str:
        """Return the name of the game: from its match, or else from the content of its first state."""
        name = safe(info.matchID)
        if not name:
            content = blake2b(f"{each.stamp}\n".encode(), digest_size=5)
            content.update(msgspec.json.encode(each.state))
            name = f"arena-{content.hexdigest()}"
        if info.gameNumber:
            name = f"{name}-G{info.gameNumber}"
        # Two games may begin with the same state, and nothing tells them apart.
        return name if info.matchID else named_anew(name, self._names)

    def _begin(self, key: str, each: Received, source: Source) -> None:
        if key in self._read_before:
            self._headless, self._unbegun = True, None
            self.items.append(Noted("again", _("a game that was read before; it is not read twice"), each.line))
            return
        place = source.place
        self.items.append(Rested(place.line, place.offset))
        self._before = len(self._strays)
        name = self._name(each.state.gameInfo or GameInfo(), each)
        self._pauses.settle()
        game = self._game = ArenaGame(key, name, self._options, self.items)
        game.begin(each.state, each.line, each.seat, time_of(each.stamp))

    def _finish(self, number: int) -> None:
        game = self._game
        if game is None:
            return
        self._leave(game, number, _("another game begins in turn {n}, before this game ends"))
        self._read_before.add(game.key)
        self.items.append(Finished(game.key, number))
        self._game = None


def _is_full(state: GameState) -> bool:
    return state.type == "GameStateType_Full"


IMPORTER = Importer(
    "arena", "Magic: The Gathering Arena, Player.log with detailed logs", detect, read, find_database, True
)
"""The entry of this importer for the registry."""
