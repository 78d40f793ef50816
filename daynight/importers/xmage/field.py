"""Reads XMage's messages about spells and the battlefield."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import cast

from daynight.events import Face, FaceClaimed, Permanent, actions
from daynight.events.permanents import Characteristics
from daynight.events.terms import Switch
from daynight.framework.language.wording import _
from daynight.importers.frame import Confidence, Options
from daynight.importers.xmage.board import MOST, Board, Standing
from daynight.importers.xmage.causes import Causes
from daynight.importers.xmage.lines import Kind, Said, names_fit, reference, source_of
from daynight.importers.xmage.messages import Message, Reference
from daynight.importers.xmage.missing import Missing
from daynight.importers.xmage.telling import XMAGE, Telling

COPIES = 100
"""The most copies in one message."""

_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_NUMBERS = {"a": 1, "one": 1} | {word: number for number, word in enumerate(_WORDS, 2)}
_INFERRED = Confidence.INFERRED
_MARKED = re.compile(r"\ue000\d+\ue001")
_HALF = re.compile(r" as [A-Za-z ]{1,30} of (\ue000\d+\ue001|[^\[\]\ue000\ue001]{1,200} \[[0-9a-f]{3}\])")
_SPECIAL = ("Emblem", "Dungeon", "Plane")


class Field:
    """The stack and the battlefield of a game during reading.

    `arrived`: the names of the cards that the message before brought onto the battlefield.
    """

    def __init__(self, tell: Telling, board: Board, options: Options) -> None:
        self._tell = tell
        self._board = board
        self._options = options
        self._cared_for = frozenset(options.catalogued.values())
        self.missing = Missing(tell, board, options)
        self.causes = Causes(cast("dict[str, Switch]", dict(options.effects)))
        self.arrived: tuple[str, ...] = ()
        self._stack: set[str] = set()
        self._zones: dict[str, str] = {}
        self._cast_as: dict[str, str] = {}
        self._copied: set[str] = set()
        self._seen: set[str] = set()
        self._put = ""
        self._known = False
        self._acts: dict[Kind, Callable[[Message, Said], None]] = {
            Kind.CAST: self._cast,
            Kind.COPIED: self._copy,
            Kind.ACTIVATED: self._activate,
            Kind.TRIGGERED: self._trigger,
            Kind.PLAYED: self._play,
            Kind.TRANSFORMED: self._transform,
            Kind.PHASED: self._phase,
            Kind.LEFT: self._leave,
            Kind.MOVED: self._move,
            Kind.ATTACKS: self._attack,
        }

    def begin_turn(self) -> None:
        """Begin a turn: the stack is empty, and no card has just arrived."""
        self._stack.clear()
        self.missing.begin_turn()
        self.causes.forget()
        self.arrived = ()

    def see(self, message: Message) -> None:
        """Remember the cards of a message; warn if its source is a card that no earlier message named."""
        source = source_of(message)
        special = source is None or source.name in self._copied or source.name.startswith(_SPECIAL)
        if source is not None and source.full and source.key not in self._seen and not special:
            self._unseen(source)
        self._seen.update(each.key for each in message.references)
        self.missing.see(message.text)

    def act(self, message: Message, said: Said) -> None:
        """Process a message, except arrivals."""
        is_bystander = said.kind is Kind.OTHER and message.turn is None
        if said.kind is not Kind.TRANSFORMED and not is_bystander:
            self.arrived = ()
        act = self._acts.get(said.kind)
        if act is not None:
            act(message, said)

    def named(self, message: Message, said: Said) -> Standing | None:
        """Return the permanent that a message names; None if it is not known to be on the battlefield."""
        return self._board.meet(self._card(message, said))

    def is_strange(self, message: Message, said: Said) -> bool:
        """Return whether an unknown permanent transforms; in an untap step this is read first, as it may end claims."""
        return said.kind is Kind.TRANSFORMED and self.named(message, said) is None

    def know(self, sentence: str) -> None:
        """Note, once per game, that a known bug of XMage appears here."""
        if not self._known:
            self._known = True
            told = _("XMage of 2026-08 is known not to follow the rules here: {what}")
            self._tell.note("known", told.format(what=sentence))

    @staticmethod
    def _card(message: Message, said: Said) -> Reference:
        part = said.parts.get("card")
        return Reference(said.parts.get("bare", "")) if part is None else reference(message, part)

    def _unseen(self, card: Reference) -> None:
        self._seen.add(card.key)
        sentence = _("{card} was cast, and that is not in this log")
        self._tell.lose("unseen", sentence.format(card=self._shown(card)))

    @staticmethod
    def _shown(card: Reference) -> str:
        return repr(card.name[:60])

    # ---------------------------------------------------------------------------------------------------------- spells

    def _cast(self, message: Message, said: Said) -> None:
        player = said.parts["player"]
        card = self._card(message, said)
        has_id = bool(card.short or card.full)
        name = card.name if names_fit(card.name) else None
        if player in self._tell.left or not self._tell.turn:
            self._tell.misplaced(_("a spell is cast where nobody can cast it"))
            return
        if has_id and card.key in self._stack:
            self._tell.lose("repeated", _("{card} is cast while it is on the stack").format(card=self._shown(card)))
            return
        if has_id:
            if said.parts.get("rest", "").endswith(" from hand") and self._zones.get(card.key) == "graveyard":
                self._tell.lose("repeated", _("{card} is cast from where it was not").format(card=self._shown(card)))
            if (standing := self._board.meet(card)) is not None:
                self._left_before(standing)
            self._stack.add(card.key)
            self._cast_as[card.key] = card.name
            rest = said.parts.get("rest", "")
            half = _HALF.match(rest)
            follows = half is None and not message.text.startswith(f"{player} casts a copied ")
            self.missing.cast(card, None if half is None else reference(message, half[1]), follows=follows)
            self._aim(message, rest)
        self._tell.put(actions.SpellCast(player=player, card=name))
        if name is not None:
            self.causes.cast(self._board.front(name), card.key)

    def _aim(self, message: Message, rest: str) -> None:
        """Warn, and add no more claims, if a daybound target of a spell is named by a face that is not up."""
        for part in _MARKED.findall(rest.partition(" targeting ")[2]):
            card = reference(message, part)
            standing = self._board.meet(card)
            face = None if standing is None else self._board.shown(standing, card.name)
            if standing is None or face in (None, standing.face) or standing.front not in self._options.daybound:
                continue
            self._missed(card)

    def _copy(self, message: Message, said: Said) -> None:
        card = self._card(message, said)
        self._copied.add(card.name)
        if card.key not in self._stack or said.parts["player"] in self._tell.left or not self._tell.turn:
            return  # abilities can be copied, too
        word = said.parts["many"].partition(" ")[0]
        many = _NUMBERS.get(word) or (int(word) if word.isdigit() and len(word) < 4 else 1)
        for _each in range(min(many, COPIES)):
            name = card.name if names_fit(card.name) else None
            self._tell.put(actions.SpellCopied(player=said.parts["player"], card=name))

    def _activate(self, message: Message, said: Said) -> None:
        names = [
            each for each in message.references if message.text.endswith("\ue001") and each is message.references[-1]
        ]
        card = names[0] if names else Reference(said.parts["says"].rpartition(" from ")[2].partition(" [")[0])
        if names_fit(card.name):
            self.causes.ability(self._board.front(card.name), "", said.parts["says"])

    def _trigger(self, message: Message, said: Said) -> None:
        card = self._card(message, said)
        self.missing.trigger(said.parts["says"])
        if names_fit(card.name):
            self.causes.ability(self._board.front(card.name), "", said.parts["says"])

    def _move(self, message: Message, said: Said) -> None:
        card = self._card(message, said)
        was_cast = self.missing.moved(card)
        if said.parts.get("zone") == "stack" and (card.short or card.full):
            if not was_cast and card.key not in self._stack and card.name not in self._copied:
                self._unseen(card)
            self._stack.discard(card.key)
        if "rest" in said.parts:
            self._zones[card.key] = "graveyard" if "graveyard" in said.parts["rest"] else "elsewhere"
        self.causes.resolved(card.key)

    # -------------------------------------------------------------------------------------------------------- arrivals

    def enter(self, group: Sequence[tuple[Message, Said]]) -> None:
        """Record one event for the arrivals in these messages."""
        entering: list[tuple[Permanent, Standing, Reference]] = []
        taken: set[str] = set()
        for message, said in group:
            card = self._card(message, said)
            standing = self._board.meet(card) if card.short or card.full else None
            token = said.kind is Kind.TOKEN
            if card.key in taken and (card.short or card.full):
                self._tell.lose("repeated", _("{card} enters twice").format(card=self._shown(card)))
            elif standing is not None and token:
                continue  # one line says that a token is made, another one that it enters
            elif standing is not None and self._put == message.text:
                self._tell.lose("repeated", _("{card} enters twice").format(card=self._shown(card)))
            else:
                if standing is not None:
                    self._left_before(standing)
                if (one := self._entering(card, said, token=token)) is not None:
                    entering.append((*one, card))
                    taken.add(card.key)
            self._put = message.text
        if not entering:
            return
        for _permanent, standing, _reference in entering:
            self._board.put(standing)
        self._tell.put(actions.PermanentsEntered(permanents=tuple(each for each, _standing, _reference in entering)))
        self.arrived = tuple(card.name for _permanent, _standing, card in entering)
        for _permanent, standing, card in entering:
            self._found(standing, card)

    def _entering(self, card: Reference, said: Said, *, token: bool) -> tuple[Permanent, Standing] | None:
        player = said.parts["player"]
        was_cast = said.parts.get("zone") == "stack" and self.missing.moved(card)
        if said.parts.get("zone") == "stack" and (card.short or card.full):
            if not was_cast and card.key not in self._stack and card.name not in self._copied:
                self._unseen(card)
            self._stack.discard(card.key)
            self.causes.resolved(card.key)
        if not names_fit(card.name) or player in self._tell.left:
            self._tell.lose("nobody", _("something enters that a record can't name, or under nobody"))
            return None
        if len(self._board) >= MOST:
            self._tell.lose("crowded", _("more permanents than a record is given; this one is left out"))
            return None
        self._zones[card.key] = "battlefield"
        front = self._board.front(card.name)
        known = self._options.catalogued
        shown = card.name if card.name in known else card.name.removesuffix(" Token")
        was = self._cast_as.get(card.key, card.name)
        copied = None if token or self._board.front(was) == front else shown
        id = self._board.new_id(card)
        own = front if front in known else card.name
        card_front = own if copied is None else self._board.front(was)
        standing = Standing(id, card_front, player, card.full, card.short, token=token)
        if copied is not None:
            return Permanent(id=id, card=was, controller=player, front=self._copied_face(copied, front)), Board.copy(
                standing, copied
            )
        face = Face.BACK if self._board.is_back(shown) else Face.FRONT
        # What has daybound enters with the face that the rules give it; other cards are told to enter transformed.
        told = Face.FRONT if front in self._options.daybound else face
        permanent = Permanent(id=id, card=own, controller=player, face=told, token=token)
        return permanent, Board.turned(standing, face)

    def _copied_face(self, name: str, front: str) -> Characteristics:
        """Return a copied face: its name, and daybound, nightbound or `day_if_neither` if it has one of them."""
        if front not in self._options.daybound:
            return Characteristics(name=name, day_if_neither=front in self._options.starting)
        return Characteristics(name=name, keywords=("daybound" if name == front else "nightbound",))

    def _found(self, standing: Standing, card: Reference) -> None:
        """Claim the face with which a permanent with daybound entered."""
        face = self._board.shown(standing, card.name)
        if face is None or standing.front not in self._options.daybound:
            return
        if face is Face.FRONT and self._tell.designation == "night" and not self._tell.lost:
            self.know(_("a card with daybound enters front face up at night, and transforms after that"))
        self._tell.claim(FaceClaimed(permanent=standing.id, face=face, by=XMAGE))

    def _play(self, message: Message, said: Said) -> None:
        """Record the arrival of a played land, unless the message before has recorded it already."""
        card = self._card(message, said)
        has_id = bool(card.short or card.full)
        if has_id and (self._board.meet(card) is not None or self._zones.get(card.key, "battlefield") != "battlefield"):
            return
        if not has_id and self._put.startswith(f"{said.parts['player']} puts {card.name} "):
            return
        if has_id:
            self._tell.warn(
                "late", _("{card} was there before; when it entered is not in this log").format(card=card.name)
            )
        self.enter([(message, said)])

    # ------------------------------------------------------------------------------------------------- the battlefield

    def _transform(self, message: Message, said: Said) -> None:
        card = self._card(message, said)
        standing = self._board.meet(card)
        if standing is None:
            if self._board.front(card.name) in self._cared_for:
                self._late(card)
            return
        face = self._board.shown(standing, reference(message, said.parts["into"]).name)
        if face is None:
            if standing.front in self._cared_for:
                self._tell.lose(
                    "turned", _("{card} turns into what the record can't say").format(card=self._shown(card))
                )
            return
        told = self._tell.designation
        if standing.front in self._options.daybound and told is not None and (told == "night") is (face is Face.FRONT):
            self._missed(card)
        elif standing.front in self._options.daybound and face is standing.face:
            self._tell.lose("repeated", _("{card} turns to its face that is up").format(card=self._shown(card)))
        self._show(standing, face)

    def _missed(self, card: Reference) -> None:
        sentence = _("{card} shows its other face, and what made it so is not in this log")
        self._tell.lose("missed", sentence.format(card=self._shown(card)))

    def _show(self, standing: Standing, face: Face) -> None:
        if standing.front not in self._options.daybound:
            if face is standing.face:
                return
            self._tell.put(actions.TransformInstructed(permanents=(standing.id,)), _INFERRED)
        self._board.put(Board.turned(standing, face))
        self._tell.claim(FaceClaimed(permanent=standing.id, face=face, by=XMAGE))

    def _late(self, card: Reference) -> None:
        sentence = _("{card} was there before; when it entered is not in this log").format(card=self._shown(card))
        if self._board.front(card.name) in self._cared_for and not self._tell.joined:
            self._tell.lose("late", sentence)
        else:
            self._tell.warn("late", sentence)

    def _phase(self, message: Message, said: Said) -> None:
        standing = self.named(message, said)
        if standing is None:
            self._late(self._card(message, said))
        elif standing.phased_out is not (said.parts["what"] == "in"):
            self._tell.misplaced(_("what phases in or out was not where it has to be for that"))
        else:
            is_out = not standing.phased_out
            self._board.change(standing, phased_out=is_out)
            event = actions.PhasedOut if is_out else actions.PhasedIn
            self._tell.put(event(permanents=(standing.id,)))

    def _leave(self, message: Message, said: Said) -> None:
        card = self._card(message, said)
        standing = self._board.meet(card, said.parts.get("player"))
        if standing is not None:
            self._cast_as.setdefault(card.key, card.name)
            self._gone(standing)
            self._zones[card.key] = "elsewhere"
        elif not (card.short or card.full):
            if self._board.alike(card):
                sentence = _("which {card} left is not in this log; none is recorded to")
                self._tell.warn("which", sentence.format(card=self._shown(card)))
        elif self._zones.get(card.key, "battlefield") == "battlefield":
            self._late(card)
            self._zones[card.key] = "elsewhere"

    def _left_before(self, standing: Standing) -> None:
        sentence = _("{card} returns, and when it left is not in this log").format(card=repr(standing.front))
        if standing.front in self._cared_for:
            self._tell.lose("late", sentence)
        else:
            self._tell.warn("late", sentence)
        self._gone(standing, _INFERRED)

    def _gone(self, standing: Standing, confidence: Confidence = Confidence.STATED) -> None:
        self._board.take(standing)
        self._tell.put(actions.PermanentsLeft(permanents=(standing.id,)), confidence)

    def _attack(self, message: Message, said: Said) -> None:
        """Record what an attack shows: the active player controls the card, and its name is that of the face up."""
        card = self._card(message, said)
        active = self._tell.active
        standing = self._board.meet(card)
        if active in self._tell.left or not active:
            return
        if standing is None:
            self._late(card)
            self.enter([(message, Said(Kind.TOKEN, {"player": active, "card": said.parts["card"]}))])
            return
        if standing.phased_out:
            self._tell.misplaced(_("what attacks is phased out in this log"))
            return
        if standing.controller != active:
            standing = self._board.change(standing, controller=active)
            self._tell.put(actions.ControlChanged(permanents=(standing.id,), controller=active), _INFERRED)
        face = self._board.shown(standing, card.name)
        if face is not None:
            if face is not standing.face and standing.front in self._options.daybound:
                self._missed(card)
            self._show(standing, face)
