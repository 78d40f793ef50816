"""The cases of the suite: questions for an engine, and the answers by the rules."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

SUITE = "2026-11-26"
"""The version of the suite: its date."""

Form = Literal["events", "play"]
"""The form of a case: events of a record, or a set-up and actions for an engine that plays cards."""

ENGINE_KEYS = ("designation", "faces", "triggered", "transformed", "battlefield", "phased_out", "names")
"""The facts that an engine can be asked for at a place."""

_ALWAYS = ("designation", "faces", "triggered")
"""The facts in every answer about events; a case that asks for more facts lists them."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is expected at a place: an event's number, or a turn and the step that begins there."""

    at: int | str
    wanted: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A case; `document` is its whole published JSON. In later versions of the suite, an id means the same case."""

    id: str
    title: str
    level: str
    needs: tuple[str, ...]
    rules: tuple[tuple[str, str | None], ...]
    fails_like: str
    document: dict[str, Any]

    def sent(self, form: Form) -> dict[str, Any]:
        """Return the part of a case that is sent to an engine, without the expected answers."""
        document = self.document
        sent = {key: document[key] for key in ("id", "level", "needs", "rules", "since")}
        if form == "events":
            asked: list[Any] = [each.at for each in self.expected(form)]
            keys = [key for key in ENGINE_KEYS if any(key in each.wanted for each in self.expected(form))]
            more = {"keys": keys} if set(keys) - set(_ALWAYS) else {}
            return {**sent, "events": document["events"], "ask": asked, **more}
        asked = [{"at": each.at, "keys": list(each.wanted)} for each in self.expected(form)]
        return {**sent, "setup": document["setup"], "actions": document["actions"], "ask": asked}

    def expected(self, form: Form) -> list[Expectation]:
        """The expected answers, place by place."""
        if form == "play":
            rows = self.document["expect"]
            return [Expectation(row["at"], {key: row[key] for key in ENGINE_KEYS if key in row}) for row in rows]
        found = []
        for at, *values in self.document["checks"]:
            wanted = dict(zip(("designation", "faces", "triggered", "transformed"), values, strict=False))
            found.append(Expectation(at, {key: value for key, value in wanted.items() if value is not None}))
        return found


@cache
def suite() -> tuple[Case, ...]:
    """All cases, in the order of their ids."""
    lines = files("daynight.conformance").joinpath("cases.jsonl").read_text("utf-8").splitlines()
    return tuple(_case(json.loads(line)) for line in lines)


def _case(document: dict[str, Any]) -> Case:
    rules = tuple((key, number) for key, number in document["rules"])
    return Case(
        document["id"],
        document["title"],
        document["level"],
        tuple(document["needs"]),
        rules,
        document["fails_like"],
        document,
    )


def chosen(rules: Iterable[str] = (), needs: Iterable[str] = (), ids: Iterable[str] = ()) -> list[Case]:
    """Return the cases with one of these rules, one of these features, and one of these ids; empty means any."""
    rules, needs, ids = set(rules), set(needs), set(ids)
    return [
        case
        for case in suite()
        if (not rules or rules & {key for key, _number in case.rules})
        and (not needs or needs & set(case.needs))
        and (not ids or case.id in ids)
    ]


@cache
def runs() -> tuple[dict[str, Any], ...]:
    """The recorded runs of the suite: engines, versions, dates, and the passed and failed cases."""
    text = files("daynight.conformance").joinpath("runs.json").read_text("utf-8")
    return tuple(json.loads(text))


def outcome(run: dict[str, Any], case: Case) -> str:
    """The outcome of a case in a run: `passed`, `failed`, or `not run`."""
    return next((word for word in ("passed", "failed") if case.id in run[word]), "not run")
