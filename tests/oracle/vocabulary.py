"""The shape of each event, as functions that return whether a value is valid; and what the catalogue fills in."""

import json
import re
import unicodedata
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

Event = dict[str, Any]
Catalogue = dict[str, dict[str, Any]]

REPOSITORY = Path(__file__).resolve().parents[2]
FALLBACKS: list[Path] = [REPOSITORY / "daynight" / "cards" / "cards.json"]

DESIGNATIONS = ("neither", "day", "night")
STEPS = (
    "untap", "upkeep", "draw", "precombat-main", "beginning-of-combat", "declare-attackers", "declare-blockers",
    "combat-damage", "end-of-combat", "postcombat-main", "end", "cleanup",
)  # fmt: skip
LONGEST_NAME = 200
MOST_SAID = 2_000
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})")
HOLDS_WEREWOLVES = "non-human-werewolves-you-control"
HOLDS_NIGHT = "night"
FACE_FIELDS = ("name", "keywords", "types", "subtypes", "permanent", "day_if_neither", "watches", "holds")


class Refused(Exception):  # noqa: N818
    """The event is impossible here; the sentence says why, and nothing has changed."""


def must(condition: bool, sentence: str) -> None:
    """Raise `Refused` with this sentence if the condition is false."""
    if not condition:
        raise Refused(sentence)


def text(value: Any) -> bool:
    """Return whether a value is a name: neither empty nor too long, without control and direction characters."""
    if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_NAME:
        return False
    return all(unicodedata.category(letter) not in ("Cc", "Cs") and letter not in BIDI for letter in value)


def prose(value: Any) -> bool:
    """Return whether a value is a string."""
    return isinstance(value, str)


def sentence(value: Any) -> bool:
    """Return whether a value is a statement: 1 to 2,000 characters on one line, without control characters."""
    if not isinstance(value, str) or not 1 <= len(value) <= MOST_SAID or len(value.splitlines()) != 1:
        return False
    return all(unicodedata.category(letter) not in ("Cc", "Cs") and letter not in BIDI for letter in value)


def moment(value: Any) -> bool:
    """Return whether a value is a time with its zone, as RFC 3339 writes it."""
    if not isinstance(value, str) or not TIME.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def whole(value: Any) -> bool:
    """Return whether a value is an integer, but not a boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


def count(value: Any) -> bool:
    """Return whether a value is an integer that is not negative."""
    return whole(value) and value >= 0


def boolean(value: Any) -> bool:
    """Return whether a value is True or False."""
    return isinstance(value, bool)


def texts(value: Any) -> bool:
    """Return whether a value is a list of different names."""
    return isinstance(value, list) and all(text(item) for item in value) and len(set(value)) == len(value)


def words(value: Any) -> bool:
    """Return whether a value is a list of names."""
    return isinstance(value, list) and all(text(item) for item in value)


def one_of(*allowed: Any) -> Callable[[Any], bool]:
    """A function that returns whether a value is one of `allowed`."""
    return lambda value: isinstance(value, str | int) and value in allowed


def listed(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A function that returns whether a value is a list, and each item passes `check`."""
    return lambda value: isinstance(value, list) and all(check(item) for item in value)


def fields(value: Any, allowed: dict[str, Callable[[Any], bool]]) -> bool:
    """Return whether a value is an object with the fields `allowed` and no other, each of which passes its check.

    A field whose name ends in `?` may be missing.
    """
    if not isinstance(value, dict):
        return False
    known = {name.rstrip("?") for name in allowed}
    if any(name not in known for name in value):
        return False
    for name, check in allowed.items():
        plain = name.rstrip("?")
        if plain in value:
            if not check(value[plain]):
                return False
        elif name == plain:
            return False
    return True


def face(value: Any) -> bool:
    """Return whether a value is an object with the fields of a face."""
    return fields(value, {
        "name?": text, "keywords?": listed(one_of("daybound", "nightbound")), "types?": words, "subtypes?": words,
        "permanent?": boolean, "day_if_neither?": boolean, "watches?": boolean,
        "holds?": one_of(HOLDS_WEREWOLVES, HOLDS_NIGHT),
    })  # fmt: skip


PERMANENT: dict[str, Callable[[Any], bool]] = {
    "id": text, "card": text, "controller": text, "double_faced?": boolean, "front?": face, "back?": face,
    "face?": one_of("front", "back"), "face_down?": boolean, "token?": boolean,
    "without_abilities?": lambda value: value is True or text(value),
}  # fmt: skip


def found(value: Any) -> bool:
    """Return whether a value is a permanent as in game-joined, which may be phased out."""
    return fields(value, PERMANENT | {"phased_out?": boolean})


def permanent(value: Any) -> bool:
    """Return whether a value is a permanent as in permanents-entered, which is phased in."""
    return found(value) and not value.get("phased_out", False)


def effect(value: Any) -> bool:
    """Return whether a value is an effect that forbids permanents to transform: a source, and their ids."""
    return fields(value, {"source": text, "permanents": texts})


def steps(value: Any) -> bool:
    """Return whether a value is a list of different steps."""
    return texts(value) and all(item in STEPS for item in value)


def anything(value: Any) -> bool:
    """Return whether a value is a JSON object, with any fields."""
    return isinstance(value, dict)


EVERYWHERE: dict[str, Callable[[Any], bool]] = {"type": text, "at?": moment, "note?": prose, "meta?": anything}
designation = one_of(*DESIGNATIONS)
outcome = one_of("leave", "fix", "back-up")
SHAPES: dict[str, dict[str, Callable[[Any], bool]]] = {
    "game-started": {"format": one_of(1), "game": text, "players": texts, "teams?": listed(texts), "edition?": text},
    "game-joined": {"possible": listed(designation), "permanents?": listed(found), "forbids?": listed(effect)},
    "turn-began": {"turn": whole, "active": texts, "skips?": steps},
    "step-began": {"step": one_of(*STEPS), "phased_in?": texts, "phased_out?": texts, "stays_out?": texts},
    "spell-cast": {"player": text, "card?": text, "spell?": text},
    "spell-copied": {"player": text, "card?": text, "spell?": text},
    "spells-uncertain": {"player": text, "at_least": count, "at_most?": count},
    "permanents-entered": {"permanents": listed(permanent)}, "permanents-left": {"permanents": texts, "to?": text},
    "control-changed": {"permanents": texts, "controller": text},
    "abilities-lost": {"permanents": texts, "source?": text},
    "abilities-regained": {"permanents": texts, "source?": text}, "became-copy": {"permanents": texts, "front": face},
    "copy-ended": {"permanents": texts}, "turned-face-down": {"permanents": texts},
    "turned-face-up": {"permanents": texts}, "phased-out": {"permanents": texts}, "phased-in": {"permanents": texts},
    "transform-instructed": {"permanents": texts, "source?": text, "own_since?": whole},
    "transform-forbidden": {"source": text, "permanents": texts}, "transform-allowed": {"source": text},
    "effect-resolved": {
        "becomes": one_of("day", "night", "switch"), "source?": text, "only_if?": one_of(*DESIGNATIONS),
    },
    "player-left": {"player": text, "permanents?": texts}, "game-restarted": {}, "game-ended": {"winner?": texts},
    "designation-claimed": {"designation": designation, "by": text},
    "face-claimed": {"permanent": text, "face": one_of("front", "back"), "by": text},
    "tally-claimed": {"player": text, "spells": count, "by": text, "turn?": whole},
    "judge-ruled": {"by": text, "designation": designation}, "game-backed-up": {"to": whole, "by": text},
    "dispute-opened": {"dispute": text, "by": text, "about?": whole},
    "dispute-claimed": {"dispute": text, "by": text, "designation?": designation, "says?": sentence},
    "dispute-ruled": {
        "dispute": text, "by": text, "outcome": outcome, "designation?": designation, "to?": whole, "says?": sentence,
    },
    "dispute-appealed": {"dispute": text, "by": text},
    "dispute-closed": {"dispute": text, "by": text, "outcome": outcome},
    "note-added": {"by": text, "says": sentence, "about?": whole},
}  # fmt: skip
CLAIMS_AND_ACTS = ("designation-claimed", "face-claimed", "tally-claimed", "judge-ruled", "game-backed-up")
OF_THE_RECORD = (
    "dispute-opened", "dispute-claimed", "dispute-ruled", "dispute-appealed", "dispute-closed", "note-added",
)  # fmt: skip
LEAVES_DUE = (
    "permanents-left", "control-changed", "abilities-lost", "abilities-regained", "copy-ended", "transform-forbidden",
    "transform-allowed", "player-left", "game-restarted",
)  # fmt: skip


def check_shape(event: Any) -> None:
    """Raise `Refused` for an unknown tag, and for unknown, missing or invalid fields."""
    must(isinstance(event, dict) and text(event.get("type")), "an event is an object with a type")
    must(event["type"] in SHAPES, f"unknown type {event['type']!r}")
    must(fields(event, EVERYWHERE | SHAPES[event["type"]]), f"the fields of this {event['type']} are not right")


def find_catalogue(fallback: Path | None = None) -> Path:
    """The first file that exists: shared/cards.json beside the repository, `fallback`, or one of `FALLBACKS`.

    Raises FileNotFoundError if there is none.
    """
    places = [REPOSITORY.parent / "shared" / "cards.json", *([fallback] if fallback else []), *FALLBACKS]
    for place in places:
        if place.is_file():
            return place
    raise FileNotFoundError(f"no card catalogue at {', '.join(map(str, places))}")


def load_catalogue(path: Path) -> Catalogue:
    """The cards of a file by name; a double-faced one also by its back face's name, and by both: `Front // Back`."""
    catalogue: Catalogue = {}
    for card in json.loads(Path(path).read_text(encoding="utf-8")):
        catalogue[card["name"]] = card
        if card["double_faced"]:
            catalogue[card["back"]["name"]] = card
            catalogue[f"{card['front']['name']} // {card['back']['name']}"] = card
    return catalogue


TOKENS_TRANSFORM = "2023-04-14"
"""The first edition in which a token may be double-faced."""


def filled_in(given: dict[str, Any], catalogue: Catalogue, here: int, edition: str) -> dict[str, Any]:
    """The permanent of the state for `given`, which enters at event `here`: what `given` lacks is from the catalogue.

    Raises `Refused` if its faces are impossible.
    """
    card = catalogue.get(given["card"])
    name = card["name"] if card else given["card"]
    single = edition < TOKENS_TRANSFORM and given.get("token", False) and "back" not in given
    double_faced = given.get("double_faced", card["double_faced"] if card and not single else False)
    front, back = given.get("front"), given.get("back")
    if front is None:
        front = {key: card["front"][key] for key in FACE_FIELDS if key in card["front"]} if card else {"name": name}
    if back is None and double_faced and card and card["double_faced"]:
        back = {key: card["back"][key] for key in FACE_FIELDS if key in card["back"]}
    if not double_faced:
        must(back is None, f"{name} is not double-faced and has no back face")
        must(given.get("face", "front") == "front", f"{name} is not double-faced and has no back face")
    elif back is None:
        raise Refused(f"{name} is double-faced and needs a back face")
    elif given.get("face", "front") == "back":
        must(back.get("permanent", True), f"the back face of {name} is not a permanent's")
    must(not (given.get("face_down") and given.get("face") == "back"), f"{name} is face down and shows no face")
    taken = given.get("without_abilities")
    return {
        "id": given["id"], "card": name, "controller": given["controller"], "double_faced": double_faced,
        "front": front, "back": back, "copy": None, "token": given.get("token", False),
        "face_down": given.get("face_down", False), "phased_in": not given.get("phased_out", False),
        "phased_under": given["controller"], "arrived": here, "losses": [] if taken is None else [taken],
        "enters_with": "front" if given.get("face_down", False) else given.get("face", "front"),
    }  # fmt: skip
