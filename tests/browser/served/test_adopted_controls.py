"""Every control of the page of an adopted `eventsourcing` application, pressed; and every screen in each language.

The controls are read from the browser's accessibility tree, so one that is not in the tables below fails.

| promise | test |
| --- | --- |
| each screen has exactly the controls of the tables, on a phone too | test_there |
| pressing a control does what the table says | test_pressed |
| a what-if has an address: another window there shows the same log, and b leads to the record | test_place |
| each file and answer that the page asks for is not empty, and has no hidden value | test_files |
| no screen has a word of Magic, or a barrier that axe-core finds, in any language | test_words |
"""

import re
from contextlib import closing
from urllib.request import urlopen

import pytest

from daynight.web.adopted import serving

from .conftest import Site, Window
from .test_adopted import WORDS, Bank, expect
from .test_controls import Hand

ROW = {"Language": "chosen fr", "Colours": "chosen dark", "daynight": "page /"}
LIST = {
    **ROW,
    "Class or id": "typed 8d86",
    "BankAccount ANA 4 events": "page /g/ANA",
    "BankAccount BO 1 event": "page /g/BO",
}
TIME = {
    "previous change": "#e=2", "previous disagreement": "#",
    "previous event": "#e=2", "Event": "", "next event": "#", "next disagreement": "#", "next change": "#",
}  # fmt: skip
WIDE = {
    "first event": "#e=1", "back to the end": "#", "Play": "#", "Go to …": "dialog Go to a moment",
    "Help and keys": "dialog Keys", "Files": "open",
}  # fmt: skip
COMMON = {
    **ROW, **TIME, "Skip to the state": "focus state", "Skip to the log": "focus log", "Back to the end": "#",
    "Copy the address of this moment": "says The address of this moment is copied.", "Print": "printed",
    "Withdrawn amount=120.00 balance_after=20.00, event 4": "focus tool-title",
    "Show": "chosen changes", "Find": "nothing", "Find in the log": "typed Opened", "go to e1": "#e=1",
    "go to e3": "#e=3", "Why": "tab Why", "What if": "tab What if",
}  # fmt: skip
WHY = {f"go to e{event} ({again})": f"#e={event}" for event in (1, 3) for again in (2, 3)}
WHAT_IF = {
    "put in after e3": "checked", "in place of e3": "checked", "leave out e3": "checked",
    "One event a line, as JSON": "typed {}", "begin with e3": "nothing", "Try": "nothing",
    "Compare two moments": "says No moment is marked as A yet.",
    "The first event that is wrong": "says the first event after which",
}  # fmt: skip
GO = {
    "Close": "closed",
    "An event, or a time of your zone (ZONE): 18, e18, 2026-11-03T14:34": "typed 2",
    "Go": "nothing",
}
HELD = {
    "Close": "closed", "Single letters are keys": "unchecked", "→ next event": "#", "← previous event": "#e=2",
    "Home first event": "#e=1", "End back to the end": "#", "n next change": "#", "p previous change": "#e=2",
    "x next disagreement": "#", "Shift x previous disagreement": "#",
    "↓ next branch": "nothing", "↑ previous branch": "nothing", "b Back to the record": "nothing",
    "g go to a moment": "dialog Go to a moment", "/ find in the log": "focus-type search",
    "w what would make it right; elsewhere what if, from here": "tab What if", "a mark this moment as A": "nothing",
    "c compare A with here": "nothing",
    "y copy the address of this moment": "says The address of this moment is copied.",
    "Space play or pause": "#", "i go to the reasons": "focus tool-title", "Esc close what was opened": "closed",
    "? this help": "dialog Keys",
}  # fmt: skip

SCREENS = {
    "list": LIST,
    "why": COMMON | WIDE | WHY,
    "what-if": COMMON | WIDE | WHAT_IF,
    "go": GO,
    "help": HELD,
}
OPENED = {"what-if": "w", "go": "g", "help": "?"}
WHEN = re.compile(r" \w{3} \d+, \d{4}, .*|(?<=zone \()[^)]*")


class Adopted(Hand):
    """Opens the screens of a bank's page, lists their controls, and presses them."""

    def __init__(self, window, bank):
        super().__init__(lambda **_how: window)
        self.bank = bank

    def open(self, screen, key=""):
        """Load the page again without stored choices, and open `screen`; return self. `key` is not used."""
        self.page.evaluate("() => { try { localStorage.clear() } catch { /* about:blank has none */ } }")
        if screen == "list":
            self.window.go("/", ready=".games li")
        else:
            self.window.go(f"/g/{self.bank.ana}#e=3", ready="#state table")
            self.page.locator(".why").get_by_text("balance: 150.00").wait_for()
            self.window.press(*(OPENED[screen],) if screen in OPENED else ())
        return self

    def controls(self):
        """The controls by name; in names, ids are replaced by the owners, zones by ZONE, and times are removed."""
        names = {str(self.bank.ana): "ANA", str(self.bank.bo): "BO"}
        found = {}
        for name, place in super().controls().items():
            named = re.sub("|".join(names), lambda id: names[id[0]], name)
            found[WHEN.sub(lambda it: "ZONE" if it[0][:1] != " " else "", named)] = place
        return found

    def press(self, name, does):
        """Press the control `name`, and assert its effect `does`."""
        super().press(name, does.replace("ANA", str(self.bank.ana)).replace("BO", str(self.bank.bo)))


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    found = Bank(tmp_path_factory.mktemp("bank"))
    yield found
    found.app.close()


@pytest.fixture(scope="module")
def site(bank):
    with serving(bank.adopted()) as address:
        yield Site(address, "")


@pytest.fixture(scope="module")
def hand(browser, site, bank):
    """One `Adopted` for all tests of the module; it loads the page again for each control."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en")
    context.set_default_timeout(10_000)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    made = Window(page, site)
    page.on("pageerror", lambda error: made.complaints.append(str(error)))
    yield Adopted(made, bank)
    context.close()


@pytest.mark.parametrize("screen", SCREENS)
def test_there(hand, screen):
    assert set(hand.open(screen).controls()) == set(SCREENS[screen])
    if screen == "why":
        hand.page.set_viewport_size({"width": 390, "height": 780})
        try:
            assert set(hand.open(screen).controls()) == {*COMMON, *WHY, "Menu"} - {"Language", "Colours"}
        finally:
            hand.page.set_viewport_size({"width": 1280, "height": 800})


PRESSED = [
    (screen, name)
    for screen, expected in SCREENS.items()
    for name in expected
    if screen in ("list", "why") or name not in COMMON | WIDE
]


@pytest.mark.parametrize(
    "screen, name",
    [pytest.param(*one, marks=pytest.mark.slow) if place % 9 else one for place, one in enumerate(PRESSED)],
)
def test_pressed(hand, screen, name):
    hand.open(screen).press(name, SCREENS[screen][name])


def test_place(opens, hand, bank):
    window = hand.open("what-if").window
    window.page.get_by_label("leave out e3").check()
    window.page.get_by_role("button", name="Try", exact=True).click()
    window.page.get_by_text("balance: 30.00 / 80.00").wait_for()
    window.rest()
    place, log = window.place, window.page.locator("#log").inner_text()
    assert place != "#e=3"
    other = opens().go(f"/g/{bank.ana}{place}", ready="#state table")
    expect(other.page.locator("#log")).to_have_text(re.compile("Deposited"))
    assert other.rest().page.locator("#log").inner_text() == log
    other.press("b")
    expect(other.page.locator("#log")).to_have_text(re.compile("amount=50.00"))


def test_files(opens, tmp_path):
    bank, secret = Bank(tmp_path), "Zephyrine"
    id = bank.app.open(secret)
    bank.app.deposit(id, "200.00")
    with closing(bank.app), serving(bank.adopted(hide=["owner"])) as address:
        window = opens(of=Site(address, "")).go(f"/g/{id}#e=2", ready="#state table")
        assert secret not in window.page.content()
        window.page.get_by_text("Files", exact=True).click()
        offered = window.page.locator("details[open] a").evaluate_all("all => all.map(one => one.href)")
        for one in (*offered, *(f"{address}{path}" for path in window.asked if "/live" not in path)):
            with urlopen(one) as answer:
                text = answer.read().decode()
            assert text, one
            assert secret not in text, one
        assert offered


OTHERS = {
    "en": WORDS,
    "fr": re.compile(r"\b(joueu\w+|arbitre\w*|cartes?|tours?|sorts?|magic|permanents?|dégager)\b", re.IGNORECASE),
    "ja": re.compile("プレイヤー|ジャッジ|カード|ターン|呪文|マジック|パーマネント|対戦"),
}


@pytest.mark.wide
@pytest.mark.parametrize("language", OTHERS)
def test_words(opens, bank, language):
    window = opens(language=language)
    life = (f"/g/{bank.ana}#e=3", "#state table")
    for path, ready, *keys in (
        ("/", ".games li"), life, (*life, "w"), (*life, "g"), (*life, "?"), ("/g/nothing", "h1"),
    ):  # fmt: skip
        window.go(path, ready=ready).press(*keys)
        for text in (window.page.inner_text("body"), window.page.locator("body").aria_snapshot()):
            assert not OTHERS[language].findall(text), text
            assert not WORDS.findall(text), text
        if path != "/g/nothing":
            assert [] == [(rule["id"], rule["nodes"][0]["html"]) for rule in window.axe()["violations"]]
    assert window.page.evaluate("document.documentElement.lang") == language
