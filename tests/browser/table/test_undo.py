"""Undo on a phone that gets the server's answers late or not at all: the casts in the record are counted.

| promise | test |
| --- | --- |
| the record has as many casts in force as were pressed and not undone | test_pile, test_pile_for_long |
| a cast that is taken back is not offered to Undo again, though its answer was lost | test_once |
"""

import random

import pytest

ACTS = ("cast", "cast", "cast", "undo", "undo", "lose", "find", "cut", "join", "reload", "wait")

PRESS = """name => {
  const button = [...document.querySelectorAll(".hand button")].find(one => one.textContent.trim().startsWith(name));
  const is = button !== undefined && !button.disabled;
  if (is) button.click();
  return is;
}"""


def ids(phone):
    """Return the ids of the commands in the phone's database, queued or sent."""
    return {one["id"] for store in ("unsent", "sent") for one in phone.kept(store)}


def standing(table):
    """Return the number of casts in the record that no back-up undid."""
    casts = []
    for number, event in enumerate(table.record(), 1):
        if event["type"] == "game-backed-up":
            casts = [cast for cast in casts if cast <= event["to"]]
        elif event["type"] == "spell-cast":
            casts.append(number)
    return len(casts)


def pile(table, seed, most=16):
    """Do `most` random acts (cast, undo, lose answers, cut the network, reload); then assert that the record has as
    many casts in force as were pressed and not undone."""
    chance, phone, pressed, away = random.Random(seed), table.phone(), 0, False

    def lose(route):
        """Drop the answer to a request; the request itself reaches the server, except while the network is cut."""
        if not away:
            route.fetch()
        route.abort()

    phone.page.evaluate("navigator.serviceWorker.ready")
    for _act in range(most):
        act = chance.choice(ACTS)
        if act == "cast":
            known = ids(phone)
            phone.page.evaluate(PRESS, "Spell cast")
            phone.page.wait_for_timeout(120)
            pressed += len(ids(phone) - known)
        elif act == "undo":
            pressed -= phone.page.evaluate(PRESS, "Undo")
            # Wait until the button can be pressed again.
            phone.page.wait_for_timeout(60)
        elif act in ("cut", "join"):
            away = act == "cut"
            phone.cut(off=away)
        elif act == "lose":
            phone.page.route("**/commands*", lose)
        elif act == "find":
            phone.page.unroute_all(behavior="ignoreErrors")
        elif act == "reload":
            phone.page.reload()
            phone.page.locator(".hand > *").first.wait_for()
        phone.page.wait_for_timeout(chance.choice([0, 50, 400, 1_100]))
    phone.page.unroute_all(behavior="ignoreErrors")
    phone.settle()
    phone.recorded()
    assert standing(table) == pressed
    assert (phone.page.get_by_role("alert").count(), phone.complaints) == (0, [])


def test_once(table):
    """The server stores a cast, and its answer is lost; after the player pressed Undo, the button stays disabled."""
    phone = table.phone()
    undo = phone.page.get_by_role("button", name="Undo", exact=True)
    phone.page.route("**/commands*", lambda route: (route.fetch(), route.abort()))
    phone.page.evaluate(PRESS, "Spell cast")
    phone.page.wait_for_function("() => document.body.innerText.includes('Ana casts a spell')")
    undo.click()
    # The game still names the cast as what can be undone, and the page asks for it again.
    phone.page.wait_for_timeout(1_000)
    assert undo.is_disabled()
    phone.page.unroute_all(behavior="ignoreErrors")
    phone.settle()
    phone.recorded()
    assert standing(table) == 0


@pytest.mark.parametrize("seed", range(2))
def test_pile(table, seed):
    pile(table, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 40))
def test_pile_for_long(table, seed):
    pile(table, seed)
