"""Describes the parts of a state and the findings of an audit, in words and as JSON, for any mechanic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from daynight.framework.audit import Audit, Finding
from daynight.framework.branches import Branch
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Derived, Mechanic
from daynight.framework.recorded import Difference


@dataclass(frozen=True, slots=True)
class Speaker:
    """Describes the parts of one mechanic in words and as JSON."""

    mechanic: Mechanic[Any, Any, Any]

    def value(self, part: str, subject: str | None, found: Derived | None) -> str:
        """Return the value of a part in words: `nothing` for None, several values if the record leaves it open."""
        return _("nothing") if found is None else _(" or ").join(self.values(part, subject, found))

    def values(self, part: str, subject: str | None, found: Derived) -> list[str]:
        """Return each possible value of a part in words; values with the same words appear once."""
        return [*dict.fromkeys(self.mechanic.words.value(part, subject, value) for value in found.values)]

    def part(self, part: str, subject: str | None, found: Derived | None) -> str:
        """Return a part with its name, its subject and its value: `monarch: Ana`."""
        return f"{self.named(part, subject)}: {self.value(part, subject, found)}"

    def named(self, part: str, subject: str | None) -> str:
        """The name of a part, and its subject."""
        return part if subject is None else f"{part} {subject}"

    def why(self, found: Derived) -> str:
        """Say since when and by which rule a part has its value; a reason shared by several values is given once."""
        told = []
        for way in found.ways:
            rule = "" if way.rule is None else f": {self.mechanic.rules.get(way.rule, way.rule)}"
            told.append(_("since event {event}{rule}").format(event=way.event, rule=rule))
        return " / ".join(dict.fromkeys(told))

    def document(self, part: str, subject: str | None, found: Derived | None) -> dict[str, Any]:
        """Return a part as JSON; `possible` lists its values if the record leaves it open."""
        document: dict[str, Any] = {"part": part, "subject": subject}
        if found is None:
            return document | {"value": None}
        way = found.way
        document |= {"value": found.value, "since": None if way is None else way.event}
        document |= {"rule": None if way is None else way.rule, "because": list(found.because)}
        return document if len(found.values) == 1 else document | {"possible": list(found.values)}

    def differences_document(self, found: Sequence[Difference]) -> list[dict[str, Any]]:
        """Return the parts that differ, as JSON. A side is a list if it is uncertain there, null if it has no value."""
        return [
            {
                "part": one.part,
                "subject": one.subject,
                "left": _side(one.left),
                "right": _side(one.right),
                "sentence": self.difference(one),
            }
            for one in found
        ]

    def difference(self, one: Difference) -> str:
        """Return a part that differs in words: `monarch: Ana / Bo`, its value on the left and on the right."""
        return f"{self.part(one.part, one.subject, one.left)} / {self.value(one.part, one.subject, one.right)}"

    def branch_document(self, branch: Branch[Any]) -> dict[str, Any]:
        """Return a branch as JSON: its events that became impossible, and the parts that differ at its end.

        `by_today` lists inserted events that were checked by the current rules, if there are any.
        """
        lost = [*branch.left_out, *([] if branch.stopped is None else [branch.stopped])]
        document = {
            "parted": branch.parted,
            "events": len(branch),
            "impossible": [{"event": one.number, "reason": one.reason} for one in lost],
            "differences": self.differences_document(branch.of.differences(branch.game)),
        }
        return document | ({"by_today": [*branch.by_today]} if branch.by_today else {})

    def audit_document(self, record: str, events: int, found: Audit) -> dict[str, Any]:
        """Return an audit as JSON: its verdict, the wrong claims and rulings (`findings`), and the uncertain ones."""
        return {
            "record": record,
            "events": events,
            "verdict": found.verdict,
            "findings": [self.finding_document(finding) for finding in found.findings if finding.right is False],
            "unsettled": [self.finding_document(finding) for finding in found.unsettled],
        }

    def finding(self, finding: Finding) -> str:
        """Say what was claimed, and what the rules derive instead."""
        said = finding.said
        claimed = self.value(said.part, said.subject, Derived((said.value,)))
        sentence = _("event {event}: {by} says {part}; by the rules it is {derived}")
        return sentence.format(
            event=finding.event,
            by=said.by or _("somebody"),
            part=f"{self.named(said.part, said.subject)}: {claimed}",
            derived=self.value(said.part, said.subject, finding.derived),
        )

    def finding_document(self, finding: Finding) -> dict[str, Any]:
        """Return a finding as JSON, with `possible` if the record allows several derived values."""
        said, found = finding.said, finding.derived
        way = None if found is None else found.way
        document = {
            "event": finding.event,
            "about": said.part,
            "subject": said.subject,
            "claimed": said.value,
            "derived": None if found is None else found.value,
            "by": said.by,
            "rule": None if way is None else way.rule,
            "because": [] if found is None else list(found.because),
            "sentence": self.finding(finding),
        }
        if found is not None and len(found.values) != 1:
            document["possible"] = list(found.values)
        return document | ({"undone": True} if finding.undone else {})


def _side(found: Derived | None) -> Any:
    return None if found is None else found.value if len(found.values) == 1 else list(found.values)
