"""The views: data for people to look at, computed from the events and their consequences.

Import it as `daynight.projections`, not by this folder's own name.
"""

if __name__ != "daynight.projections":  # pragma: no cover  # seen from another process only
    raise ImportError("import daynight.projections: this folder is a part of daynight, not a package of its own")
