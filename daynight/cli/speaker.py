"""What the command line of a mechanic says of parts and findings: in words, and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from daynight.framework.audit import Finding
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Derived, Mechanic


@dataclass(frozen=True, slots=True)
class Speaker:
    """Says the parts of one mechanic in words and as JSON."""

    mechanic: Mechanic[Any, Any, Any]

    def value(self, part: str, subject: str | None, found: Derived | None) -> str:
        """The value of a part in words; several, where the record leaves it open."""
        if found is None:
            return _("nothing")
        return " / ".join(self.mechanic.words.value(part, subject, value) for value in found.values)

    def part(self, part: str, subject: str | None, found: Derived | None) -> str:
        """A part with its name, its subject and its value: `monarch: Ana`."""
        return f"{self.named(part, subject)}: {self.value(part, subject, found)}"

    def named(self, part: str, subject: str | None) -> str:
        """The name of a part, and its subject."""
        return part if subject is None else f"{part} {subject}"

    def why(self, found: Derived) -> str:
        """Since when and by which rule, in words."""
        told = []
        for way in found.ways:
            rule = "" if way.rule is None else f": {self.mechanic.rules.get(way.rule, way.rule)}"
            told.append(_("since event {event}{rule}").format(event=way.event, rule=rule))
        return " / ".join(told)

    def document(self, part: str, subject: str | None, found: Derived | None) -> dict[str, Any]:
        """A part as JSON; `possible` where the record leaves it open."""
        document: dict[str, Any] = {"part": part, "subject": subject}
        if found is None:
            return document | {"value": None}
        way = found.way
        document |= {"value": found.value, "since": None if way is None else way.event}
        document |= {"rule": None if way is None else way.rule, "because": list(found.because)}
        return document if len(found.values) == 1 else document | {"possible": list(found.values)}

    def finding(self, finding: Finding) -> str:
        """What was said, and what follows instead."""
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
        """A finding as JSON."""
        said, found = finding.said, finding.derived
        way = None if found is None else found.way
        return {
            "event": finding.event,
            "about": said.part,
            "subject": said.subject,
            "claimed": said.value,
            "derived": None if found is None else found.value,
            "by": said.by,
            "rule": None if way is None else way.rule,
            "because": [] if found is None else list(found.because),
            "sentence": self.finding(finding),
        } | ({"undone": True} if finding.undone else {})
