"""Writes the result of an audit: a folder that is made under a temporary name, and renamed when it is complete."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.json import ParseOptions, ReadOptions, read_json

from daynight.corpus.building.writers import TableWriter
from daynight.corpus.judging.part import VERDICT, Judging
from daynight.corpus.judging.pieces import Counts, Pieces, unpacked
from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _
from daynight.keeping.files import written

SUMMARY, VERDICTS, FINDINGS, FINDING_ROWS, DAMAGE = (
    "summary.json", "verdicts.parquet", "findings.jsonl", "findings.parquet", "damage.jsonl"
)  # fmt: skip
"""The names of the files of a result."""

_JOB = b"daynight.job"

FINDING: Any = pa.schema([
    pa.field("corpus", pa.string(), nullable=False),
    pa.field("game", pa.int64(), nullable=False),
    pa.field("name", pa.string(), nullable=False),
    pa.field("turn", pa.int32(), nullable=False),
    pa.field("event", pa.int32(), nullable=False),
    pa.field("about", pa.string(), nullable=False),
    pa.field("subject", pa.string()),
    pa.field("claimed", pa.string()),
    pa.field("derived", pa.string()),
    pa.field("by", pa.string()),
    pa.field("rule", pa.string()),
    pa.field("cr", pa.string()),
    pa.field("because", pa.list_(pa.int32()), nullable=False),
    pa.field("sentence", pa.string(), nullable=False),
    pa.field("undone", pa.bool_(), nullable=False),
])  # fmt: skip
"""The columns of the findings: one row for each finding.

`claimed` and `derived` are a word, a number in digits, or JSON.
"""


class Done(NamedTuple):
    """The task of a judged part, and the counts of the part."""

    judging: Judging
    counts: Counts


def read_table(path: Path, columns: Sequence[str] | None = None) -> Any:
    """Return a table of a result, or some of its `columns`."""
    with path.open("rb") as stream:
        # No thread of Arrow may hold the stream: one that releases it while Python ends aborts the process.
        return pq.ParquetFile(stream, pre_buffer=False).read(columns=columns, use_threads=False)


def check_target(result: Path, jobs: Collection[str]) -> bool:
    """Return whether the folder `result` holds a result of one of `jobs` (see `made_by`); False if it is new or empty.

    Raises:
        AskedError: where it holds anything else.
    """
    names = {path.name for path in result.iterdir()} if result.is_dir() else set()
    if (result.exists() and not result.is_dir()) or names - _OURS:
        raise AskedError(_("{folder} holds something else; name a folder that is new").format(folder=result))
    there = made_by(result)
    if names and there not in jobs:
        sentence = _(
            "{folder} has the result of another audit: the corpora, their names or their order, the options, "
            "the language or the versions differ; name another folder"
        )
        raise AskedError(sentence.format(folder=result))
    return there != ""


_OURS = {SUMMARY, VERDICTS, FINDINGS, FINDING_ROWS, DAMAGE}


def made_by(result: Path) -> str:
    """Return the digest of a result's inputs and options; empty if there is no result."""
    if not (result / SUMMARY).is_file():
        return ""
    try:
        with (result / VERDICTS).open("rb") as stream:
            found: dict[bytes, bytes] = pq.read_metadata(stream).metadata or {}
    except (OSError, pa.ArrowException):
        return ""
    return found.get(_JOB, b"").decode("ascii", "replace")


def put_together(
    done: Sequence[Done], pieces: Pieces, result: Path, work: Path, job: str, facts: dict[str, Any]
) -> dict[str, Any]:
    """Make the result from the `pieces` of all parts, in order; return its summary.

    `job` is what `made_by` returns later; `facts` has `corpora`, `edition` and `assumed` for the summary.
    """
    half = work / "result"
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir()
    whole = [one for one in done if one.counts.problem is None]
    with (
        written(half / VERDICTS) as verdicts,
        written(half / FINDINGS) as findings,
        written(half / FINDING_ROWS) as finding_rows,
    ):
        writers = [_writer(verdicts, VERDICT.with_metadata({_JOB: job.encode()}), store_schema=False)]
        writers.append(_writer(finding_rows, FINDING))
        waiting: list[Any] = []
        rows = 0
        for one in whole:
            piece = pieces.piece(one.judging.key)
            rows += one.counts.games
            if rows > _MANY:
                writers[0].write_table(pa.Table.from_batches(waiting, VERDICT))
                waiting.clear()
                rows = one.counts.games
            waiting.extend(unpacked(piece.verdicts, VERDICT))
            findings.write(piece.audits)
            if piece.findings:
                writers[1].write_table(_rows(piece.findings))
        writers[0].write_table(pa.Table.from_batches(waiting, VERDICT))
        writers[0].add_key_value_metadata({_JOB.decode(): job})
        for writer in writers:
            writer.close()
    damaged = [one for one in done if one.counts.problem is not None]
    with written(half / DAMAGE) as stream:
        for one in done:
            for problem in one.counts.refused if one.counts.problem is None else (one.counts.problem,):
                told = {"corpus": one.judging.corpus, "part": one.judging.part.part, "file": one.counts.file}
                stream.write(msgspec.json.encode({**told, "problem": problem}) + b"\n")
    sums = {name: sum(getattr(one.counts, name) for one in whole) for name in _SUMMED}
    summary = {
        "corpora": facts["corpora"],
        "games": sums["games"],
        "plain": sums["plain"],
        "events": sums["events"],
        "verdicts": {name: sums[name] for name in ("exact", "disputed", "unverified")},
        "findings": sums["findings"],
        "damaged": len(damaged),
        "lost": sum(one.judging.part.games for one in damaged) + sum(len(one.counts.refused) for one in whole),
        "edition": facts["edition"],
        "assumed": facts["assumed"],
    }
    with written(half / SUMMARY) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(summary), indent=1) + b"\n")
    if result.exists():
        result.rename(work / "older")
    half.rename(result)
    return summary


def _rows(findings: bytes) -> Any:
    """Return the table of findings, which are lines of JSON."""
    # Not from objects: for those pyarrow imports pandas, where that is installed.
    found = read_json(
        pa.BufferReader(findings),
        ReadOptions(use_threads=False, block_size=len(findings)),
        ParseOptions(explicit_schema=FINDING, unexpected_field_behavior="ignore"),
    )
    return found.cast(FINDING)


_MANY = 100_000
"""The most verdicts in a row group, unless a single part has more."""


def _writer(stream: BinaryIO, schema: Any, *, store_schema: bool = True) -> Any:
    return TableWriter(
        stream, schema, version="2.6", compression="zstd", write_page_checksum=True, store_schema=store_schema
    )


_SUMMED = ("games", "plain", "events", "exact", "disputed", "unverified", "findings")
