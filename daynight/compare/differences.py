"""Differences: what two states, two editions of the rules or two catalogues differ in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import to_builtins

from daynight.cards import Catalogue
from daynight.events.terms import Designation
from daynight.framework.language.grammar import commas, labelled
from daynight.framework.language.wording import _, card_word
from daynight.projections.battlefield import Status
from daynight.projections.sentences import count_word, designation_word, either_word, face_word, keyword_word, listed
from daynight.referee.documents import count_document
from daynight.referee.state import State
from daynight.rules.citations import cited

if TYPE_CHECKING:
    from daynight.game import Game

About: TypeAlias = Literal[
    "turn",
    "active",
    "player",
    "game",
    "designation",
    "permanent",
    "card",
    "face",
    "controller",
    "abilities",
    "phasing",
    "copy",
    "keywords",
    "hold",
    "tally",
    "trigger",
]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is `left` in one game and `right` in the other; None: it is not there, or not certain.

    `subject` is the permanent, the player or the source of an effect it is about, None for the game itself.
    """

    about: About
    subject: str | None
    left: Any
    right: Any
    sentence: str

    def document(self) -> dict[str, Any]:
        """The difference as JSON."""
        return {
            "about": self.about,
            "subject": self.subject,
            "left": self.left,
            "right": self.right,
            "sentence": self.sentence,
        }


def differences(left: State, right: State) -> tuple[Difference, ...]:
    """What two states differ in: the turn, the players, the designation, the permanents, this turn's tallies, triggers.

    Of a permanent its card, face, controller, abilities, phasing and what it is a copy of are compared, and its
    keywords where none of these says already why they differ. Not compared are the step, event numbers, and what only
    the audit reads: claims, rulings and disputes.

    >>> from daynight import Game
    >>> game = Game.start("g1", ["Ana", "Bo"])
    >>> moment = game.record({"type": "effect-resolved", "becomes": "night"})
    >>> [difference.sentence for difference in differences(game.at(1), game.at(2))]
    ['neither day nor night / night']
    """
    return (
        *_turns(left, right),
        *_designations(left, right),
        *_permanents(left, right),
        *_holds(left, right),
        *_tallies(left, right),
        *_triggers(left, right),
    )


def _turns(left: State, right: State) -> Iterator[Difference]:
    if left.turn != right.turn:
        yield Difference("turn", None, left.turn, right.turn, f"{turn_word(left.turn)} / {turn_word(right.turn)}")
    elif left.active != right.active:
        words = [commas(state.active) for state in (left, right)]
        sentence = _("active in turn {turn}: {left} / {right}").format(turn=left.turn, left=words[0], right=words[1])
        yield Difference("active", None, [*left.active], [*right.active], sentence)
    for player in left.players:
        there = player in left.present, player in right.present
        if there[0] != there[1] and player in right.known:
            words = [_("in the game") if here else _("has left the game") for here in there]
            yield Difference("player", player, *there, labelled(player, f"{words[0]} / {words[1]}"))
    if left.over != right.over:
        words = [_("the game is over") if state.over else _("the game goes on") for state in (left, right)]
        yield Difference("game", None, not left.over, not right.over, f"{words[0]} / {words[1]}")


def turn_word(turn: int) -> str:
    """A turn by its number; 0 is the time before the first one."""
    return _("turn {turn}").format(turn=turn) if turn else _("before turn 1")


def _designations(left: State, right: State) -> Iterator[Difference]:
    if left.possible != right.possible:
        mine, other = [[str(designation) for designation in state.possible] for state in (left, right)]
        sentence = f"{either_word(left.possible)} / {either_word(right.possible)}"
        yield Difference("designation", None, _one(mine), _one(other), sentence)


def _one(possible: list[str]) -> str | list[str]:
    return possible[0] if len(possible) == 1 else possible


def _permanents(left: State, right: State) -> Iterator[Difference]:
    mine, other = left.battlefield, right.battlefield
    if mine.permanents == other.permanents and left.possibilities == right.possibilities:
        return
    for status in mine:
        there = other.get(status.id)
        if there is None:
            yield _is_there(status, True)
        else:
            yield from _of_one(_Shown(left, status), _Shown(right, there))
    for status in other:
        if status.id not in mine:
            yield _is_there(status, False)


def _is_there(status: Status, left: bool) -> Difference:
    words = (_("there"), _("not there")) if left else (_("not there"), _("there"))
    sentence = labelled(f"{card_word(status.permanent.card)} ({status.id})", f"{words[0]} / {words[1]}")
    return Difference("permanent", status.id, left, not left, sentence)


_PARTS: tuple[About, ...] = ("card", "face", "controller", "abilities", "phasing", "copy")


def _of_one(here: _Shown, there: _Shown) -> Iterator[Difference]:
    """What differs of a permanent that is in both states."""
    parts: tuple[About, ...] = tuple(part for part in _PARTS if here.value(part) != there.value(part))
    if not parts and here.value("keywords") != there.value("keywords"):
        parts = ("keywords",)
    for part in parts:
        words = f"{here.word(part)} / {there.word(part)}"
        if part == "controller":
            sentence = _("{card} ({id}) is controlled by {left} / {right}").format(
                card=card_word(here.card), id=here.id, left=here.word(part), right=there.word(part)
            )
        else:
            sentence = labelled(f"{card_word(here.card)} ({here.id})", words)
        yield Difference(part, here.id, here.value(part), there.value(part), sentence)


class _Shown:
    """A permanent in a state: its parts as values of JSON, and in words."""

    def __init__(self, state: State, status: Status) -> None:
        self.id, self.card = status.id, status.permanent.card
        self._status = status
        self._face = state.face(status.id)
        self._backs = state.possibilities[0].backs

    def value(self, part: About) -> Any:
        """What a part is; of a face and of keywords None where it is not certain."""
        status, face = self._status, self._face
        if part == "card":
            return self.card
        if part == "face":
            return "face-down" if status.face_down else None if face is None else face.value
        if part == "controller":
            return status.controller
        if part == "abilities":
            return not (status.losses or status.lost or status.entered_without)
        if part == "phasing":
            return status.phased_in
        if part == "copy":
            return None if status.copy is None else status.copy.name or ""
        if face is None:
            return None
        return [*status.shows(self._backs).keywords] if status.acts else []

    def word(self, part: About) -> str:
        """The same in words."""
        value = self.value(part)
        if part == "face":
            if value == "face-down":
                return _("face down")
            word = face_word(self._face)
            return word if value is None else commas((word, card_word(self._status.name(self._backs))))
        if part == "abilities":
            return _("with its abilities") if value else _("without abilities")
        if part == "phasing":
            return _("phased in") if value else _("phased out")
        if part == "copy":
            card = card_word(value) if value else _("something")
            return _("no copy") if value is None else _("a copy of {card}").format(card=card)
        if part == "keywords":
            if value is None:
                return _("uncertain")
            return commas([keyword_word(keyword) for keyword in value]) or _("no keyword")
        return card_word(value) if part == "card" else str(value)


def _holds(left: State, right: State) -> Iterator[Difference]:
    mine, other = left.battlefield.forbidden, right.battlefield.forbidden
    for source in dict.fromkeys((*mine, *other)):
        here, there = sorted(mine.get(source, ())), sorted(other.get(source, ()))
        if here != there:
            words = [listed(ids) or _("nothing") for ids in (here, there)]
            sentence = _("what {source} keeps from transforming: {left} / {right}").format(
                source=source, left=words[0], right=words[1]
            )
            yield Difference("hold", source, here, there, sentence)


def _tallies(left: State, right: State) -> Iterator[Difference]:
    mine, other = left.tallies.current, right.tallies.current
    for player in dict.fromkeys((*left.players, *right.players)):
        counts = [(0, 0) if tally is None else tally.range(player) for tally in (mine, other)]
        if counts[0] != counts[1]:
            words = [count_word(*count) for count in counts]
            sentence = _("spells of {player} in this turn: {left} / {right}").format(
                player=player, left=words[0], right=words[1]
            )
            yield Difference("tally", player, count_document(*counts[0]), count_document(*counts[1]), sentence)


_Trigger: TypeAlias = tuple[str, Designation | None, Designation | None]


def _triggers(left: State, right: State) -> Iterator[Difference]:
    mine, other = [_triggered(state) for state in (left, right)]
    for key in dict.fromkeys((*mine, *other)):
        here, there = mine.get(key, (0, 0)), other.get(key, (0, 0))
        if here != there:
            permanent, was, became = key
            sentence = _("triggers of {permanent}, as {was} became {became}: {left} / {right}").format(
                permanent=permanent,
                was=designation_word(was),
                became=designation_word(became),
                left=count_word(*here),
                right=count_word(*there),
            )
            yield Difference("trigger", permanent, count_document(*here), count_document(*there), sentence)


def _triggered(state: State) -> dict[_Trigger, tuple[int, int]]:
    """How often each permanent triggered in this turn: surely, and at the most."""
    found: dict[_Trigger, tuple[int, int]] = {}
    for trigger in state.triggers.latest(state.turn, state.began):
        key = (trigger.permanent, trigger.was, trigger.became)
        least, most = found.get(key, (0, 0))
        found[key] = least + trigger.certain, most + 1
    return found


def editions_apart(game: Game, left: str, right: str) -> list[dict[str, Any]]:
    """What follows in a game and is cited by another number, or only in one of the two, between editions of the rules.

    >>> from daynight import Game
    >>> rows = editions_apart(Game.load("demo"), "2024-06-07", "2026-08-07")
    >>> [(row["event"], row["rule"]) for row in rows]
    [(106, 'check-day'), (149, 'check-night')]
    """
    found: list[dict[str, Any]] = []
    for moment in game:
        for consequence in moment.consequences:
            numbers: Mapping[str, str | None] = {name: cited(consequence.rule, name) for name in (left, right)}
            if numbers[left] != numbers[right]:
                row = {"event": moment.number, "rule": consequence.rule}
                row |= {"left": numbers[left], "right": numbers[right]}
                if row not in found[-1:]:
                    found.append(row)
    return found


def catalogues_apart(left: Catalogue, right: Catalogue) -> list[dict[str, Any]]:
    """The cards that two catalogues do not have alike, each with what differs; None: there is no such card."""
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
