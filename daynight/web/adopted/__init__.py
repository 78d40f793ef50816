"""The page of an existing application or machine: serves its history, read only.

`serve(adopted)` serves until Ctrl-C; `serving(adopted)` serves while a `with` block runs.
"""

from __future__ import annotations

from daynight.web.adopted.serving import serve, serving

__all__ = ["serve", "serving"]
