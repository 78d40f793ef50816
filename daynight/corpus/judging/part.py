"""Judges a part of a corpus.

The vectorised referee judges the plain games. The ordinary one judges all others, and again those plain games that are
disputed, because only it makes findings. With a designation assumed, it also judges the games that are plain only
because nothing in them cares.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from daynight.corpus.judging import vectorised
from daynight.corpus.judging.checked import COLUMNS, checked
from daynight.corpus.judging.ordinary import CASTS, Ordinary
from daynight.corpus.judging.refereed import standing
from daynight.corpus.lines import kept
from daynight.corpus.manifest import WholePart
from daynight.corpus.plain import NOTHING_CARES
from daynight.corpus.schema import ENDED, VERDICTS
from daynight.corpus.trust import Damage, column, file_of, group_of, opened_table, reading
from daynight.events.terms import Designation
from daynight.framework.language.errors import RecordError
from daynight.framework.language.wording import _
from daynight.keeping.files import written
from daynight.languages.speaking import speaking
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

_FACTS = ["game", "name", "source", "first_line", "events", "turns", "plain", "because"]
_EXACT, _DISPUTED, _UNVERIFIED = range(3)


class Judging(NamedTuple):
    """A task: judge a part of the corpus at `place`, which the person gave as `corpus`.

    The results are files in the folder `work`, whose names begin with `key`.
    """

    corpus: str
    place: str
    part: WholePart
    key: str
    work: str
    edition: str | None
    assumed: str | None
    language: str


PIECES = ("parquet", "jsonl", "rows")
"""The endings of the files that hold a part's verdicts, audits and findings."""


class _Said(NamedTuple):
    """The answer of the ordinary referee, as JSON: the audits worth telling, and a row for each finding.

    `refused` has the sentence about each refused game, by the game's place in the part.
    """

    audits: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    refused: dict[int, str]


class Counts(msgspec.Struct):
    """The counts of a part; if it is damaged, `file` and `problem` say where and how.

    `refused` has a sentence about each game that cannot happen as assumed; such a game has no verdict. `sizes` are the
    sizes of the part's files in bytes. These files are not synced to disk, so a part is judged again if one has another
    size.
    """

    games: int = 0
    plain: int = 0
    events: int = 0
    exact: int = 0
    disputed: int = 0
    unverified: int = 0
    findings: int = 0
    refused: list[str] = []
    sizes: dict[str, int] = {}
    file: str | None = None
    problem: str | None = None


def judge(judging: Judging) -> Counts:
    """Judge a part, write its files, and last of all the counts. Damage is returned in the counts, not raised."""
    with speaking(judging.language):
        try:
            counts = _judged(judging)
        except Damage as error:
            counts = Counts(file=error.file, problem=error.problem)
    with written(Path(judging.work) / f"{judging.key}.json") as stream:
        stream.write(msgspec.json.encode(counts))
    return counts


def _judged(judging: Judging) -> Counts:
    part = judging.part
    games = _games(judging.place, part)
    number = column(games, "game").to_numpy()
    plain = column(games, "plain").to_numpy(zero_copy_only=False)
    verdict, counted = _vectorised(judging, games, number, plain)
    asked = ~plain | (verdict == _DISPUTED)
    if judging.assumed is not None:
        because = column(games, "because")
        asked |= np.array([reason == NOTHING_CARES for reason in because.to_pylist()], bool)
    said = _ordinary(judging, number, asked, verdict, counted) if asked.any() else _Said([], [], {})
    place = Path(judging.work)
    for name, documents in (("jsonl", said.audits), ("rows", said.findings)):
        lines = b"".join([msgspec.json.encode(document) + b"\n" for document in documents])
        (place / f"{judging.key}.{name}").write_bytes(lines)
    words = pa.DictionaryArray.from_arrays(pa.array(verdict.astype(np.int32)), pa.array(VERDICTS)).cast(pa.string())
    columns = {
        "corpus": pa.array([judging.corpus] * len(number)),
        "verdict": words,
        **{name: column(games, name) for name in ("game", "name", "source", "first_line", "plain")},
        **{name: pa.array(counted[name]) for name in _COUNTED},
    }
    there = np.ones(len(number), bool)
    there[list(said.refused)] = False
    table = pa.table([columns[field.name].cast(field.type) for field in VERDICT], schema=VERDICT).filter(
        pa.array(there)
    )
    # Not compressed: it is read only once, when the result is put together.
    pieces = place / f"{judging.key}.parquet"
    with pieces.open("wb") as stream:
        pq.write_table(table, stream, compression="none", use_dictionary=False, write_statistics=False)
    sums = np.bincount(verdict[there], minlength=3)
    return Counts(
        games=int(there.sum()),
        plain=int(plain[there].sum()),
        events=int(column(games, "events").to_numpy()[there].sum()),
        exact=int(sums[_EXACT]),
        disputed=int(sums[_DISPUTED]),
        unverified=int(sums[_UNVERIFIED]),
        findings=int(counted["findings"].sum()),
        refused=list(said.refused.values()),
        sizes={name: (place / f"{judging.key}.{name}").stat().st_size for name in PIECES},
    )


def _games(corpus: str, part: WholePart) -> Any:
    """Return the table of a part's games, after checking their numbers."""
    name = file_of("games", part.part)
    table = opened_table(corpus, part, "games")
    with reading(name):
        games = table.read(columns=_FACTS, use_threads=False)
    for fact in _FACTS[:-1]:
        if games.column(fact).null_count:
            raise Damage(name, _("the column {column} has what cannot be there").format(column=fact))
    number, events = column(games, "game").to_numpy(), column(games, "events").to_numpy()
    inside = len(number) == 0 or (number[0] >= part.first and number[-1] < part.first + part.records)
    if not inside or (np.diff(number) <= 0).any() or (events < 1).any() or int(events.sum()) != part.events:
        raise Damage(name, _("its games are not those that corpus.json has"))
    return games


def _vectorised(judging: Judging, games: Any, number: Any, plain: Any) -> tuple[Any, dict[str, Any]]:
    """Return the verdicts and the counts of all games; those of games that are not plain are meaningless."""
    name = file_of("events", judging.part.part)
    lengths = column(games, "events").to_numpy()
    turns = column(games, "turns").to_numpy()
    ends = np.cumsum(lengths)
    assumed = vectorised.NEITHER if judging.assumed is None else ENDED.index(judging.assumed)
    counted = {each: np.zeros(len(number), np.int64) for each in _COUNTED}
    verdict = np.full(len(number), _UNVERIFIED)
    table = opened_table(judging.place, judging.part, "events")
    first = at = 0
    for group in range(table.num_row_groups):
        rows = group_of(table, group, COLUMNS, name)
        at += rows.num_rows
        last = int(np.searchsorted(ends, at, "right"))
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


def _ordinary(judging: Judging, number: Any, asked: Any, verdict: Any, counted: dict[str, Any]) -> _Said:
    """Judge the `asked` games by the ordinary referee; put their verdicts and counts into `verdict` and `counted`."""
    assumed = None if judging.assumed is None else Designation(judging.assumed)
    referee = Ordinary(judging.edition, assumed)
    said = _Said([], [], {})
    places = {int(game): int(place) for place, game in zip(np.flatnonzero(asked), number[asked], strict=True)}
    rows: list[dict[str, int]] = []
    places_of: list[int] = []
    for game in kept(judging.place, judging.part, places):
        place = places[game.game]
        try:
            audit, counts = referee.judged(Held(f"{CORPUS}{judging.corpus}#{game.game}", game.data))
        except RecordError as error:
            if assumed is not None:
                # For example, it is assumed to be day, and a judge ruled that it is neither.
                sentence = _("game {game} is refused: {reason}")
                said.refused[place] = sentence.format(game=game.game, reason=error)
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
            said.audits.extend([document] if says else [])
            about = {"corpus": judging.corpus, "game": game.game, "name": audit.game}
            said.findings.extend(
                {
                    **about,
                    **row,
                    "turn": finding.found.state.turn,
                    "claimed": _text(row["claimed"]),
                    "derived": _text(row["derived"]),
                    "undone": finding.undone,
                }
                for finding, row in zip(findings, document["findings"], strict=True)
            )
    for each, whole in counted.items():
        whole[places_of] = [counts[each] for counts in rows]
    return said


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else msgspec.json.encode(value).decode()
