"""The page of a game that grows, while its server is gone.

| promise | test |
| --- | --- |
| it says that there is no connection; once the server is back, the page follows the game again | test_gone |
| what was shown stays, also if the language is changed meanwhile | test_changed |
"""

import pytest

from .conftest import Site, ended, started

pytestmark = pytest.mark.browser

SAYS = "No connection to the server: events after event 4 may be missing here."


@pytest.fixture
def growing(tmp_path):
    """A running server of the game friday in its first turn, the process, and a function that starts it again."""
    place = str(tmp_path / "games.db")
    site, process = started("--db", place, cwd=tmp_path)
    site.sent("/v1/games", {"command": "b", "game": "friday", "players": ["Ana", "Bo"]})
    site.sent("/v1/games/friday/commands", {"command": "1", "expected": 1, "do": "pass-turn"})
    running = [process]

    def again() -> Site:
        found, process = started("--db", place, cwd=tmp_path, port=int(site.address.rpartition(":")[2]))
        running.append(process)
        return found

    yield site, process, again
    for one in running:
        if one.poll() is None:
            ended(one)


def test_gone(opens, growing):
    site, process, again = growing
    window = opens(of=site).go("/g/friday")
    window.page.locator(".about").get_by_text("live").wait_for()
    assert 0 == window.page.get_by_role("alert").count()
    ended(process)
    window.page.get_by_role("alert").get_by_text(SAYS).wait_for()
    # It stays while the page tries to connect.
    for _moment in range(20):
        assert 1 == window.page.get_by_role("alert").count()
        window.page.wait_for_timeout(250)
    assert 0 == window.page.locator(".about").get_by_text("live").count()
    assert [] == window.axe()["violations"]
    back = again()
    window.page.locator(".about").get_by_text("live").wait_for()
    assert 0 == window.page.get_by_role("alert").count()
    back.sent("/v1/games/friday/commands", {"command": "2", "expected": 4, "words": ["Ana casts Opt"]})
    window.page.locator("#log").get_by_text("Ana casts Opt").wait_for()


def test_changed(opens, growing):
    site, process, again = growing
    window = opens(of=site).go("/g/friday")
    window.page.locator(".about").get_by_text("live").wait_for()
    ended(process)
    window.page.get_by_role("alert").get_by_text(SAYS).wait_for()
    window.page.get_by_label("Language").select_option("fr")
    window.page.get_by_role("alert").get_by_text("Pas de connexion au serveur").wait_for()
    assert window.page.locator("#log").get_by_text("upkeep").is_visible()
    back = again()
    window.page.locator(".about").get_by_text("en direct").wait_for()
    back.sent("/v1/games/friday/commands", {"command": "2", "expected": 4, "words": ["Ana casts Opt"]})
    window.page.locator("#log").get_by_text("Opt").wait_for()
