"""Checks the names of fields, attributes and events that a user gives: each must exist in the application.

Without the check, a misspelt name would silently hide nothing, or claim nothing.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cached_property
from types import CodeType
from typing import Any

from eventsourcing.application import Application
from eventsourcing.domain import decorated_funcs

from daynight.adapters.errors import AdoptedError
from daynight.adapters.life import LIBRARYS
from daynight.adapters.topics import is_event
from daynight.adapters.values import attributes, shown
from daynight.framework.language.wording import _

Records = Callable[[], Iterable[Any]]
"""Returns all aggregates of an application as records, each read on demand."""


class Names:
    """The names in an application's classes and, for names not found there, in its stored events.

    `packages` are the packages whose classes belong to it. Finding the names in classes runs none of its code.
    """

    def __init__(self, packages: Sequence[str], records: Records) -> None:
        self._packages = packages
        self._records = records

    def check_hidden(self, names: Iterable[str]) -> None:
        """Refuse names to hide that the application does not have.

        Raises:
            AdoptedError: where no class, event or aggregate has a field or an attribute of that name.
        """
        for name in names:
            if name not in self._fields | self._attributes and not any(name in one for one in self._met()):
                sentence = _("--hide {name}: no field or attribute of this application")
                raise AdoptedError(_near(sentence.format(name=name), name, self._fields | self._attributes))

    def check_claims(self, says: Mapping[str, Sequence[tuple[str, str]]]) -> None:
        """Refuse claims that name an unknown event, attribute or field.

        Raises:
            AdoptedError: where a claim has such a name; it tells the first one.
        """
        for event, pairs in says.items():
            kinds = [one for one in self.events if event in called(one)]
            if not kinds:
                sentence = _("--says {event}: no event of this application").format(event=event)
                raise AdoptedError(_near(sentence, event, {name for one in self.events for name in called(one)}))
            fields = {name for one in kinds for name in (*_declared(one), *_computed(one))}
            for attribute, field in pairs:
                spelled = f"{event}:{attribute}={field}"
                if field not in fields:
                    sentence = _("--says {claim}: {event} has no field {name}")
                    sentence = sentence.format(claim=spelled, event=event, name=field)
                    raise AdoptedError(_near(sentence, field, fields))
                if attribute not in self._attributes and not any(attribute in one for one in self._parts()):
                    sentence = _("--says {claim}: no aggregate has an attribute {name}")
                    sentence = sentence.format(claim=spelled, name=attribute)
                    raise AdoptedError(_near(sentence, attribute, self._attributes))

    @cached_property
    def _kinds(self) -> list[type]:
        """Return the classes in the application's modules, nested ones too, but not the application classes."""
        found: dict[type, None] = {}
        for name, module in [*sys.modules.items()]:
            if any(name == one or name.startswith(f"{one}.") for one in self._packages):
                found |= dict.fromkeys(_classes(getattr(module, "__dict__", {}), name))
        # What the application itself has is in no event and no aggregate.
        return [one for one in found if not issubclass(one, Application)]

    @cached_property
    def events(self) -> list[type]:
        """The event classes in the modules of the application that are imported."""
        return [one for one in self._kinds if is_event(one)]

    @cached_property
    def _fields(self) -> set[str]:
        return {name for one in self._kinds for name in _declared(one)}

    @cached_property
    def _attributes(self) -> set[str]:
        """Return the fields of classes that are no events, and the attributes that methods of any class assign."""
        declared = {name for one in self._kinds if not is_event(one) for name in _declared(one) if name not in LIBRARYS}
        return declared.union(*(_assigned(one) for one in self._kinds))

    def _met(self) -> Iterator[set[str]]:
        """Yield the names in each event and each aggregate, at any depth."""
        for record in self._records():
            for event in record.events:
                yield _within(event.fields if event.own is None else shown(attributes(event.own)))
            for _moment, life in record.walk(whole=True):
                yield _within(shown(life.attributes()))

    def _parts(self) -> Iterator[Iterable[str]]:
        for record in self._records():
            yield record.mechanic.parts


def called(kind: type) -> tuple[str, str]:
    """Return the names by which a user may call an event class: `Account.Opened`, and `Opened` alone."""
    return kind.__qualname__, kind.__qualname__.rpartition(".")[2]


def _near(sentence: str, name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, sorted(known), n=1)
    return _("{sentence}; did you mean {near}?").format(sentence=sentence, near=near[0]) if near else sentence


def _classes(names: Mapping[str, Any], module: str) -> Iterator[type]:
    for one in [*names.values()]:
        if issubclass(type(one), type) and one.__module__ == module:
            yield one
            prefix = f"{one.__qualname__}."
            inner = {name: it for name, it in vars(one).items() if issubclass(type(it), type)}
            yield from _classes({name: it for name, it in inner.items() if it.__qualname__.startswith(prefix)}, module)


def _declared(kind: type) -> Iterator[str]:
    """Yield the fields that a class and its bases declare; bases of the library count only for an event class."""
    for one in kind.__mro__ if is_event(kind) else _own(kind):
        with suppress(NameError):
            # Python 3.14 evaluates them when they are asked for; the fields of a dataclass are there all the same.
            yield from getattr(one, "__annotations__", None) or ()
        slots = vars(one).get("__slots__", ())
        yield from (slots,) if isinstance(slots, str) else slots
    yield from getattr(kind, "__dataclass_fields__", ())
    yield from getattr(kind, "__struct_fields__", ())


def _own(kind: type) -> Iterator[type]:
    """Yield a class and its bases without those of the library, which assign no attribute of the application."""
    return (one for one in kind.__mro__ if one.__module__.partition(".")[0] != "eventsourcing")


def _computed(kind: type) -> Iterator[str]:
    return (name for one in kind.__mro__ for name, it in vars(one).items() if isinstance(it, property))


def _assigned(kind: type) -> Iterator[str]:
    """Yield the attributes that the methods of a class assign, without running them."""
    for one in _own(kind):
        for function in (*vars(one).values(), decorated_funcs.get(one)):
            inner = getattr(function, "decorated_func", function)
            inner = getattr(inner, "fget", None) or getattr(inner, "__func__", inner)
            code = getattr(inner, "__code__", None)
            if isinstance(code, CodeType):
                yield from _stored(code)


def _stored(code: CodeType) -> Iterator[str]:
    for step in dis.get_instructions(code):
        if step.opname == "STORE_ATTR" and not step.argval.startswith("__"):
            yield step.argval
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _stored(one)


def _within(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {*value}.union(*map(_within, value.values()))
    return set().union(*map(_within, value)) if isinstance(value, list) else set()
