"""Turns the lines of one game in a Forge log into the items that an importer yields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from daynight.events import Designation, Event, Face, FaceClaimed, Permanent, actions
from daynight.framework.language.wording import _
from daynight.importers.forge.board import MOST, Board, BoardPermanent
from daynight.importers.forge.effects import becoming
from daynight.importers.forge.lines import ENDED, Kind, LogLine, Reference, cut, names_fit, references, seated, step_of
from daynight.importers.forge.stack import Copied, Put, Resolving, Stack, resolving
from daynight.importers.forge.taking_up import taken_up
from daynight.importers.frame import Confidence, Item, Noted, Observed, Options, Skipped, Warned

FORGE = "forge"
"""The `by` of the claims in Forge's logs."""

TAKEN_UP = 100
"""The most times that the record of a game is begun anew in a later turn."""

_STATED, _INFERRED, _DOUBTFUL = Confidence.STATED, Confidence.INFERRED, Confidence.DOUBTFUL
_ADDED = re.compile(r" (cast|activated|triggered) ")
_NUMBERED = re.compile(r"(.+) \((\d{1,9})\)")
_GONE = re.compile(r"(.+) \((\d{1,9})\) was put into (.{1,100}?) from Battlefield\b")
_ATTACK = re.compile(r" assigned (.+) to (attack|block) ")
_DEALS = re.compile(r"(.+) \((\d{1,9})\) deals \d+ combat damage to ")


def retell(lines: Sequence[LogLine], key: str, name: str, options: Options) -> Iterator[Item]:
    """Yield the items of one game; none if the lines have no turn."""
    if any(line.kind is Kind.TURN and cut(line.text) for line in lines):
        yield from _Retelling(lines, key, name, options).items()


class _Retelling:
    """A game while it is converted, line by line. The players are found first, because their names may be any text."""

    def __init__(self, lines: Sequence[LogLine], key: str, name: str, options: Options) -> None:
        self._lines = lines
        self._key = key
        self._name = name
        self._options = options
        self._items: list[Item] = []
        self._board = Board(options.catalogued)
        self._stack = Stack(self._board.front)
        self._line = lines[0].number
        self._turn = 0
        self._turn_at = 0
        self._last = ""
        self._is_main = False
        self._active = ""
        self._begun = False
        self._taken_up = self._takes = 0
        self._outcome: dict[str, bool] = {}
        self._over = self._drawn = False
        self._cared_for = frozenset(options.catalogued.values())
        self._players = seated(lines)
        names = "|".join(re.escape(player) for player in sorted(self._players, key=len, reverse=True))
        self._someone = re.compile(f"({names})(?= )")
        self._acts = {
            Kind.TURN: self._begin_turn,
            Kind.PHASE: self._begin_step,
            Kind.LAND: self._land,
            Kind.ADD: self._add,
            Kind.RESOLVE: self._resolve,
            Kind.ZONE: self._leave,
            Kind.COMBAT: self._combat,
            Kind.DAMAGE: self._damage,
        }

    def items(self) -> Iterator[Item]:
        """Yield all items of the game, in order."""
        if not self._players:
            yield Skipped(self._line, _("a game whose players' names no record can have"))
            return
        self._put(actions.GameStarted(format=1, game=self._name, players=tuple(self._players)))
        for line in self._lines:
            self._line = line.number
            if line.kind in (Kind.OUTCOME, Kind.MATCH, Kind.RESULT, Kind.STOPPED):
                self._end(line)
            elif line.kind is Kind.MANA:
                self._stack.paid()
            elif not self._over and (self._turn or line.kind is Kind.TURN) and line.kind in self._acts:
                self._acts[line.kind](line.text)
                if line.kind is not Kind.ADD:
                    self._last = ""
        self._settle()
        if self._over:
            self._finish()
        else:
            sentence = _("the log ends in turn {n}, before this game does")
            self._warn("truncated", sentence.format(n=self._turn))
        sentence = _(
            "Forge's log does not tell what enters without being played or cast, nor what returns to a hand or library,"
            " nor day and night; what acts is recorded when it does"
        )
        self._items.append(Noted("limits", sentence, self._line, self._key))
        yield from self._items

    # ---------------------------------------------------------------------------------------------------- what is said

    def _put(self, event: Event, confidence: Confidence = _STATED) -> None:
        self._items.append(Observed(self._key, event, self._line, confidence))

    def _warn(self, kind: str, sentence: str) -> None:
        self._items.append(Warned(kind, sentence, self._line, self._key))

    def _skip(self, sentence: str) -> None:
        self._items.append(Skipped(self._line, sentence))

    # ----------------------------------------------------------------------------------------------------- the players

    def _player(self, text: str) -> str | None:
        found = self._someone.match(text)
        return None if found is None else found[1]

    # ----------------------------------------------------------------------------------------------------------- turns

    def _begin_turn(self, text: str) -> None:
        found = cut(text)
        if found is None or found[1] not in self._players or not found[0]:
            self._skip(_("a turn without a number or a player that could be read"))
            return
        number, player = found
        self._settle()
        self._stack.empty(turn=True)
        if not self._turn and number > 1:
            sentence = _("the beginning of this game is missing; it is taken up in turn {n}")
            self._warn("joined", sentence.format(n=number))
            self._put(actions.GameJoined(possible=tuple(Designation)), _INFERRED)
        elif self._turn and number > self._turn + 1:
            self._gap(number, player)
        self._turn_at = len(self._items)
        self._put(actions.TurnBegan(turn=number, active=(player,)))
        self._turn, self._active, self._is_main = number, player, False

    def _gap(self, number: int, player: str) -> None:
        """Record the last missing turn, `number` - 1: in it and in the last recorded turn, spells are uncertain."""
        sentence = _("turn {n} is missing: its spells, and those of the turn before, are uncertain")
        self._warn("gap", sentence.format(n=number - 1))
        self._doubt_all()
        other = next((each for each in self._players if each != player), player)
        self._put(actions.TurnBegan(turn=number - 1, active=(other,)), _DOUBTFUL)
        self._put(actions.StepBegan(step="untap"), _DOUBTFUL)
        self._doubt_all()

    def _take_up(self) -> None:
        """Let the record begin with this turn, with neither, day and night all possible: the log does not say which."""
        if self._taken_up == self._turn or self._takes >= TAKEN_UP:
            return
        # Settle doubtful casts at their present places, before these move.
        self._settle()
        self._taken_up, self._takes = self._turn, self._takes + 1
        sentence = _("whether it was day or night in turn {n} is not in this log; the game is taken up there")
        self._warn("taken-up", sentence.format(n=self._turn))
        self._items, self._turn_at = taken_up(self._items, self._turn_at, self._key, self._line)
        self._begun = True

    def _doubt_all(self) -> None:
        for player in self._players:
            self._put(actions.SpellsUncertain(player=player, at_least=0), _DOUBTFUL)

    def _begin_step(self, text: str) -> None:
        known, step = step_of(text)
        if not known:
            self._skip(_("a step that is none of Forge's in English"))
            return
        self._settle()
        self._stack.empty()
        self._is_main = step in ("precombat-main", "postcombat-main")
        if step is not None:
            self._put(actions.StepBegan(step=step))

    # ---------------------------------------------------------------------------------------------------------- spells

    def _add(self, text: str) -> None:
        player = self._player(text)
        added = _ADDED.match(text, len(player)) if player is not None else None
        if player is None or added is None:
            if "[Couldn't add to stack" not in text:
                self._skip(_("who put this on the stack, or what, could not be read"))
            return
        what = text[added.end() :].partition(" targeting ")[0].removesuffix(".")
        numbered = _NUMBERED.fullmatch(what)
        name, number = (numbered[1], numbered[2]) if numbered is not None else (what, None)
        # "Morph" stands for a spell that was cast face down and has no name.
        card = name if names_fit(name) and name != "Morph" else None
        put = Put(added[1], player, name, self._board.front(name), number, self._line, len(self._items))
        put.slow = self._is_main and player == self._active
        self._last = put.verb
        self._stack.put(put)
        if put.copied is Copied.SURELY:
            self._put(actions.SpellCopied(player=player, card=card), _INFERRED)
        elif put.is_spell:
            if number is not None and (standing := self._board.at(number)) is not None:
                self._gone(number, standing)
                put.place = len(self._items)
            self._put(actions.SpellCast(player=player, card=card))
            if put.copied is Copied.PERHAPS:
                self._doubt(put)

    def _settle(self, text: str | None = None) -> None:
        """Make those earlier casts uncertain that may have been copies; `text` is the resolution after them, if any."""
        for put in self._stack.settle(text):
            self._doubt(put)

    def _doubt(self, put: Put) -> None:
        uncertain = actions.SpellsUncertain(player=put.player, at_least=0, at_most=1)
        self._items[put.place] = Observed(self._key, uncertain, put.line, _DOUBTFUL)
        sentence = _("a copy is called a cast, too; whether this one was cast is not in this log")
        self._items.append(Warned("copies", sentence, put.line, self._key))

    def _resolve(self, text: str) -> None:
        self._settle(text)
        what = resolving(text)
        front = None if what.name is None else self._board.front(what.name)
        put = self._stack.resolve(text, front, what.number)
        if put is not None and put.is_spell and self._enters(put, what):
            confidence = _STATED if what.creature else _INFERRED
            card = Reference(put.name, put.number or "")
            standing = self._enter(card, put.player, confidence, token=put.copied is Copied.SURELY)
            if standing is not None and what.name is not None:
                self._show(standing, what.name, only=Face.BACK)
        elif put is None and front in self._options.daybound and what.arrives:
            self._warn("unseen", _("{card} entered, and who cast it is not in this log").format(card=what.name))
        self._becoming(text, None if put is None else put.name)

    def _enters(self, put: Put, what: Resolving) -> bool:
        """Return whether a resolved spell is a permanent now.

        A card with daybound is one; an instant or sorcery of the catalogue is none. Any other is one if the line has
        the form for permanents, and the card is a creature, in the catalogue, or cast in its player's main phase.
        """
        if put.front in self._options.daybound:
            return True
        if put.front in self._options.fleeting:
            return False
        return what.arrives and (what.creature or put.slow or put.front in self._cared_for)

    def _becoming(self, text: str, source: str | None) -> None:
        becomes, told = becoming(text, straight=self._last == "triggered")
        if not told:
            sentence = _("whether this made it day or night depends on what this log does not tell")
            self._warn("effect", sentence)
            self._take_up()
        if becomes is not None:
            source = source if source is not None and names_fit(source) else None
            self._begun = True
            self._put(actions.EffectResolved(becomes=becomes, source=source))

    # ------------------------------------------------------------------------------------------------- the battlefield

    def _land(self, text: str) -> None:
        player = self._player(text)
        if player is None or not text.startswith(" played ", len(player)):
            return  # Forge tells choices under the same word
        numbered = _NUMBERED.fullmatch(text[len(player) + len(" played ") :])
        if numbered is None:
            self._skip(_("a land without a number"))
            return
        self._settle()
        self._enter(Reference(numbered[1], numbered[2]), player, _STATED)

    def _enter(self, card: Reference, player: str, sure: Confidence, *, token: bool = False) -> BoardPermanent | None:
        """Record that a permanent enters; return it, or None if a record cannot have it.

        An older permanent with this number has left without a line in the log: record that first.
        """
        if (standing := self._board.at(card.number)) is not None:
            self._gone(card.number, standing)
        if not names_fit(card.name) or card.name == "Morph":
            return None
        if len(self._board) >= MOST:
            self._warn("crowded", _("more permanents than a record is given; this one is left out"))
            return None
        standing = self._board.put(card.name, card.number or None, player)
        permanent = Permanent(
            id=standing.id,
            card=card.name.removesuffix(" Token") or card.name,
            controller=player,
            token=token or card.name.endswith(" Token"),
        )
        self._put(actions.PermanentsEntered(permanents=(permanent,)), sure)
        self._begun = self._begun or standing.front in self._options.daybound
        return standing

    def _gone(self, number: str, standing: BoardPermanent, to: str | None = None) -> None:
        self._board.leave(number)
        self._put(actions.PermanentsLeft(permanents=(standing.id,), to=to), _STATED if to else _INFERRED)

    def _leave(self, text: str) -> None:
        found = _GONE.match(text)
        if found is None:
            return  # other moves are told now and then, in other words
        card = Reference(found[1], found[2])
        standing = self._board.meet(card)
        if standing is not None:
            # In the graveyard a card has its front again: only the back's name says how it stood here.
            self._show(standing, card.name, only=Face.BACK)
            self._gone(card.number, standing, found[3].lower() if names_fit(found[3]) else None)
        elif self._board.doubtful(card):
            self._warn("which", _("which {card} left is not in this log; none is recorded to").format(card=card.name))

    def _combat(self, text: str) -> None:
        """Record what attacks or blocks: an unknown creature enters; an attacker comes under that player's control."""
        player = self._player(text)
        found = _ATTACK.match(text, len(player)) if player is not None else None
        if player is None or found is None:
            return
        for card in references(found[1]):
            if not names_fit(card.name):
                continue
            standing = self._board.meet(card, player)
            if standing is not None and standing.controller != player and found[2] == "attack":
                standing.controller = player
                self._put(actions.ControlChanged(permanents=(standing.id,), controller=player), _INFERRED)
            if standing is None:
                if not card.name.endswith(" Token"):
                    sentence = _("{card} was there before; when it entered is not in this log")
                    self._warn("late", sentence.format(card=card.name))
                if not self._begun and self._turn > 1 and self._board.front(card.name) in self._cared_for:
                    self._take_up()
                standing = self._enter(card, player, _INFERRED)
            if standing is not None:
                self._show(standing, card.name)

    def _damage(self, text: str) -> None:
        found = _DEALS.match(text)
        if found is not None and (standing := self._board.at(found[2])) is not None:
            self._show(standing, found[1])

    def _show(self, standing: BoardPermanent, name: str, only: Face | None = None) -> None:
        """Claim that the face `name` is up or, without daybound, record that it turned; `only`: just for that face."""
        face = self._board.shown(standing, name)
        if face is None or (only is not None and face is not only):
            return
        if standing.front not in self._options.daybound:
            if face is not standing.face:
                self._put(actions.TransformInstructed(permanents=(standing.id,)), _INFERRED)
        elif standing.said != (self._turn, face):
            self._put(FaceClaimed(permanent=standing.id, face=face, by=FORGE))
        standing.face, standing.said = face, (self._turn, face)

    # --------------------------------------------------------------------------------------------------------- the end

    def _end(self, line: LogLine) -> None:
        if line.kind is Kind.STOPPED or (line.kind is Kind.RESULT and "ended in a Draw" in line.text):
            self._drawn = True
        if line.kind is Kind.STOPPED or not self._turn:
            return
        self._over = True
        player = self._player(line.text)
        if line.kind is Kind.OUTCOME and player is not None:
            ended = ENDED.match(line.text, len(player))
            if ended is not None:
                self._outcome[player] = ended[1] == "won"

    def _finish(self) -> None:
        """Record the outcome. If there are more than two players, record first that the losers left."""
        winners = tuple(player for player in self._players if self._outcome.get(player))
        if len(self._players) > 2:
            for player in self._players:
                if self._outcome.get(player) is False:
                    left = tuple(each.id for each in self._board.of(player))
                    if left:
                        self._put(actions.PermanentsLeft(permanents=left), _INFERRED)
                    self._put(actions.PlayerLeft(player=player), _INFERRED)
        # Of a game that was stopped the log calls everybody who is left a winner.
        is_won = 0 < len(winners) < len(self._players) and not self._drawn
        self._put(actions.GameEnded(winner=winners if is_won else None))
