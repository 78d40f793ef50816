"""Authors: who stands in an event as the one who said it, and whether they may say that at all."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from daynight.framework.language.happening import field_names
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.web.door.keys import Grant
from daynight.web.door.roles import act_of, may
from daynight.web.errors import Problem

_BY = "by"


def spoken(mechanic: Mechanic[Any, Any, Any], fields: dict[str, Any], grant: Grant) -> Any:
    """The event of a JSON object; where its type says `by` whom, and the object does not, it is by who asks.

    Raises:
        UnreadableError: where it is no event.
    """
    tag = fields.get("type")
    kind = mechanic.language.tags.get(tag) if isinstance(tag, str) else None
    given = fields if kind is None or _BY not in field_names(kind) else {_BY: grant.called, **fields}
    return mechanic.language.strictly(given)


def signed(mechanic: Mechanic[Any, Any, Any], event: Any, grant: Grant) -> Any:
    """The event as it is stored for who asks: `meta.by` has their name, or else their role.

    Raises:
        Problem: where it is by another name, or their role may not do such a thing.
    """
    if not may(grant.role, act_of(mechanic, event)):
        raise Problem(403, "not-yours", _("this link does not allow {type}").format(type=event.type))
    by = getattr(event, _BY, None)
    if grant.role != "owner" and by is not None and by != grant.called:
        sentence = _("it is by {by}, and this link is that of {name}; nobody speaks for another")
        raise Problem(403, "not-yours", sentence.format(by=repr(by), name=repr(grant.called)))
    return replace(event, meta={**(event.meta or {}), _BY: grant.called})
