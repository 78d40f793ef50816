"""Finds the differences of two states, two editions of the rules, or two catalogues."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from msgspec import to_builtins

from daynight.cards import Catalogue
from daynight.events.terms import Designation, Face
from daynight.framework.language.codec import document_of
from daynight.framework.language.grammar import commas, labelled
from daynight.framework.language.wording import _, card_word
from daynight.framework.mechanic import Between, Values
from daynight.projections.battlefield import Status
from daynight.referee.documents import count_document
from daynight.referee.mechanic import DAYNIGHT
from daynight.referee.parts import spelled, words
from daynight.referee.state import PlayedRecord, State
from daynight.rules.citations import cited
from daynight.speech.sentences import count_word, designation_word, either_word, face_word, keyword_word, listed


@dataclass(frozen=True, slots=True)
class GameDifference:
    """One value that differs: `left` in one game and `right` in the other; None: missing, or not certain.

    `about` names the kind of the value. The value belongs to `subject`: a permanent, a player, the source of an effect,
    or a turn that only one game has; None is the game itself. `of` holds what else the sentence names: a card, a face's
    name on both sides, the turn, or a trigger's old and new designation.
    """

    about: str
    subject: str | None
    left: Any
    right: Any
    of: Any = None

    @property
    def sentence(self) -> str:
        """The difference in the reader's language."""
        return _sentence(self, _word(self, self.left, 0), _word(self, self.right, 1))

    def document(self) -> dict[str, Any]:
        """Return the difference as JSON."""
        return document_of(self, "about subject left right sentence")


def differences(left: State, right: State) -> tuple[GameDifference, ...]:
    """Return the differences of two states.

    Compared are the turn, the players, the end of the game, the designation, permanents, what effects keep from
    transforming, this turn's tallies, and triggers. Of a permanent its card, face, controller, abilities, phasing and
    what it copies are compared, and its keywords if none of these explains their difference. Not compared are the step,
    event numbers, and what only the audit reads: claims, rulings and disputes.

    >>> from daynight import Game
    >>> game = Game.start("g1", ["Ana", "Bo"])
    >>> moment = game.record({"type": "effect-resolved", "becomes": "night"})
    >>> [difference.sentence for difference in differences(game.at(1), game.at(2))]
    ['neither day nor night / night']
    """
    return Comparison().differences(left, right)


class Comparison:
    """Compares the states of two games, pair after pair. Unchanged permanents are compared only once."""

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._found: tuple[GameDifference, ...] = ()

    def differences(self, left: State, right: State) -> tuple[GameDifference, ...]:
        """Return the same as the function `differences`."""
        return (
            *_of_the_game(left, right),
            *self._of_permanents(left, right),
            *_held(left, right),
            *_tallies(left, right),
            *_triggers(left, right),
        )

    def _of_permanents(self, left: State, right: State) -> tuple[GameDifference, ...]:
        mine, other = left.battlefield.permanents, right.battlefield.permanents
        # A status never changes: what changes is given a new one. The same objects are equal at once.
        seen = (tuple(mine.values()), tuple(other.values()), left.possibilities, right.possibilities)
        if seen != self._seen:
            alike = mine == other and left.possibilities == right.possibilities
            self._seen, self._found = seen, () if alike else tuple(_of_permanents(left, right))
        return self._found


def _of_the_game(left: State, right: State) -> Iterator[GameDifference]:
    for part, player in DAYNIGHT.apart(left, right, ("turn", "active", "player", "game", "designation")):
        mine, other = (DAYNIGHT.parts[part].may_be(state, player) for state in (left, right))
        # Active players are compared only in the same turn, tallies only of players that both games have.
        if mine is not None and other is not None and (part != "active" or left.turn == right.turn):
            turn = left.turn if part == "active" else None
            yield GameDifference(part, player, _json(mine), _json(other), turn)


def _json(values: Values) -> Any:
    """Return the only possible value as JSON or, if several are possible, a list of them."""
    if len(values) > 1:
        return [*map(str, values)]
    value: Any = next(iter(values))
    return [*value] if isinstance(value, tuple) else value


def _of_permanents(left: State, right: State) -> Iterator[GameDifference]:
    for id, found in groupby(DAYNIGHT.apart(left, right, _PERMANENT), lambda one: one[1]):
        here, there = left.battlefield.get(id), right.battlefield.get(id)
        if here is None or there is None:
            card = next(status.permanent.card for status in (here, there) if status is not None)
            yield GameDifference("permanent", id, here is not None, there is not None, card)
            continue
        apart = False
        for part in dict.fromkeys("face" if part == "face-down" else part for part, _id in found):
            mine, other = _value(left, here, part), _value(right, there, part)
            if mine != other and not (apart and part == "keywords"):
                apart = True
                names = [status.name(state.possibilities[0].backs) for state, status in ((left, here), (right, there))]
                of = (here.permanent.card, *names) if part == "face" else here.permanent.card
                yield GameDifference(part, id, mine, other, of)


_PERMANENT = ("card", "face", "face-down", "controller", "abilities", "phasing", "copy", "keywords")


def _value(state: State, status: Status, part: str) -> Any:
    """Return a part of a permanent as JSON; None if it is not certain, or for `copy` if it copies nothing."""
    if part == "face" and status.face_down:
        return "face-down"
    if part == "keywords" and state.face(status.id) is None:
        return None
    found = DAYNIGHT.parts[part].may_be(state, status.id)
    value: Any = next(iter(found)) if found is not None and len(found) == 1 else None
    if part == "copy":
        return None if value is None else value.name or ""
    return [*value] if isinstance(value, tuple) else value


def _held(left: State, right: State) -> Iterator[GameDifference]:
    for _forbids, source in DAYNIGHT.apart(left, right, ("forbids",)):
        here, there = [sorted(state.battlefield.forbidden.get(source, ())) for state in (left, right)]
        yield GameDifference("hold", source, here, there)


def _tallies(left: State, right: State) -> Iterator[GameDifference]:
    tally = DAYNIGHT.parts["tally"]
    for player in dict.fromkeys((*left.players, *right.players)):
        mine, other = tally.may_be(left, spelled(player)), tally.may_be(right, spelled(player))
        if mine != other and (here := _counted(mine)) != (there := _counted(other)):
            yield GameDifference("tally", player, here, there)


def _triggers(left: State, right: State) -> Iterator[GameDifference]:
    times = DAYNIGHT.parts["trigger"].may_be
    for _trigger, key in DAYNIGHT.apart(left, right, ("trigger",)):
        here, there = _counted(times(left, key)), _counted(times(right, key))
        permanent, change = words(key)
        yield GameDifference("trigger", permanent, here, there, tuple(change.split("/")))


def _counted(found: Values | None) -> Any:
    """Return the number in `found` as JSON, or its least and most if it is not certain; 0 if `found` is None."""
    return count_document(found.least, found.most) if isinstance(found, Between) else 0


# --------------------------------------------------------------------------------------------- in words


def turn_word(turn: int) -> str:
    """Put a turn's number into words; 0 is the time before the first turn."""
    return _("turn {turn}").format(turn=turn) if turn else _("before turn 1")


def _sentence(one: GameDifference, left: str, right: str) -> str:
    there = {
        "active": _("active in turn {turn}: {left} / {right}"),
        "hold": _("what {source} keeps from transforming: {left} / {right}"),
        "tally": _("spells of {player} in this turn: {left} / {right}"),
        "trigger": _("triggers of {permanent}, as {was} became {became}: {left} / {right}"),
        "controller": _("{card} ({id}) is controlled by {left} / {right}"),
    }
    card = card_word(one.of[0] if one.about == "face" else one.of) if one.about in _OF_A_PERMANENT else ""
    was, became = map(_became_word, one.of) if one.about == "trigger" else ("", "")
    if one.about in there:
        subject = dict.fromkeys(("source", "player", "permanent", "id"), one.subject)
        return there[one.about].format(
            **subject, turn=one.of, card=card, was=was, became=became, left=left, right=right
        )
    sides = f"{left} / {right}"
    if card:
        return labelled(f"{card} ({one.subject})", sides)
    if one.about == "turn" and one.subject is not None:
        return labelled(turn_word(int(one.subject)) if one.subject != "0" else _("a restarted game"), sides)
    return sides if one.subject is None else labelled(one.subject, sides)


_OF_A_PERMANENT = ("permanent", "card", "face", "controller", "abilities", "phasing", "copy", "keywords")


def _word(one: GameDifference, value: Any, side: int) -> str:
    """Put the value that a difference has on one `side` (0: left, 1: right) into words."""
    if one.about == "face" and value in ("front", "back"):
        return commas((face_word(Face(value)), card_word(one.of[1 + side])))
    if one.about == "turn" and one.subject is not None:
        return _WORDS["permanent"](value)
    return _WORDS[one.about](value)


def _became_word(designation: str) -> str:
    return designation_word(None if designation == "None" else Designation(designation))


def _count_word(value: int | dict[str, int]) -> str:
    return count_word(*((value, value) if isinstance(value, int) else value.values()))


_WORDS: dict[str, Callable[[Any], str]] = {
    "turn": turn_word,
    "active": commas,
    "player": lambda value: _("in the game") if value else _("has left the game"),
    "game": lambda value: _("the game goes on") if value else _("the game is over"),
    "designation": lambda value: either_word(map(Designation, value if isinstance(value, list) else [value])),
    "permanent": lambda value: _("there") if value else _("not there"),
    "card": card_word,
    "face": lambda value: face_word(None) if value is None else _("face down"),
    "controller": str,
    "abilities": lambda value: _("with its abilities") if value else _("without abilities"),
    "phasing": lambda value: _("phased in") if value else _("phased out"),
    "copy": lambda value: (
        _("no copy")
        if value is None
        else _("a copy of {card}").format(card=card_word(value) if value else _("something"))
    ),
    "keywords": lambda value: (
        _("uncertain") if value is None else commas([*map(keyword_word, value)]) or _("no keyword")
    ),
    "hold": lambda value: listed(value) or _("nothing"),
    "tally": _count_word,
    "trigger": _count_word,
}


def editions_apart(game: PlayedRecord, left: str, right: str) -> list[dict[str, Any]]:
    """Return a row for each consequence in a game whose rule has different numbers in two editions, or one in only one.

    A row has the event, the rule's key, and its number in each edition (`left`, `right`), or None.

    >>> from daynight import Game
    >>> rows = editions_apart(Game.load("demo"), "2024-06-07", "2026-08-07")
    >>> [(row["event"], row["rule"]) for row in rows]
    [(106, 'check-day'), (149, 'check-night')]
    """
    found: list[dict[str, Any]] = []
    for moment in game:
        for consequence in moment.consequences:
            mine, other = cited(consequence.rule, left), cited(consequence.rule, right)
            if mine != other:
                row = {"event": moment.number, "rule": consequence.rule, "left": mine, "right": other}
                if row not in found[-1:]:
                    found.append(row)
    return found


def catalogues_apart(left: Catalogue, right: Catalogue) -> list[dict[str, Any]]:
    """Return a row for each card that differs in two catalogues: its name, and what differs as `left` and `right`.

    If only one catalogue has the card, the row has the whole card on that side, and None on the other one.
    """
    mine, other = [{card.name: to_builtins(card) for card in catalogue} for catalogue in (left, right)]
    found: list[dict[str, Any]] = []
    for name in dict.fromkeys((*mine, *other)):
        here, there = mine.get(name), other.get(name)
        if here is None or there is None:
            found.append({"card": name, "left": here, "right": there})
        elif fields := [field for field in dict.fromkeys((*here, *there)) if here.get(field) != there.get(field)]:
            found.append({"card": name} | {
                side: {field: card.get(field) for field in fields} for side, card in (("left", here), ("right", there))
            })  # fmt: skip
    return found
