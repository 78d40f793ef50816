"""Wraps functions of a mechanic, so that an error names the function that failed and the type of the event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from daynight.framework.language.errors import DaynightError, failed
from daynight.framework.language.happening import ByType

__all__ = ["guarded"]


@dataclass(frozen=True, slots=True)
class _Guarded:
    """A `function` of a mechanic in a wrapper; `name` is the field of `Mechanic` that holds it."""

    name: str
    function: Callable[..., Any]

    def __call__(self, *given: Any) -> Any:
        try:
            return self.function(*given)
        except DaynightError:
            raise
        except Exception as error:
            told = f"{self.name} ({type(given[0]).__name__})" if given else self.name
            raise failed(told, error) from error


def guarded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a wrapper of `function` that turns each error but daynight's own into a `MechanicError` with `name`.

    The error also names the type of the first argument, which is the event. A `ByType` is returned without a wrapper:
    the framework reads its types.

    >>> guarded("title", lambda event: event["name"])({})
    Traceback (most recent call last):
        ...
    daynight.framework.language.errors.MechanicError: title (dict) failed: KeyError: 'name' (..., ...)
    """
    return function if isinstance(function, ByType | _Guarded) else _Guarded(name, function)
