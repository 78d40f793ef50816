"""The views: what people look at, folded from what was recorded and what followed.

Nobody imports this folder by its own name; it is `daynight.projections`.
"""

if __name__ != "daynight.projections":  # pragma: no cover  # seen from another process only
    raise ImportError("import daynight.projections: this folder is a part of daynight, not a package of its own")
