"""The errors about an application or a machine that is adopted."""

from __future__ import annotations

from daynight.framework.language.errors import AskedError, NotFoundError, RecordError

__all__ = ["AdoptedError", "NoAggregateError", "StrangeTopicError"]


class AdoptedError(AskedError):
    """The application or the database cannot be adopted; exit code 2."""


class NoAggregateError(NotFoundError):
    """No aggregate, or several, match the requested id; exit code 4."""


class StrangeTopicError(RecordError):
    """A row names a class that may not be resolved; exit code 3."""
