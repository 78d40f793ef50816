"""Every control of the screens of a game, pressed by a reader, who has no key.

The controls are read from the browser's accessibility tree, so a control that is not in the tables below fails.

| promise | test |
| --- | --- |
| each screen has exactly the controls of the tables, for a reader (test_roles: other roles) | test_there, test_phone |
| pressing a control does what the table says, with a mouse and on a phone | test_pressed, test_phone |
"""

import re

import pytest

from tests.browser.table.controls import MARK, ROLES

ROW = re.compile(r"e\d+ ")
"""How the names of the log's rows begin; rows are not listed, because their number depends on the window."""

MENU = {"Edition of the rules": "chosen 2024-07-30", "Files": "open", "Language": "chosen fr", "Colours": "chosen dark",
        "Help and keys": "dialog Keys"}  # fmt: skip
TIME = {
    "previous change": "#e=106", "next change": "#e=149", "previous disagreement": "off", "next disagreement": "off",
    "previous event": "#e=121", "next event": "#e=123", "Event": "#e=123",
}  # fmt: skip
WIDE = {
    "first event": "#e=1", "previous turn": "#e=115", "next turn": "#e=127", "back to the end": "#", "Play": "#e=123",
    "Go to …": "dialog Go to a moment",
}  # fmt: skip
COMMON = {
    "Skip to the state": "focus state", "Skip to the log": "focus log", "daynight": "page /",
    "the face of Brutal Cathar, event 122, turn 21": "focus tool-title", "Back to the end": "#",
    "Copy the address of this moment": "says The address of this moment is copied.",
    "The timeline as a table": "dialog The timeline as a table", "Print": "printed", **TIME,
    "Show": "chosen changes", "Find in the log": "typed Opt", "Find": "focus-type search",
    "2 other permanents": "open", "1 permanent": "open", "go to e106": "#e=106",
    "Moonrage Brute": "says shows its back face, Moonrage Brute.", "Ranger Class": "says nothing has turned it over",
    "Elite Spellbinder": "says nothing has turned it over", "Goblin Goon": "says nothing has turned it over",
    "Why": "tab Why", "What if": "tab What if", "Disputes": "tab Disputes", "Notes": "tab Notes",
}  # fmt: skip
WHY = {
    "What would make it right?": "focus mends-title", "Disputes (2)": "tab Disputes", "go to e121": "#e=121",
    "Try that": "says This is a what-if", "Sources (2)": "open", "Why: night": "open",
    "What the record leaves open": "says Nothing is open", "Each part, and where it comes from": "says because of",
}  # fmt: skip
WHAT_IF = {
    "put in after e122": "checked", "in place of e122": "checked", "leave out e122": "checked",
    "One event a line, in words or JSON: Ana casts Opt · it becomes night": "typed it becomes day",
    "Try": "focus-type textarea", "Compare two moments": "says No moment is marked as A yet.",
    "The first event that is wrong": "says the first event after which",
}  # fmt: skip
HELD = {
    "Close": "closed", "Single letters are keys": "unchecked", "→ next event": "#e=123", "← previous event": "#e=121",
    "Shift → next turn": "#e=127", "Shift ← previous turn": "#e=115", "PgDn next step or phase": "#e=124",
    "PgUp previous step or phase": "#e=118", "Home first event": "#e=1", "End back to the end": "#",
    "n next change": "#e=149", "p previous change": "#e=106",
    "x next disagreement": "says There is none in this direction.",
    "Shift x previous disagreement": "says There is none in this direction.", "↓ next branch": "nothing",
    "↑ previous branch": "nothing", "b back to the recorded game": "nothing",
    "g go to a moment": "dialog Go to a moment",
    "/ find in the log": "focus-type search",
    "w what would make it right; elsewhere what if, from here": "focus mends-title", "d disputes": "tab Disputes",
    "a mark this moment as A": "nothing", "c compare A with here": "focus fold-compare",
    "m notes at this moment": "tab Notes",
    "y copy the address of this moment": "says The address of this moment is copied.", "Space play or pause": "#e=123",
    "i go to the reasons": "focus tool-title", "Esc close what was opened": "closed", "? this help": "dialog Keys",
}  # fmt: skip
GO = {
    "Close": "closed",
    "An event or a turn: 18, e18, turn:4, turn:4/untap": "typed turn:4",
    "Go": "dialog Go to a moment",
}
TIMES = {"Close": "closed", **{f"go to e{event}": "nothing" for event in (1, 92, 93, 105, 106, 148, 149, 160)}}

SCREENS = {
    "why": ((), COMMON | MENU | WIDE | WHY),
    "what-if": (("tab:What if",), COMMON | MENU | WIDE | WHAT_IF),
    "help": (("?",), HELD),
    "go": (("g",), GO),
    "times": (("button:The timeline as a table",), TIMES),
}
"""For each screen: the buttons and keys that open it, and the controls with what each does, for a reader."""


class Hand:
    """Opens a screen, lists its controls, and presses one."""

    def __init__(self, opens, **how):
        self.window = opens(permissions=["clipboard-read", "clipboard-write"], **how)
        self.page = self.window.page
        self.session = self.page.context.new_cdp_session(self.page)

    def open(self, ways, key=""):
        """Load event 122 again, with `key` after the address, and open a screen by its `ways`; return self."""
        self.window.go(f"/g/wagic-G1#e=122{key}")
        self.page.wait_for_selector(".answer.wrong")
        self.page.locator(".why .says").get_by_text("It entered at event 121").wait_for()
        self.page.get_by_role("heading", name="Almost").first.wait_for()
        for way in ways:
            kind, _, name = way.rpartition(":")
            if kind:
                self.page.get_by_role("button", name=name, exact=True).first.click()
            else:
                self.page.keyboard.press(way)
        self.window.rest()
        return self

    def controls(self):
        """The controls by name, each with its locator; rows of the log are left out, and equal names are numbered."""
        self.page.evaluate(
            "document.querySelectorAll('[data-control]').forEach(one => one.removeAttribute('data-control'))"
        )
        found = {}
        for node in self.session.send("Accessibility.getFullAXTree")["nodes"]:
            if node.get("ignored") or node["role"]["value"] not in ROLES:
                continue
            name = str(node["name"]["value"])
            if ROW.match(name):
                continue
            first, count = name, 1
            while name in found:
                count += 1
                name = f"{first} ({count})"
            held = self.session.send("DOM.resolveNode", {"backendNodeId": node["backendDOMNodeId"]})["object"][
                "objectId"
            ]
            ask = {"objectId": held, "functionDeclaration": MARK, "arguments": [{"value": str(len(found))}]}
            self.session.send("Runtime.callFunctionOn", ask)
            found[name] = self.page.locator(f"[data-control='{len(found)}']")
        return found

    def press(self, name, does):
        """Press the control `name`, and assert its effect `does`."""
        place = self.controls()[name]
        kind, _, what = does.partition(" ")
        if kind == "off":
            assert place.is_disabled()
        elif kind == "chosen":
            place.select_option(what)
            assert place.input_value() == what
        elif kind == "typed":
            place.fill(what)
            assert place.input_value() == what
        elif kind == "open":
            before = place.locator("..").evaluate("one => one.open")
            place.click()
            assert place.locator("..").evaluate("one => one.open") is not before
        elif name == "Event":
            place.press("ArrowRight")
            assert self.window.rest().place == does
        elif kind == "focus" and name.startswith("Skip"):
            place.focus()
            place.press("Enter")
            assert self.page.evaluate("document.activeElement.id") == what
        else:
            self.page.evaluate("window.print = () => { document.body.dataset.printed = '1' }")
            place.click()
            self.see(kind, what, does)
        assert self.window.complaints == []

    def see(self, kind, what, does):
        """Assert the effect `does`, whose first word is `kind` and whose rest is `what`."""
        if kind.startswith("#"):
            self.page.wait_for_function("to => (location.hash || '#') === to", arg=does)
        elif kind == "dialog":
            self.page.get_by_role("dialog").get_by_role("heading", name=what).wait_for()
        elif kind == "closed":
            self.page.get_by_role("dialog").wait_for(state="detached")
        elif kind == "tab":
            self.page.wait_for_function("to => document.getElementById('tool-title').textContent === to", arg=what)
        elif kind == "focus":
            self.page.wait_for_function("to => document.activeElement.id === to", arg=what)
        elif kind == "focus-type":
            self.page.wait_for_function("to => document.activeElement.type === to", arg=what)
        elif kind == "says":
            for words in what.split("|"):
                self.page.get_by_text(words).first.wait_for()
        elif kind == "page":
            self.page.wait_for_function("to => location.pathname === to", arg=what)
        elif kind == "printed":
            assert self.page.evaluate("document.body.dataset.printed") == "1"
        elif kind in ("checked", "unchecked"):
            assert self.page.evaluate("document.querySelectorAll('input:checked').length") == (
                1 if kind == "checked" else 0
            )
        else:
            assert kind == "nothing"
            self.window.rest()


@pytest.mark.parametrize("screen", SCREENS)
def test_there(opens, screen):
    ways, expected = SCREENS[screen]
    assert set(Hand(opens).open(ways).controls()) == set(expected)


PRESSED = [
    (screen, name)
    for screen, (_ways, expected) in SCREENS.items()
    for name in expected
    if screen == "why" or name not in COMMON | MENU | WIDE
]


@pytest.fixture(scope="module")
def hand(browser, site):
    """One `Hand` for all tests of the module; it loads the page again for each control."""
    from .conftest import Window

    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en")
    context.set_default_timeout(10_000)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    made = Window(page, site)
    page.on("pageerror", lambda error: made.complaints.append(str(error)))
    yield Hand(lambda **_how: made)
    context.close()


@pytest.mark.parametrize(
    "screen, name",
    [pytest.param(*one, marks=pytest.mark.slow) if place % 6 else one for place, one in enumerate(PRESSED)],
)
def test_pressed(hand, screen, name):
    ways, expected = SCREENS[screen]
    hand.page.evaluate("() => { try { localStorage.clear() } catch { /* about:blank has none */ } }")
    hand.open(ways).press(name, expected[name])


def test_phone(opens):
    """On a phone, the controls of `MENU` are in a menu, and those of `WIDE` are left out; three others are pressed."""
    found = Hand(opens, width=390, height=780).open(())
    expected = set(COMMON | WHY) | {"Menu"}
    assert set(found.controls()) == expected
    found.press("Menu", "open")
    assert set(found.controls()) == expected | set(MENU)
    for name in ("previous change", "next event", "What would make it right?"):
        found.open(()).press(name, (COMMON | WHY)[name])
