"""The vectorised referee: numpy judges plain games by their columns, without reading their lines.

The clauses below say why a forward fill gives the designation. `plain` decides from the events which games are plain.

1. *Only checks, effects and arrivals change the designation.* A plain game has one possibility throughout: it has no
   uncertain cast, no joining midway, no ruling, no backing up and no restart. Casts, copies, departures, changes of
   control, steps and claims change no designation. A continuous rule (a permanent with daybound or nightbound is
   there while it is neither) can only apply after an event that brings an ability. Arrivals bring some; departures,
   changes of control and turning over bring none; types of events that give abilities back are not plain.
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
9. *Nothing cares.* If nothing can make it day or night, it is neither throughout: no value is ever set. Uncertain
   casts then concern only the counts of spells, and a game with such casts claims no tally.
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


class Judged(NamedTuple):
    """The verdicts and the statistics of a row group: arrays with an entry, or a row, for each game.

    `claims` counts the claims, and `disputed` those of them that are wrong. `ended` counts the turns that ended with
    each designation (one column for each); `casts` counts turns by the spells that the active player cast: none, one,
    two or more, uncertain.
    """

    disputed: Any
    claims: Any
    turns: Any
    flips: Any
    spells: Any
    ended: Any
    casts: Any


class Settings(NamedTuple):
    """The rows that set the designation: by a check, by the event itself, or by both.

    For each such `row`: the index of its game (`place`), and the designation `before` it, after the check (`checked`),
    and `after` the event. Before its first such row, a game has the designation `assumed`.
    """

    row: Any
    place: Any
    before: Any
    checked: Any
    after: Any
    assumed: int

    def after_each(self, at: Any, place: Any) -> Any:
        """Return the designation after each of the rows `at`; `place` has their games."""
        which = self.row.searchsorted(at, "right") - 1
        if not len(self.row):
            return np.full(len(which), self.assumed, np.int8)
        return np.where((which >= 0) & (self.place[which] == place), self.after[which], np.int8(self.assumed))


def settings(rows: Checked, assumed: int = NEITHER) -> Settings:
    """Return the rows of a row group that set the designation; it is `assumed` as each game begins."""
    own_row, own = rows.effects[rows.effect != 0], rows.effect[rows.effect != 0]
    start = (rows.first - 1).astype(np.int64)
    if not assumed:
        giving = rows.gives != 0
        all_row = np.concatenate([own_row, rows.arrivals[giving]])
        order = all_row.argsort(kind="stable")
        all_row, all_own = all_row[order], np.concatenate([own, rows.gives[giving]])[order]
        # Backwards, so that the first one of each game is written last, and stays.
        place = rows.place[all_row]
        start[:] = len(rows.place)
        start[place[::-1]] = all_row[::-1]
        # After it, arrivals set nothing.
        counts = (all_row == start[place]) | (order < len(own_row))
        own_row, own = all_row[counts], all_own[counts]
    check_row, check = _checks(rows)
    later = check_row > start[rows.place[check_row]]
    check_row, check = check_row[later], check[later]
    by_check, by_itself = np.zeros((2, len(rows.place)), np.int8)
    by_check[check_row], by_itself[own_row] = check, own
    row = (by_check | by_itself).nonzero()[0]
    by_check, by_itself = by_check[row], by_itself[row]
    after = np.where(by_itself != 0, by_itself, by_check)
    place = rows.place[row]
    before = np.full(len(row), assumed, np.int8)
    same = place[1:] == place[:-1]
    before[1:][same] = after[:-1][same]
    return Settings(row, place, before, np.where(by_check != 0, by_check, before), after, assumed)


def _checks(rows: Checked) -> tuple[Any, Any]:
    """Return the rows at which a check finds no cast, or two or more, and what it then sets: `NIGHT`, or `DAY`.

    The caller drops the rows at which it is still neither, because there a check sets nothing.
    """
    at = rows.untap
    # An untap step that shows at a `turn-began` is that of the turn before.
    turn = rows.ordinal[at] - rows.begins[at]
    later = turn > rows.first_ordinal[rows.place[at]]
    at, turn = at[later], turn[later]
    casts = rows.casts[turn - 1]
    found = np.where(casts == 0, NIGHT, np.where(casts >= _TWO, DAY, 0)).astype(np.int8)
    return at[found != 0], found[found != 0]


class Turns(NamedTuple):
    """The turns of a row group, with a turn 0 before the first turn of each game: arrays with an entry for each turn.

    `place` is the game, counted from 0; `row` the first row of the turn and `last` its last one. `began` and `ended`
    are designations. `casts` counts the spells of all players (at least), `active_casts` those of the active player: 2
    for two or more, -1 if it is uncertain or turn 0.
    """

    place: Any
    row: Any
    last: Any
    began: Any
    ended: Any
    flips: Any
    casts: Any
    active_casts: Any


def turns(rows: Checked, found: Settings) -> Turns:
    """Return the turns of a row group; `found` are its settings."""
    # A game and a turn each begin one. So the place of a row's turn is how many of both there were.
    starting = rows.begins.nonzero()[0]
    first = rows.ordinal[rows.first] + rows.place[rows.first]
    row = np.empty(len(rows.first) + len(starting), np.int64)
    numbers = rows.ordinal[starting] + rows.place[starting]
    row[first], row[numbers] = rows.first, starting
    then = np.append(row[1:], len(rows.place))
    place, last = rows.place[row], then - 1
    casts = np.bincount(rows.ordinal[rows.cast] + rows.place[rows.cast], minlength=len(row))
    if len(rows.doubts):
        doubted = rows.ordinal[rows.doubts] + rows.place[rows.doubts]
        casts = casts + np.bincount(doubted, rows.doubt_least, len(row)).astype(np.int64)
    least, most = _cast(rows)
    active_casts = np.full(len(row), -1, np.int64)
    active_casts[numbers] = np.where(least == most, least, -1)
    by_check, itself = _flips(found)
    number = rows.ordinal[found.row] + rows.place[found.row]
    # What changes at a `turn-began` is the untap step of the turn before.
    flips = np.bincount((number - rows.begins[found.row])[by_check], minlength=len(row))
    flips = flips + np.bincount(number[itself], minlength=len(row))
    began = found.after_each(row, place)
    return Turns(place, row, last, began, _ended(rows, found, place, last), flips, casts, active_casts)


def _ended(rows: Checked, found: Settings, place: Any, last: Any) -> Any:
    """Return the designation as each turn ended: after the check at the next `turn-began`, before that event itself.

    For the last turn of a game it is the designation after the last event.
    """
    # A `turn-began` itself sets nothing: what is there after it, the check set.
    return found.after_each(last + (last != rows.last[place]), place)


def _flips(found: Settings) -> tuple[Any, Any]:
    """Return for each setting whether its check turned day into night or night into day, and whether its event did."""
    by_check = (found.checked != found.before) & (found.before != 0)
    return by_check, (found.after != found.checked) & (found.checked != 0)


def judged(rows: Checked, assumed: int = NEITHER, found: Settings | None = None) -> Judged:
    """Return the verdicts and statistics of a row group; those of games that are not plain are meaningless.

    If `settings` was called for these rows already, pass the result as `found`.
    """
    found = settings(rows, assumed) if found is None else found
    games = len(rows.first)
    claims, wrong = np.zeros(games, np.int64), np.zeros(games, np.int64)
    claimed = (rows.designation_claims, _designations), (rows.face_claims, _faces), (rows.tally_claims, _tallies)
    for at, right in claimed:
        if len(at):
            claims += np.bincount(rows.place[at], minlength=games)
            wrong += np.bincount(rows.place[at[~right(rows, found)]], minlength=games)
    by_check, itself = _flips(found)
    place, last = _ends(rows)
    ended = _ended(rows, found, place, last)
    least, most = _cast(rows)
    casts = np.where(least == most, least, 3)
    return Judged(
        disputed=wrong,
        claims=claims,
        turns=rows.turns,
        flips=np.bincount(found.place, by_check.view(np.int8) + itself.view(np.int8), games).astype(np.int64),
        spells=np.bincount(rows.place[rows.cast], minlength=games),
        ended=np.bincount(place * 3 + ended, minlength=games * 3).reshape(games, 3),
        casts=np.bincount(place * 4 + casts, minlength=games * 4).reshape(games, 4),
    )


def _ends(rows: Checked) -> tuple[Any, Any]:
    """Return two arrays with an entry for each turn (no turn 0): the index of its game, and the turn's last row."""
    begins = rows.begins.nonzero()[0]
    place = rows.place[begins]
    ends = rows.last[place]
    ends[:-1] = np.minimum(begins[1:] - 1, ends[:-1])
    return place, ends


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


def _designations(rows: Checked, found: Settings) -> Any:
    """Return which of the claims of a designation are right; `found` are the settings."""
    at = rows.designation_claims
    return rows.claimed == found.after_each(at, rows.place[at])


def _faces(rows: Checked, found: Settings) -> Any:
    """Return which of the claims of a face are right; `found` are the settings."""
    at = rows.face_claims
    shows = rows.shows
    back = np.where(shows == _TURNS, found.after_each(at, rows.place[at]) == NIGHT, shows == _BACK)
    return (rows.face == _BACK) == back


_BACK, _TURNS = 2, 3


def _tallies(rows: Checked, _found: Settings) -> Any:
    """Return which of the claims of a tally are right; there is at least one."""
    at = rows.tally_claims
    turns = rows.begins.nonzero()[0]
    wide = int(rows.turn.max()) + 2
    keys = rows.place[turns] * wide + rows.turn[turns]
    about = keys.searchsorted(rows.place[at] * wide + rows.about_turn)
    # A key for each turn and player; equal keys stay in the order of the events.
    players = int(max(rows.player.max(initial=0), rows.tally_player.max())) + 1
    cast = rows.cast
    keys = (rows.ordinal[cast] - 1) * players + rows.player
    order = keys.argsort(kind="stable")
    wide = len(rows.place) + 1
    sorted_keys = keys[order] * wide + cast[order]
    wanted = about * players + rows.tally_player
    tally = sorted_keys.searchsorted(wanted * wide + at) - sorted_keys.searchsorted(wanted * wide)
    return tally == rows.tally_count
