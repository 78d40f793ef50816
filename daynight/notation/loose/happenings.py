"""Returns the events of one clause: the kinds of words in it choose the function that reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from daynight.notation.loose.casting import casting, countered, elliptic, numbered
from daynight.notation.loose.changing import making, phasing, turning_over
from daynight.notation.loose.clauses import HAPPENING, Clause
from daynight.notation.loose.moving import LEAVING, controlling, entering, leaving
from daynight.notation.loose.saying import claiming, conceding, turning, winning
from daynight.notation.loose.told import Told
from daynight.notation.spoken.classes import folded


def happening(clause: Clause, told: Told) -> list[str] | None:
    """Return the lines of the notation for the events of a clause; [] if it has no event, None if that is uncertain."""
    if clause.has("other", "land"):
        return None
    kinds = _kinds(clause)
    if "effect" in kinds and not kinds & {"transform", "day", "night"}:
        told.effect = not clause.has("permanent", "card", "spell", "spells")
        return [] if told.effect else None
    begun: list[str] = []
    if kinds & {"turn", "pass"} and not _in_this_turn(clause):
        if told.turn is None:
            found = turning(clause, told)
            if found is None:
                return None
            begun = found
        kinds -= {"turn", "pass"}
    elif told.passed:
        # Whose turn it is then is not said.
        return None
    kinds -= {"turn"}
    if not kinds:
        rest = elliptic(clause, told) if clause.has("card", "permanent", "land") else []
        return None if rest is None else [*begun, *rest]
    if "pass" in kinds:
        return None
    made = _happened(clause, told, kinds)
    return None if made is None else [*begun, *made]


def _kinds(clause: Clause) -> set[str]:
    """Return the kinds of the words of a clause that tell of an event, without those that others make idle."""
    kinds = {kind for token in clause.tokens for kind in token.kinds} & {*HAPPENING}
    if not kinds & {"cast", "counter"}:
        # To pay for something.
        kinds -= {"something"}
    if kinds & {"day", "night"}:
        kinds -= {"counter"} if clause.has("judge") else set()
        kinds -= {"enter", "effect", "transform"} if not clause.has("permanent") else set()
    if "turn" in kinds and clause.has("number") and not clause.has("card", "permanent", "spell", "spells"):
        # And on to turn 4.
        kinds -= {"counter"}
    return kinds - {"effect"} if "transform" in kinds else kinds


def _in_this_turn(clause: Clause) -> bool:
    """Return whether a clause names the current turn, and so begins none: `this turn`, `until end of turn`."""
    return _THIS.search(folded(clause.text)) is not None


_THIS = re.compile(
    r"\b(?:this|end of|until the end of|ends? of) (?:the |his |her |their )?turn|ce tour"
    r"|fin (?:du|de|de son|de ce) tour"
    r"|(?:この|その)ターン|ターン(?:の)?(?:終了時|終わり|エンド時)|エンド(?:時|前|フェイズ|ステップ)|自分のターンに(?!入)"
    r"|(?:on|in|during) (?:his|her|their) (?:own )?turn"
)


def _happened(clause: Clause, told: Told, kinds: set[str]) -> list[str] | None:
    for needed, may, rule in _RULES:
        if kinds & needed and kinds <= needed | may:
            return rule(clause, told)
    return None


_RULES: Sequence[tuple[set[str], set[str], Callable[[Clause, Told], list[str] | None]]] = (
    ({"day", "night"}, {"say"}, claiming),
    ({"spell", "spells", "something"}, {"cast", "say"}, casting),
    ({"spell"}, {"counter"}, countered),
    ({"cast", "counter"}, {"enter"}, lambda clause, told: numbered(clause, told) or casting(clause, told)),
    ({"concede"}, {"say"}, conceding),
    ({"win"}, {"say", "concede"}, winning),
    ({"token"}, {"enter"}, making),
    ({"phase-in", "phase-out"}, set(), phasing),
    ({"transform"}, {"spell"}, turning_over),
    ({"control", "take"}, {"bounce"}, controlling),
    ({*LEAVING, "lose"}, {"enter", "take", "blink"}, leaving),
    ({"enter"}, set(), entering),
)
