"""A moment: an event with all its consequences; and the interface of a state."""

from __future__ import annotations

import reprlib
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from daynight.framework.language.errors import AnswerError


class Copyable(Protocol):
    """The one method that a fold needs of a state: `copy` returns an independent copy."""

    def copy(self: S) -> S: ...  # noqa: D102


S = TypeVar("S", bound=Copyable)
E = TypeVar("E")
C = TypeVar("C")


class Moment(Struct, Generic[E, C], frozen=True, repr_omit_defaults=True):
    """An event with all its consequences.

    Moment n is event n; there is no state between an event and its consequences.
    """

    number: int
    event: E
    consequences: tuple[C, ...] = ()
    restores: int | None = None
    """The number of the event to which this event backs up; None if this event is no back-up."""


def several(asked: str, answer: Any, event: Any, number: int) -> tuple[Any, ...]:
    """Return as a tuple the `answer` of a mechanic's function for an event; `asked` is its name, such as "step".

    Raises:
        AnswerError: where the answer is None, or a single value instead of a sequence.
    """
    if type(answer) is tuple:
        return answer
    if hasattr(answer, "__iter__"):
        return tuple(answer)
    kind, short = type(event).__name__, reprlib.repr(answer)
    sentence = f"{asked}, event {number} ({kind}): it answered {short}; answer a list, or () for nothing"
    raise AnswerError(sentence, line=number)
