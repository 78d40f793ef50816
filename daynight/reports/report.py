"""Collects the contents of a report, its verdict and its findings among them, as data and not yet as words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, starmap
from typing import Any, NamedTuple

from daynight.framework.audit import Verdict
from daynight.framework.branches import Origin, origin_of
from daynight.framework.branches import digest as digest_of
from daynight.framework.language.codec import document_of
from daynight.framework.language.grammar import paragraph
from daynight.framework.positions import Position
from daynight.game import Game
from daynight.pictures import board_svg, timeline_svg
from daynight.projections.audit.findings import Audit, Finding
from daynight.projections.transcript import told
from daynight.projections.turns import Turn, stretches
from daynight.questions.disputes import disputes
from daynight.questions.explain import Explanation
from daynight.questions.proceedings import Dispute
from daynight.questions.repairs import Repairs, repairs
from daynight.referee.documents import state_document
from daynight.referee.state import State
from daynight.reports.sections.branches import Beside, Given, KeptBranch, besides
from daynight.reports.sections.cases import Case, cases, many
from daynight.reports.sections.course import Course, course, turn_document
from daynight.reports.sections.event_log import ToldLog, log
from daynight.reports.sections.judging import JudgedAct, Open, UndoneEvents, acts, opened, undone
from daynight.reports.sections.words import branched_words, foot_words
from daynight.rules.citations import with_number
from daynight.titles import recorder_of, title_of

BOARDS = 10
"""The most events of findings and disputes after which the battlefield is drawn."""

_NARROW = 360
_PART = 720
"""Widths of pictures, in pixels: `_NARROW` in a narrow window, `_PART` inside a subsection."""


class Drawn(NamedTuple):
    """A picture as two SVG documents; a page shows the one that fits the window."""

    wide: str
    narrow: str


@dataclass(frozen=True, slots=True, repr=False)
class Drawings:
    """Draws the pictures of a report on request, in the reader's language at that time.

    `now` is the moment that the report describes. `about` are the events after which the battlefield may be drawn.
    """

    game: Game
    audit: Audit
    parts: Sequence[Turn]
    edition: str
    now: Now
    about: tuple[int, ...]

    def timeline(self) -> Drawn:
        """Draw the timeline of the game."""
        at = self.now.event if self.now.asked else None
        drawn = partial(timeline_svg, self.game, at=at, edition=self.edition, audit=self.audit, parts=self.parts)
        return Drawn(drawn(prefix="course"), drawn(prefix="course-narrow", width=_NARROW))

    def board(self) -> Drawn:
        """Draw the battlefield at the moment `now`."""
        return self._board(self.now.event, "board", 960)

    def boards(self) -> dict[int, Drawn]:
        """Draw the battlefield by event: after the first `BOARDS` events of `about` after which it is not empty."""
        there = (event for event in dict.fromkeys(self.about) if len(self.game.at(event).battlefield))
        return {event: self._board(event, f"board-{event}", _PART) for event in islice(there, BOARDS)}

    def _board(self, event: int, prefix: str, width: int) -> Drawn:
        return Drawn(
            board_svg(self.game, event, edition=self.edition, prefix=prefix, width=width),
            board_svg(self.game, event, edition=self.edition, prefix=f"{prefix}-narrow", width=_NARROW),
        )


FORMAT = 1
"""The version of the JSON document; it changes if a key gets another meaning or is removed."""

BRIEF = 200
"""The most further findings, and the most uncertain claims and rulings, that are listed with their sentence only."""


@dataclass(frozen=True, slots=True)
class Now:
    """The moment that the report describes: event, state and explanation; `asked`: the caller gave a position."""

    event: int
    asked: bool
    state: State
    why: Explanation


@dataclass(frozen=True, slots=True)
class Report:
    """All contents of a report about one game.

    `digest` is the SHA-256 over the lines of the record, as `sha256sum` prints it. `code` is the code of a stored game
    that players note down; None for a file. `origin` is what a branch says it was branched from; None for a recorded
    game. `cases` are the findings explained in detail, `further` are listed with their sentence only, and `beyond`
    counts the findings that are left out. `repairs` is None if nothing is disputed. The caller gave the `branches`; the
    `kept` ones are in the game's store. `title` is the game's name or, if a program made that up, its players and time.
    `recorder` is the player whose client wrote the imported log; None if the record does not say so.
    """

    game: str
    title: str
    recorder: str | None
    players: tuple[str, ...]
    edition: str
    events: int
    digest: str
    code: str | None
    origin: Origin | None
    audit: Audit
    course: Course
    cases: tuple[Case, ...]
    further: tuple[Finding, ...]
    beyond: int
    unsettled: tuple[Finding, ...]
    repairs: Repairs | None
    now: Now
    opened: tuple[Open, ...]
    acts: tuple[JudgedAct, ...]
    disputes: tuple[Dispute, ...]
    undone: tuple[UndoneEvents, ...]
    branches: tuple[Beside, ...]
    kept: tuple[KeptBranch, ...]
    log: ToldLog
    drawings: Drawings

    @property
    def verdict(self) -> Verdict:
        """The verdict of the audit: disputed, exact or unverified."""
        return self.audit.verdict

    @property
    def first_bad(self) -> int | None:
        """The event of the first claim or ruling that contradicts the rules, as `daynight bisect` finds it, or None."""
        first = self.audit.first_dispute
        return None if first is None else first.event

    def document(self) -> dict[str, Any]:
        """Return the report as JSON; its keys are explained in `guides/reference/report.md`."""
        edition = self.edition
        return document_of(
            self,
            "format game title recorder players edition events turns digest code branched_from verdict differing"
            " first_bad timeline findings doubts further beyond unsettled repairs moment uncertain judges disputes"
            " undone branches kept log foot",
            format=FORMAT,
            turns=self.course.turns,
            branched_from=None if self.origin is None else origin_document(self.origin),
            differing=len(self.audit.disputes),
            timeline=[turn_document(row, edition) for row in self.course.rows],
            findings=[case.document(edition) for case in self.cases],
            doubts=self.audit.doubts or None,
            further=[finding.document(edition) for finding in self.further],
            unsettled=[finding.document(edition) for finding in self.unsettled],
            repairs=None if self.repairs is None else self.repairs.document(edition),
            moment=document_of(self.now, "event asked state why", state=state_document(self.now.state, edition)),
            uncertain=self.opened,
            judges=self.acts,
            foot=paragraph(*foot_words(self.origin)),
        )


def report(
    game: Game,
    *,
    edition: str | None = None,
    at: Position | str | int | None = None,
    code: str | None = None,
    digest: Callable[[int], str] | None = None,
    branches: Iterable[tuple[str, Game]] = (),
    parents: Iterable[tuple[str, Game]] = (),
    kept: Iterable[KeptBranch] = (),
    known_as: str | None = None,
) -> Report:
    """Return the report of a game.

    It covers the whole game, describes the moment `at` (None: the last event), and cites an `edition` of the rules
    (None: the record's own).
    Give `digest` if the record has other bytes than daynight writes: `digest(n)` is the digest of its own first n
    lines. Each of the `branches`, with their names, was branched from this record, from another one of them, or from
    one of the `parents`. `kept` are branches in the same store, in which the record has the name `known_as`.

    >>> found = report(Game.load("demo"))
    >>> found.verdict, found.first_bad, [case.finding.rule for case in found.cases]
    ('disputed', 122, ['daybound-enters'])

    Raises:
        PositionError, NotFoundError: where `at` is nowhere in the game.
        BranchError: where one of `branches` was branched from another record.
    """
    edition = edition or game.edition
    number = game.number(at)
    audit = game.audit(edition=edition)
    moments = [*game.moments()]
    lines = [*told(moments, number=partial(with_number, edition=edition), stands=game.stands)]
    # Undone findings come last, because not all findings of a long game are taken apart.
    findings = sorted(audit.findings, key=lambda finding: (finding.undone, finding.event))
    full = many(len(game))
    taken = cases(game, findings[:full], lines, moments, edition)
    further = tuple(findings[full : full + BRIEF])
    unsettled = tuple(audit.unsettled[:BRIEF])
    parts = stretches(game)
    run = course(parts)
    uncertain = opened(game, run.uncertain)
    called = disputes(game, edition=edition)
    judged = acts(game, audit, called, lines)
    others = besides(Given("", game), starmap(Given, branches), starmap(Given, parents), known_as)
    state = game.at(number)
    now = Now(number, at is not None, state, game.why(number, edition=edition))
    drawn = (*(case.at for case in taken), *(dispute.about for dispute in called))
    found = Report(
        game=state.game,
        title=title_of(game.events[0]),
        recorder=recorder_of(game.events[0]),
        players=state.players,
        edition=edition,
        events=len(game),
        digest=digest_of(game.events) if digest is None else digest(len(game)),
        code=code,
        origin=origin_of(game.events[0]),
        audit=audit,
        course=run,
        cases=taken,
        further=further,
        beyond=len(findings) - len(taken) - len(further),
        unsettled=unsettled,
        repairs=repairs(game, audit, parts) if audit.verdict == "disputed" else None,
        now=now,
        opened=uncertain,
        acts=judged,
        disputes=called,
        undone=undone(game),
        branches=others,
        kept=tuple(kept),
        log=ToldLog((), True),
        drawings=Drawings(game, audit, parts, edition, now, drawn),
    )
    # What the log shows is known only once all else is there, which names events.
    return replace(found, log=log(lines, [case.finding.event for case in taken], _named(found)))


def origin_document(origin: Origin) -> dict[str, Any]:
    """Return as JSON what a branch was branched from."""
    return document_of(origin, "name game event digest sentence", sentence=branched_words(origin))


def _named(report: Report) -> Iterator[int]:
    """Yield the events that the report names, so that the log shows them."""
    yield report.now.event
    yield from (finding.event for finding in (*report.further, *report.unsettled))
    for why in (report.now.why, *(case.why for case in report.cases if case.why is not None)):
        yield from why.because
        if why.since is not None:
            yield why.since
    for case in report.cases:
        yield from (line.number for line in case.evidence)
        yield from (line.number for line in case.then)
        yield from (line.event for line in case.blame if line.event is not None)
        yield from (number for line in case.blame for number in line.because)
    for row in report.course.rows[:BRIEF]:
        yield from (change.event for change in row.changes)
    for one in report.opened:
        yield from (one.stretch.first, one.stretch.last)
        if one.unknowns is not None:
            yield from (unknown.event for unknown in one.unknowns.unknown)
    yield from (act.event for act in report.acts[:BRIEF])
    yield from (number for dispute in report.disputes[:BRIEF] for number in (dispute.about, *dispute.trail))
    yield from (branch.parted for branch in report.branches if branch.parted and branch.parent is None)
