"""Chains: things in order, the newest first; a chain grows without copying, and its copies share what there was."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Chain: TypeAlias = "tuple[T, Chain[T]] | None"


def chained(things: Iterable[T]) -> Chain[T]:
    """A chain of these things, the oldest given first."""
    chain: Chain[T] = None
    for thing in things:
        chain = (thing, chain)
    return chain


def unchained(chain: Chain[T]) -> tuple[T, ...]:
    """The things of a chain, the oldest first."""
    things: list[T] = []
    while chain is not None:
        thing, chain = chain
        things.append(thing)
    things.reverse()
    return tuple(things)
