"""The vectorised referee: numpy judges plain games by their columns, without reading their lines.

The clauses below say why a forward fill gives the designation. `plain` decides from the events which games are plain.

1. *Only checks, effects and arrivals change the designation.* A plain game has one possibility throughout: it has no
   doubt, no joining midway, no ruling, no backing up and no restart. Casts, copies, departures, changes of control,
   steps and claims change no designation. A continuous rule (a permanent with daybound or nightbound is there while
   it is neither) can only apply after an event that brings an ability. Arrivals bring some; departures, changes of
   control and turning over bring none; types of events that give abilities back are not plain.
2. *It is neither until the first effect, or the first arrival that gives a designation.* A check does nothing while
   it is neither. An arrival gives day if anything that enters has "day if neither" or daybound, else night if
   anything has nightbound: rules of entering come before continuous ones, and among these daybound comes first.
   Permanents that entered earlier gave nothing, so they have neither ability, or are without abilities or face down
   for the rest of the game. It never becomes neither again.
3. *After that, arrivals change nothing.* "Day if neither" and the continuous rules apply only while it is neither.
4. *The result of a check does not depend on the designation before it.* By day no cast makes it night; by night no
   cast leaves it night. By night two casts make it day; by day two leave it day. One cast changes nothing. So a check
   sets night after no cast, day after two, and nothing after one. Nothing keeps it from becoming night, because
   permanents that do (`holds`) are not plain. An effect sets its value whatever it was before: effects that switch it
   or have a condition are not plain.
5. *So after each event it is the value that was set last*, from the first effect or giving arrival on: a forward fill.
   At one event the check comes first, then the event's own effect; if both set a value, the event's own is the later
   one. At the event that ends neither, the check finds neither, and sets nothing.
6. *The check looks at one number.* Teams are not plain, so a turn has one active player; `by_active` says of a cast
   whether that player cast it. The check of a turn counts the casts of the turn begun before it, whatever its number,
   even if its active player has left since. An untap step that shows only at a `turn-began` is that of the turn
   that ends there. The first turn has no turn before it.
7. *Faces.* A permanent that turns shows its back at night and its front by day, from its arrival on, and turns as
   soon as the designation changes. It is on the battlefield only by day or night, because its arrival gives one of
   them. Nothing keeps it from turning, and a player controls it: a game in which its controller leaves it behind is
   not plain. A permanent that does not turn shows the face it entered with.
8. *Tallies.* Turn numbers rise and nothing is backed up, so each number is one turn. A tally is how many spells that
   player cast in that turn before the claim.
9. *Nothing cares.* If nothing can make it day or night, it is neither throughout: no value is ever set. Doubts then
   concern only the counts of spells, and a game with doubts claims no tally.
10. *Assumed from the start*: it was never neither, so clauses 3 to 8 hold from the first event on.

Statistics: a turn counts as the designation after the check shown by the next `turn-began`, before that event itself.
A change is a flip unless it was neither before; at one event there may be two, by a check and by an effect.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from daynight.corpus.judging.checked import Checked

NEITHER, DAY, NIGHT = 0, 1, 2
_TWO = 2
_NOTHING = np.int8(0)


class Judged(NamedTuple):
    """The verdicts and the statistics of a row group: arrays with an entry, or a row, for each game.

    `claims` counts the claims, and `disputed` those of them that are wrong. `ended` counts turns in a column for each
    designation, `casts` in a column each for no spell, one, two or more, and uncertain.
    """

    disputed: Any
    claims: Any
    turns: Any
    flips: Any
    spells: Any
    ended: Any
    casts: Any


def designations(rows: Checked, assumed: int = NEITHER) -> tuple[Any, Any, Any]:
    """Return the designations before each event, after the check at it, and after it: `NEITHER`, `DAY` or `NIGHT`."""
    index = np.arange(len(rows.place), dtype=np.int32)
    own = np.where(rows.effect != 0, rows.effect, rows.gives)
    if assumed:
        start = rows.first - 1
    else:
        setting = np.flatnonzero(own)
        start = np.full(len(rows.first), len(own), np.int32)
        # Written backwards, so that the first one of each game stays.
        start[rows.place[setting[::-1]]] = setting[::-1]
    later = index > start[rows.place]
    check = np.where(later, _checks(rows), _NOTHING)
    sets = np.where(later & (rows.effect != 0), rows.effect, check)
    if not assumed:
        began = start[start < len(own)]
        sets[began] = own[began]
    filled = np.where(sets != 0, index, 0)
    np.maximum.accumulate(filled, out=filled)
    after = sets[filled]
    # A value set in the game before does not count, nor does row 0, at which `filled` begins, if it set nothing.
    after[(filled < rows.first[rows.place]) | (after == NEITHER)] = assumed
    before = np.empty_like(after)
    before[1:] = after[:-1]
    before[rows.first] = assumed
    return before, np.where(check != 0, check, before), after


def _checks(rows: Checked) -> Any:
    """Return what the check at each event sets if it is day or night: `NIGHT`, `DAY`, or 0 for nothing."""
    found = np.zeros(len(rows.place), np.int8)
    at = np.flatnonzero(rows.untap)
    # An untap step that shows at a `turn-began` is that of the turn before.
    turn = rows.ordinal[at] - rows.begins[at]
    at, turn = at[turn > rows.first_ordinal[rows.place[at]]], turn[turn > rows.first_ordinal[rows.place[at]]]
    casts = rows.casts[turn - 1]
    found[at] = np.where(casts == 0, NIGHT, np.where(casts >= _TWO, DAY, 0))
    return found


class Turns(NamedTuple):
    """The turns of a row group, and before the first of each game a turn 0: arrays with an entry for each.

    `place` is the game, counted from 0; `row` the first row of the turn and `last` its last one. `began` and `ended`
    are designations. `active_casts` is 2 for two or more, -1 if it is uncertain or turn 0.
    """

    place: Any
    row: Any
    last: Any
    began: Any
    ended: Any
    flips: Any
    casts: Any
    active_casts: Any


def turns(rows: Checked, walked: tuple[Any, Any, Any]) -> Turns:
    """Return the turns of a row group; `walked` is what `designations` says of it."""
    before, checked, after = walked
    # A game and a turn each begin one. So the place of a row's turn is how many of both there were.
    turn = rows.ordinal + rows.place
    starting = np.flatnonzero(rows.begins)
    row = np.empty(len(rows.first) + len(starting), np.int64)
    row[turn[rows.first]], row[turn[starting]] = rows.first, starting
    then = np.append(row[1:], len(turn))
    place, last = rows.place[row], then - 1
    closing = last == rows.last[place]
    ended = np.where(closing, after[last], checked[np.minimum(then, len(turn) - 1)])
    by_check = np.flatnonzero((checked != before) & (before != 0))
    itself = np.flatnonzero((after != checked) & (checked != 0))
    casts = np.bincount(turn[rows.cast], minlength=len(row))
    if len(rows.doubts):
        casts = casts + np.bincount(turn[rows.doubts], rows.doubt_least, len(row)).astype(np.int64)
    least, most = _cast(rows)
    active_casts = np.full(len(row), -1, np.int64)
    active_casts[turn[starting]] = np.where(least == most, least, -1)
    # What changes at a `turn-began` is the untap step of the turn before.
    flips = np.bincount(turn[by_check] - rows.begins[by_check], minlength=len(row))
    flips += np.bincount(turn[itself], minlength=len(row))
    return Turns(place, row, last, after[row], ended, flips, casts, active_casts)


def judged(rows: Checked, assumed: int = NEITHER, walked: tuple[Any, Any, Any] | None = None) -> Judged:
    """Return the verdicts and statistics of a row group; those of games that are not plain are meaningless.

    `walked` is what `designations` says of it, where that is known.
    """
    before, checked, after = designations(rows, assumed) if walked is None else walked
    games = len(rows.first)
    claims, wrong = np.zeros(games, np.int64), np.zeros(games, np.int64)
    for at, right in (_designations(rows, after), _faces(rows, after), _tallies(rows)):
        claims += np.bincount(rows.place[at], minlength=games)
        wrong += np.bincount(rows.place[at[~right]], minlength=games)
    flips = np.flatnonzero(((checked != before) & (before != 0)) | ((after != checked) & (checked != 0)))
    twice = ((checked != before) & (before != 0) & (after != checked) & (checked != 0))[flips]
    ends, place = _ends(rows)
    last = rows.last[place]
    # The last turn of a game ends after its last event.
    ended = np.where(ends == last + 1, after[last], checked[np.minimum(ends, len(checked) - 1)])
    least, most = _cast(rows)
    casts = np.where(least == most, least, 3)
    return Judged(
        disputed=wrong,
        claims=claims,
        turns=rows.turns,
        flips=np.bincount(rows.place[flips], weights=1 + twice, minlength=games).astype(np.int64),
        spells=np.bincount(rows.place[rows.cast], minlength=games),
        ended=np.bincount(place * 3 + ended, minlength=games * 3).reshape(games, 3),
        casts=np.bincount(place * 4 + casts, minlength=games * 4).reshape(games, 4),
    )


def _ends(rows: Checked) -> tuple[Any, Any]:
    """Return the row at which each turn is over (for the last one: the row after the game's last), and its game."""
    begins = np.flatnonzero(rows.begins)
    place = rows.place[begins]
    ends = np.append(begins[1:], 0)
    closing = np.append(place[1:] != place[:-1], True) if len(place) else np.zeros(0, bool)
    ends = ends[: len(begins)]
    ends[closing] = rows.last[place[closing]] + 1
    return ends, place


def _cast(rows: Checked) -> tuple[Any, Any]:
    """Return the fewest and the most spells that the active player of each turn cast; 2 means two or more."""
    least, most = rows.casts[1:], rows.casts[1:]
    if len(rows.doubts):
        counts = rows.by_active[len(rows.cast) :]
        turn = rows.ordinal[rows.doubts[counts]]
        least, most = (
            whole + np.bincount(turn, doubt[counts], len(rows.casts))[1:].astype(np.int64)
            for whole, doubt in ((least, rows.doubt_least), (most, rows.doubt_most))
        )
    return np.minimum(least, _TWO), np.minimum(most, _TWO)


def _designations(rows: Checked, after: Any) -> tuple[Any, Any]:
    at = rows.designation_claims
    return at, rows.claimed == after[at]


def _faces(rows: Checked, after: Any) -> tuple[Any, Any]:
    at = rows.face_claims
    shows = rows.shows
    back = np.where(shows == _TURNS, after[at] == NIGHT, shows == _BACK)
    return at, (rows.face == _BACK) == back


_BACK, _TURNS = 2, 3


def _tallies(rows: Checked) -> tuple[Any, Any]:
    at = rows.tally_claims
    if not len(at):
        return at, np.zeros(0, bool)
    turns = np.flatnonzero(rows.begins)
    wide = int(rows.turn.max()) + 2
    keys = rows.place[turns] * wide + rows.turn[turns]
    about = np.searchsorted(keys, rows.place[at] * wide + rows.about_turn)
    # A key for each turn and player; equal keys stay in the order of the events.
    players = int(max(rows.player.max(initial=0), rows.tally_player.max())) + 1
    cast = rows.cast
    keys = (rows.ordinal[cast] - 1) * players + rows.player
    order = np.argsort(keys, kind="stable")
    wide = len(rows.place) + 1
    sorted_keys = keys[order] * wide + cast[order]
    wanted = about * players + rows.tally_player
    tally = np.searchsorted(sorted_keys, wanted * wide + at) - np.searchsorted(sorted_keys, wanted * wide)
    return at, tally == rows.tally_count
