"""Linked lists, newest first: adding copies nothing, and copies share the older part."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Chain: TypeAlias = "tuple[T, Chain[T]] | None"


def chained(things: Iterable[T]) -> Chain[T]:
    """Make a chain of these items, given oldest first."""
    chain: Chain[T] = None
    for thing in things:
        chain = (thing, chain)
    return chain


def unchained(chain: Chain[T]) -> tuple[T, ...]:
    """Return the items of a chain, oldest first."""
    things: list[T] = []
    while chain is not None:
        thing, chain = chain
        things.append(thing)
    things.reverse()
    return tuple(things)
