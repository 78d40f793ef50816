"""Which room may import which: the table that the house test reads. A new room must be added to a floor here."""

FLOORS: tuple[tuple[str, ...], ...] = (
    ("framework",),
    ("events", "machine", "speaker"),
    ("referee.worlds", "speech"),
    ("projections",),
    ("cards",),
    ("languages", "rules"),
    ("referee",),
    ("disputes",),
    ("notation",),
    ("importers", "demo", "records", "store"),
    ("recognising", "replay", "titles"),
    ("logs", "compare"),
    ("speech.auditing", "projections.statistics", "projections.course"),
    ("projections.audit",),
    ("questions",),
    ("pictures",),
    ("game",),
    ("projections.listed",),
    ("projections.library",),
    ("games",),
    ("reports",),
    ("adapters", "keeping"),
    ("conformance", "corpus", "web"),
    ("cli",),
    ("__main__",),
    ("daynight",),
)
"""The rooms of each floor, the lowest first. A room imports itself and rooms on lower floors, and nothing else.

A room is a folder in daynight, or a module directly in it; `daynight` is the package with its lazy names. A folder or
module inside a room may have a floor of its own, by its dotted name: then it is a room like any other. So the folder
`projections` holds modules that `rules` imports, and inner rooms that import `rules`.
"""

NO_MORE_THAN: dict[str, frozenset[str]] = {
    "framework": frozenset(),
    "store": frozenset({"framework", "machine"}),
    "events": frozenset({"framework"}),
    "referee.worlds": frozenset({"framework", "events"}),
    "projections": frozenset({"framework", "events", "referee.worlds", "speech"}),
    "importers": frozenset({"framework", "events", "notation"}),
    "adapters": frozenset({"framework", "machine", "store"}),
}
"""The rooms that may import only some of the rooms on lower floors, each with those that it may import."""

MUTUAL = frozenset({
    ("daynight.framework.branches", "daynight.framework.recorded"),
    ("daynight.framework.language.reader", "daynight.framework.language.language"),
    ("daynight.framework.language.strict", "daynight.framework.language.language"),
    ("daynight.importers.arena.field", "daynight.importers.arena.game"),
    ("daynight.importers.arena.turns", "daynight.importers.arena.game"),
    ("daynight.web.visit", "daynight.web.computing.computing"),
})  # fmt: skip
"""Pairs of modules: the first imports the second for types only, and the second imports the first. No pair may be
added."""

BLOCKS = {"cli": 15, "corpus": 1, "framework": 5, "keeping": 4, "importers": 2, "web": 2, "daynight": 1}
"""The number of blocks `if TYPE_CHECKING` in each room. A change may lower a number here, and not raise one.

They are needed where a library or the store is imported late, in `__init__` with its lazy names, and for the pairs in
MUTUAL.
"""

LIBRARIES: dict[str, tuple[str, ...]] = {
    "msgspec": ("",),
    "transitions": ("adapters", "framework"),
    "eventsourcing": ("adapters", "store"),
    "cryptography": ("store", "web"),
    "psycopg": ("adapters", "store"),
    "click": ("cli",),
    "dask": ("corpus",),
    "distributed": ("corpus",),
    "duckdb": ("corpus",),
    "fsspec": ("corpus",),
    "numpy": ("corpus",),
    "pandas": ("corpus",),
    "polars": ("corpus",),
    "pyarrow": ("corpus",),
    "jinja2": ("reports",),
    "lark": ("notation",),
    "pygments": ("notation",),
    "rich": ("cli", "pictures", "reports"),
    "starlette": ("web",),
    "anyio": ("web",),
    "uvicorn": ("web",),
    "h11": ("web",),
    "segno": ("web",),
}
"""The rooms that may import each library; "" means every room. No other library may be imported."""

STEADY = (
    "framework", "events", "projections", "projections.audit", "projections.statistics", "speech", "speech.auditing",
    "cards", "rules", "referee", "referee.worlds", "disputes", "questions", "compare",
)  # fmt: skip
"""The rooms that read no clock, no random numbers and no environment."""

UNSTEADY = frozenset({"datetime", "os", "random", "secrets", "socket", "threading", "time", "uuid", "zoneinfo"})
"""The modules of the standard library that the rooms of STEADY do not import."""

LONGEST = 400
"""How many lines a file may have."""

MOST = 12
"""How many modules a room may have, without those of inner rooms, `__init__.py` and `__main__.py`."""

CITATIONS = "daynight.rules.citations"
"""The one module that may contain rule numbers."""
