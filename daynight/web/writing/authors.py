"""Authors: sets the names in an event's `by` and `meta.by`, and checks whether its sender may use them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from daynight.events import OfTheRecord
from daynight.framework.language.happening import field_names
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.web.door.grants import Grant
from daynight.web.door.roles import may_store
from daynight.web.errors import Problem

_BY = "by"


def spoken(mechanic: Mechanic[Any, Any, Any], fields: dict[str, Any], grant: Grant) -> Any:
    """Read a JSON object as an event; a person's statement (`_says`) without `by` gets the caller's name there.

    Raises:
        UnreadableError: where the object is no event.
    """
    tag = fields.get("type")
    kind = mechanic.language.tags.get(tag) if isinstance(tag, str) else None
    if kind is not None and _BY in field_names(kind) and _BY not in fields:
        event = mechanic.language.strictly({**fields, _BY: grant.called})
        if _says(mechanic, event):
            return event
    return mechanic.language.strictly(fields)


def signed(mechanic: Mechanic[Any, Any, Any], event: Any, grant: Grant) -> Any:
    """Return the event with its author in `meta.by`: the name of the caller's link or, without one, its role.

    Raises:
        Problem: where the caller's role may not store such an event, or where a person's statement has another name
            in `by` and the caller is not the owner.
    """
    if not may_store(mechanic, event, grant):
        raise Problem(403, "not-yours", _("this link does not allow {type}").format(type=event.type))
    by = getattr(event, _BY, None)
    if grant.role != "owner" and by is not None and by != grant.called and _says(mechanic, event):
        sentence = _("it is by {by}, and this link is that of {name}; nobody speaks for another")
        raise Problem(403, "not-yours", sentence.format(by=repr(by), name=repr(grant.called)))
    return replace(event, meta={**(event.meta or {}), _BY: grant.called})


def _says(mechanic: Mechanic[Any, Any, Any], event: Any) -> bool:
    """Return whether `by` names the person who speaks: in claims, rulings, back-ups, disputes and notes."""
    if isinstance(event, OfTheRecord) or mechanic.restores(event) is not None:
        return True
    return any(True for _said in mechanic.says(event))
