"""What is refused of an application or a machine that is adopted."""

from __future__ import annotations

from daynight.framework.language.errors import AskedError, NotFoundError, RecordError

__all__ = ["AdoptedError", "NoAggregateError", "StrangeTopicError"]


class AdoptedError(AskedError):
    """The application, or the database, is not one that can be adopted; exit code 2."""


class NoAggregateError(NotFoundError):
    """No aggregate, or several, have the id that was asked for; exit code 4."""


class StrangeTopicError(RecordError):
    """A row names something that may not be resolved; exit code 3."""
