"""Judges a part of a corpus.

The vectorised referee judges the plain games. The ordinary one judges all others, and again those plain games that are
disputed, because only it makes findings. If a designation is assumed, it also judges the games that are plain only
because no card in them cares about day and night.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa

from daynight.corpus.judging import vectorised
from daynight.corpus.judging.checked import COLUMNS, checked
from daynight.corpus.judging.ordinary import CASTS, Ordinary
from daynight.corpus.judging.pieces import Counts, Piece, packed
from daynight.corpus.judging.refereed import standing
from daynight.corpus.lines import Lines
from daynight.corpus.manifest import WholePart
from daynight.corpus.plain import NOTHING_CARES
from daynight.corpus.schema import ENDED, VERDICTS
from daynight.corpus.trust import Damage, column, file_of, filled, opened_table, reading
from daynight.events.terms import Designation
from daynight.framework.language.errors import RecordError
from daynight.framework.language.wording import _
from daynight.languages.speaking import speaking
from daynight.machine.memory import settled
from daynight.records import CORPUS, Held

_COUNTED = (
    "findings", "unsettled", "turns", "flips", "spells",
    *(f"ended_{word}" for word in ENDED), *(f"active_casts_{word}" for word in CASTS),
)  # fmt: skip

VERDICT: Any = pa.schema([
    pa.field("corpus", pa.string(), nullable=False),
    pa.field("game", pa.int64(), nullable=False),
    pa.field("name", pa.string(), nullable=False),
    pa.field("source", pa.string(), nullable=False),
    pa.field("first_line", pa.int64(), nullable=False),
    pa.field("verdict", pa.string(), nullable=False),
    pa.field("plain", pa.bool_(), nullable=False),
    *(pa.field(name, pa.int64() if name == "spells" else pa.int32(), nullable=False) for name in _COUNTED),
])  # fmt: skip
"""The columns of the verdicts: one row for each game."""

_KINDS = {name: np.dtype(VERDICT.field(name).type.to_pandas_dtype()) for name in _COUNTED}

_FACTS = ["game", "name", "source", "first_line", "events", "turns", "plain"]
_EXACT, _DISPUTED, _UNVERIFIED = range(3)


class Judging(NamedTuple):
    """A task: judge a part of the corpus at `place`, which the user named `corpus`; `key` names the part."""

    corpus: str
    place: str
    part: WholePart
    key: str
    edition: str | None
    assumed: str | None
    language: str


class _Said(NamedTuple):
    """What the ordinary referee found in a part, as lines of JSON: the audits to report, and a row for each finding.

    `refused` maps the index of a game in the part to the sentence that says why the game was refused.
    """

    audits: list[bytes]
    findings: list[bytes]
    refused: dict[int, str]


def judge(judging: Judging) -> Piece:
    """Judge a part; if it is damaged, the result has nothing but counts, which say where."""
    with speaking(judging.language):
        try:
            return _judged(judging)
        except Damage as error:
            return Piece(Counts(file=error.file, problem=error.problem))


def _judged(judging: Judging) -> Piece:
    part = judging.part
    opened = opened_table(judging.place, part, "games")
    games = _games(opened, part)
    number = games["game"].to_numpy()
    plain = games["plain"].to_numpy(zero_copy_only=False)
    verdict, counted = _vectorised(judging, games, number, plain)
    asked = ~plain | (verdict == _DISPUTED)
    if judging.assumed is not None:
        # Why a game is plain matters only where it is assumed to be day or night.
        because = _read(opened, part, ["because"])["because"]
        asked |= np.array([reason == NOTHING_CARES for reason in because.to_pylist()], bool)
    said = _Said([], [], {})
    if asked.any():
        games |= _whole(opened, part, ["final_newline"])
        # Here, because the arrays before may have loaded pandas, which the garbage collector would then go through.
        with settled():
            _ordinary(judging, games, asked, verdict, counted, said)
    columns = {
        "corpus": [judging.corpus] * len(number),
        "verdict": [VERDICTS[each] for each in verdict.tolist()],
        **games,
        **counted,
    }
    verdicts = pa.record_batch(columns, schema=VERDICT)
    there: Any = slice(None)
    if said.refused:
        there = np.ones(len(number), bool)
        there[list(said.refused)] = False
        verdicts = verdicts.filter(pa.array(there))
    sums = np.bincount(verdict[there], minlength=3)
    counts = Counts(
        games=verdicts.num_rows,
        plain=int(np.count_nonzero(plain[there])),
        events=int(games["events"].to_numpy()[there].sum()),
        exact=int(sums[_EXACT]),
        disputed=int(sums[_DISPUTED]),
        unverified=int(sums[_UNVERIFIED]),
        findings=int(counted["findings"].sum()),
        refused=list(said.refused.values()),
    )
    return Piece(counts, packed(verdicts), b"".join(said.audits), b"".join(said.findings))


def _read(opened: Any, part: WholePart, names: list[str]) -> dict[str, Any]:
    """Return columns of a part's games, each as one array, by their names; `opened` is the file of the games."""
    with reading(file_of("games", part.part)):
        table = opened.read(columns=names, use_threads=False)
    return {name: column(table, name) for name in names}


def _whole(opened: Any, part: WholePart, names: list[str]) -> dict[str, Any]:
    """Return what `_read` returns; nulls raise `Damage`."""
    found = _read(opened, part, names)
    for name, values in found.items():
        if values.null_count:
            sentence = _("the column {column} has what cannot be there")
            raise Damage(file_of("games", part.part), sentence.format(column=name))
    return found


def _games(opened: Any, part: WholePart) -> dict[str, Any]:
    """Return the columns `_FACTS` of a part's games as `_whole` does.

    Game numbers or counts that do not fit the part raise `Damage`, too.
    """
    name = file_of("games", part.part)
    games = _whole(opened, part, _FACTS)
    number, events = games["game"].to_numpy(), games["events"].to_numpy()
    inside = len(number) == 0 or (number[0] >= part.first and number[-1] < part.first + part.records)
    if not inside or (number[1:] <= number[:-1]).any() or (events < 1).any() or int(events.sum()) != part.events:
        raise Damage(name, _("its games are not those that corpus.json has"))
    return games


def _vectorised(judging: Judging, games: dict[str, Any], number: Any, plain: Any) -> tuple[Any, dict[str, Any]]:
    """Return verdicts (indices in `VERDICTS`) and counts by column; for games that are not plain they mean nothing."""
    name = file_of("events", judging.part.part)
    lengths, turns = games["events"].to_numpy(), games["turns"].to_numpy()
    ends = lengths.cumsum()
    assumed = vectorised.NEITHER if judging.assumed is None else ENDED.index(judging.assumed)
    counted = {each: np.zeros(len(number), kind) for each, kind in _KINDS.items()}
    verdict = np.full(len(number), _UNVERIFIED)
    table = opened_table(judging.place, judging.part, "events")
    first = at = 0
    for group in range(table.num_row_groups):
        rows = filled(table, group, COLUMNS, name)
        at += rows.num_rows
        last = int(ends.searchsorted(at, "right"))
        span = slice(first, last)
        found = vectorised.judged(checked(rows, number[span], lengths[span], turns[span], plain[span], name), assumed)
        verdict[span] = np.where(found.disputed > 0, _DISPUTED, np.where(found.claims > 0, _EXACT, _UNVERIFIED))
        for each in ("turns", "flips", "spells"):
            counted[each][span] = getattr(found, each)
        for place, word in enumerate(ENDED[:3]):
            counted[f"ended_{word}"][span] = found.ended[:, place]
        for place, word in enumerate(CASTS):
            counted[f"active_casts_{word}"][span] = found.casts[:, place]
        first = last
    return verdict, counted


def _ordinary(
    judging: Judging, games: dict[str, Any], asked: Any, verdict: Any, counted: dict[str, Any], said: _Said
) -> None:
    """Judge the games whose `asked` is true with the ordinary referee; write into `verdict`, `counted` and `said`.

    `games` has the columns `game`, `events` and `final_newline`. If no designation is assumed, a refused game raises
    `Damage`.
    """
    assumed = None if judging.assumed is None else Designation(judging.assumed)
    referee = _referee(judging.edition, assumed)
    places = np.flatnonzero(asked).tolist()
    number, events, final_newline = (
        games[name].to_numpy(zero_copy_only=False)[asked].tolist() for name in ("game", "events", "final_newline")
    )
    lines = Lines(judging.place, judging.part, number)
    rows: list[dict[str, int]] = []
    places_of: list[int] = []
    for place, game, *how in zip(places, number, events, final_newline, strict=True):
        record = Held(f"{CORPUS}{judging.corpus}#{game}", lines.of(game, *how))
        try:
            audit, counts = referee.judged(record)
        except RecordError as error:
            if assumed is not None:
                # For example, it is assumed to be day, and a judge ruled that it is neither.
                sentence = _("game {game} is refused: {reason}")
                said.refused[place] = sentence.format(game=game, reason=error)
                continue
            raise Damage(file_of("lines", judging.part.part), str(error)) from None
        findings, unsettled = audit.findings, audit.unsettled
        verdict[place] = VERDICTS.index(audit.verdict)
        counts |= {"findings": len(audit.disputes), "unsettled": standing(unsettled)}
        places_of.append(place)
        rows.append(counts)
        says = audit.verdict == "disputed" or unsettled or audit.heard
        if says or findings:
            document = audit.document()
            # An undone finding alone makes no game disputed, so this audit may not be worth telling.
            said.audits.extend([_line(document)] if says else [])
            about = {"corpus": judging.corpus, "game": game, "name": audit.game}
            said.findings.extend(
                _line(
                    {
                        **about,
                        **row,
                        "turn": finding.found.state.turn,
                        "claimed": _text(row["claimed"]),
                        "derived": _text(row["derived"]),
                        "undone": finding.undone,
                    }
                )
                for finding, row in zip(findings, document["findings"], strict=True)
            )
    for each, whole in counted.items():
        whole[places_of] = [counts[each] for counts in rows]


_referee = cache(Ordinary)
"""Returns the referee for an edition and an assumed designation: the same one for all parts of this process."""


def _line(document: dict[str, Any]) -> bytes:
    return msgspec.json.encode(document) + b"\n"


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else msgspec.json.encode(value).decode()
