"""The route for what-ifs: applies edits to a game, and compares the resulting branch with the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace as changed
from starlette.responses import Response

from daynight.compare.tried import compared, tried_document
from daynight.framework.language.errors import RecordError
from daynight.framework.language.wording import _
from daynight.notation.phrases import PhraseError
from daynight.projections.audit.audit import Auditor
from daynight.speaker import Speaker
from daynight.store import ConflictError
from daynight.store.branches import check_name, keep
from daynight.web import answers
from daynight.web.door.callers import no_key
from daynight.web.door.roles import may
from daynight.web.errors import Problem
from daynight.web.queries import Cited
from daynight.web.routes.changing.commands import pen_of
from daynight.web.visit import Example, Route, Visit
from daynight.web.writing.bodies import shaped
from daynight.web.writing.tries import Tried, branch_of, check


def look(visit: Visit) -> None:
    """Refuse too many edits, none, or an edit that is not exactly one change, before anything is computed.

    If the branch is to be stored, also refuse a caller who is not the owner, a read-only store and a wrong name.
    """
    asked = shaped(visit.body, Tried)
    check(asked, visit.house.limits.edits)
    if asked.keep is not UNSET:
        if visit.granted.role == "reader":
            raise no_key()
        if not may(visit.granted.role, "own"):
            raise Problem(403, "not-yours", _("only the owner keeps branches"))
        pen_of(visit)
        check_name(asked.keep, visit.shelved.name)


def what_if(visit: Visit) -> Response:
    """Answer with the differences between the branch and its game; `kept` stores the branch."""
    branch = _branch(visit)
    if not visit.shelf.is_of_games:
        return answers.document(Speaker(visit.shelved.mechanic).branch_document(branch))
    where, partings = compared(branch)
    auditor = Auditor(visit.query.cited)
    audits = (auditor.game(branch.of).held, auditor.game(branch.game).held)
    return answers.document(tried_document(branch, where, partings, audits))


def kept(visit: Visit, answer: Response) -> Response:
    """Store the branch if the request asks for it and `answer` is no refusal; return `answer`.

    The branch is made again here; that a worker made it before shows that it does not take too long.
    """
    if shaped(visit.body, Tried).keep is UNSET or answer.status_code != 200:
        return answer
    pen, by = pen_of(visit), {"by": visit.granted.called}
    branch = _branch(visit)
    events = tuple([
        event if origin is not None else changed(event, meta={**(event.meta or {}), **by})
        for event, origin in zip(branch.events, branch.origins, strict=True)
    ])  # fmt: skip
    name = visit.shelved.name
    try:
        keep(pen.store, replace(branch, events=events), name)
    except ConflictError as error:
        raise Problem(409, "game-exists", str(error)) from None
    visit.shelf.add(f"{name}/{branch.name}")
    return answer


def _branch(visit: Visit) -> Any:
    try:
        return branch_of(visit.shelved.game(), shaped(visit.body, Tried))
    except PhraseError as error:
        raise Problem(422, "unreadable", str(error)) from None
    except RecordError as error:
        raise error.located(file=visit.shelved.label) from None


ROUTES = (
    Route(
        method="POST", path="/v1/games/{id}/what-if", answer=what_if, summary="Try what would be otherwise",
        may="try", takes=answers.JSON, query=Cited, computed=True, before=look, after=kept,
        example=Example(body={"edits": [{"at": "e5", "insert": ["Bo casts Opt"]}]}),
    ),
)  # fmt: skip
