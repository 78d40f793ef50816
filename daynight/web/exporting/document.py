"""Everything that the page requests from a server about a game, as one document in all languages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from daynight import __version__
from daynight.languages.speaking import LANGUAGES, speaking
from daynight.projections.audit.audit import Auditor
from daynight.projections.audit.findings import Audit
from daynight.questions.mends import mends
from daynight.rules import RULES
from daynight.rules.citations import EDITIONS
from daynight.speaker import Speaker
from daynight.web.exporting.answering import answered, nearly
from daynight.web.exporting.merging import merged, once, plain
from daynight.web.shelf import Shelf, Shelved
from daynight.web.telling.about import about_game
from daynight.web.telling.marks import KINDS, marks_of
from daynight.web.telling.moments import moment_documents
from daynight.web.telling.teller import teller_of

MENDED = 10
"""The most wrong claims whose repairs are in the document."""

MENDABLE = 5_000
"""The most events of a game whose document has repairs: to find these, many edits are tried."""


def document(shelf: Shelf, shelved: Shelved, languages: Sequence[str] = LANGUAGES) -> dict[str, Any]:
    """Return a game with its log, reasons, forecasts, marks, audit and disputes, its sentences in all `languages`."""
    game: Any = shelved.game()
    near = nearly(game) if shelf.is_of_games else {}
    told = []
    for language in languages:
        with speaking(language):
            told.append(_told(shelf, shelved, game, near))
    whys, why = once([list(items) for items in zip(*[one.pop("whys") for one in told], strict=True)])
    forecasts, forecast = once([list(items) for items in zip(*[one.pop("forecasts") for one in told], strict=True)])
    # A kept branch is a game of its own, and is not in this file.
    info = about_game(shelf, shelved) | {"branches": [], "kind": "file"}
    mechanic = None if shelf.is_of_games else shelf.called
    about: dict[str, Any] = {"daynight": __version__, "mechanic": mechanic, "rules": RULES}
    about |= {"editions": [*EDITIONS] if shelf.source is None else [], "languages": [*languages]}
    about |= {} if shelf.source is None else {"source": shelf.source}
    found: dict[str, Any] = merged(told)
    return found | {
        "about": about | {"limits": {}, "you": None},
        "languages": [*languages],
        "game": info,
        "why": why,
        "whys": whys,
        "forecast": forecast,
        "tried": [],
        "forecasts": forecasts,
    }


def _told(shelf: Shelf, shelved: Shelved, game: Any, near: dict[int, Any]) -> dict[str, Any]:
    """Return the parts of the document that contain sentences, in the language that is chosen now."""
    lines = shelved.lines(0, len(game))
    moments = [plain(one) for one in moment_documents(game, teller_of(shelved), 0, lines)]
    found: dict[str, Any] = {"moments": moments, "marks": marks_of(shelf, shelved, KINDS)}
    if not shelf.is_of_games:
        audit = Speaker(shelved.mechanic).audit_document(shelved.label, len(game), game.audited())
        nothing: dict[str, Any] = {"disputes": None, "changes": [], "triggers": [], "whys": [], "forecasts": []}
        nothing["mends"] = {}
        return found | {"audit": plain(audit)} | nothing
    audited = Auditor(None).record(shelved.record())
    audited.record = shelved.label
    answers = [*answered(game, near)]
    disputes = {"game": game.state.game, "disputes": [one.document() for one in game.disputes()]}
    ended = game.document(None)
    return found | {
        "audit": plain(audited.document()),
        "mends": _mended(game, audited),
        "disputes": plain(disputes),
        "changes": plain(ended["changes"]),
        "triggers": plain(ended["triggers"]),
        "whys": [plain(why) for why, _forecast in answers],
        "forecasts": [plain(forecast) for _why, forecast in answers],
    }


def _mended(game: Any, audited: Audit) -> dict[str, Any]:
    """Return by event number the repairs of the first `MENDED` wrong claims; none for more than `MENDABLE` events."""
    wrong = [one.event for one in audited.disputes][:MENDED] if len(game) <= MENDABLE else []
    return {str(event): plain(mends(game, event, audited).document(game.edition)) for event in wrong}
