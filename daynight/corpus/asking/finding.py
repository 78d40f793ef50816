"""Finds the games in the result of an audit that meet a condition on their verdicts or on single findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.compute

from daynight.corpus.judging.results import FINDING_ROWS, VERDICTS, read_table
from daynight.framework.language.errors import AskedError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _
from daynight.records import CORPUS
from daynight.rules.citations import KEYS

pc: Any = pyarrow.compute
"""`Any`, because pyarrow makes these functions while it is imported, and type checkers do not see them."""


class Condition(NamedTuple):
    """The conditions on a game, which must meet all of them; a field that is None is no condition.

    `rule`, `by` (the claimant), `about` (what is claimed) and `turn` (the first and the last turn) must all hold for
    one and the same finding, which was not undone.
    """

    verdict: str | None = None
    plain: bool | None = None
    rule: str | None = None
    by: str | None = None
    about: str | None = None
    turn: tuple[int, int] | None = None

    @property
    def of_findings(self) -> bool:
        """Whether there is a condition on findings."""
        return any(one is not None for one in (self.rule, self.by, self.about, self.turn))


def known_rule(key: str) -> str:
    """Return `key`, which must be one of the rule keys.

    Raises:
        AskedError: where it is none; the sentence names a similar key, or all of them.
    """
    if key not in KEYS:
        near = get_close_matches(key, KEYS, n=3)
        sentence = _("{key} is no rule; did you mean {keys}?") if near else _("{key} is no rule; expected {keys}")
        raise AskedError(sentence.format(key=repr(key), keys=commas(near or sorted(KEYS))))
    return key


def span(text: str) -> tuple[int, int]:
    """Return the first and the last number of a text such as `4..9`; for `4` both are 4.

    Raises:
        AskedError: where it is neither a number nor two, a number is negative, or the first is the larger one.
    """
    first, dots, last = text.partition("..")
    try:
        found = int(first), int(last if dots else first)
    except ValueError:
        found = 1, 0
    if not 0 <= found[0] <= found[1]:
        raise AskedError(_("{text}: expected a number, or two as in 4..9").format(text=text))
    return found


def found(result: Path, condition: Condition) -> Iterator[dict[str, Any]]:
    """Yield a JSON object for each game of `result` that meets `condition`.

    Its `events` are those of the findings that meet the condition. Undone findings are left out, as in `findings`.
    """
    verdicts = read_table(result / VERDICTS, columns=["corpus", "game", "name", "verdict", "plain", "findings"])
    for name in ("verdict", "plain"):
        if (wanted := getattr(condition, name)) is not None:
            verdicts = verdicts.filter(pc.equal(verdicts.column(name), wanted))
    events = _events(result, condition)
    for row in verdicts.to_pylist():
        meeting = events.get((row["corpus"], row["game"]), [])
        if meeting or not condition.of_findings:
            yield {
                "record": f"{CORPUS}{row['corpus']}#{row['game']}",
                "game": row["name"],
                "verdict": row["verdict"],
                "plain": row["plain"],
                "findings": row["findings"],
                "events": meeting,
            }


def _events(result: Path, condition: Condition) -> dict[tuple[str, int], list[int]]:
    """Return the events of the findings that meet `condition`; by (corpus, game), without undone findings."""
    rows = read_table(
        result / FINDING_ROWS, columns=["corpus", "game", "event", "turn", "rule", "by", "about", "undone"]
    )
    rows = rows.filter(pc.invert(rows.column("undone")))
    for name in ("rule", "by", "about"):
        if (wanted := getattr(condition, name)) is not None:
            rows = rows.filter(pc.equal(rows.column(name), wanted))
    if condition.turn is not None:
        least, most = condition.turn
        turn = rows.column("turn")
        rows = rows.filter(pc.and_(pc.greater_equal(turn, least), pc.less_equal(turn, most)))
    events: dict[tuple[str, int], list[int]] = {}
    for row in rows.to_pylist():
        events.setdefault((row["corpus"], row["game"]), []).append(row["event"])
    return events


def disputes(result: Path) -> list[tuple[str | None, str, int]]:
    """Return (rule, claimant, number of findings with both), without undone findings; largest number first."""
    rows = read_table(result / FINDING_ROWS, columns=["rule", "by", "undone"])
    standing = rows.filter(pc.invert(rows.column("undone"))).to_pylist()
    counts = Counter((row["rule"], row["by"]) for row in standing)
    return sorted(
        [(rule, by, count) for (rule, by), count in counts.items()], key=lambda one: (-one[2], one[0] or "", one[1])
    )
