"""Refuses events that cannot happen in a state: each function raises an ImpossibleError that says why."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NoReturn

from daynight.events import Designation, Event, Face, GameStarted, Permanent
from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _
from daynight.projections.battlefield import Status
from daynight.referee.state import State
from daynight.rules.citations import EDITIONS
from daynight.speech.sentences import either_word

PERMANENTS = 10_000
"""The most permanents on the battlefield at a time."""

EFFECTS = 1_000
"""The most effects that take abilities from one permanent, and the most that forbid transforming, at a time."""

_FRONT, _BACK = Face

SHOWN = 50
"""The most names that a sentence lists; it leaves out further ones without saying so."""


def check_first(event: Event) -> None:
    """Refuse a first event other than game-started."""
    if type(event) is not GameStarted:
        refuse("$.type", _("game-started is missing; it stands on line 1 of every record"))


def refuse(
    path: str, sentence: str, *, earlier: int | None = None, first: str | None = None, **values: object
) -> NoReturn:
    """Raise an ImpossibleError about the field at `path`, with `sentence` filled with `values`.

    `earlier` is the number of an earlier event, and `first` the path of another field, that the sentence names.
    """
    raise ImpossibleError(sentence.format(first=first, **values), path=path, earlier=earlier, first=first)


def check_once(names: Sequence[str], path: str) -> None:
    """Refuse a list that contains an element twice."""
    if len(names) > 1:
        seen: set[str] = set()
        for index, name in enumerate(names):
            if name in seen:
                _twice(name, f"{path}[{names.index(name)}]", f"{path}[{index}]")
            seen.add(name)


def _twice(name: str, first: str, path: str) -> NoReturn:
    refuse(path, _("{name} stands twice in one list, first at {first}"), name=repr(str(name)), first=first)


def check_acting(state: State) -> None:
    """Refuse an action after the end of the game."""
    if state.over:
        refuse("$", _("the game has ended; only claims and judge's acts may follow"))


def check_player(state: State, player: str, path: str) -> None:
    """Refuse a name that no player of this game has; players who left the game are accepted."""
    if player not in state.known:
        _no_player(player, state.players, path)


def _no_player(player: str, players: tuple[str, ...], path: str) -> NoReturn:
    known = commas(players[:SHOWN])
    refuse(path, _("no player {player}; players are {players}"), player=repr(player), players=known)


def check_present(state: State, player: str, path: str) -> None:
    """Refuse a player who is not in the game, or has left it."""
    if player not in state.present:
        check_player(state, player, path)
        refuse(path, _("{player} has left the game"), player=repr(player))


def check_casting(state: State, player: str | None) -> None:
    """Refuse a cast by `player` (None: a step) before the first turn, after the end, or by somebody not in the game."""
    check_acting(state)
    if player is not None:
        check_present(state, player, "$.player")
    if state.turn == 0:
        refuse("$", _("before the first turn; record turn-began first"))


def check_opening(opening: GameStarted) -> None:
    """Refuse a first event without players, with a name twice, with wrong teams, or with an unknown edition.

    If there are teams, each player must be in exactly one, and no team may be empty.
    """
    if not opening.players:
        refuse("$.players", _("no players; a game has at least one"))
    check_once(opening.players, "$.players")
    if opening.edition is not None and opening.edition not in EDITIONS:
        sentence = _("no edition {edition}; editions are {editions}")
        refuse("$.edition", sentence, edition=repr(opening.edition), editions=commas(EDITIONS))
    if opening.teams is None:
        return
    members: dict[str, str] = {}
    players = frozenset(opening.players)
    for index, team in enumerate(opening.teams):
        if not team:
            refuse(f"$.teams[{index}]", _("a team without players"))
        for place, player in enumerate(team):
            path = f"$.teams[{index}][{place}]"
            if player not in players:
                _no_player(player, opening.players, path)
            if player in members:
                _twice(player, members[player], path)
            members[player] = path
    if missing := [player for player in opening.players if player not in members]:
        refuse("$.teams", _("{player} is in no team; every player is in exactly one"), player=repr(missing[0]))


def check_active(state: State, active: tuple[str, ...]) -> None:
    """Refuse active players other than one player, or, with shared team turns, the present players of one team."""
    if not active:
        refuse("$.active", _("no active player; a turn has one, or those of a team"))
    check_once(active, "$.active")
    for index, player in enumerate(active):
        check_present(state, player, f"$.active[{index}]")
    if state.teams is None and len(active) > 1:
        refuse("$.active", _("several active players; only teams that share their turns have that"))
    first = next(iter(active))
    team = next((team for team in state.teams or () if first in team), (first,))
    expected = [player for player in team if player in state.present]
    if set(active) != set(expected):
        refuse("$.active", _("teams share their turns: expected all of {players}"), players=commas(expected[:SHOWN]))


def check_arrivals(state: State, permanents: Sequence[Permanent], *, found: bool = False) -> None:
    """Refuse permanents that cannot enter.

    Each id must be new and unique, and each controller in the game. Double-faced permanents, and no others, have a back
    face; it may be up only if it is a permanent's. The battlefield may have at most PERMANENTS. With `found` they do
    not enter, but were there when the record joined the game; only then may they be phased out.
    """
    if len(permanents) > 1:
        check_once([permanent.id for permanent in permanents], "$.permanents")
    there, present = state.battlefield.permanents, state.present
    for index, permanent in enumerate(permanents):
        if (
            permanent.id in there
            or permanent.controller not in present
            or permanent.face is not _FRONT
            or (permanent.back is not None) is not permanent.double_faced
            or permanent.phased_out
        ):
            _check_arrival(state, permanent, index)
            if permanent.phased_out and not found:
                path = f"$.permanents[{index}].phased_out"
                refuse(path, _("what enters is phased in; only what game-joined finds may be phased out"))
    if len(there) + len(permanents) > PERMANENTS:
        refuse("$.permanents", _("more than {most} permanents on the battlefield"), most=PERMANENTS)


def _check_arrival(state: State, permanent: Permanent, index: int) -> None:
    back = permanent.back
    path = f"$.permanents[{index}]"
    if (there := state.battlefield.get(permanent.id)) is not None:
        sentence = _("{id} is on the battlefield already, since event {event}")
        refuse(f"{path}.id", sentence, earlier=there.arrived, id=repr(permanent.id), event=there.arrived)
    check_present(state, permanent.controller, f"{path}.controller")
    if permanent.double_faced and back is None:
        refuse(f"{path}.back", _("a double-faced permanent needs its back face"))
    if not permanent.double_faced and back is not None:
        refuse(f"{path}.back", _("only a double-faced permanent has a back face; is double_faced missing?"))
    if permanent.face is _BACK and not (back is not None and back.permanent):
        refuse(f"{path}.face", _("only a double-faced permanent whose back is a permanent's enters back face up"))


def check_within(status: Status, path: str) -> None:
    """Refuse to change a phased-out permanent: no resolving spell or ability affects it."""
    if not status.phased_in:
        refuse(path, _("{id} is phased out: nothing that resolves can change it"), id=repr(status.id))


def check_ruling(state: State) -> None:
    """Refuse the ruling "neither" if that is not among the possible designations."""
    if Designation.NEITHER not in state.possible:
        sentence = _("it is {possible}, and a game never returns to neither; rule day or night")
        refuse("$.designation", sentence, possible=either_word(state.possible))


def check_effects(source: str | None, others: Collection[str]) -> None:
    """Refuse a new effect by `source` if `others` has EFFECTS sources already; None is always accepted."""
    if source is not None and source not in others and len(others) >= EFFECTS:
        refuse("$.source", _("more than {most} such effects at a time"), most=EFFECTS)


def check_phasing(status: Status, phased_in: bool, path: str) -> None:
    """Refuse to phase in (`phased_in`) a permanent that is not phased out, or else to phase out one that is."""
    if status.phased_in is phased_in:
        sentence = _("{id} is phased in already") if phased_in else _("{id} is phased out already")
        refuse(path, sentence, id=repr(status.id))


def check_turning(status: Status, face_down: bool, path: str) -> None:
    """Refuse to turn up what is not face down, or, with `face_down`, to turn down what is face down or double-faced."""
    if face_down and status.double_faced:
        refuse(path, _("{id} is double-faced: it can't be turned face down"), id=repr(status.id))
    if status.face_down is face_down:
        sentence = _("{id} is face down already") if face_down else _("{id} is not face down")
        refuse(path, sentence, id=repr(status.id))
