"""Counts how often each way of a machine was taken, and how often its guards refused it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from daynight.adapters.machines.shadow import Declared, Shadow
from daynight.adapters.machines.triggers import Triggered
from daynight.framework.language.wording import _


@dataclass(slots=True)
class Taken:
    """A way from one state to another one; `dest` is None for an internal transition, which does not leave its state.

    `taken` is how often it was taken, and `said_no` how often each of its guards refused it. `guards` has for each
    guard the answer that lets the way be taken: False for those of `unless`.
    """

    trigger: str
    source: str
    dest: str | None
    guards: tuple[tuple[str, bool], ...] = ()
    taken: int = 0
    said_no: Counter[str] = field(default_factory=Counter)

    @property
    def label(self) -> str:
        """The trigger, with the guards of the way."""
        asked = [name if on else _("not {guard}").format(guard=name) for name, on in self.guards]
        return f"{self.trigger}()" + (f" [{', '.join(asked)}]" if asked else "")

    @property
    def counts(self) -> list[str]:
        """How often the way was taken, and how often each guard refused it, in words."""
        wanted = dict(self.guards)
        said = [
            (_("{guard}() said no {n}×") if wanted.get(guard, True) else _("{guard}() said yes {n}×")).format(
                guard=guard, n=many
            )
            for guard, many in sorted(self.said_no.items())
        ]
        return [_("never taken") if not self.taken else _("taken {n}×").format(n=self.taken), *said]


@dataclass(slots=True)
class Ways:
    """The counts of some models: how often each state was `entered`, and how many of the models are in it `now`."""

    title: str
    initial: str
    entered: dict[str, int]
    now: Counter[str]
    ways: list[Taken]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the counts as lines of text: each state, and under it the ways that lead from it."""
        out: dict[str, list[Taken]] = {}
        for way in self.ways:
            out.setdefault(way.source, []).append(way)
        for state, many in self.entered.items():
            told = [_("entered {n}×").format(n=many)] if many else [_("never entered")]
            if self.now[state]:
                told.append(_("{n} now").format(n=self.now[state]))
            yield f"{state}  ({', '.join(told)})"
            for way in out.get(state, ()):
                to = _("stays") if way.dest is None else way.dest
                yield f"  {'──' if way.taken else '┄┄'} {way.label} ─> {to}: {', '.join(way.counts)}"

    def mermaid(self) -> str:
        """Return the counts as a Mermaid state diagram."""
        ids = {name: f"s{number}" for number, name in enumerate(self.entered)}
        lines = ["stateDiagram-v2"]
        lines += [f"  {id}: {_quoted(name)}" for name, id in ids.items()]
        lines += [f"  [*] --> {ids[self.initial]}"] if self.initial in ids else []
        for way in self.ways:
            if way.source in ids and (way.dest is None or way.dest in ids):
                dest = ids[way.source if way.dest is None else way.dest]
                lines.append(f"  {ids[way.source]} --> {dest}: {_quoted(way.label)} {', '.join(way.counts)}")
        return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Return a text with the characters that would end a label in Mermaid as entities, and line ends as spaces."""
    return re.sub("[:;#]", lambda found: {":": "#58;", ";": "#59;", "#": "#35;"}[found[0]], text.replace("\n", " "))


def ways_of(title: str, shadow: Shadow, records: Iterable[Any]) -> Ways:
    """Count how often `records` took each way of a machine; leave out automatic ways never taken and never refused."""
    ways = {id(one): (one, Taken(one.trigger, one.source, one.dest, one.guards)) for one in shadow.declared()}
    by_source: dict[tuple[str, str], list[tuple[Declared, Taken]]] = {}
    for one, taken in ways.values():
        by_source.setdefault((one.trigger, one.source), []).append((one, taken))
    entered: Counter[str] = Counter()
    now: Counter[str] = Counter()
    initial = ""
    for record in records:
        active: list[str] = []
        for moment in record:
            after = active
            for one in moment.consequences:
                if getattr(one, "part", None) == "state":
                    after = str(one.became).split(" + ")
            if isinstance(moment.event, Triggered):
                _count(moment.event, active, after, by_source, shadow.separator)
            if moment.number == 1:
                initial = initial or after[0]
            entered.update(_all(after, shadow.separator) - _all(active, shadow.separator))
            active = after
        now.update(active)
    states = {name: entered[name] for name in dict.fromkeys((*shadow.states(), *entered))}
    found = [taken for one, taken in ways.values() if taken.taken or taken.said_no or not one.is_automatic]
    return Ways(title, initial, states, now, found)


def _count(
    event: Triggered, before: Sequence[str], after: Sequence[str],
    by_source: dict[tuple[str, str], list[tuple[Declared, Taken]]], separator: str,
) -> None:  # fmt: skip
    """Count the ways that a trigger took: from each active state, innermost first, the first way whose guards allow it.

    A state with several active nested states is asked only once, as in the library; each recorded answer belongs to one
    way.
    """
    left = [(one.guard, one.answer) for one in event.guards]
    moved = list(before) != list(after)
    done: set[str] = set()
    sources = dict.fromkeys(name for leaf in before for name in _within(leaf, separator))
    for source in sorted(sources, key=lambda name: -name.count(separator) if separator else 0):
        if source in done:
            continue
        for one, taken in by_source.get((event.trigger, source), ()):
            if not _lets(one, taken, left):
                continue
            # Where a callback raised and nothing changed, the way was not gone to its end.
            taken.taken += event.error is None or moved
            done.update(_within(source, separator))
            break


def _lets(one: Declared, taken: Taken, left: list[tuple[str, bool]]) -> bool:
    """Return whether all guards of a way allow it, and remove their answers from `left`, up to the first refusal.

    That refusal is counted in `taken`. A guard without an answer in `left` was not called: then return False.
    """
    for name, on in one.guards:
        place = next((place for place, (guard, _answer) in enumerate(left) if guard == name), None)
        if place is None:
            # Nobody asked it: another way was taken before.
            return False
        if left.pop(place)[1] is not on:
            taken.said_no[name] += 1
            return False
    return True


def _all(active: Sequence[str], separator: str) -> set[str]:
    return {name for leaf in active for name in _within(leaf, separator)}


def _within(state: str, separator: str) -> Iterator[str]:
    """Yield a state, and the states that contain it."""
    yield state
    while separator and separator in state:
        state = state.rpartition(separator)[0]
        yield state
