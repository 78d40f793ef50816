"""Computing: what takes long is computed in processes of its own, which can be stopped."""

from __future__ import annotations


class Computing:
    """The processes."""

    def close(self) -> None:
        """End them."""
