"""The vectorised referee: plain games judged by numpy over their columns, without a line of them.

Why a forward fill is right, clause by clause. What is meant by plain is decided in `plain`, from the events.

1. *Nothing but checks, effects and arrivals changes the designation.* A plain game has one possibility throughout: no
   doubt, no joining midway, no ruling, no backing up, no restart. Of what is left, casts, copies, departures, control,
   steps and claims change none. Resting (a permanent with daybound, or with nightbound, while it is neither) can
   only follow what brings an ability: arrivals do; control, departures and turning over bring none, and nothing gives
   abilities back, for the types of events that do are not plain.
2. *Neither lasts until the first effect or the first arrival that gives something.* A check does nothing where it is
   neither. An arrival gives day where anything that enters has "day if neither" or daybound, else night where
   anything has nightbound: entering comes before resting, and of resting daybound comes first. What entered earlier
   while it was neither gave nothing, so it has neither ability, or is without abilities or face down for ever. And
   it never is neither again.
3. *After that arrivals change nothing.* "Day if neither" asks for neither, and so does resting.
4. *What a check makes does not depend on what it was.* By day no cast makes it night; by night no cast leaves it night.
   By night two make it day; by day two leave it day. One leaves it as it was. So a check with no cast sets night, one
   with two sets day, one with one sets nothing: each is a value that is set, or none. Nothing bars the night, for what
   `holds` is not plain. An effect sets its value whatever it was: a switch, and a condition, are not plain.
5. *So it is, after each event, what was set last*, from the first effect or giving arrival on: a forward fill. At one
   event the check comes first, then the event's own effect; where both set something, the event's own is the later one.
   At the event that ends neither the check is still one of neither.
6. *The check looks at one number.* Teams are not plain, so one player is active in a turn; `by_active` says of a cast
   whether that player cast it. The check of a turn counts those of the turn begun before it, whatever its number,
   also where its active player has left since. At a `turn-began` the untap step that nobody wrote down is that of
   the turn that ends there. The first turn has none before it.
7. *Faces.* A permanent that turns shows its back at night and else its front: as it enters, as it becomes so, or
   found otherwise, at once; it is on the battlefield by day or night only, for its arrival gives day or night. Nothing
   forbids it to turn, and somebody controls it: what is left behind is not plain. What stays shows what it entered
   with.
8. *Tallies.* Turn numbers rise and nothing is backed up, so a number is one turn. A tally is the casts of that player
   in that turn before the claim.
9. *Nothing cares.* Where nothing can make it day or night it is neither throughout: nothing is ever set. Doubts then
   concern the counts alone, and only those: of such games no tally is claimed.
10. *Assumed from the beginning*: it was never neither; clauses 3 to 8 hold from the first event on.

Statistics: a turn ends as what it is before the next `turn-began` itself, after the check implied there. A change is a
flip unless it was neither; a check and an effect at one event may be two.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from daynight.corpus.judging.checked import Checked

NEITHER, DAY, NIGHT = 0, 1, 2
_TWO = 2
_NOTHING = np.int8(0)


class Judged(NamedTuple):
    """What the referee says of the games of a row group: an array each, one entry a game.

    `disputed` and `claims` count what is claimed; `ended` and `casts` count turns, in a column for each designation,
    and for no cast, one, two or more, and uncertain.
    """

    disputed: Any
    claims: Any
    turns: Any
    flips: Any
    spells: Any
    ended: Any
    casts: Any


def designations(rows: Checked, assumed: int = NEITHER) -> tuple[Any, Any, Any]:
    """Before each event, after the check before it, and after it: what it is, as `NEITHER`, `DAY` or `NIGHT`."""
    index = np.arange(len(rows.place), dtype=np.int32)
    own = np.where(rows.effect != 0, rows.effect, rows.gives)
    if assumed:
        start = rows.first - 1
    else:
        setting = np.flatnonzero(own)
        start = np.full(len(rows.first), len(own), np.int32)
        # The first one of each game is written last.
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
    # What was set in the game before is nothing here; the first row of all may have set nothing, where `filled` begins.
    after[(filled < rows.first[rows.place]) | (after == NEITHER)] = assumed
    before = np.empty_like(after)
    before[1:] = after[:-1]
    before[rows.first] = assumed
    return before, np.where(check != 0, check, before), after


def _checks(rows: Checked) -> Any:
    """What the check before each event sets where it is day or night: night, day, or nothing."""
    found = np.zeros(len(rows.place), np.int8)
    at = np.flatnonzero(rows.untap)
    # At the beginning of a turn the untap step is that of the turn before.
    turn = rows.ordinal[at] - rows.begins[at]
    at, turn = at[turn > rows.first_ordinal[rows.place[at]]], turn[turn > rows.first_ordinal[rows.place[at]]]
    casts = rows.casts[turn - 1]
    found[at] = np.where(casts == 0, NIGHT, np.where(casts >= _TWO, DAY, 0))
    return found


def judged(rows: Checked, assumed: int = NEITHER) -> Judged:
    """The verdicts and the statistics of the games of a row group; those of games that are not plain mean nothing."""
    before, checked, after = designations(rows, assumed)
    games = len(rows.first)
    claims, wrong = np.zeros(games, np.int64), np.zeros(games, np.int64)
    for at, right in (_designations(rows, after), _faces(rows, after), _tallies(rows)):
        claims += np.bincount(rows.place[at], minlength=games)
        wrong += np.bincount(rows.place[at[~right]], minlength=games)
    flips = np.flatnonzero(((checked != before) & (before != 0)) | ((after != checked) & (checked != 0)))
    twice = ((checked != before) & (before != 0) & (after != checked) & (checked != 0))[flips]
    ends, place = _ends(rows)
    last = rows.last[place]
    # The last turn ends with the game, after its last event.
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
    """Of each turn the event at which it is over, one more than the last one for the last, and its game."""
    begins = np.flatnonzero(rows.begins)
    place = rows.place[begins]
    ends = np.append(begins[1:], 0)
    closing = np.append(place[1:] != place[:-1], True) if len(place) else np.zeros(0, bool)
    ends = ends[: len(begins)]
    ends[closing] = rows.last[place[closing]] + 1
    return ends, place


def _cast(rows: Checked) -> tuple[Any, Any]:
    """Of each turn how many spells its active player cast, at least and at most; 2 is two or more."""
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
    # One key for each player's casts in each turn, in the order of the events.
    players = int(max(rows.player.max(initial=0), rows.tally_player.max())) + 1
    cast = rows.cast
    keys = (rows.ordinal[cast] - 1) * players + rows.player
    order = np.argsort(keys, kind="stable")
    wide = len(rows.place) + 1
    sorted_keys = keys[order] * wide + cast[order]
    wanted = about * players + rows.tally_player
    tally = np.searchsorted(sorted_keys, wanted * wide + at) - np.searchsorted(sorted_keys, wanted * wide)
    return at, tally == rows.tally_count
