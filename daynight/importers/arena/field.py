"""Records the changes on Arena's battlefield; simultaneous changes become one event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from daynight.events import Face, FaceClaimed, Permanent, actions
from daynight.framework.language.wording import _
from daynight.importers.arena.cards import doubtful
from daynight.importers.arena.messages import Annotation, GameObject, GameState, Zone
from daynight.importers.frame import Confidence

if TYPE_CHECKING:
    from daynight.importers.arena.game import ArenaGame

PERMANENTS = 1_000
"""The most permanents on the battlefield: more than in any game of Arena, and few enough for one line of a record."""

_BATTLEFIELD = "ZoneType_Battlefield"
_ZONES = {f"ZoneType_{name.title()}": name for name in ("command", "exile", "graveyard", "hand", "library", "stack")}
_NO_CARDS = frozenset(f"GameObjectType_{name}" for name in ("Ability", "Boon", "Emblem", "Token", "TriggerHolder"))
_PERMANENT = frozenset({"GameObjectType_Card", "GameObjectType_Token"})
_STATED, _INFERRED, _DOUBTFUL = Confidence.STATED, Confidence.INFERRED, Confidence.DOUBTFUL


class Field:
    """The changes of the battlefield from one state to the next.

    `zones` has the type of each zone by its id, `renamed` the previous instance ids of objects in the present state,
    `phased` the phased-out permanents, each with the seat under which it phased out. `unsure` is True after a gap in
    the log: then the recorded battlefield must be compared with Arena's complete list.
    """

    def __init__(self, game: ArenaGame) -> None:
        self.zones: dict[int, str] = {}
        self.renamed: dict[int, int] = {}
        self.unsure = False
        self.waiting = False
        self._game = game
        self._board = game.board
        self._objects: dict[int, GameObject] = {}
        self._arriving: list[Permanent] = []
        self._unknown: list[int] = []
        self._leaving: list[str] = []
        self._cause: tuple[object, ...] = ()
        self.phased: dict[int, int] = {}
        self._gone: set[int] = set()
        self._shown: list[tuple[str, Face]] = []

    def found(self, objects: Iterable[GameObject]) -> tuple[Permanent, ...]:
        """Put the permanents that were there before the record begins on the board, and return them."""
        seats = self._game.seats
        there = [each for each in objects if each.instanceId > 0 and each.controllerSeatId in seats][:PERMANENTS]
        return tuple(self._board.arrive(each, seats[each.controllerSeatId]) for each in there)

    def name_zones(self, zones: Iterable[Zone], *, all: bool) -> None:
        """Save the types of zones. With `all`, these are all zones, and earlier ones are forgotten."""
        if all:
            self.zones.clear()
        self.zones.update((zone.zoneId, zone.type) for zone in zones)

    def see(self, state: GameState) -> None:
        """Save the objects of a state; call this before its annotations are read."""
        self._objects = {each.instanceId: each for each in state.gameObjects}
        self._gone.clear()

    def controller_of(self, instance: int) -> int:
        """Return the seat that controls an object of the present state; 0 if the log does not say."""
        each = self._objects.get(instance)
        return 0 if each is None else each.controllerSeatId

    def card(self, instance: int) -> str | None:
        """Return the name of the card that an object is, or was when last seen; None if it was never seen."""
        each = self._objects.get(instance)
        return self._board.name(each.grpId) if each is not None and each.grpId > 0 else self._board.card(instance)

    def doubt(self, instance: int) -> int:
        """Return the number of an object's card if that card is unknown; else 0. Tokens and face-down cards give 0."""
        each = self._objects.get(instance)
        if each is None:
            return self._board.doubt(self._board.number(instance))
        if each.isFacedown or each.type in _NO_CARDS:
            return 0
        return self._board.doubt(each.grpId, each.othersideGrpId)

    # ------------------------------------------------------------------------------------------------ comings, goings

    def transfer(self, each: Annotation, numbers: dict[str, int], to: str) -> None:
        """Note objects that enter or leave the battlefield by a zone transfer; `to` is the type of their new zone."""
        came = self.zones.get(numbers.get("zone_src", 0), "")
        if to == _BATTLEFIELD and came != "ZoneType_PhasedOut":
            cause = ("in", each.affectorId, numbers.get("zone_src"))
            if not all([self._enter(instance, cause) for instance in each.affectedIds]):
                self._game.warn("unseen", _("a permanent entered, and nobody says what it is; it is left out"))
        elif came == _BATTLEFIELD and to != "ZoneType_PhasedOut":
            for instance in each.affectedIds:
                self._leave(self.renamed.get(instance, instance), to)

    def created(self, each: Annotation) -> None:
        """Note the arrival of the tokens that an annotation says were created."""
        for instance in each.affectedIds:
            token = self._objects.get(instance)
            if token is not None and self.zones.get(token.zoneId) == _BATTLEFIELD:
                self._enter(instance, ("in", each.affectorId, "token"))

    def deleted(self, each: Annotation) -> None:
        """Note that permanents left, because an annotation says that they ceased to exist."""
        for instance in each.affectedIds:
            self._leave(instance, "")

    def settle(self) -> None:
        """Record as one event the noted objects, which arrived together or left together."""
        self.waiting = False
        if self._arriving:
            arrived, self._arriving = tuple(self._arriving), []
            unknown, self._unknown = self._unknown, []
            self._game.put(actions.PermanentsEntered(permanents=arrived, meta=doubtful(unknown)), self._confidence)
        if self._leaving:
            left, self._leaving = tuple(self._leaving), []
            self._game.put(actions.PermanentsLeft(permanents=left, to=str(self._cause[1]) or None), self._confidence)

    @property
    def _confidence(self) -> Confidence:
        return self._cause[-1] if isinstance(self._cause[-1], Confidence) else _STATED

    def _wait(self, cause: tuple[object, ...]) -> None:
        if self.waiting and cause != self._cause:
            self.settle()
        self._cause, self.waiting = cause, True

    def _enter(self, instance: int, cause: tuple[object, ...]) -> bool:
        """Note the arrival of a permanent by `cause`; return False if the log does not show it or its controller."""
        if instance in self._board.permanents:
            return True
        each = self._objects.get(instance)
        player = self._game.seats.get(0 if each is None else each.controllerSeatId)
        if each is None or player is None or instance <= 0:
            return False
        if len(self._board.permanents) >= PERMANENTS:
            self._game.warn("crowded", _("more permanents than any battlefield has; the rest is left out"))
            return True
        self._wait(cause)
        self._unknown.append(self.doubt(instance))
        self._arriving.append(self._board.arrive(each, player, self.renamed.get(instance, 0)))
        standing = self._board.permanents[instance]
        if standing.daybound and not standing.face_down:
            self._shown.append((standing.id, standing.face))
        return True

    def _leave(self, instance: int, to: str, confidence: Confidence = _STATED) -> None:
        standing = self._board.permanents.get(instance)
        if standing is None:
            return
        self._wait(("out", _ZONES.get(to, ""), confidence))
        self._leaving.append(standing.id)
        del self._board.permanents[instance]
        self._gone.add(instance)
        self.phased.pop(instance, None)
        self._shown = [shown for shown in self._shown if shown[0] != standing.id]

    # --------------------------------------------------------------------------------------------------------- phasing

    def phase_in_by_itself(self, seat: int) -> None:
        """Forget at a player's untap step what phased out under that player: it phases in, whatever the log says."""
        self.phased = {instance: under for instance, under in self.phased.items() if under != seat}

    def untap(self, annotations: list[Annotation], first: int, seat: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the ids that phase in, and those that phase out, in an untap step, by the annotations from `first`."""
        into: list[str] = []
        out: list[str] = []
        before = set(self.phased)
        for index in range(first, len(annotations)):
            each = annotations[index]
            if "AnnotationType_PhaseOrStepModified" in each.type:
                break
            if "AnnotationType_PhasedIn" in each.type:
                into += self._turned(each, True)
            elif "AnnotationType_PhasedOut" in each.type:
                out += self._turned(each, False)
        now = {instance: under for instance, under in self.phased.items() if instance not in before}
        self.phase_in_by_itself(seat)
        self.phased |= now
        return tuple(into), tuple(out)

    def phase(self, each: Annotation, phased_in: bool) -> None:
        """Record that permanents phase in or out outside an untap step, but not those that have done so already."""
        if found := self._turned(each, phased_in):
            ids = tuple(found)
            self._game.say(actions.PhasedIn(permanents=ids) if phased_in else actions.PhasedOut(permanents=ids))

    def _turned(self, each: Annotation, phased_in: bool) -> list[str]:
        found = []
        for instance in dict.fromkeys(each.affectedIds):
            standing = self._board.permanents.get(instance)
            if standing is not None and (instance in self.phased) is phased_in:
                found.append(standing.id)
                if phased_in:
                    del self.phased[instance]
                else:
                    self.phased[instance] = standing.controller
        return found

    # ------------------------------------------------------------------------------------------- what nobody announced

    def compare(self, state: GameState, full: bool) -> None:
        """Record unannounced changes that a state's objects show (`full`: it lists all), then claim the new faces."""
        there, zones, seats = self._board.permanents, self.zones, self._game.seats
        unseen = False
        for instance, each in self._objects.items():
            standing = there.get(instance)
            zone = zones.get(each.zoneId, "")
            if standing is None:
                if zone == _BATTLEFIELD and each.type in _PERMANENT and instance not in self._gone:
                    cause = ("in", "seen", _DOUBTFUL if self.unsure else _INFERRED)
                    unseen = not self._enter(instance, cause) or unseen
            elif zone != _BATTLEFIELD:
                if zone and zone != "ZoneType_PhasedOut":
                    self._leave(instance, zone, _INFERRED)
            elif instance not in self.phased and (
                each.grpId not in (standing.front, 0)
                or standing.face is Face.BACK
                or each.controllerSeatId != standing.controller
                or each.isFacedown != standing.face_down
            ):
                self.settle()
                self._change(instance, each, seats)
        if unseen:
            self._game.warn("unseen", _("a permanent is there, and nobody says whose it is; it is left out"))
        for instance in state.diffDeletedInstanceIds:
            if instance in there and instance not in self._objects:
                self._leave(instance, "", _INFERRED)
        if full or self.unsure:
            self._compare_all(state, full)
        self.settle()
        self._board.see(self._objects.values())
        self._objects = {}
        self.renamed.clear()
        for id, face in self._shown:
            self._game.claim(FaceClaimed(permanent=id, face=face, by="arena"))
        self._shown = []

    def _compare_all(self, state: GameState, full: bool) -> None:
        """If the state lists the whole battlefield, record that the permanents that it does not list have left."""
        listed: set[int] | None = {each.instanceId for each in state.gameObjects} if full else None
        for zone in state.zones_told():
            if zone.type == _BATTLEFIELD:
                listed = set(zone.objectInstanceIds)
        if listed is None:
            return
        self.unsure = False
        for instance in [one for one in self._board.permanents if one not in listed]:
            if instance not in self.phased:
                self._leave(instance, "", _DOUBTFUL)

    def _change(self, instance: int, each: GameObject, seats: dict[int, str]) -> None:
        board, game = self._board, self._game
        standing = board.permanents[instance]
        ids = (standing.id,)
        if each.controllerSeatId != standing.controller and each.controllerSeatId in seats:
            game.put(actions.ControlChanged(permanents=ids, controller=seats[each.controllerSeatId]), _INFERRED)
            board.change(instance, controller=each.controllerSeatId)
        if each.isFacedown != standing.face_down:
            if each.isFacedown and standing.double_faced:
                game.warn("face-down", _("a double-faced permanent was turned face down; the record can't say so"))
                return
            game.put((actions.TurnedFaceDown if each.isFacedown else actions.TurnedFaceUp)(permanents=ids), _INFERRED)
            standing = board.change(instance, face=Face.FRONT, face_down=each.isFacedown)
            if not each.isFacedown and each.grpId not in (standing.front, standing.back, 0):
                # It was face down, so its card was not known before.
                self._copy(instance, each)
                return
        if standing.face_down or each.isFacedown or not each.grpId:
            return
        shown = standing.back if standing.face is Face.BACK else standing.front
        if each.grpId == shown:
            return
        if each.grpId in (standing.front, standing.back) or each.othersideGrpId == standing.front:
            face = Face.FRONT if each.grpId == standing.front else Face.BACK
            if face is not standing.face:
                self._turn_over(instance, face)
            return
        self._copy(instance, each)

    def _copy(self, instance: int, each: GameObject) -> None:
        """Record that a permanent became a copy of the card that it shows now."""
        ids, unknown = (self._board.permanents[instance].id,), doubtful([self.doubt(instance)])
        self._game.put(
            actions.BecameCopy(permanents=ids, front=self._board.copied(each.grpId), meta=unknown), _INFERRED
        )
        self._board.change(instance, front=each.grpId, back=0, daybound=False)

    def _turn_over(self, instance: int, face: Face) -> None:
        """Note that a permanent shows `face`, for a later claim. Without daybound, record the transformation too."""
        standing = self._board.change(instance, face=face)
        if not standing.daybound:
            if not standing.back:
                self._game.warn("turned", _("a permanent transformed that the record has as single-faced"))
                return
            self._game.put(actions.TransformInstructed(permanents=(standing.id,)), _INFERRED)
        self._shown.append((standing.id, face))
