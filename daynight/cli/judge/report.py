"""`daynight report`: one game and its verdict as an HTML page, as Markdown, or as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click

from daynight.cards import Catalogue
from daynight.cli.terminal import options, stored
from daynight.cli.terminal.output import print_bytes, print_json, say, to_its_end
from daynight.framework.branches import digest_of, origin_of
from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.wording import _, counted
from daynight.framework.positions import Position
from daynight.game import Game
from daynight.projections.audit.findings import verdict_word
from daynight.records import Record
from daynight.reports import FORMATS, Format, Given, KeptBranch, Report, rendered
from daynight.reports import report as reported
from daynight.reports.report import origin_document
from daynight.titles import own_name

_ENDINGS: dict[str, Format] = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
}


@click.command(epilog="\b\ndaynight report demo -o report.html")
@options.file
@options.at
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="The format; by default that of the ending of -o, or Markdown without -o.",
)
@click.option(
    "--branch",
    "branches",
    metavar="FILE",
    multiple=True,
    type=options.RECORD,
    help="A branch of the record, or of one of its branches, to show beside it; may be given several times.",
)
@options.output
@options.cited
@to_its_end
def report(
    record: Record,
    at: Position | None,
    form: Format | None,
    branches: tuple[Record, ...],
    output: Path | None,
    edition: str | None,
    catalogue: Catalogue,
    as_json: bool,
) -> int:
    """Write a whole game, with all findings, as one page.

    The page has the verdict, the findings with rules and evidence, disputes, rulings, what is open, the branches kept
    in a store, and the log. The ending of -o chooses the format: FILE.html opens in any browser, loads nothing from
    elsewhere and can be printed; FILE.md is Markdown; FILE.json is JSON. Exit code 1 if the record is disputed.
    """
    chosen = _form(form, output, as_json)
    record, at = options.on_branch(record, at)
    options.spared(output, (record, *branches))
    game = options.loaded(record, catalogue)
    number = None if at is None else options.numbered(game, record, at)
    given = [(branch, Given(branch.shown, options.loaded(branch, catalogue))) for branch in branches]
    found = reported(
        game,
        edition=edition,
        at=number,
        code=_code(record, len(game)),
        digest=partial(digest_of, record),
        branches=(branch for _branch, branch in given),
        parents=_parents(record, game, given, catalogue),
        kept=_kept(record),
        known_as=record.game if isinstance(record, stored.StoredRecord) else None,
    )
    if output is not None:
        options.write_whole(output, rendered(found, chosen).encode())
        _tell(found, output, chosen, as_json)
    elif as_json:
        print_json(found.document())
    else:
        print_bytes(rendered(found, chosen).encode())
    return int(found.verdict == "disputed")


def _parents(record: Record, game: Game, given: list[tuple[Record, Given]], catalogue: Catalogue) -> Iterator[Given]:
    """Yield the ancestors of each `given` branch from a store: the game from which it branched, the parent of that, ...

    For a branch, this stops at a game that is the reported one, was given or yielded before, or is not in the store.
    """
    known = {own_name(one.events[0]) for one in (game, *(branch.game for _record, branch in given))}
    if isinstance(record, stored.StoredRecord):
        known.add(record.game)
    for branch, (_file, first) in given:
        where = next((one.where for one in (branch, record) if isinstance(one, stored.StoredRecord)), None)
        origin = origin_of(first.events[0])
        while where is not None and origin is not None and origin.game not in known:
            known.add(origin.game)
            parent = stored.StoredRecord(origin.game, where)
            try:
                found = options.loaded(parent, catalogue)
            except NotFoundError:
                break
            yield Given(parent.shown, found)
            origin = origin_of(found.events[0])


def _kept(record: Record) -> list[KeptBranch]:
    if not isinstance(record, stored.StoredRecord):
        return []
    from daynight.store.branches import branches as kept

    return [
        KeptBranch(one.game, one.origin.name, one.origin.game, one.origin.event, one.events, one.intact)
        for one in kept(stored.reading(record.where), record.game)
    ]


def _tell(found: Report, output: Path, form: Format, as_json: bool) -> None:
    """Print which report was written to which file."""
    many = len(found.audit.disputes)
    if as_json:
        document = {
            "game": found.game,
            "branched_from": None if found.origin is None else origin_document(found.origin),
            "verdict": found.verdict,
            "differing": many,
            "disputes": [dispute.dispute for dispute in found.disputes],
        }
        print_json({"file": str(output), "format": form} | document)
        return
    name, game = "", found.game
    sentence = _("{file}: the report of {game}, {verdict}; {differing}, {disputes}")
    if found.origin is not None:
        name, game = found.origin.name, found.origin.game
        sentence = _("{file}: the report of {name}, a what-if branch of {game}, {verdict}; {differing}, {disputes}")
    differing = counted("{n} claim or ruling differs", "{n} claims or rulings differ", many)
    heard = len(found.disputes)
    disputes = counted("{n} dispute before a judge", "{n} disputes before a judge", heard)
    verdict = verdict_word(found.verdict)
    say(sentence.format(file=output, name=name, game=game, verdict=verdict, differing=differing, disputes=disputes))


def _code(record: Record, events: int) -> str | None:
    """Return the code by which verify checks a stored game; None for a file, or if the game has grown past `events`."""
    if not isinstance(record, stored.StoredRecord):
        return None
    from daynight.store.proving.chain import code_of

    head = stored.reading(record.where).head(record.game)
    return code_of(head.number, head.digest) if head.number == events else None


def _form(form: Format | None, output: Path | None, as_json: bool) -> Format:
    if output is None:
        if as_json and form not in (None, "json"):
            raise click.UsageError(_("--json is the JSON form; for another one leave it out, or give -o FILE"))
        return "json" if as_json else form or "markdown"
    if form is not None:
        return form
    found = _ENDINGS.get(output.suffix.lower())
    if found is None:
        sentence = _("{file}: by its ending it is none of {endings}; name it so, or say --format")
        raise click.UsageError(sentence.format(file=output, endings=", ".join(_ENDINGS)))
    return found
