"""The errors about an application of `eventsourcing`, or a machine of `transitions`, that daynight reads."""

from __future__ import annotations

from daynight.framework.language.errors import AskedError, NotFoundError, RecordError

__all__ = ["AdoptedError", "NoAggregateError", "StrangeTopicError"]


class AdoptedError(AskedError):
    """An application, its database or a machine cannot be used, or an option names something unknown; exit code 2."""


class NoAggregateError(NotFoundError):
    """No aggregate or model matches a request that needs exactly one, or several do; exit code 4."""


class StrangeTopicError(RecordError):
    """A stored row can't be read, or its topic names a class that may not be resolved; exit code 3."""
