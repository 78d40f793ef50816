"""The fixtures of places for stores, from the tests of the store."""

from tests.store.conftest import bare, place, schema, server

__all__ = ["bare", "place", "schema", "server"]
