"""A small machine of day and night for the events of cases, in which mistakes can be planted.

It was written from the rules, and shares with the referee only the names and faces of cards.
"""

from typing import Any

from daynight.cards import bundled

_CARDS = {card.front.name: card for card in bundled()}

MISTAKES = {
    "everybody counts": "the check counts everybody's spells",
    "opponents count": "the check counts the spells of those who were not active",
    "now active": "the check counts the spells of who is active now",
    "copies count": "a copy counts as cast",
    "no creatures": "only instants and sorceries count",
    "no artifacts": "only what costs mana counts",
    "lands count": "a land counts as cast",
    "abilities count": "an effect counts as cast",
    "countered do not": "what is answered by a counterspell does not count",
    "main phases": "only spells of main phases count",
    "no upkeep": "spells of the upkeep do not count",
    "no end": "spells of the end step do not count",
    "tallies stay": "the count goes on over the turn",
    "everything adds up": "the check counts everybody's spells of all turns",
    "two keep day": "the day needs two spells",
    "exactly one keeps day": "only one spell keeps the day, not more",
    "day stays": "by day there is no check",
    "night stays": "at night there is no check",
    "one ends night": "one spell ends the night",
    "exactly two end night": "three spells do not end the night",
    "anything ends night": "the night ends by itself",
    "at the end": "the check comes in the end step",
    "at the spell": "the second spell ends the night at once",
    "check from neither": "nobody casting makes neither night",
    "spells make day": "two spells make neither day",
    "neither stays": "a daybound permanent does not make it day",
    "no day if neither": "cards that say so do not make neither day",
    "always day": "cards that make neither day make the night day, too",
    "nightbound is day": "a lone nightbound permanent makes it day",
    "nightbound first": "nightbound is looked at before daybound",
    "no night by effect": "effects do not make it night",
    "no day by switch": "The Celestus does not make it day",
    "front at night": "a daybound card enters front face up at night",
    "back by day": "a daybound card enters back face up by day",
    "everything enters": "every double-faced card enters back face up at night",
    "only the active": "only permanents of the active player transform",
    "all transform": "every double-faced permanent transforms with the night",
    "moonmist": "what has daybound transforms by other effects",
    "no moonmist": "nothing transforms by other effects",
    "phased transform": "what is phased out transforms",
    "clones turn": "a copy transforms",
    "trigger from neither": "neither becoming day or night triggers",
    "trigger always": "every effect that says day or night triggers",
    "no trigger in untap": "the check triggers nothing",
    "every check": "every check triggers",
    "own triggers": "only abilities of the active player trigger",
    "neither again": "it is neither again without werewolves",
    "check needs wolves": "there is no check without werewolves",
    "stuck by effect": "the night that an effect made does not end",
    "effect resets": "only spells after an effect count",
    "heads together": "the spells of the heads of a team are added up",
    "watch oneself": "a card that makes it day triggers for that",
}
"""The mistakes, each with a description."""

_BURNS = {"Shock", "Lightning Bolt", "Opt", "Twincast", "Counterspell", "Reality Ripple", "Unsummon", "Cloudshift",
          "Into the Night", "Act of Treason", "Moonmist"}  # fmt: skip
_LANDS = {"Forest", "Island", "Mountain", "Plains"}


class Machine:
    """The machine; `mistake` is one of `MISTAKES`, or empty."""

    def __init__(self, mistake: str = "") -> None:
        self.mistake = mistake
        self.designation = "neither"
        self.permanents: dict[str, dict[str, Any]] = {}
        self.active: list[str] = []
        self.before: list[str] = []
        self.now: dict[str, int] = {}
        self.tally: dict[str, int] = {}
        self.triggered: list[str] = []
        self.step = ""
        self.stuck = False

    def has(self, name: str) -> bool:
        """Whether this mistake was planted."""
        return self.mistake == name

    def answer(self, case: dict[str, Any]) -> dict[str, Any]:
        """The answer to a case in the form in which it is sent."""
        seen = []
        for number, event in enumerate(case["events"], 1):
            self.take(event)
            if number in case["ask"]:
                faces = {id: one["face"] for id, one in self.permanents.items()}
                seen.append(
                    {"at": number, "designation": self.designation, "faces": faces, "triggered": self.triggered}
                )
                self.triggered = []
        return {"id": case["id"], "seen": seen}

    def take(self, event: dict[str, Any]) -> None:
        """Process an event."""
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

    def on_permanents_entered(self, event: dict[str, Any]) -> None:
        for one in event["permanents"]:
            standing = self.stand(one)
            turns = standing["turns"] and (standing["daybound"] or self.has("everything enters"))
            night = self.designation == "night" and not self.has("front at night")
            day = self.designation == "day" and self.has("back by day")
            standing["face"] = "back" if turns and (night or day) else "front"
            if one["card"] in _LANDS and self.has("lands count"):
                self.count(one["controller"])
            begins = self.designation == "neither" and not self.has("no day if neither")
            if standing["begins"] and (begins or self.has("always day")):
                self.become("day")
                if standing["watches"] and self.has("watch oneself"):
                    self.triggered.append(one["id"])

    def on_permanents_left(self, event: dict[str, Any]) -> None:
        for id in event["permanents"]:
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
            refuses = (one["daybound"] and not self.has("moonmist")) or self.has("no moonmist")
            if one["turns"] and not refuses:
                one["face"] = "back" if one["face"] == "front" else "front"
                one["told"] = True

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
        card = _CARDS.get(one["card"]) if "front" not in one else None
        standing = {
            "controller": one["controller"],
            "face": "front",
            "out": False,
            "told": False,
            "turns": (card is not None and card.double_faced) or (one["card"] == "Clone" and self.has("clones turn")),
            "daybound": card is not None and "daybound" in card.front.keywords,
            "begins": card is not None and card.front.day_if_neither,
            "watches": card is not None and card.front.watches,
        }
        self.permanents[one["id"]] = standing
        return standing

    def wolves(self) -> list[dict[str, Any]]:
        return [one for one in self.permanents.values() if one["daybound"] and not one["out"]]

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
            if one["watches"] and not one["out"] and (one["controller"] in self.active or not self.has("own triggers")):
                self.triggered.append(id)

    def rest(self) -> None:
        there = [one for one in self.permanents.values() if one["turns"] or one["daybound"]]
        there = [one for one in there if not one["out"] or self.has("phased transform")]
        if self.designation == "neither":
            fronts = [one for one in there if one["daybound"] and one["face"] == "front"]
            backs = [one for one in there if one["daybound"] and one["face"] == "back"]
            if backs and self.has("nightbound first"):
                fronts = []
            if fronts and not self.has("neither stays"):
                self.designation = "day"
            elif backs and not fronts:
                self.designation = "day" if self.has("nightbound is day") else "night"
        for one in there:
            if one["turns"] and not one["daybound"] and self.has("clones turn"):
                one["face"] = "back" if self.designation == "day" else "front"
            elif one["turns"] and not one["told"] and (one["daybound"] or self.has("all transform")):
                mine = one["controller"] in self.active or not self.active or not self.has("only the active")
                held = self.has("front at night") and one["face"] == "front"
                held = held or (self.has("back by day") and one["face"] == "back")
                if self.designation in ("day", "night") and mine and not held:
                    one["face"] = "front" if self.designation == "day" else "back"
