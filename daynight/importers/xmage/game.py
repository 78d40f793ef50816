"""Turns the messages of one game in XMage's log into the items that an importer yields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from daynight.events import Designation, actions
from daynight.events.rulings import GameBackedUp
from daynight.events.terms import Step
from daynight.framework.language.wording import _
from daynight.importers.frame import Confidence, Item, Options, Skipped
from daynight.importers.xmage.board import Before, Board
from daynight.importers.xmage.claims import Claims, word_of
from daynight.importers.xmage.field import Field
from daynight.importers.xmage.lines import SKIPPED, STEPS, Kind, Reader, Said, arrival_of, following, seated, strangers
from daynight.importers.xmage.messages import Message, in_words
from daynight.importers.xmage.telling import Telling

BACK = 8
"""The number of turns that are kept for a rollback; XMage goes back at most four."""

AHEAD = 100
"""The most messages among which the beginning of the next turn is looked for."""

_INFERRED, _DOUBTFUL = Confidence.INFERRED, Confidence.DOUBTFUL
_ORDER = ("untap", "upkeep", "draw", "precombat-main")
_ARRIVALS = (Kind.ENTERED, Kind.TOKEN)


def retell(found: Sequence[Message], key: str, name: str, options: Options) -> Iterator[Item]:
    """Yield the items of one game; none if no message names a player or belongs to a turn."""
    players = seated(found)
    if players or any(message.turn is not None for message in found):
        yield from _Retelling(found, players, key, name, options).items()


@dataclass(slots=True)
class _Untap:
    """The messages of an untap step: its phasing is one event, and claims from the check of day and night follow it."""

    line: int
    said: list[tuple[Message, Said]]


class _Retelling:
    """A game while it is converted, message by message."""

    def __init__(
        self, found: Sequence[Message], players: tuple[str, ...], key: str, name: str, options: Options
    ) -> None:
        self._name, self._players = name, players
        self._strangers = strangers(found)
        self._options = options
        reader = Reader(players)
        read = [(message, reader.read(message)) for message in found] if players else []
        self._chat = next((message.number for message, said in read if said.kind is Kind.CHAT), None)
        self._said = [(message, said) for message, said in read if said.kind is not Kind.CHAT]
        self._tell = Telling(key, players, found[0].number)
        self._board = Board(options.catalogued)
        self._field = Field(self._tell, self._board, options)
        self._claims = Claims(self._tell, self._board, self._field, options)
        self._step: Step | None = None
        self._untap: _Untap | None = None
        self._untapped = False
        self._turns: dict[int, Before] = {}
        self._winners: list[str] = []
        self._over = False
        self._tell.untapping = self._settle_untap

    def items(self) -> Iterator[Item]:
        """Yield all items of the game, in order."""
        if not self._players:
            yield Skipped(self._tell.line, _("a game whose players are not told"))
            return
        self._tell.put(actions.GameStarted(format=1, game=self._name, players=self._players))
        place = 0
        while place < len(self._said):
            message, said = self._said[place]
            self._tell.line = message.number
            place = self._take(message, said, place)
        self._close()
        self._finish()
        yield from self._tell.items

    def _take(self, message: Message, said: Said, place: int) -> int:
        """Process a message, or several that are one event; return the index of the next one."""
        if said.kind is Kind.UNREADABLE:
            self._unreadable(message)
        elif self._over and said.kind not in (Kind.LOST, Kind.WON):
            if said.kind is Kind.TURN:
                self._tell.warn("another", _("another game in the same log is left out"))
        elif said.kind is Kind.TURN:
            self._begin_turn(int(said.parts["turn"]), said.parts["player"])
        elif said.kind is Kind.BACK:
            self._go_back(message, int(said.parts["turn"]))
        elif said.kind is Kind.RESTORED:
            self._close()
            self._tell.lose("restored", _("XMage took back an unknown part of this turn after an error of its own"))
        elif said.kind in (Kind.SKIPS, Kind.FURTHER):
            self._change_steps(message, said)
        else:
            self._stand(message, place)
            if self._untap is not None:
                self._untap.said.append((message, said))
            elif said.kind in _ARRIVALS:
                return self._arrive(place)
            elif said.kind is Kind.BECAME:
                return self._become(place)
            else:
                self._act(message, said)
        return place + 1

    def _act(self, message: Message, said: Said) -> None:
        self._field.see(message)
        if said.kind is Kind.LOST:
            self._lose_player(said.parts["player"])
        elif said.kind is Kind.WON:
            self._win(said)
        else:
            self._field.act(message, said)

    def _unreadable(self, message: Message) -> None:
        self._close()
        words = in_words(message)
        shown = ascii(words[:60])[1:-1] + ("..." if len(words) > 60 else "")
        self._tell.skip(_("a message that was cut or changed: {text}").format(text=shown))
        self._tell.lose("changed", _("a message that can't be read may have said anything"))

    # ----------------------------------------------------------------------------------------------------------- turns

    def _stand(self, message: Message, place: int) -> None:
        """Move to the turn and step in a message's clock."""
        turn, here = message.turn, self._tell.turn
        if turn is None:
            return
        if turn == here:
            self._begin_step(message)
        elif turn == here + 1 and self._is_between(place, turn):
            self._close()
        elif turn > here:
            self._miss_turns(turn, untapping=message.step == "UN")
            if self._tell.turn == turn:
                self._begin_step(message)
        else:
            self._close()
            self._tell.misplaced(_("a message of turn {n} stands in another turn").format(n=turn))

    def _is_between(self, place: int, turn: int) -> bool:
        """Return whether `turn`, from the clock of the message at `place`, begins only after that message."""
        step = self._said[place][0].step
        if step not in (None, "CL"):
            return False  # a turn ends in its cleanup step
        for message, said in self._said[place : place + AHEAD]:
            if said.kind is Kind.TURN:
                return int(said.parts["turn"]) == turn
            if message.turn not in (None, turn) or message.step != step:
                return False
        return False

    def _begin_turn(self, number: int, player: str) -> None:
        self._close()
        here = self._tell.turn
        if number <= here or player in self._tell.left:
            self._tell.misplaced(_("turn {n} begins where it can't").format(n=number))
            return
        if not here and number > 1 and self._tell.count == 1:
            self._join(number)
        elif number > here + 1:
            self._miss_turns(number - 1)
        self._enter_turn(number, player)
        if player in self._strangers:
            self._tell.misplaced(_("{player} has a turn, and kept no hand").format(player=player))

    def _enter_turn(self, number: int, player: str, confidence: Confidence = Confidence.STATED) -> None:
        tell = self._tell
        self._field.missing.end_turn()
        self._turns[number] = Before(
            tell.count, tell.turn, tell.active, self._board.kept(), tell.designation, tell.lost, frozenset(tell.left)
        )
        for old in [each for each in self._turns if each <= number - BACK]:
            del self._turns[old]
        tell.begin_turn(number, player, confidence)
        self._step, self._untapped = None, False
        self._field.begin_turn()

    def _join(self, number: int) -> None:
        sentence = _("the beginning of this game is missing; it is taken up in turn {n}")
        self._tell.warn("joined", sentence.format(n=number))
        self._tell.put(actions.GameJoined(possible=tuple(Designation)), _INFERRED)
        self._tell.joined = True

    def _miss_turns(self, number: int, *, untapping: bool = False) -> None:
        """Record turn `number`, whose beginning is missing; `untapping`: a message of its untap step comes next."""
        self._close()
        if self._tell.count == 1 and number > 1:
            self._join(number)
        sentence = _(
            "where turn {n} began is missing: whose it was, and what was cast in it and before, is not certain"
        )
        self._tell.lose("gap", sentence.format(n=number))
        there = [each for each in self._players if each not in self._tell.left]
        if not there:
            return
        self._enter_turn(number, next((each for each in there if each != self._tell.active), there[0]), _DOUBTFUL)
        if not untapping:
            self._tell.put(actions.StepBegan(step="untap"), _DOUBTFUL)
            self._settle_untap()
            self._tell.doubt()

    def _begin_step(self, message: Message) -> None:
        if message.step is None:
            return
        if message.step not in STEPS:
            self._close()
            self._tell.misplaced(_("a message of a step that XMage has not"))
            return
        step = STEPS[message.step]
        if step is None or (self._untap is not None and step == "untap"):
            return
        if step == self._step and self._untap is None:
            return
        self._close()
        if step == "untap":
            if self._untapped:
                self._tell.misplaced(_("an untap step stands behind a later step"))
            else:
                self._untap = _Untap(message.number, [])
            return
        if self._step is not None and self._rank(step) < min(self._rank(self._step), len(_ORDER)):
            self._tell.misplaced(_("a step stands behind a later step"))
        self._step = step
        self._settle_untap()
        self._tell.put(actions.StepBegan(step=step))

    @staticmethod
    def _rank(step: Step) -> int:
        return _ORDER.index(step) if step in _ORDER else len(_ORDER)

    def _change_steps(self, message: Message, said: Said) -> None:
        """Record that a step is skipped, or that there is a further untap step."""
        self._close()
        if message.turn not in (None, self._tell.turn) or not self._tell.turn:
            self._tell.misplaced(_("a step is skipped or added in another turn"))
        elif said.kind is Kind.FURTHER:
            if message.step != "UN":
                self._begin_step(message)
            self._settle_untap()
            self._untap, self._step = _Untap(message.number, []), None
        else:
            self._skip(message, said)

    def _skip(self, message: Message, said: Said) -> None:
        """Record that an effect skips a step.

        The first draw step of a game is skipped by the rules, not by an effect: then record the step in the clock.
        """
        step = SKIPPED.get(said.parts["what"])
        by_rule = step == "draw" and self._tell.turn == 1 and not said.parts.get("source")
        if step is None or by_rule or (step != "untap" and STEPS.get(message.step or "") != step):
            self._begin_step(message)
        if step == "untap" and self._untapped:
            self._tell.misplaced(_("an untap step is skipped behind a later step"))
        elif step is not None and step == self._step and not by_rule:
            self._tell.misplaced(_("a step is skipped that has begun"))
        elif step is not None and not by_rule:
            self._settle_untap()
            self._tell.skip_step(step)

    def _close(self) -> None:
        """Record the untap step that is being read, if any: its phasing, then claims in it."""
        untap, self._untap = self._untap, None
        if untap is None:
            return
        line, self._tell.line, odd = self._tell.line, untap.line, False
        moved: dict[str, list[str]] = {"in": [], "out": []}
        for message, said in untap.said:
            standing = self._field.named(message, said) if said.kind is Kind.PHASED else None
            what = said.parts.get("what", "")
            if standing is not None and standing.phased_out is (what == "in"):
                moved[what].append(standing.id)
            else:
                odd = odd or said.kind is Kind.PHASED
        both = set(moved["in"]) & set(moved["out"])
        inside, outside = (tuple(id for id in dict.fromkeys(moved[what]) if id not in both) for what in ("in", "out"))
        self._step = "untap"
        self._tell.put(actions.StepBegan(step="untap", phased_in=inside, phased_out=outside))
        self._untapped = False
        self._settle_untap(inside, outside)
        if odd:
            self._tell.misplaced(_("what phases in or out was not where it has to be for that"))
        for message, said in sorted(untap.said, key=lambda each: not self._field.is_strange(*each)):
            self._tell.line = message.number
            standing = self._field.named(message, said) if said.kind is Kind.TRANSFORMED else None
            if standing is not None and standing.id in inside:
                self._field.know(_("what is phased out transforms, and phases in after that"))
            self._in_untap(message, said)
        self._tell.line = line

    def _in_untap(self, message: Message, said: Said) -> None:
        if said.kind in _ARRIVALS:
            self._field.see(message)
            self._field.enter([(message, said)])
        elif said.kind is Kind.BECAME:
            designation = Designation(said.parts["what"])
            if self._claims.is_new(designation) and self._tell.designation is None and not self._tell.joined:
                sentence = _("it becomes {designation} in an untap step, and what it was before is not in this log")
                self._tell.lose("uncaused", sentence.format(designation=word_of(designation)))
            self._claims.claim(designation)
        elif said.kind is not Kind.PHASED:
            self._act(message, said)

    def _settle_untap(self, inside: Sequence[str] = (), outside: Sequence[str] = ()) -> None:
        """End the untap step, once: `outside` phases out, `inside` and all else of the active player phases in."""
        if not self._untapped:
            self._untapped = True
            self._board.phase(self._tell.active, inside, outside)

    def _go_back(self, message: Message, number: int) -> None:
        if message.turn == self._tell.turn:
            self._begin_step(message)
        self._close()
        turn = self._turns.get(number)
        if turn is None or not self._tell.turn:
            self._tell.misplaced(_("players went back to turn {n}, which is not in this log").format(n=number))
            return
        self._tell.put(GameBackedUp(to=turn.events, by="players"))
        self._board.restore(turn.board)
        self._tell.designation, self._tell.lost, self._tell.left = turn.designation, turn.lost, set(turn.left)
        self._tell.go_back(turn.before, turn.active)
        self._step, self._untapped = None, True
        self._field.begin_turn()

    # ------------------------------------------------------------------------------------------------- day and night

    def _arrive(self, place: int) -> int:
        """Record the arrivals from `place` on that form one event; return the index of the next message."""
        end = place + 1
        first, said = self._said[place]
        group = [(first, said)]
        source = said.parts.get("source")
        while source and (at := following(self._said, end, first)) < len(self._said):
            message, other = self._said[at]
            same = (message.turn, message.step) == (first.turn, first.step)
            if not same or other.kind is not said.kind or arrival_of(other) != arrival_of(said):
                break
            group.append((message, other))
            end = at + 1
        for message, _said in group:
            self._field.see(message)
        self._field.enter(group)
        return end

    def _become(self, place: int) -> int:
        """Record that it became day or night, and return the next index.

        If the very next message is an arrival, record that first, because XMage writes it too late.
        """
        message, said = self._said[place]
        before, after = self._field.arrived, place + 1
        at = following(self._said, after, message)
        second, its = self._said[at] if at < len(self._said) else (message, said)
        if its.kind in _ARRIVALS and (second.turn, second.step) == (message.turn, message.step):
            self._tell.line = second.number
            after = self._arrive(at)
            self._tell.line = message.number
        designation = Designation(said.parts["what"])
        if self._claims.is_new(designation):
            self._claims.find_cause(designation, (*before, *self._field.arrived))
        self._claims.claim(designation)
        self._field.arrived = ()
        return after

    # --------------------------------------------------------------------------------------------------------- the end

    def _lose_player(self, player: str) -> None:
        """Record that a player left a game of more than two; with two players, another message tells the end."""
        self._field.missing.leave()
        if len(self._players) > 2 and player not in self._tell.left:
            self._tell.left.add(player)
            self._tell.put(actions.PlayerLeft(player=player))

    def _win(self, said: Said) -> None:
        """Note that the game is over, and who won; losers may be named later, so `_finish` records the outcome."""
        self._over = True
        if "draw" not in said.parts:
            self._winners.append(said.parts["player"])

    def _finish(self) -> None:
        if self._over:
            self._tell.put(actions.GameEnded(winner=tuple(dict.fromkeys(self._winners)) or None))
        else:
            self._tell.warn("truncated", _("the log ends in turn {n}, before this game does").format(n=self._tell.turn))
        if self._chat is not None:
            self._tell.note("chat", _("what was said in the chat is not read"), self._chat)
        sentence = _(
            "XMage's log does not tell who gains control, lost abilities, what becomes a copy later, nor which effect"
            " made it day or night; what attacks is recorded when it does"
        )
        self._tell.note("limits", sentence)
