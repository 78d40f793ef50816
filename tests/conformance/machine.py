"""A small machine of day and night for the events of cases, in which mistakes can be planted.

It was written from the rules, and shares with the referee only the names and faces of cards.
"""

from typing import Any

from daynight.cards import bundled

_CARDS = {card.front.name: card for card in bundled()}

_BURNS = {"Shock", "Lightning Bolt", "Opt", "Twincast", "Counterspell", "Reality Ripple", "Unsummon", "Cloudshift",
          "Into the Night", "Act of Treason", "Moonmist", "Waxing Moon", "Soul Summons", "Disenchant", "Frogify",
          "Grapeshot", "Bound by Moonsilver", "Conspiracy"}  # fmt: skip
_LANDS = {"Forest", "Island", "Mountain", "Plains", "Swamp"}


class Machine:
    """The state of a game of day and night; `mistake` is a key of `MISTAKES` in `mistakes.py`, or empty."""

    def __init__(self, mistake: str = "") -> None:
        self.mistake = mistake
        self.designation = "neither"
        self.permanents: dict[str, dict[str, Any]] = {}
        self.active: list[str] = []
        self.before: list[str] = []
        self.now: dict[str, int] = {}
        self.tally: dict[str, int] = {}
        self.triggered: list[str] = []
        self.transformed: list[str] = []
        self.forbids: dict[str, list[str]] = {}
        self.step = ""
        self.stuck = self.freed = False

    def has(self, name: str) -> bool:
        """Return whether this mistake was planted."""
        return self.mistake == name

    def answer(self, case: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a case: designation, faces, what triggered and transformed, at each event of `ask`."""
        seen = []
        for number, event in enumerate(case["events"], 1):
            self.take(event)
            if number in case["ask"]:
                faces = {id: one["face"] for id, one in self.permanents.items()}
                happened = {"triggered": self.triggered, "transformed": self.transformed}
                seen.append({"at": number, "designation": self.designation, "faces": faces, **happened})
                self.triggered, self.transformed = [], []
        return {"id": case["id"], "seen": seen}

    def take(self, event: dict[str, Any]) -> None:
        """Apply an event to the state."""
        act = getattr(self, "on_" + event["type"].replace("-", "_"), None)
        if act is not None:
            act(event)
        if event["type"] not in ("game-started", "turn-began"):
            self.rest()

    # ---------------------------------------------------------------------------------------------------------- events

    def on_game_joined(self, event: dict[str, Any]) -> None:
        self.designation = event["possible"][0]
        for one in event.get("permanents", []):
            self.stand(one)["face"] = one.get("face", "front")

    def on_turn_began(self, event: dict[str, Any]) -> None:
        self.before, self.active = self.active, event["active"]
        last = self.now
        self.tally = last
        self.now = dict(last) if self.has("tallies stay") or self.has("everything adds up") else {}

    def on_step_began(self, event: dict[str, Any]) -> None:
        self.step = event["step"]
        if self.step == "untap":
            for one in self.permanents.values():
                if one["controller"] in self.active:
                    one["out"] = False
            self.rest()
        if self.step == ("end" if self.has("at the end") else "untap"):
            self.check()

    def on_spell_cast(self, event: dict[str, Any]) -> None:
        card = event["card"]
        main = self.step.endswith("main")
        counts = not (
            (self.has("no creatures") and card not in _BURNS)
            or (self.has("no artifacts") and card == "Ornithopter")
            or (self.has("main phases") and not main)
            or (self.has("no upkeep") and self.step == "upkeep")
            or (self.has("no end") and self.step == "end")
        )
        if counts:
            self.count(event["player"])
        if card == "Counterspell" and self.has("countered do not"):
            self.now[self.active[0]] -= 1
        if self.has("at the spell") and self.designation == "night" and self.now.get(self.active[0], 0) >= 2:
            self.become("day")

    def on_spell_copied(self, event: dict[str, Any]) -> None:
        if self.has("copies count"):
            self.count(self.active[0])
        if self.has("own copies count"):
            self.count(event["player"])

    def on_permanents_entered(self, event: dict[str, Any]) -> None:
        for one in event["permanents"]:
            standing = self.stand(one)
            turns = standing["turns"] and (standing["daybound"] or self.has("everything enters"))
            turns = turns and (not standing["down"] or self.has("face down enters"))
            turns = turns and not (self.has("bound by name") and self.bound(standing))
            turns = turns and not (self.has("holder stops entering") and self.holders(standing))
            night = self.designation == "night" and not self.has("front at night")
            night = night and not self.has("turns after entering")
            day = self.designation == "day" and self.has("back by day")
            standing["face"] = "back" if turns and (night or day) else "front"
            if one["card"] in _LANDS and self.has("lands count"):
                self.count(one["controller"])
            begins = self.designation == "neither" and not self.has("no day if neither")
            if standing["begins"] and not standing["down"] and (begins or self.has("always day")):
                self.become("day")
                if standing["watches"] and self.has("watch oneself"):
                    self.triggered.append(one["id"])

    def on_permanents_left(self, event: dict[str, Any]) -> None:
        for id in event["permanents"]:
            self.freed = self.freed or (self.permanents[id]["holds"] and self.has("holder holds instead"))
            del self.permanents[id]
        if self.has("neither again") and not self.wolves():
            self.designation = "neither"

    def on_phased_out(self, event: dict[str, Any]) -> None:
        for id in event["permanents"]:
            self.permanents[id]["out"] = True

    def on_control_changed(self, event: dict[str, Any]) -> None:
        for id in event["permanents"]:
            self.permanents[id]["controller"] = event["controller"]

    def on_transform_instructed(self, event: dict[str, Any]) -> None:
        for id in event["permanents"]:
            one = self.permanents[id]
            keyword = not self.has("moonmist" if one["face"] == "front" else "nightbound by others")
            refuses = (one["daybound"] and keyword) or self.has("no moonmist") or self.refuses(one, told=True)
            if one["turns"] and not refuses:
                self.turn(one, "back" if one["face"] == "front" else "front")
                one["told"] = not one["daybound"] or one["face"] == "back"

    def on_transform_forbidden(self, event: dict[str, Any]) -> None:
        before = self.forbids.get(event["source"], []) if self.has("bound twice") else []
        self.forbids[event["source"]] = [*before, *event["permanents"]]

    def on_transform_allowed(self, event: dict[str, Any]) -> None:
        if not self.has("bound for good"):
            del self.forbids[event["source"]]

    def on_abilities_lost(self, event: dict[str, Any]) -> None:
        for id in event["permanents"]:
            self.permanents[id]["lost"] = True

    def on_turned_face_up(self, event: dict[str, Any]) -> None:
        for id in event["permanents"]:
            one = self.permanents[id]
            one["down"] = False
            if not self.has("face down enters") and not self.has("face down transforms"):
                one["face"] = "front"
            one["told"] = self.has("turned up and stays")
            one["silent"] = self.has("turned up in silence")
            if one["begins"] and self.has("turned up enters") and self.designation == "neither":
                self.become("day")

    def on_effect_resolved(self, event: dict[str, Any]) -> None:
        becomes = event["becomes"]
        if becomes == "switch":
            becomes = "day" if self.designation == "night" else "night"
            if self.has("abilities count"):
                self.count(self.active[0])
        if (becomes == "night" and self.has("no night by effect")) or (
            becomes == "day" and self.has("no day by switch")
        ):
            return
        if self.has("effect resets"):
            self.now = {}
        self.stuck = becomes == "night" and self.has("stuck by effect")
        if self.has("trigger always") and self.designation == becomes:
            self.trigger()
        self.become(becomes)

    # ----------------------------------------------------------------------------------------------------------- rules

    def stand(self, one: dict[str, Any]) -> dict[str, Any]:
        retyped = {face: one[face]["subtypes"] for face in ("front", "back") if "back" in one}
        card = _CARDS.get(one["card"]) if "front" not in one or retyped else None
        standing = {
            "id": one["id"],
            "controller": one["controller"],
            "owner": one["controller"],
            "face": "front",
            "out": False,
            "told": False,
            "down": one.get("face_down", False),
            "lost": False,
            "silent": False,
            "held": False,
            "owed": False,
            "holds": card is not None and card.front.holds is not None,
            "subtypes": retyped or {"front": card.front.subtypes, "back": (card.back and card.back.subtypes) or ()}
            if card
            else {},
            "turns": (card is not None and card.double_faced) or (one["card"] == "Clone" and self.has("clones turn")),
            "daybound": card is not None and "daybound" in card.front.keywords,
            "begins": card is not None and card.front.day_if_neither,
            "watches": card is not None and card.front.watches,
        }
        self.permanents[one["id"]] = standing
        return standing

    def wolves(self) -> list[dict[str, Any]]:
        return [one for one in self.permanents.values() if one["daybound"] and not one["out"]]

    def turn(self, one: dict[str, Any], face: str) -> None:
        if one["face"] != face:
            one["face"] = face
            self.transformed.append(one["id"])

    def holders(self, one: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the controller's Immerwolves; the caller checks whether `one` is a Werewolf and not a Human."""
        whose = "owner" if self.has("holder of the owner") else "controller"
        return [
            other
            for other in self.permanents.values()
            if other["holds"]
            and not (other["out"] and not self.has("holder phased out"))
            and not (other["down"] and not self.has("holder face down"))
            and not (other["lost"] and not self.has("holder without abilities"))
            and (other[whose] == one["controller"] or self.has("holder holds all"))
            and not (self.has("no holder") or self.freed)
        ]

    def bound(self, one: dict[str, Any]) -> bool:
        """Return whether an effect forbids `one` to transform."""
        forbidden = [id for ids in self.forbids.values() for id in ids]
        by_name = self.has("bound by name") and one["id"][:-2] in [id[:-2] for id in forbidden]
        return (one["id"] in forbidden or by_name) and not self.has("no binding")

    def refuses(self, one: dict[str, Any], *, told: bool = False) -> bool:
        """Return whether `one` can't transform; `told`: by a spell or ability, and not by daybound or nightbound."""
        subtypes = one["subtypes"].get(one["face"], ())
        wolf = "Werewolf" in subtypes and ("Human" not in subtypes or self.has("holder holds humans"))
        held = wolf and bool(self.holders(one)) and not (told and self.has("holder of keywords"))
        one["held"] = one["held"] or held
        bound = self.bound(one) and not (told and self.has("bound by keywords"))
        down = one["down"] and not self.has("face down transforms")
        return down or bound or held or (one["held"] and self.has("held for good"))

    def count(self, player: str) -> None:
        self.now[player] = self.now.get(player, 0) + 1

    def check(self) -> None:
        ended = self.has("at the end")
        tally, whose = (self.now, self.active) if ended else (self.tally, self.before)
        if self.has("now active"):
            whose = self.active
        if self.has("opponents count"):
            whose = [player for player in tally if player not in whose]
        adding = self.has("everybody counts") or self.has("everything adds up")
        if adding:
            whose = list(tally)
        numbers = [tally.get(player, 0) for player in whose] or [0]
        most = sum(numbers) if adding or self.has("heads together") else max(numbers)
        if not whose and not self.before:
            return
        was = self.designation
        self.decide(most)
        if self.has("every check") and was == self.designation != "neither":
            self.trigger()

    def decide(self, most: int) -> None:
        if self.has("check needs wolves") and not self.wolves():
            return
        if self.designation == "day" and not self.has("day stays"):
            needed = 2 if self.has("two keep day") else 1
            if most < needed or (self.has("exactly one keeps day") and most > 1):
                self.become("night", checked=True)
        elif self.designation == "night" and not (self.has("night stays") or self.stuck):
            enough = most >= (1 if self.has("one ends night") else 2)
            if self.has("exactly two end night"):
                enough = most == 2
            if enough or self.has("anything ends night"):
                self.become("day", checked=True)
        elif self.designation == "neither":
            if self.has("check from neither") and not most:
                self.become("night")
            elif self.has("spells make day") and most >= 2:
                self.become("day")

    def become(self, designation: str, *, checked: bool = False) -> None:
        was, self.designation = self.designation, designation
        silent = was == "neither" and not self.has("trigger from neither")
        if was != designation and not silent and not (checked and self.has("no trigger in untap")):
            self.trigger()
        self.rest()

    def trigger(self) -> None:
        for id, one in self.permanents.items():
            silent = one["out"] or (one["down"] and not self.has("face down triggers"))
            if one["watches"] and not silent and (one["controller"] in self.active or not self.has("own triggers")):
                self.triggered.append(id)

    def rest(self) -> None:
        there = [one for one in self.permanents.values() if one["turns"] or one["daybound"]]
        there = [one for one in there if not one["out"] or self.has("phased transform")]
        if self.designation == "neither":
            self.begin(there)
        for one in there:
            if one["turns"] and not one["daybound"] and self.has("clones turn"):
                one["face"] = "back" if self.designation == "day" else "front"
            elif one["turns"] and not one["told"] and (one["daybound"] or self.has("all transform")):
                mine = one["controller"] in self.active or not self.active or not self.has("only the active")
                held = self.has("front at night") and one["face"] == "front"
                held = held or (self.has("back by day") and one["face"] == "back")
                if self.designation in ("day", "night") and mine and not held:
                    self.follow(one, "front" if self.designation == "day" else "back")

    def begin(self, there: list[dict[str, Any]]) -> None:
        bound = [one for one in there if one["daybound"] and not one["silent"]]
        bound = [one for one in bound if not one["down"] or self.has("face down begins")]
        fronts = [one for one in bound if one["face"] == "front"]
        backs = [one for one in bound if one["face"] == "back"]
        if backs and self.has("nightbound first"):
            fronts = []
        if fronts and not self.has("neither stays"):
            self.designation = "day"
        elif backs and not fronts:
            self.designation = "day" if self.has("nightbound is day") else "night"

    def follow(self, one: dict[str, Any], face: str) -> None:
        """Transform `one` to `face`, unless it can't transform or shows that face already."""
        if self.refuses(one):
            one["owed"] = one["owed"] or (one["face"] != face and self.has("made up for"))
        elif one["owed"] and one["face"] == face:
            one["told"] = True
            self.turn(one, "back" if face == "front" else "front")
        else:
            self.turn(one, face)
