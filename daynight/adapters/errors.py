"""The errors about an application of `eventsourcing`, or a machine of `transitions`, that daynight reads."""

from __future__ import annotations

from daynight.framework.language.errors import AskedError, NotFoundError, RecordError

__all__ = ["AdoptedError", "NoAggregateError", "StrangeTopicError"]


class AdoptedError(AskedError):
    """An application, its database or a machine cannot be used, or an option names something unknown; exit code 2."""


class NoAggregateError(NotFoundError):
    """No aggregate or model, or several, match the request; exit code 4."""


class StrangeTopicError(RecordError):
    """A stored row names a class that may not be resolved, or can't be read; exit code 3."""
