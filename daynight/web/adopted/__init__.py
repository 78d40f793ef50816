"""The page of an application or a machine that exists already: what it did, served from memory, read only.

`serve(adopted)` serves until it is ended; `serving(adopted)` serves while a `with` block runs.
"""

from __future__ import annotations

from daynight.web.adopted.serving import serve, serving

__all__ = ["serve", "serving"]
