"""Converts the play form of a case into a record: its set-up and actions become events.

It knows the few cards of the cases, but no rules of day and night: the engine that gets the events applies those.
"""

from collections import Counter
from typing import Any

Event = dict[str, Any]

STEPS = (
    "untap", "upkeep", "draw", "precombat-main", "beginning-of-combat", "declare-attackers", "declare-blockers",
    "combat-damage", "end-of-combat", "postcombat-main", "end", "cleanup",
)  # fmt: skip

LANDS = {"Forest", "Island", "Mountain", "Plains", "Swamp"}
ENTERING = {
    "Tavern Ruffian", "Brutal Cathar", "Brimstone Vandal", "The Celestus", "Grizzly Bears", "Ornithopter", "Clone",
    "Village Watch", "Geier Reach Bandit", "Immerwolf", *LANDS,
}  # fmt: skip
"""The cards that enter the battlefield as they resolve or are played, and do nothing else."""

BACKS = {"Tavern Ruffian": "Tavern Smasher", "Brutal Cathar": "Moonrage Brute", "Village Watch": "Village Reavers"}


def decided(where: str) -> tuple[int, int]:
    """Return a position such as `2/upkeep` as numbers that can be compared: the turn, and the step's index."""
    turn, _sign, step = where.partition("/")
    return int(turn), STEPS.index(step)


class Table:
    """A game while it is converted: its `events` so far; `names` has a permanent's id for each `owner:card`."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case = case
        setup = case["setup"]
        self.teams: list[list[str]] | None = setup.get("teams")
        self.players = sorted(each for team in self.teams for each in team) if self.teams else ["A", "B"]
        self.turns: str = setup.get("turns", "")
        self.events: list[Event] = [{"type": "game-started", "format": 1, "game": case["id"], "players": self.players}]
        if self.teams:
            self.events[0]["teams"] = self.teams
        self.names: dict[str, str] = {}
        self.count: Counter[str] = Counter()
        self.chosen: dict[str, str] = {}
        standing = [
            self.permanent(owner, card, rest[0] if rest else None)
            for owner, card, *rest in setup.get("battlefield", [])
            if card not in LANDS
        ]
        self.say("game-joined", possible=[setup.get("designation") or "neither"])
        if standing:
            self.events[-1]["permanents"] = standing

    def say(self, tag: str, **fields: Any) -> None:
        """Add an event of the type `tag`."""
        self.events.append({"type": tag, **fields})

    def permanent(self, owner: str, card: str, face: str | None = None) -> dict[str, Any]:
        """Return a permanent with a new id, as an event lists it, and note the id in `names`."""
        self.count[f"{owner}:{card}"] += 1
        id = f"{owner.lower()}-{card.lower().replace(' ', '-')}-{self.count[f'{owner}:{card}']}"
        self.names[f"{owner}:{card}"] = id
        shown = {"face": "back"} if face == "back" else {}
        return {"id": id, "card": card, "controller": owner, **shown}

    def active(self, turn: int) -> list[str]:
        """Return the active player, or the players of the active team."""
        if self.teams:
            return self.teams[(turn - 1) % 2]
        return [self.turns[turn - 1] if turn <= len(self.turns) else "BA"[turn % 2]]

    def play(self) -> list[tuple[int, dict[str, str]]]:
        """Add the events of the whole game; return the event number and the `names` for each position in `expect`."""
        expected = [entry["at"] for entry in self.case["expect"]]
        acts: dict[str, list[list[dict[str, Any]]]] = {}
        here = ""
        for act in self.case["actions"]:
            if act.get("in_response"):
                acts[here][-1].append(act)
            else:
                here = f"{act['turn']}/{act['step']}"
                acts.setdefault(here, []).append([act])
        asked = []
        began = 0
        for where in sorted({*expected, *acts}, key=decided):
            turn, step = where.split("/")
            while began < int(turn):
                began += 1
                skips = {"skips": ["untap"]} if began == 1 else {}
                self.say("turn-began", turn=began, active=self.active(began), **skips)
                if began > 1:
                    self.say("step-began", step="untap")
            if step != "untap":
                self.say("step-began", step=step)
            if where in expected:
                asked.append((len(self.events), dict(self.names)))
            for several in acts.get(where, []):
                self.resolve(several)
        return asked

    def resolve(self, several: list[dict[str, Any]]) -> None:
        """Add the events of an action and the responses to it: all casts, then what resolves, last in first out."""
        for act in several:
            if "cast" in act:
                self.say("spell-cast", player=act["by"], card=act["cast"])
        countered = set()
        for act in reversed(several):
            if act.get("cast") == "Counterspell":
                countered.add(act["at"])
            elif act.get("cast") not in countered or act.get("cast") is None:
                self.happen(act)

    def happen(self, act: dict[str, Any]) -> None:
        """Add the events of an action as it resolves, such as a spell or an activated ability."""
        by, card = act["by"], act.get("cast") or act.get("play")
        target = self.names.get(act.get("at", ""), "")
        if "concede" in act:
            self.say("player-left", player=by)
        elif act.get("activate") == "The Celestus":
            self.say("effect-resolved", becomes="switch", source="The Celestus")
        elif card == "Clone":
            copied = act["copying"].partition(":")[2]
            name, keyword = (BACKS[copied], "nightbound") if act["of"] == "back" else (copied, "daybound")
            permanent = self.permanent(by, card) | {"front": {"name": name, "keywords": [keyword]}}
            self.say("permanents-entered", permanents=[permanent])
        elif card in ENTERING:
            self.say("permanents-entered", permanents=[self.permanent(by, card) | self.retyped(by, card)])
        elif card == "Conspiracy":
            self.say("permanents-entered", permanents=[self.permanent(by, card)])
            self.chosen[by] = act["choosing"]
        elif card == "Into the Night":
            self.say("effect-resolved", becomes="night", source=card)
        elif card == "Grapeshot":
            for _number in range(act["copies"]):
                self.say("spell-copied", player=by, card=card)
        elif card == "Twincast":
            self.say("spell-copied", player=by, card=act["at"])
        elif card == "Reality Ripple":
            self.say("phased-out", permanents=[target])
        elif card == "Unsummon":
            self.say("permanents-left", permanents=[target])
        elif card == "Cloudshift":
            self.say("permanents-left", permanents=[target])
            self.say("permanents-entered", permanents=[self.permanent(*act["at"].split(":"))])
            for aura in act.get("falls_off", []):
                self.leave(aura)
        elif card == "Act of Treason":
            self.say("control-changed", permanents=[target], controller=by)
        elif card == "Moonmist":
            self.say("transform-instructed", permanents=[self.names[one] for one in act["humans"]], source=card)
        elif act.get("turn_up"):
            self.say("turned-face-up", permanents=[self.names[act["turn_up"]]])
        elif act.get("activate") == "Bound by Moonsilver":
            self.say("transform-forbidden", permanents=[target], source="Bound by Moonsilver")
        elif card == "Soul Summons":
            self.say(
                "permanents-entered", permanents=[self.permanent(*act["manifests"].split(":")) | {"face_down": True}]
            )
        elif card in ("Bound by Moonsilver", "Frogify"):
            self.say("permanents-entered", permanents=[self.permanent(by, card)])
            self.say("abilities-lost" if card == "Frogify" else "transform-forbidden", permanents=[target], source=card)
        elif card == "Waxing Moon":
            self.say("transform-instructed", permanents=[target], source=card)
        elif card == "Disenchant":
            self.leave(act["at"])
        elif card == "Humility":
            self.say("abilities-lost", permanents=list(self.names.values()), source=card)

    def retyped(self, owner: str, card: str) -> dict[str, Any]:
        """Return the faces of a werewolf with the creature type that `owner` chose; without a choice, an empty dict."""
        if owner not in self.chosen or card not in BACKS:
            return {}
        shared = {"types": ["Creature"], "subtypes": [self.chosen[owner]]}
        front = {"name": card, "keywords": ["daybound"], **shared}
        return {
            "double_faced": True,
            "front": front,
            "back": {"name": BACKS[card], "keywords": ["nightbound"], **shared},
        }

    def leave(self, aura: str) -> None:
        """Add the events of an Aura that leaves: it forbade to transform, and this effect ends."""
        self.say("permanents-left", permanents=[self.names[aura]])
        self.say("transform-allowed", source=aura.partition(":")[2])


def played(case: dict[str, Any]) -> tuple[list[Event], list[list[Any]]]:
    """Return the events of a case, made from its play form, and the checks: an event's number and what is true then."""
    table = Table(case)
    asked = table.play()
    checks: list[list[Any]] = []
    for (at, names), entry in zip(asked, sorted(case["expect"], key=lambda one: decided(one["at"])), strict=True):
        faces = {names[name]: face for name, face in entry.get("faces", {}).items()}
        check: list[Any] = [at, entry["designation"] or "neither", faces]
        for index, key in ((3, "triggered"), (4, "transformed")):
            if key in entry:
                check += [None] * (index - len(check))
                check.append(sorted(names[name] for name in entry[key]))
        checks.append(check)
    return table.events, checks
