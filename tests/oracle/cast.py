"""The permanents that take part in random walks."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from .citations import DAY_AND_NIGHT_SECTION
from .vocabulary import HOLDS_NIGHT, HOLDS_WEREWOLVES, TOKENS_TRANSFORM

T = TypeVar("T")
EDITIONS = tuple(DAY_AND_NIGHT_SECTION)
SOURCES = ("Humility", "Bound by Moonsilver", "Moonmist")
WEREWOLVES = (
    "Tavern Ruffian", "Tavern Smasher", "Brutal Cathar // Moonrage Brute", "Curse of Leeches",
    "Arlinn, the Pack's Hope", "Howlpack Piper",
)  # fmt: skip
WATCHERS = ("Brimstone Vandal", "Gavony Dawnguard", "The Celestus", "Sunstreak Phoenix")
OTHERS = ("Geier Reach Bandit", "Krallenhorde Wantons", "Angel of Eternal Dawn", "Werewhat", "Runeclaw Bear")
DOUBLE_FACED = (*WEREWOLVES, *OTHERS[:2])
SUBTYPES: tuple[list[str], ...] = (["Human", "Werewolf"], ["Werewolf"], ["Wolf"], [])
KEYWORDS: tuple[list[str], ...] = (["daybound"], ["nightbound"], [])


class Dice(Protocol):
    """The type of what makes the random decisions for a permanent; a `Walk` is one."""

    def pick(self, options: Sequence[T]) -> T:
        """Choose one of these options."""

    def chance(self, percent: int) -> bool:
        """True in this percentage of calls."""

    @property
    def state(self) -> dict[str, Any]:
        """The oracle's state, which names the edition."""
        ...


def some_face(dice: Dice, name: str, keywords: list[str]) -> dict[str, Any]:
    """A face with these keywords and now and then another ability."""
    face: dict[str, Any] = {"name": name, "types": ["Creature"], "subtypes": dice.pick(SUBTYPES)}
    if keywords or dice.chance(50):
        face["keywords"] = keywords
    if dice.chance(20):
        face["watches"] = True
    if dice.chance(10):
        face["day_if_neither"] = True
    if dice.chance(12):
        face["holds"] = HOLDS_NIGHT if dice.chance(25) else HOLDS_WEREWOLVES
    return face


def copied_face(dice: Dice) -> dict[str, Any]:
    """The face that a copy shows: one of a real werewolf, or an invented one."""
    if dice.chance(50):
        name = dice.pick(("Tavern Ruffian", "Tavern Smasher"))
        bound = "daybound" if name == "Tavern Ruffian" else "nightbound"
        return {"name": name, "types": ["Creature"], "subtypes": ["Werewolf"], "keywords": [bound]}
    return some_face(dice, "Copied", dice.pick(KEYWORDS))


def custom(dice: Dice) -> dict[str, Any]:
    """The fields of an invented double-faced card, mostly with daybound on the front and nightbound on the back."""
    usual = dice.chance(50)
    front = some_face(dice, "Dawn", ["daybound"] if usual else dice.pick(KEYWORDS))
    back = some_face(dice, "Dusk", ["nightbound"] if usual else dice.pick(KEYWORDS))
    if dice.chance(15):
        back["permanent"] = False
    return {"card": "Dawn // Dusk", "double_faced": True, "front": front, "back": back}


def pack(dice: Dice) -> dict[str, Any]:
    """The fields of a double-faced card: a Werewolf that is no Human on either face, or the Human `Keeper`.

    The front face of `Keeper` forbids its controller's Werewolves that are no Humans to transform.
    """
    front: dict[str, Any] = {"name": "Whelp", "subtypes": ["Werewolf"], "keywords": ["daybound"]}
    back: dict[str, Any] = {"name": "Pack", "subtypes": ["Werewolf"], "keywords": ["nightbound"]}
    if dice.chance(35):
        front |= {"name": "Keeper", "subtypes": ["Human"], "holds": HOLDS_WEREWOLVES}
    elif dice.chance(60):
        dice.pick((front, back))["watches"] = True
    return {"card": f"{front['name']} card", "double_faced": True, "front": front, "back": back}


def arrival(dice: Dice, name: str, controller: str) -> dict[str, Any]:
    """The fields of a random permanent, as an event writes them, with the id `name`."""
    kind = dice.pick(
        ("werewolf", "werewolf", "werewolf", "custom", "custom", "pack", "pack", "watcher", "other", "wolf", "clone")
    )
    described: dict[str, Any]
    if kind == "werewolf":
        described = {"card": dice.pick(WEREWOLVES)}
        if dice.chance(8):
            described["back"] = {"name": "A Sorcery", "types": ["Sorcery"], "permanent": False}
    elif kind == "custom":
        described = custom(dice)
    elif kind == "pack":
        described = pack(dice)
    elif kind == "watcher":
        described = {"card": dice.pick(WATCHERS)}
    elif kind == "other":
        described = {"card": dice.pick(OTHERS)}
    elif kind == "wolf":
        described = {"card": "Immerwolf"}
    else:
        described = {"card": "Clone", "front": copied_face(dice)}
    described = {"id": name, **described, "controller": controller}
    double_faced = kind in ("werewolf", "custom", "pack") or described["card"] in DOUBLE_FACED
    if double_faced and described.get("back", {}).get("permanent", True) and dice.chance(15):
        described["face"] = dice.pick(("back", "front"))
    if dice.chance(6) and described.get("face") != "back":
        described["face_down"] = True
    if dice.chance(8):
        described["without_abilities"] = dice.pick((True, "Humility"))
    # Before tokens transform, one that is said to be double-faced is read in a record, but cannot be appended.
    early = "double_faced" in described and dice.state["edition"] < TOKENS_TRANSFORM
    if dice.chance(30 if kind == "pack" else 12) and not early:
        described["token"] = True
    return described
