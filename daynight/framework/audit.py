"""The audit: what claims and rulings say of a part, compared to what follows from the events before them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from daynight.framework.mechanic import Derived, Said

Verdict: TypeAlias = Literal["disputed", "exact", "unverified"]
"""Disputed: something differs. Exact: nothing does, and something was settled. Otherwise unverified."""


class Finding(Struct):
    """Something said at `event` that differs from what is `derived`, or that the record cannot settle.

    `right` is False where it differs, and None where the record leaves it open. `undone`: the event was undone by
    backing up later; such a finding does not count.
    """

    event: int
    said: Said
    derived: Derived | None
    right: bool | None
    undone: bool = False


class Audit(Struct):
    """What an audit found. `settled` is the first event whose claim was found to be right, and stands."""

    findings: list[Finding] = []
    settled: int | None = None

    @property
    def disputes(self) -> list[Finding]:
        """The findings that count: those that differ and stand."""
        return [finding for finding in self.findings if finding.right is False and not finding.undone]

    @property
    def unsettled(self) -> list[Finding]:
        """What was said and the record leaves open."""
        return [finding for finding in self.findings if finding.right is None]

    @property
    def verdict(self) -> Verdict:
        """The verdict on the whole record."""
        if self.disputes:
            return "disputed"
        return "unverified" if self.settled is None else "exact"


def audited(game: Any) -> Audit:
    """The audit of a record: each claim and ruling against the part it is about, as the event finds it."""
    audit = Audit()
    for number, said, found in heard(game):
        right = False if found is None else found.agrees(said.value)
        if not right:
            audit.findings.append(Finding(number, said, found, right, not game.stands(number)))
        elif audit.settled is None and game.stands(number):
            audit.settled = number
    return audit


def heard(game: Any) -> Iterator[tuple[int, Said, Derived | None]]:
    """What every claim and ruling says: the event's number, what it says, and what follows from the events before."""
    mechanic, numbers = game.mechanic, []
    for number, event in enumerate(game.events, 1):
        if said := tuple(mechanic.says(event)):
            numbers.append((number, said))
    for number, said in numbers:
        state = mechanic.seen(game.whole(number - 1), number)
        for one in said:
            yield number, one, mechanic.parts[one.part].derive(state, one.subject)
