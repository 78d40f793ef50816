"""Slips of the pen: a line, the column where somebody who reads it would point, and what should be proposed.

Each line stands behind a header with the players Ana and Bo, a turn, and Tavern Ruffian as w1; so it is line 5.
"""

from __future__ import annotations

__all__ = ["BEFORE", "LINE", "SLIPS"]

BEFORE = "game g1\nplayers Ana, Bo\nturn 3 Ana\n  Ana: Tavern Ruffian (w1) enters\n"
LINE = 5

SLIPS: tuple[tuple[str, int, str], ...] = (
    # words of ours
    ("Bo castes Opt", 4, "did you mean casts?"),
    ("Bo  cassts Opt", 5, "did you mean casts?"),
    ("Ana copys Opt", 5, "did you mean copies?"),
    ("Ana: Immerwolf (i1) entres", 21, "did you mean enters?"),
    ("w1 leves", 4, "did you mean leaves?"),
    ("w1 leaves too exile", 11, "did you mean to?"),
    ("w1 losses abilities", 4, "did you mean loses?"),
    ("w1 loses abilitys", 10, "did you mean abilities?"),
    ("w1 regians abilities", 4, "did you mean regains?"),
    ("w1 trasnforms", 4, "did you mean transforms?"),
    ("w1 transforms bye Moonmist", 15, "did you mean by?"),
    ("w1 transforms sinse e4", 15, "did you mean since?"),
    ("w1 phasses out", 4, "did you mean phases?"),
    ("w1 trns face down", 4, "did you mean turns?"),
    ("w1 becomse a copy of Immerwolf", 4, "did you mean becomes?"),
    ("w1 is itslef again", 7, "did you mean itself?"),
    ("w1 cann't transform by X", 4, "did you mean can't?"),
    ("Bo contorls w1", 4, "did you mean controls?"),
    ("Bo sais night", 4, "did you mean says?"),
    ("Bo says w1 shosw back", 12, "did you mean shows?"),
    ("Jo ruls night", 4, "did you mean rules?"),
    ("Jo bakcs up to e2", 4, "did you mean backs?"),
    ("Bo winns", 4, "did you mean wins?"),
    ("Bo perhpas casts more", 4, "did you mean perhaps?"),
    ("dispute d1: Bo apeals", 16, "did you mean appeals?"),
    ("dispute d1: Jo closses it: fix", 16, "did you mean closes?"),
    # the first word of a line
    ("tunr 4 Bo", 1, "did you mean turn?"),
    ("upkep", 1, "did you mean upkeep?"),
    ("unatp", 1, "did you mean untap?"),
    ("clenup", 1, "did you mean cleanup?"),
    ("it becoms night", 4, "it becomes {becomes}"),
    ("the game enss", 5, "the game ends"),
    ("turn four Bo", 6, "turn {turn} {active}"),
    # words that are one of a few
    ("Jo rules nihgt", 10, "did you mean night?"),
    ("Bo says nigth", 9, "did you mean night?"),
    ("it becomes dey", 12, "did you mean day?"),
    ("Bo says w1 shows bakc", 18, "did you mean back?"),
    ("it becomes night if nether", 21, "did you mean neither?"),
    # players, permanents, cards
    ("Anna casts Opt", 1, "did you mean Ana?"),
    ("turn 4 Boo", 8, "did you mean Bo?"),
    ("Anaa: Immerwolf (i1) enters", 1, "did you mean Ana?"),
    ("Bo says Aan cast 2", 9, "did you mean Ana?"),
    ("w11 leaves", 1, "did you mean w1?"),
    ("w1, w3 phase out", 5, "there: w1"),
    ("Bo controls w2", 13, "there: w1"),
    ("Ana casts Tavern Rufian", 11, "did you mean Tavern Ruffian?"),
    ("Ana casts Moonmits", 11, "did you mean Moonmist?"),
    ("Bo: Imerwolf (i1) enters", 5, "did you mean Immerwolf?"),
    ("Ana casts Howlpack", 11, "may be Howlpack Avenger, Howlpack Piper; write more of it"),
    ("w1 becomes a copy of Immerwlof", 22, "did you mean Immerwolf?"),
    # numbers, quotation marks, brackets, braces, times
    ("Bo says Ana cast two", 18, "expected a number"),
    ("Ana casts 0 spells", 11, "1 to 100"),
    ("Jo backs up to turn two", 16, "expected an event such as e12"),
    ('Ana casts "Opt', 11, "close it before the end of the line"),
    ("Ana: Immerwolf (i1 enters", 20, "expected"),
    ("Ana: Immerwolf (i1] enters", 19, "brackets of one kind belong together"),
    ("Immerwolf enters", 1, "under whom does it enter?"),
    ("Ana casts Opt {", 15, "a brace that is never closed"),
    ("Ana casts Opt }", 15, "a brace that was never opened"),
    ('Ana casts Opt {"a" 1}', 20, "not JSON"),
    ('Ana casts Opt {"a":1,"a":2}', 15, "the key 'a' stands twice in one object"),
    ("Ana casts Opt @2024-13-07T19:30:00Z", 16, "no RFC 3339 time; expected one like"),
    ("Ana casts Opt @today", 15, "expected a time such as @2024-06-07T19:30:00Z"),
    ("Ana casts", 0, ""),
    ("Ana", 4, "something is missing"),
    ("players Cy", 1, "this stands below the line game"),
    ('{"type":"spell-cost"}', 1, "unknown tag"),
)
"""The line, its column from 1 (0: it is no slip), and what the sentence has in it."""
