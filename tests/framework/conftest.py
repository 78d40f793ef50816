"""Places for stores, as the tests of the store have them."""

from tests.store.conftest import bare, place, schema, server

__all__ = ["bare", "place", "schema", "server"]
