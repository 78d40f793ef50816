"""Compares an engine's answers with those of the rules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from daynight.conformance.cases import Case, Form, suite
from daynight.framework.language.errors import UnreadableError, tame
from daynight.framework.language.wording import _

LONGEST = 2**20
"""The most characters that an engine's answer may have."""

Status = Literal["passed", "failed", "skipped", "doubt", "not run"]
"""The results of a case. `skipped`: the engine lacks what it needs; `not run`: the engine stopped answering before it.

`doubt`: the answer is not the expected one, but the rules leave the case open.
"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a case, and the reason if it did not pass."""

    case: Case
    status: Status
    reason: str = ""

    def document(self) -> dict[str, Any]:
        """This verdict as JSON."""
        told = {"id": self.case.id, "status": self.status, "reason": self.reason or None, "title": self.case.title}
        return {**told, "rules": [list(rule) for rule in self.case.rules]}


def failed(case: Case, reason: str) -> Verdict:
    """Return the verdict on a wrong answer: `doubt` if the rules leave the case open, else `failed`."""
    return Verdict(case, "doubt" if case.level == "doubt" else "failed", reason)


def judged_line(case: Case, line: str, form: Form) -> Verdict:
    """Return the verdict on a line of text; it is a wrong answer if it is no JSON object or has another case's id."""
    try:
        answer = json.loads(line) if len(line) <= LONGEST else None
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        written = _cut(ascii(line.rstrip("\r\n"))[1:-1], 60)
        return failed(case, _("its answer is no JSON object on one line, but {text}").format(text=written or "''"))
    if "id" not in answer:
        return failed(case, _("its answer has no id"))
    if answer["id"] != case.id:
        return failed(case, _("its answer is to another case: {id}").format(id=_shown(answer["id"])))
    return judged(case, answer, form)


def judged(case: Case, answer: dict[str, Any], form: Form) -> Verdict:
    """Return the verdict on an answer: `passed` if all that the case expects in this `form` was seen as expected.

    `skipped`: the engine lacks a named need of the case. For any other answer, the verdict is that of `failed`.
    """
    if "skipped" in answer:
        skipped = answer["skipped"]
        if skipped in case.needs:
            return Verdict(case, "skipped", str(skipped))
        return failed(case, _("skipped for want of something that the case does not need"))
    seen = answer.get("seen")
    if not isinstance(seen, list) or not all(isinstance(each, dict) for each in seen):
        return failed(case, _("its answer has no list seen"))
    for expectation in case.expected(form):
        found = [each for each in seen if each.get("at") == expectation.at and not isinstance(each.get("at"), bool)]
        if len(found) != 1:
            return failed(case, _("at {at} it saw nothing, or answers twice").format(at=expectation.at))
        for key, wanted in expectation.wanted.items():
            if key not in found[0]:
                return failed(case, _("at {at}: {key} was not seen").format(at=expectation.at, key=key))
            if not _agree(key, wanted, found[0][key]):
                sentence = _("at {at}: {key} is {seen}; by the rules {wanted}")
                seen_there, right = _shown(found[0][key]), _shown(wanted)
                told = sentence.format(at=expectation.at, key=key, seen=seen_there, wanted=right)
                return failed(case, f"{told}. {_mistake(case)}")
    return Verdict(case, "passed")


def _mistake(case: Case) -> str:
    """Return a sentence about the mistake that the case was written to find; this engine may have a different one."""
    return _("The mistake that this case catches: {mistake}").format(mistake=case.fails_like)


def _agree(key: str, wanted: Any, seen: Any) -> bool:
    if key == "designation":
        return bool((seen or "neither") == (wanted or "neither"))
    if key in ("triggered", "transformed", "phased_out"):
        return isinstance(seen, list) and sorted(map(str, seen)) == sorted(wanted)
    return isinstance(seen, dict) and all(seen.get(name) == value for name, value in wanted.items())


def _shown(value: Any) -> str:
    return tame(_cut(json.dumps(value, ensure_ascii=True), 200))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


def checked(cases: Sequence[Case], lines: Iterable[tuple[int, str]], file: str) -> list[Verdict]:
    """Return the verdict on each of `cases`, from the numbered `lines` of `file`, each of which is an answer.

    A case without an answer fails; answers to other cases of the suite are ignored.

    Raises:
        UnreadableError: where a line is no answer, names an unknown case, or answers a case a second time.
    """
    known = {case.id: case for case in cases}
    others = {case.id for case in suite()}.difference(known)
    found: dict[str, Verdict] = {}
    for number, line in lines:
        try:
            answer = json.loads(line) if len(line) <= LONGEST else None
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or not isinstance(answer.get("id"), str):
            sentence = _("this is no answer to a case, which is an object with an id and a list seen")
            raise UnreadableError(sentence, file=file, line=number)
        if answer["id"] in others:
            continue
        case = known.get(answer["id"])
        if case is None:
            sentence = _("no case {id}; daynight conformance list names them")
            raise UnreadableError(sentence.format(id=repr(answer["id"][:80])), file=file, line=number)
        if case.id in found:
            raise UnreadableError(_("a second answer to {id}").format(id=case.id), file=file, line=number)
        found[case.id] = judged(case, answer, form_of(answer))
    return [found.get(case.id) or failed(case, _("no answer")) for case in cases]


def form_of(answer: dict[str, Any]) -> Form:
    """Return the form of an answer: `play` if a place in it is text (turn and step), else `events` (event numbers)."""
    seen = answer.get("seen")
    places = [each.get("at") for each in seen if isinstance(each, dict)] if isinstance(seen, list) else []
    return "play" if any(isinstance(place, str) for place in places) else "events"


def counts(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """Return how many verdicts there are with each status; 0 where there is none."""
    found: Counter[str] = Counter(verdict.status for verdict in verdicts)
    return {status: found[status] for status in get_args(Status)}


def junit(verdicts: Sequence[Verdict]) -> bytes:
    """Return the verdicts as JUnit's XML, which CI servers read; `doubt` and `not run` are reported as skipped."""
    numbers = counts(verdicts)
    root = Element("testsuites")
    passed_over = len(verdicts) - numbers["passed"] - numbers["failed"]
    sizes = {"tests": str(len(verdicts)), "failures": str(numbers["failed"]), "skipped": str(passed_over)}
    suite = SubElement(root, "testsuite", {"name": "daynight conformance", "errors": "0", **sizes})
    for verdict in verdicts:
        case = SubElement(
            suite, "testcase", classname="daynight.conformance", name=f"{verdict.case.id} {verdict.case.title}"
        )
        if verdict.status == "failed":
            SubElement(case, "failure", message=verdict.reason)
        elif verdict.status != "passed":
            SubElement(case, "skipped", message=verdict.reason)
    indent(root)
    text = tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()
