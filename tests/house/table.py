"""Who may import whom: the table that the house test reads. A new module is given its floor here."""

FLOORS: dict[int, tuple[str, ...]] = {
    6: ("cli", "web", "__main__"),
    5: ("store", "importers", "reports", "audit", "explain", "facing", "findings", "grounds", "hearings",
        "almost", "obstacles", "sentences", "branches",
        "phrases", "origins", "statistics", "pictures", "differences", "edits", "partings", "blame", "bisect",
        "forecast", "repairs",
        "due", "unknowns", "backup_plan", "disputes", "proceedings", "logs"),
    4: (
        "arrivals", "assumption", "cards", "demo", "docket", "documents", "doubts", "game", "languages", "notation",
        "positions", "records", "referee", "refusals", "replay", "state", "turns", "worlds",
    ),
    3: ("rules",),
    2: ("designation",),
    1: ("projections",),
    0: ("chart", "history"),
    -1: ("events",),
}  # fmt: skip
"""The rooms of each floor. One imports from its own floor and from those below."""

NO_MORE_THAN: dict[str, frozenset[str]] = {
    "events": frozenset(),
    "chart": frozenset(),
    "history": frozenset(),
    "projections": frozenset({"events", "history"}),
    "importers": frozenset({"events", "notation"}),
}
"""The rooms that may import less of daynight than their floor says."""

LIBRARIES: dict[str, tuple[str, ...]] = {
    "msgspec": ("",),
    "transitions": ("chart",),
    "eventsourcing": ("store",),
    "cryptography": ("store",),
    "psycopg": ("store",),
    "click": ("cli",),
    "jinja2": ("reports",),
    "lark": ("notation",),
    "rich": ("cli", "pictures", "reports"),
}
"""Where each library may be imported; "" is everywhere. There are no others."""

FACADES = frozenset({"daynight", "daynight.game"})
"""Modules whose methods and names fetch what is above them, in a function or for the type checker alone."""

DETERMINISTIC = 4
"""Up to this floor there is no clock, no random and no environment."""

UNSTEADY = frozenset({"datetime", "os", "random", "secrets", "socket", "threading", "time", "uuid", "zoneinfo"})
"""What those floors do not import."""

UNSTEADY_BUT = frozenset({("daynight.framework.language.names", "datetime")})
"""Except for this: a time that was written down is read, never asked for."""

ROOMS_WITH_A_GUIDE = (
    ".",
    "events",
    "projections",
    "daynight",
    "daynight/cards",
    "daynight/importers",
    "daynight/languages/locale",
    "daynight/notation",
    "daynight/rules",
    "daynight/pictures",
    "daynight/reports",
    "daynight/store",
    "tests",
    "examples",
)
"""The folders that have a README.md."""

LONGEST = 400
"""How many lines a file may have."""

CITATIONS = "daynight.rules.citations"
"""The one module where rule numbers stand."""
