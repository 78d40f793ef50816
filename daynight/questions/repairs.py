"""Repair hints: the smallest edits of a record that would make every claim in it right.

Each hint is tried before it is listed: the edited record is replayed and audited, and no claim in it differs. It has
its edits as JSON and as options of `daynight what-if`. Certain hints come first, then those that edit fewer events,
then those that assume less: an untap step was not skipped, a cast is missing, a cast is too many, an untap step was
skipped, a permanent left, one entered, an effect resolved, there was a further untap step. Every turn has an untap step
unless it is skipped, even if the record leaves it out: so a missing event for it is not inserted. A record cannot prove
what really happened; hints are not instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from typing import Any, Literal, TypeAlias, get_args

from msgspec.structs import replace as changed

from daynight.compare.pasting import options
from daynight.events import Designation, Event, GameBackedUp
from daynight.events.actions import EffectResolved, PermanentsLeft, SpellCast, StepBegan, TransformInstructed, TurnBegan
from daynight.events.language import strictly
from daynight.framework.edits import Edit, drop, insert, replace
from daynight.framework.folding.fold import Fold, Watched
from daynight.framework.folding.history import states
from daynight.framework.language.codec import document_of
from daynight.framework.language.errors import RecordError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _, card_word, counted
from daynight.projections.audit.audit import Auditor
from daynight.projections.audit.findings import Audit, Finding
from daynight.projections.tallies import TWO
from daynight.projections.turns import Turn, stretches, turns
from daynight.questions.almost import unrecorded
from daynight.referee.mechanic import DAYNIGHT
from daynight.referee.state import PlayedRecord, State
from daynight.speech.sentences import designation_word

Kind: TypeAlias = Literal[
    "untap-step", "cast", "no-cast", "no-untap-step", "departure", "arrival", "effect", "further-untap-step"
]

KINDS: tuple[Kind, ...] = get_args(Kind)
"""The assumptions of hints, the smallest first."""

TURNS = 10
"""How many turns before a finding are searched."""

EVENTS = 1_000_000
"""The most events in all replays of the whole record: with a long record fewer hints are tried, but at least LEAST."""

LEAST = 10


@dataclass(frozen=True, slots=True)
class Hint:
    """The `edits` with which every claim would be right; `turn` is the turn that they change.

    `size` is how many events they insert, drop or replace. `subject` is the player, the permanent or the designation
    that they are about, `card` the card of a departing permanent. If the hint is not `certain`, no claim would be
    wrong, but the record would leave open whether each is right.
    """

    kind: Kind
    turn: int
    size: int
    edits: tuple[Edit, ...]
    subject: str | None = None
    card: str | None = None
    certain: bool = True

    @property
    def sentence(self) -> str:
        """What would make every claim right, in the reader's language."""
        return self._sure if self.certain else _("Possible, not sure: {hint}").format(hint=self._sure)

    @property
    def _sure(self) -> str:
        edit = self.edits[0]
        return _SENTENCES[self.kind](self).format(
            turn=self.turn,
            event=edit.at,
            events=commas([str(each.at) for each in self.edits]),
            player=self.subject,
            id=self.subject,
            card=card_word(self.card or ""),
            designation=designation_word(self.designation),
        )

    @property
    def designation(self) -> Designation | None:
        """The designation that the hint is about; None if it is about something else."""
        return _DESIGNATIONS.get(self.subject or "")

    @property
    def rank(self) -> tuple[bool, int, int, int]:
        """Sort key: certain hints first; then fewer events, smaller assumptions, nearer to the finding."""
        return not self.certain, self.size, KINDS.index(self.kind), -self.turn

    def document(self) -> dict[str, Any]:
        """The hint as JSON, with its edits, also as options of `daynight what-if`."""
        names = "kind turn size subject sentence edits options" + " certain" * (not self.certain)
        return document_of(self, names, options=options(self.edits))


@dataclass(frozen=True, slots=True)
class Repairs:
    """The `hints` for a disputed record, best first (`Hint.rank`); empty if no single assumption explains it.

    `finding` is the first claim or ruling, not undone, that contradicts the rules; None if none does. `tried` is how
    many edits were tried; where `all_tried` is False there were more, and the record was too long to try them.
    """

    finding: Finding | None
    hints: tuple[Hint, ...]
    tried: int
    all_tried: bool

    def document(self, edition: str) -> dict[str, Any]:
        """The answer as JSON."""
        finding = None if self.finding is None else self.finding.document(edition)
        return document_of(self, "finding hints tried all_tried", finding=finding)


def repairs(game: PlayedRecord, audit: Audit | None = None, parts: Sequence[Turn] | None = None) -> Repairs:
    """Return the single edits that would make all claims and rulings of the record right.

    Pass `audit`, the game's audit, and `parts`, the result of `stretches(game)`, if you have them; else they are
    computed.

    >>> from daynight import Game
    >>> [hint.kind for hint in repairs(Game.load("demo")).hints][:1]
    ['effect']
    """
    finding = (Auditor().game(game) if audit is None else audit).first_dispute
    if finding is None:
        return Repairs(None, (), 0, True)
    found: dict[tuple[object, ...], Hint] = {}
    tried = whole = 0
    most = max(EVENTS // len(game), LEAST)
    latest = latest_turns(game, finding.event, stretches(game) if parts is None else parts)
    # One walk for all: most hints begin, and fail, within a few turns before the finding.
    before = states(game, [finding.event - 1, *(place for turn in latest for place in turn.starts)])
    for hint in sorted(candidates(finding, latest, before), key=lambda hint: hint.rank):
        key = (hint.kind, hint.turn, hint.subject)
        if key in found and found[key].certain:
            # Another place in the turn, or more of the same, would give nothing new.
            continue
        tried += 1
        if not _explains_first(game, hint, before, finding.event):
            continue
        if whole == most:
            return Repairs(finding, _ranked(found.values()), tried, False)
        whole += 1
        certain = _explains(game, hint)
        if certain or (certain is False and key not in found):
            found[key] = replaced(hint, certain=certain)
    return Repairs(finding, _ranked(found.values()), tried, True)


def _ranked(hints: Iterable[Hint]) -> tuple[Hint, ...]:
    return tuple(sorted(hints, key=lambda hint: hint.rank))


def _explains_first(game: PlayedRecord, hint: Hint, before: dict[int, State], until: int) -> bool:
    """Return whether no claim from the edit up to event `until`, the finding, would differ: most hints fail here.

    False where the edited record is impossible. True where only a replay of the whole record can tell. `before` has
    states, by event number, from which to replay.
    """
    try:
        found = _upto(game, hint, before, until)
    except RecordError:
        return False
    return found is None or not found[0].disputes


def holds(game: PlayedRecord, hint: Hint, before: dict[int, State], until: int) -> bool:
    """Return whether a hint makes the claim at event `until` certainly right; other claims may differ.

    False where the edited record is impossible. True where only a replay of the whole record can tell. `before` has
    states, by event number, from which to replay.
    """
    try:
        found = _upto(game, hint, before, until)
    except RecordError:
        return False
    return found is None or all(one.event != found[1] for one in (*found[0].disputes, *found[0].unsettled))


def _upto(game: PlayedRecord, hint: Hint, before: dict[int, State], until: int) -> tuple[Audit, int] | None:
    """Return the audit of the edited record, from the edit to event `until`, and that event's number in it.

    None where a back-up, or an event that refers to an earlier one, requires a replay of the whole record.

    Raises:
        RecordError: where an event is impossible there.
    """
    start = min(game.number(edit.at) - (edit.kind != "insert") for edit in hint.edits)
    events = [*_edited(game, hint.edits, start, until)]
    if any(isinstance(event, GameBackedUp) or getattr(event, "own_since", None) for event in events):
        return None
    there = before[start].copy() if start in before else game.at(start)
    auditor = Auditor()
    Fold(Watched(DAYNIGHT, (auditor,)), there, start).over(events)
    return auditor.concluded(there), start + len(events)


def _edited(game: PlayedRecord, edits: tuple[Edit, ...], start: int, until: int) -> Iterator[Event]:
    """Yield what the edited record has in place of the record's events `start` + 1 to `until`."""
    after: dict[int, list[Event]] = {}
    instead: dict[int, list[Event]] = {}
    for edit in edits:
        changes = after if edit.kind == "insert" else instead
        changes.setdefault(game.number(edit.at), []).extend(map(strictly, edit.events))
    yield from after.get(start, ())
    for number in range(start + 1, until + 1):
        yield from instead.get(number, (game.events[number - 1],))
        yield from after.get(number, ())


def _explains(game: PlayedRecord, hint: Hint) -> bool | None:
    """Return True if every claim would certainly be right, False if some would stay open and none would be wrong.

    None if one would be wrong, if none would be settled, or if the edited record is impossible.
    """
    try:
        branch = game.branch(*hint.edits)
    except RecordError:
        return None
    if branch.stopped is not None:
        return None
    audit = Auditor().game(branch.game)
    return all(finding.undone for finding in audit.unsettled) if audit.verdict == "exact" else None


@dataclass(frozen=True, slots=True)
class SearchedTurn:
    """A turn that began with `event`, number `began`; `last` is the number of its last event before the finding.

    `untaps` are the numbers of its untap steps, `casts` those of its casts, with the players. Undone events are left
    out.
    """

    event: TurnBegan
    began: int
    last: int
    untaps: tuple[int, ...]
    casts: tuple[tuple[int, str], ...]

    @property
    def places(self) -> tuple[int, ...]:
        """The events after which a hint may insert something: the last one, and the untap step (else the beginning)."""
        return tuple(dict.fromkeys((self.last, self.untaps[-1] if self.untaps else self.began)))

    @property
    def starts(self) -> tuple[int, ...]:
        """The events after which a hint may begin to differ: where it inserts, or before what it drops or replaces."""
        dropped = (self.began, *self.untaps, *(number for number, _player in self.casts))
        return (self.began, *self.places, *(number - 1 for number in dropped))


def latest_turns(game: PlayedRecord, until: int, parts: Sequence[Turn]) -> list[SearchedTurn]:
    """Return the latest TURNS turns that began before event `until`, oldest first."""
    found = []
    for turn in [turn for turn in turns(parts) if turn.number and turn.first < until][-TURNS:]:
        numbers = range(turn.first, min(turn.last + 1, until))
        within = [(number, game.events[number - 1]) for number in numbers if game.stands(number)]
        untaps = [number for number, event in within if isinstance(event, StepBegan) and event.step == "untap"]
        casts = [(number, event.player) for number, event in within if isinstance(event, SpellCast)]
        began = within[0][1]
        assert isinstance(began, TurnBegan)
        found.append(SearchedTurn(began, turn.first, within[-1][0], tuple(untaps), tuple(casts)))
    return found


def candidates(finding: Finding, latest: list[SearchedTurn], before: dict[int, State]) -> Iterator[Hint]:
    """Yield every edit that may explain a finding; `before` has, by event number, the states before those edits."""
    for turn in latest:
        yield from _untap_steps(turn)
        yield from _casts(turn, finding)
        yield from _departures(before, turn)
        yield from _arrivals(before, turn)
    yield from _transforming(latest, finding)
    for turn in latest:
        for place in turn.places:
            yield from _effects(turn.event.turn, place)
    if not latest or not before[finding.event - 1].turn:
        yield from _effects(0, finding.event - 1)


def _untap_steps(turn: SearchedTurn) -> Iterator[Hint]:
    """Yield the hints that the untap step was skipped, or was not, or that there was a further one, or one fewer."""
    began = turn.event
    skips = tuple(step for step in began.skips if step != "untap")
    if skips != began.skips:
        yield Hint("untap-step", began.turn, 1, (replace(turn.began, changed(began, skips=skips)),))
    if turn.untaps[skips == began.skips :]:
        yield Hint("no-untap-step", began.turn, 1, (drop(turn.untaps[-1]),))
    if skips == began.skips or turn.untaps:
        edits = (replace(turn.began, changed(began, skips=(*skips, "untap"))), *map(drop, turn.untaps))
        yield Hint("no-untap-step", began.turn, len(edits), edits)
    yield Hint("further-untap-step", began.turn, 1, (insert(turn.last, StepBegan(step="untap")),))


def _casts(turn: SearchedTurn, finding: Finding) -> Iterator[Hint]:
    players = dict.fromkeys(
        (*turn.event.active, *([finding.subject] if finding.about == "tally" and finding.subject else ()))
    )
    for player in players:
        cast = SpellCast(player=player)
        for casts in range(1, TWO + 1):
            for place in turn.places:
                yield Hint("cast", turn.event.turn, casts, (insert(place, *(cast,) * casts),), player)
        own = [number for number, caster in turn.casts if caster == player]
        for superfluous in (own[-1:], own[-TWO:] if len(own) >= TWO else []):
            if superfluous:
                yield Hint("no-cast", turn.event.turn, len(superfluous), tuple(map(drop, superfluous)), player)


def _departures(before: dict[int, State], turn: SearchedTurn) -> Iterator[Hint]:
    for place in dict.fromkeys((turn.last, turn.began)):
        for status in before[place].battlefield:
            if status.matters:
                edit = insert(place, PermanentsLeft(permanents=(status.id,)))
                yield Hint("departure", turn.event.turn, 1, (edit,), status.id, status.permanent.card)


def _arrivals(before: dict[int, State], turn: SearchedTurn) -> Iterator[Hint]:
    for place in turn.places:
        state = before[place]
        event = unrecorded(state)
        if Designation.NEITHER in state.possible and event is not None:
            yield Hint("arrival", turn.event.turn, 1, (insert(place, event),))


def _transforming(turns: list[SearchedTurn], finding: Finding) -> Iterator[Hint]:
    """Yield, for each turn, the hint that an effect transformed the permanent; nothing if no face was claimed."""
    if finding.about != "face" or finding.subject is None:
        return
    for turn in turns:
        event = TransformInstructed(permanents=(finding.subject,))
        yield Hint("effect", turn.event.turn, 1, (insert(turn.last, event),), finding.subject)


def _effects(turn: int, place: int) -> Iterator[Hint]:
    for becomes in (Designation.DAY, Designation.NIGHT):
        event = EffectResolved(becomes="day" if becomes is Designation.DAY else "night")
        yield Hint("effect", turn, 1, (insert(place, event),), becomes.value)


_DESIGNATIONS = {designation.value: designation for designation in Designation}


def _without_untap_step(hint: Hint) -> str:
    if hint.edits[0].kind == "drop":
        return _("Without the further untap step of turn {turn} (event {event}) every claim would be right.")
    return _("Had the untap step of turn {turn} been skipped, every claim would be right.")


def _with_effect(hint: Hint) -> str:
    if isinstance(hint.edits[0].events[0], TransformInstructed):
        return _("Had an effect told {id} to transform in turn {turn}, every claim would be right.")
    if hint.turn:
        return _("Had an effect made it {designation} in turn {turn}, after event {event}, every claim would be right.")
    return _("Had an effect made it {designation} after event {event}, every claim would be right.")


_SENTENCES: dict[Kind, Callable[[Hint], str]] = {
    "untap-step": lambda hint: _("Had the untap step of turn {turn} not been skipped, every claim would be right."),
    "cast": lambda hint: counted(
        "With one more spell by {player} in turn {turn} every claim would be right.",
        "With {n} more spells by {player} in turn {turn} every claim would be right.",
        hint.size,
    ),
    "no-cast": lambda hint: counted(
        "Without event {events}, a spell by {player} in turn {turn}, every claim would be right.",
        "Without events {events}, spells by {player} in turn {turn}, every claim would be right.",
        hint.size,
    ),
    "no-untap-step": _without_untap_step,
    "departure": lambda hint: _("Had {card} ({id}) left the battlefield in turn {turn}, every claim would be right."),
    "arrival": lambda hint: _("Had a permanent with daybound entered in turn {turn}, every claim would be right."),
    "effect": _with_effect,
    "further-untap-step": lambda hint: _(
        "With a further untap step in turn {turn}, after event {event}, every claim would be right."
    ),
}
"""The sentence of each kind of hint."""
