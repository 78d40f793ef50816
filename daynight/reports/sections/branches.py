"""Compares branches with the record they were branched from: where they differ, and the audit results of both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from daynight.compare.partings import Parting, games_apart
from daynight.framework.audit import Verdict
from daynight.framework.branches import Origin, fits, origin_of
from daynight.framework.language.codec import document_of
from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _
from daynight.game import Game
from daynight.titles import own_name

PLACES = 30
"""The most partings that are listed of a branch: runs of turns at whose ends the same things differ."""


class BranchError(AskedError):
    """A given record is no branch of the report's record, nor of one of its branches. Exit code 2."""


class Given(NamedTuple):
    """A record and the name of its file: a branch, or a record that a branch may come from."""

    file: str
    game: Game


@dataclass(frozen=True, slots=True)
class KeptBranch:
    """A branch kept in the store of its record, as game `game`, with `events` events.

    It was branched from `parent` after that game's event `parted`. `intact`: the parent still exists, and its events up
    to that one are unchanged.
    """

    game: str
    name: str
    parent: str
    parted: int
    events: int
    intact: bool

    def document(self) -> dict[str, Any]:
        """Return the kept branch as JSON."""
        return document_of(self, "game name parent parted events intact")


@dataclass(frozen=True, slots=True)
class Beside:
    """A branch, compared with its record.

    `parent` is the branch that it was branched from, None if that is the record; `parted` is the last event that both
    have. `fits`: up to there it has the same events as its parent, and so has every branch between it and the record.
    `differing` counts the claims and rulings of the branch that contradict the rules. Each of the `partings` is a run
    of turns at whose ends the same things differ between branch and record; `more` counts those that are left out.
    """

    name: str
    file: str
    parent: str | None
    parted: int
    fits: bool
    events: int
    verdict: Verdict
    differing: int
    partings: tuple[Parting, ...]
    more: int

    def document(self) -> dict[str, Any]:
        """Return the branch as JSON."""
        names = "name file parent parted fits events verdict differing differences more"
        return document_of(self, names, differences=self.partings)


def besides(
    record: Given, branches: Iterable[Given], parents: Iterable[Given], known_as: str | None
) -> tuple[Beside, ...]:
    """Compare branches with their record; the parent of each is the record, or one of `branches` and `parents`.

    `known_as` is the name of the record in its store; branches may name it so, too.

    Raises:
        BranchError: where the first line of a branch names no such parent, or an event after the parent's last.
    """
    branches = [*branches]
    firsts = ((one.game.events[0], one) for one in (*parents, *branches))
    found = {own_name(first): parent for first, parent in firsts if origin_of(first)}
    names = {own_name(record.game.events[0]), *([] if known_as is None else [known_as])}
    return tuple(_beside(record, branch, names, found) for branch in branches)


def _beside(record: Given, branch: Given, names: set[str], parents: dict[str, Given]) -> Beside:
    steps = [*_steps(record, branch, names, parents)]
    origin = steps[0][1]
    apart = [*games_apart(record.game, branch.game, by_step=False)]
    audit = branch.game.audit()
    return Beside(
        name=origin.name,
        file=branch.file,
        parent=None if origin.game in names else origin.game,
        parted=origin.event,
        fits=all(fits(origin, here.game.events, parent.game.events) for here, origin, parent in steps),
        events=len(branch.game),
        verdict=audit.verdict,
        differing=len(audit.disputes),
        partings=tuple(apart[:PLACES]),
        more=max(len(apart) - PLACES, 0),
    )


_Step = tuple[Given, Origin, Given]
"""A branch, the origin that its first line names, and the record that this origin means."""


def _steps(record: Given, branch: Given, names: set[str], parents: dict[str, Given]) -> Iterator[_Step]:
    """Yield the steps from a branch to its parent, and on to the record.

    They end, because a branch's name begins with its parent's: a parent's name is shorter.
    """
    here = branch
    while True:
        origin = origin_of(here.game.events[0])
        if origin is None:
            sentence = _(
                "{file}: its first line does not say what it was branched from; daynight what-if -o writes such files"
            )
            raise BranchError(sentence.format(file=here.file))
        parent = record if origin.game in names else parents.get(origin.game)
        if parent is None:
            raise BranchError(_stray(record, here, origin))
        if origin.event > len(parent.game):
            sentence = _("{file}: it parts after event {event}; {game} has events 1 to {last}")
            name, last = own_name(parent.game.events[0]), len(parent.game)
            raise BranchError(sentence.format(file=here.file, event=origin.event, game=repr(name), last=last))
        yield here, origin, parent
        if parent is record:
            return
        here = parent


def _stray(record: Given, branch: Given, origin: Origin) -> str:
    name = own_name(record.game.events[0])
    if origin.game.startswith(f"{name}/"):
        sentence = _("{file}: it was branched from {other}, a branch of {game}; give that one with --branch as well")
    else:
        sentence = _("{file}: it was branched from {other}, not from {game}")
    return sentence.format(file=branch.file, other=repr(origin.game), game=repr(name))
