"""The routes for questions about a game. Their answers are the JSON documents of the commands of the same names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Raw
from starlette.responses import Response

from daynight.framework.language.errors import AskedError, NotFoundError, RecordError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _
from daynight.projections.audit.audit import Auditor
from daynight.questions.backup_plan import backup_plan as planned
from daynight.questions.blame import blamed
from daynight.questions.facing import facing
from daynight.questions.forecast import forecast as foretold
from daynight.questions.mends import mends
from daynight.questions.repairs import repairs
from daynight.questions.unknowns import unknowns as found_unknown
from daynight.speaker import Speaker
from daynight.web import answers
from daynight.web.queries import At, Cited, CitedAt, Query, Text
from daynight.web.routes.places import is_numbered, is_searched, located, refuse_given
from daynight.web.visit import Route, Visit


class WhyQuery(CitedAt, frozen=True, kw_only=True):
    """The parameters of `why`: `permanent` asks about that permanent's face, not about the designation.

    Other mechanics have `part` and `subject` instead: the part of the state to explain, and its subject.
    """

    permanent: Text | None = None
    part: Text | None = None
    subject: Text | None = None


class PlanQuery(Query, frozen=True, kw_only=True, rename={"start": "from"}):
    """The parameters of a back-up plan: from position `from` back to position `to`, each by default the last event."""

    start: Text | None = None
    to: Text | None = None


def why(visit: Visit) -> Response:
    """Answer why the designation, a face or a part of the state is what it is."""
    number, query = located(visit.shelved, visit.query.at), visit.query

    def of_a_game(game: Any) -> dict[str, Any]:
        if query.permanent is None:
            found: dict[str, Any] = game.why(number, edition=query.cited).document()
            return found
        try:
            return facing(game, number, query.permanent, query.cited or game.edition).document()
        except NotFoundError as error:
            raise NotFoundError(f"{visit.shelved.label}: {error}") from None

    def of_a_record(game: Any) -> dict[str, Any]:
        if query.part is None:
            parts = commas([*visit.shelved.mechanic.parts])
            raise AskedError(_("give a part; there are: {parts}").format(parts=parts))
        found = game.part(query.part, query.subject, number)
        return {"event": number} | Speaker(visit.shelved.mechanic).document(query.part, query.subject, found)

    if visit.shelf.is_of_games:
        refuse_given(visit, "part", "subject")
        return _at(visit, number, of_a_game)
    refuse_given(visit, "permanent", "edition")
    return _at(visit, number, of_a_record)


def blame(visit: Visit) -> Response:
    """Answer with the event and the rule behind each part of the state."""
    number, query = located(visit.shelved, visit.query.at), visit.query

    def of_a_game(game: Any) -> dict[str, Any]:
        edition = query.cited or game.edition
        return {"event": number, "parts": [line.document(edition) for line in blamed(game, number)]}

    def of_a_record(game: Any) -> dict[str, Any]:
        speaker = Speaker(visit.shelved.mechanic)
        return {"event": number, "parts": [speaker.document(*part) for part in game.parts(number)]}

    if visit.shelf.is_of_games:
        return _at(visit, number, of_a_game)
    refuse_given(visit, "edition")
    return _at(visit, number, of_a_record)


def forecast(visit: Visit) -> Response:
    """Answer what the next untap step will do."""
    number, query = located(visit.shelved, visit.query.at), visit.query

    def ask(game: Any) -> dict[str, Any]:
        return foretold(game, number).document(query.cited or game.edition)

    return answers.document(visit.shelved.asked(number, ask))


def unknowns(visit: Visit) -> Response:
    """Answer which facts the record leaves open, and what would settle them."""
    number = located(visit.shelved, visit.query.at)
    game: Any = visit.shelved.game()
    return answers.document(found_unknown(game, number).document())


def disputes(visit: Visit) -> Response:
    """Answer with every dispute, from the call to its end."""
    game: Any = visit.shelved.game()
    found = game.disputes(edition=visit.query.cited)
    return answers.document({"game": game.state.game, "disputes": [one.document() for one in found]})


def backup_plan(visit: Visit) -> Response:
    """Answer which events a back-up would undo: those after the position `to`, up to the position `from`."""
    shelved = visit.shelved
    to, start = located(shelved, visit.query.to), located(shelved, visit.query.start)
    game: Any = shelved.game()
    try:
        # Encoded one by one: as dictionaries, the reversals of a long game take six times as much memory.
        return answers.document(planned(game, to, start).document(lambda one: Raw(answers.encoded(one.document()))))
    except RecordError as error:
        raise error.located(file=shelved.label) from None
    except NotFoundError as error:
        raise NotFoundError(f"{shelved.label}: {error}") from None


def audit(visit: Visit) -> Response:
    """Answer with every claim and ruling, compared with the derived value."""
    shelved = visit.shelved
    if visit.shelf.is_of_games:
        found = Auditor(visit.query.cited).record(shelved.record())
        found.record = shelved.label
        return answers.document(found.document())
    refuse_given(visit, "edition")
    game = shelved.game()
    return answers.document(Speaker(visit.shelved.mechanic).audit_document(shelved.label, len(game), game.audited()))


def repair(visit: Visit) -> Response:
    """Answer with edits, each of which alone would make every claim right or, with `at`, the claim at that event."""
    game: Any = visit.shelved.game()
    edition = visit.query.cited or game.edition
    if visit.query.at is None:
        return answers.document(repairs(game).document(edition))
    return answers.document(mends(game, located(visit.shelved, visit.query.at)).document(edition))


def _at(visit: Visit, number: int, ask: Callable[[Any], dict[str, Any]]) -> Response:
    """Answer with the result of `ask` for event `number`; a client may cache it if `at` is the number of an event."""

    def made() -> Response:
        return answers.document(visit.shelved.asked(number, ask))

    return answers.kept(visit, number, made) if is_numbered(visit.query.at) else made()


ROUTES = (
    Route(method="GET", path="/v1/games/{id}/why", answer=why, query=WhyQuery, computed=True,
          summary="Why it is what it is"),
    Route(method="GET", path="/v1/games/{id}/blame", answer=blame, query=CitedAt, computed=True,
          summary="The event and the rule behind each part of the state"),
    Route(method="GET", path="/v1/games/{id}/forecast", answer=forecast, query=CitedAt, of_games=True,
          computed=is_searched, summary="What the next untap step will do"),
    Route(method="GET", path="/v1/games/{id}/unknowns", answer=unknowns, query=At, of_games=True, computed=True,
          summary="What the record leaves open, and what would settle it"),
    Route(method="GET", path="/v1/games/{id}/disputes", answer=disputes, query=Cited, of_games=True,
          computed=True, summary="The disputes, from the call to their end"),
    Route(method="GET", path="/v1/games/{id}/backup-plan", answer=backup_plan, query=PlanQuery, of_games=True,
          computed=True, summary="What backing up would take back"),
    Route(method="GET", path="/v1/games/{id}/audit", answer=audit, query=Cited, computed=True,
          summary="Where the record and the rules disagree"),
    Route(method="GET", path="/v1/games/{id}/repair", answer=repair, query=CitedAt, of_games=True, computed=True,
          summary="The single edits that would make every claim right, or one of them"),
)  # fmt: skip
