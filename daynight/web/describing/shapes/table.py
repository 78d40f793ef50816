"""The table of the shapes: the answer of each route, and the body that it takes."""

from __future__ import annotations

from typing import Any

from daynight.web.describing.shapes.audits import Audit, DisputeActed, Disputes, PartsAudit
from daynight.web.describing.shapes.changes import Acknowledged, Imported, PartsAcknowledged
from daynight.web.describing.shapes.comparisons import (
    Bisected,
    Diff,
    EditionsDiff,
    First,
    PartsDiff,
    PartsWhatIf,
    WhatIf,
)
from daynight.web.describing.shapes.games import (
    About,
    FoundEvents,
    Game,
    Games,
    Links,
    Marks,
    NewGame,
    NewLink,
)
from daynight.web.describing.shapes.questions import (
    BackupPlan,
    Blame,
    Forecast,
    PartsBlame,
    Repairs,
    Unknowns,
    Why,
    WhyPart,
    WhyPermanent,
)
from daynight.web.describing.shapes.reports import Report
from daynight.web.describing.shapes.states import Moments, Parts, PartsMoments, State
from daynight.web.describing.shapes.walks import WALKS
from daynight.web.routes.changing.commands import Begun
from daynight.web.routes.session import Shown, Wanted
from daynight.web.writing.acts import Appealed, Claimed, Closed, Noted, Opened, Ruled
from daynight.web.writing.commands import Commanded
from daynight.web.writing.corrections import Corrected
from daynight.web.writing.tries import Tried
from daynight.web.writing.undo import Undone
from daynight.web.writing.walking import Walked

_GAME = "/v1/games/{id}"

ANSWERS: dict[str, tuple[Any, ...]] = {
    "GET /openapi.json": (dict[str, Any],),
    "GET /v1": (About,),
    "POST /v1/links": (NewLink,),
    "GET /v1/links": (Links,),
    "GET /v1/games": (Games,),
    "POST /v1/games": (NewGame,),
    "POST /v1/imports": (Imported,),
    f"GET {_GAME}": (Game,),
    f"GET {_GAME}/state": (State, Parts),
    f"GET {_GAME}/moments": (Moments, PartsMoments),
    f"GET {_GAME}/marks": (Marks,),
    f"GET {_GAME}/why": (Why, WhyPermanent, WhyPart),
    f"GET {_GAME}/blame": (Blame, PartsBlame),
    f"GET {_GAME}/forecast": (Forecast,),
    f"GET {_GAME}/unknowns": (Unknowns,),
    f"GET {_GAME}/disputes": (Disputes,),
    f"GET {_GAME}/backup-plan": (BackupPlan,),
    f"GET {_GAME}/audit": (Audit, PartsAudit),
    f"GET {_GAME}/repair": (Repairs,),
    f"GET {_GAME}/diff": (Diff, EditionsDiff, PartsDiff),
    f"GET {_GAME}/bisect": (Bisected, First),
    f"GET {_GAME}/search": (FoundEvents,),
    f"GET {_GAME}/report.json": (Report,),
    f"POST {_GAME}/commands": (Acknowledged, PartsAcknowledged),
    f"POST {_GAME}/undo": (Acknowledged,),
    f"POST {_GAME}/corrections": (Acknowledged,),
    f"POST {_GAME}/notes": (Acknowledged,),
    f"POST {_GAME}/disputes": (DisputeActed,),
    f"POST {_GAME}/disputes/{{d}}/claims": (DisputeActed,),
    f"POST {_GAME}/disputes/{{d}}/rulings": (DisputeActed,),
    f"POST {_GAME}/disputes/{{d}}/appeals": (DisputeActed,),
    f"POST {_GAME}/disputes/{{d}}/close": (DisputeActed,),
    f"POST {_GAME}/what-if": (WhatIf, PartsWhatIf),
    **{f"POST {_GAME}/what-if/{name}": shapes for name, shapes in WALKS.items()},
}
"""The answers of the routes that return JSON; the first shape is that of day and night."""

BODIES: dict[str, Any] = {
    "POST /v1/session": Shown,
    "POST /v1/links": Wanted,
    "POST /v1/games": Begun,
    f"POST {_GAME}/commands": Commanded,
    f"POST {_GAME}/undo": Undone,
    f"POST {_GAME}/corrections": Corrected,
    f"POST {_GAME}/notes": Noted,
    f"POST {_GAME}/disputes": Opened,
    f"POST {_GAME}/disputes/{{d}}/claims": Claimed,
    f"POST {_GAME}/disputes/{{d}}/rulings": Ruled,
    f"POST {_GAME}/disputes/{{d}}/appeals": Appealed,
    f"POST {_GAME}/disputes/{{d}}/close": Closed,
    f"POST {_GAME}/what-if": Tried,
    **{f"POST {_GAME}/what-if/{name}": Walked for name in WALKS},
}
"""The bodies of the routes that take JSON."""
