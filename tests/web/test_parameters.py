"""The parameters of an address: an invalid one is refused, never guessed."""

import pytest

from daynight.games import Store
from tests.web.sending import refused
from tests.web.serving import serving


@pytest.fixture(scope="module")
def reader():
    """A client for a game of one event."""
    with Store.open("memory:") as store, serving(store) as served, served.client() as client:
        store.new("friday", ["Ana", "Bo"])
        yield client


@pytest.mark.wide(but=6)
@pytest.mark.parametrize("limit", ["0", "501", "1000", "-1", "1.0", "1e1", "+5", "05", "", "x", "٣", "true"])
def test_a_limit_is_a_number_from_1_to_500(reader, limit):
    for path in ("/v1/games", "/v1/games/friday/moments", "/v1/games/friday/marks"):
        refused(reader.get(path, params={"limit": limit}), 400, "bad-parameter")


@pytest.mark.parametrize("limit", ["1", "500"])
def test_its_bounds_are_limits_too(reader, limit):
    for path in ("/v1/games", "/v1/games/friday/moments", "/v1/games/friday/marks"):
        assert reader.get(path, params={"limit": limit}).status_code == 200
