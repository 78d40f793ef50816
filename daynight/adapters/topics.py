"""Resolves the topic of a stored row to a class of the application, and to nothing else.

The library resolves any topic: it imports the module and walks the attributes, so a row that names `bank:os.system`
gives the function as soon as `bank` imports `os`. Here a topic is resolved only to a class that is an event, an
aggregate or a snapshot, whose own module and name are the topic, and whose module was imported with the application.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from eventsourcing import utils
from eventsourcing.domain import BaseAggregate, CanMutateAggregate, CanSnapshotAggregate, DomainEvent

from daynight.adapters.errors import StrangeTopicError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _

LIBRARY = "eventsourcing.domain"
"""The library's own module of events, aggregates and snapshots; an application may use its classes as they are."""

_EVENT = ("originator_id", "originator_version")
_AGGREGATE = ("id", "version")


class Topics:
    """The topics that an application's rows may have. `packages` are the names of its package, and of further ones.

    The application is imported before. A topic that it registered by `register_topic` is accepted, too, if its class is
    an event, an aggregate or a snapshot in `packages`.
    """

    def __init__(self, packages: Sequence[str]) -> None:
        self.packages = tuple(packages)
        self._registered = dict(utils._topic_cache)
        self._found: dict[str, type] = {}

    def resolve(self, topic: Any) -> type:
        """Return the class that a topic names.

        Raises:
            StrangeTopicError: where it names no event, aggregate or snapshot of the application's imported modules.
        """
        found = self._found.get(topic) if isinstance(topic, str) else None
        if found is None:
            if not isinstance(topic, str):
                raise StrangeTopicError(_("a topic is a text, and this is {topic}").format(topic=repr(topic)))
            found = self._found[topic] = self._resolved(topic)
        return found

    def _resolved(self, topic: str) -> type:
        registered = self._registered.get(topic)
        if isinstance(registered, type) and (wrong := self._wrong(registered)) is None:
            return registered
        module, _colon, names = topic.partition(":")
        if not self._is_ours(module):
            sentence = _("topic {topic} is not in {packages}; if it belongs to the application, add --also {module}")
            raise StrangeTopicError(
                sentence.format(topic=repr(topic), packages=commas(self.packages), module=module.partition(".")[0])
            )
        if module not in sys.modules:
            sentence = _("topic {topic}: the application does not import {module}; if it should, add --also {module}")
            raise StrangeTopicError(sentence.format(topic=repr(topic), module=module))
        found: Any = sys.modules[module]
        for name in names.split("."):
            found = vars(found).get(name) if found is sys.modules[module] else _attribute(found, name)
            if not isinstance(found, type):
                raise StrangeTopicError(_("topic {topic}: there is no such class any more").format(topic=repr(topic)))
        if f"{found.__module__}:{found.__qualname__}" != topic and getattr(found, "TOPIC", None) != topic:
            sentence = _("topic {topic} is another name of {found}; only a class's own name is resolved")
            raise StrangeTopicError(
                sentence.format(topic=repr(topic), found=f"{found.__module__}:{found.__qualname__}")
            )
        if (wrong := self._wrong(found)) is not None:
            raise StrangeTopicError(_("topic {topic}: {wrong}").format(topic=repr(topic), wrong=wrong))
        kind: type = found
        return kind

    def is_ours(self, topic: str) -> bool:
        """Return whether a topic names a module of `packages`, or `LIBRARY`; its class need not exist."""
        return self._is_ours(topic.partition(":")[0])

    def _is_ours(self, module: str) -> bool:
        return module == LIBRARY or any(module == one or module.startswith(f"{one}.") for one in self.packages)

    def _wrong(self, found: type) -> str | None:
        """Return what is wrong with a class that a row names; None if it is allowed."""
        if not self._is_ours(found.__module__):
            return _("{found} is not of the application").format(found=f"{found.__module__}:{found.__qualname__}")
        if is_event(found) or is_aggregate(found):
            return None
        return _("{found} is no event, no aggregate and no snapshot").format(found=found.__qualname__)

    @property
    def is_guarding(self) -> bool:
        """Whether this thread is within a block of `guarding` of this object."""
        return _ACTIVE.get() is self

    @contextmanager
    def guarding(self) -> Iterator[None]:
        """During the block, this object resolves the topics that the library's cache of topics does not have.

        Such topics are in the data of rows: an event that creates an aggregate, and a snapshot, name the aggregate's
        class; so may the application's own transcodings.
        """
        _guard()
        token = _ACTIVE.set(self)
        try:
            yield
        finally:
            _ACTIVE.reset(token)


def is_event(kind: type) -> bool:
    """Return whether a class is an event or a snapshot: one of the library's, or one with the fields of every event."""
    if issubclass(kind, (CanMutateAggregate, CanSnapshotAggregate, DomainEvent)):
        return True
    return all(_declares(kind, name) for name in _EVENT)


def is_aggregate(kind: type) -> bool:
    """Return whether a class is an aggregate: one of the library's, or one with an id and a version."""
    return issubclass(kind, BaseAggregate) or all(_declares(kind, name) for name in _AGGREGATE)


def _declares(kind: type, name: str) -> bool:
    return any(name in vars(one) or name in _annotations(one) for one in kind.__mro__ if one is not object)


def _annotations(kind: type) -> Mapping[str, Any]:
    try:
        found = getattr(kind, "__annotations__", {})
    except NameError:
        # Python 3.14 evaluates them when they are asked for.
        return {}
    return found if isinstance(found, dict) else {}


def _attribute(kind: type, name: str) -> Any:
    """Return the attribute `name` of a class or its bases, without calling a descriptor; None if there is none."""
    return next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)


_ACTIVE: ContextVar[Topics | None] = ContextVar("active", default=None)


class _Guarded(dict[str, Any]):
    """The library's cache of topics; while an application is read, topics that are not in it are resolved strictly."""

    def __missing__(self, topic: str) -> Any:
        active = _ACTIVE.get()
        if active is None:
            raise KeyError(topic)
        try:
            return active.resolve(topic)
        except StrangeTopicError as error:
            raise utils.TopicError(error.sentence) from None


def _guard() -> None:
    """Replace the library's cache of topics by the guarded one, with the same content."""
    if not isinstance(utils._topic_cache, _Guarded):
        utils._topic_cache = _Guarded(utils._topic_cache)
