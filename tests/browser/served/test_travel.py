"""Navigating in a game: the page shows the server's state, and its address names the moment.

| promise | test |
| --- | --- |
| the list links to each game | test_list |
| while the list lacks events it says so, not that there is no game; it completes itself | test_list_behind |
| at every event it shows the server's state | test_every_state |
| a cached moment needs no request except for its reasons; a jump elsewhere loads moments once | test_requests |
| an address names a moment, and survives reload, back and forward | test_addresses, test_history |
| what others added to an address does not matter; it is dropped from it | test_addresses |
| if the address changes during loading, the page goes to the new place | test_changed_while_it_opens |
| a step replaces the entry in the browser's history, a jump adds one | test_history |
| each key leads to its event, or opens its panel | test_keys, test_keys_of_tools |
| y copies an address that leads back to the moment | test_copied |
| the slider describes its position in words | test_slider |
| keys do nothing in a field; letter keys do nothing if they are switched off | test_keys_that_do_not_act |
| there are no requests to other hosts, and no browser errors | test_quiet |
"""

import pytest

try:
    from playwright.sync_api import expect
except ImportError:  # then the fixture of the browser says so
    expect = None

WORDS = {"neither": "neither day nor night", "day": "day", "night": "night"}


def test_list(opens):
    """The row of a game has its number of events and its verdict; a search finds three games; the name is a link."""
    window = opens().go("/", ready=".games li")
    rows = [" ".join(text.split()) for text in window.page.locator(".games li").all_text_contents()]
    assert any(row.startswith("wagic-G1") and "160 events" in row and "disputed (1)" in row for row in rows)
    window.page.fill("input[type=search]", "wagic")
    expect(window.page.locator(".games li")).to_have_count(3)
    window.page.click("text=wagic-G1")
    window.page.wait_for_selector(".now")
    assert "wagic-G1 · daynight" == window.page.title()


def test_list_behind(opens):
    """A list that lacks events neither says that there is no game nor opens its only game; it completes itself."""
    window, asked = opens(), []

    def behind(route):
        asked.append(route.request.url)
        if len(asked) > 2:
            route.fallback()
            return
        answer = route.fetch().json()
        route.fulfill(json={"games": answer["games"][: len(asked) - 1], "behind": 700, "next": None})

    window.page.route("**/v1/games?*", behind)
    window.page.goto(window.site.address + "/")
    window.page.get_by_text("700 events are not in the list yet.").wait_for()
    assert 0 == window.page.get_by_text("There is no game yet.").count()
    window.page.locator(".games li", has_text="uncertain").wait_for()
    assert ("/", 3) == (window.page.evaluate("location.pathname"), len(asked))


@pytest.mark.parametrize("game", ["wagic-G1", "uncertain", "ruling and back-up"])
def test_every_state(opens, site, game):
    """At every event the page's designation, battlefield and tallies are those of the server's state."""
    id = game.replace(" ", "%20")
    window = opens().go(f"/g/{id}#e=1")
    last = site.json(f"/v1/games/{id}")["events"]
    shown = """() => ({now: document.querySelector('.now').textContent,
        permanents: [...document.querySelectorAll('.permanents .name')].map(one => one.textContent),
        spells: [...document.querySelectorAll('#state tbody tr')].map(row => row.children[1].textContent),
        at: document.querySelector('[aria-current] .n').textContent})"""
    for event in range(1, last + 1):
        state = site.json(f"/v1/games/{id}/state?at={event}")
        found = window.page.evaluate(shown)
        assert f"e{event}" == found["at"]
        assert " or ".join([WORDS[one] for one in state["possible"]]) == found["now"]
        # The page shows cards with daybound and nightbound first.
        names = [one["name"] or one["card"] or one["permanent"] for one in state["battlefield"]]
        assert sorted(names) == sorted(found["permanents"])
        counts = (state["tallies"]["current"] or {"spells": {}})["spells"].values()
        assert [str(count) for count in counts if isinstance(count, int)] == [
            one for one, count in zip(found["spells"], counts, strict=True) if isinstance(count, int)
        ]
        window.page.keyboard.press("ArrowRight")


def moments(window):
    """Return the addresses of the requests for moments that `window` has sent."""
    return [one for one in window.asked if "/moments" in one]


def test_requests(opens, tmp_path):
    """In a long game the first view requests moments once, steps request none, and a jump requests them once more."""
    from .conftest import ended, started

    lines = ['{"type":"game-started","format":1,"game":"long","players":["Ana","Bo"]}']
    for turn in range(1, 3_001):
        lines.append(f'{{"type":"turn-began","turn":{turn},"active":["{("Bo", "Ana")[turn % 2]}"]}}')
        lines.append('{"type":"step-began","step":"untap"}')
    path = tmp_path / "long.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    site, process = started(str(path), cwd=tmp_path)
    try:
        window = opens(of=site).go("/g/long#e=3000").opened()
        assert 1 == len(moments(window))
        before = len(window.asked)
        window.press(*["ArrowRight"] * 30, *["ArrowLeft"] * 60)
        assert ["/why"] == sorted({one.partition("?")[0][len("/v1/games/long") :] for one in window.asked[before:]})
        window.press("g")
        window.page.keyboard.type("e100")
        window.press("Enter")
        window.page.wait_for_selector("[aria-current] :text-is('e100')")
        assert 2 == len(moments(window))
        assert window.page.evaluate("document.querySelectorAll('*').length") <= 1_500
    finally:
        ended(process)


def test_addresses(opens):
    """The fragment names the moment; at the end there is none, so that the address stays the end as events come."""
    window = opens().go("/g/wagic-G1#e=18")
    assert "past: event 18 of 160" in window.text(".past")
    window.press("ArrowRight")
    assert "#e=19" == window.place
    window.page.reload()
    window.page.wait_for_selector(".now")
    assert "event 19 of 160" in window.text(".past")
    window.press("End")
    assert "" == window.place
    assert 0 == window.page.locator(".past").count()
    window.go("/g/wagic-G1?utm_source=mail&fbclid=abc#e=18")
    assert "past: event 18 of 160" in window.text(".past")
    assert ("", "#e=18") == (window.page.evaluate("location.search"), window.place)
    window.go("/?fbclid=abc", ready=".games li")


def test_changed_while_it_opens(opens):
    """The address changes while the first moments are requested: the page shows event 110, the new place."""
    window = opens()

    def late(route):
        window.page.unroute("**/moments?*", late)
        window.page.evaluate("location.hash = 'e=110'")
        route.fallback()

    window.page.route("**/moments?*", late)
    window.go("/g/wagic-G1#e=18")
    assert "event 110 of 160" in window.text(".past")
    assert "#e=110" == window.place


def test_history(opens):
    """Back returns to the place before the jump, not through every step."""
    window = opens().go("/g/wagic-G1#e=10")
    length = window.page.evaluate("history.length")
    window.press(*["ArrowRight"] * 5)
    assert ("#e=15", length) == (window.place, window.page.evaluate("history.length"))
    window.press("x")
    assert ("#e=122", length + 1) == (window.place, window.page.evaluate("history.length"))
    window.page.go_back()
    window.rest()
    assert "#e=15" == window.place
    assert "e15" == window.text("[aria-current] .n")
    window.page.go_forward()
    window.rest()
    assert "e122" == window.text("[aria-current] .n")


KEYS = [
    ("ArrowRight", "#e=109"), ("ArrowLeft", "#e=107"), ("Shift+ArrowRight", "#e=111"), ("Shift+ArrowLeft", "#e=105"),
    ("PageDown", "#e=111"), ("PageUp", "#e=107"), ("Home", "#e=1"), ("End", ""), ("n", "#e=149"), ("p", "#e=106"),
    ("x", "#e=122"),
]  # fmt: skip


def test_keys(opens):
    """Each key, pressed at event 108 in turn 19, leads to the event of the table."""
    window = opens().go("/g/wagic-G1")
    for key, place in KEYS:
        window.press("g")
        window.page.keyboard.type("e108")
        assert "#e=108" == window.press("Enter").place
        assert (key, place) == (key, window.press(key).place)


def test_keys_of_tools(opens):
    """w, d, m, c and i open a panel and move the focus to its heading; ? opens the help, and Escape closes it."""
    window = opens().go("/g/wagic-G1#e=108")
    for key, title in (("w", "What if"), ("d", "Disputes"), ("m", "Notes"), ("c", "Compare two moments"), ("i", "Why")):
        window.press(key)
        assert title == window.page.evaluate("document.activeElement.textContent")
    window.press("?")
    assert window.page.locator("dialog[open]").is_visible()
    window.press("ArrowRight")
    assert "#e=108" == window.place
    window.press("Escape")
    assert 0 == window.page.locator("dialog").count()
    window.press("/")
    assert "search" == window.page.evaluate("document.activeElement.type")


def test_keys_that_do_not_act(opens):
    """In a field letters are typed; if letter keys are switched off, they do nothing, and arrows still work."""
    window = opens().go("/g/wagic-G1#e=108")
    window.press("/")
    window.press("n", "x", "ArrowRight")
    assert ("#e=108", "nx") == (window.place, window.page.input_value("input[type=search]"))
    window.page.click("h1")
    window.press("?")
    window.page.uncheck("dialog input")
    window.press("Escape", "n")
    assert "#e=108" == window.place
    assert "#e=109" == window.press("ArrowRight").place


def test_copied(opens, site):
    """At the end, y copies an address that names the last event; without a clipboard the address is shown."""
    window = opens(permissions=["clipboard-read", "clipboard-write"]).go("/g/wagic-G1")
    window.press("y")
    address = f"{site.address}/g/wagic-G1#e=160"
    assert address == window.page.evaluate("navigator.clipboard.readText()")
    window.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('none')) }")
    assert address == window.press("y").text(".toast")


def test_slider(opens):
    """The slider is the browser's own control, and describes its position in words."""
    window = opens().go("/g/wagic-G1#e=121")
    slider = window.page.get_by_role("slider")
    slider.focus()
    window.press("ArrowRight")
    assert "#e=122" == window.place
    said = slider.get_attribute("aria-valuetext")
    assert said.startswith("event 122 of 160, turn 21")
    assert ", night, " in said


def test_quiet(opens):
    """The list, a game and every panel make no requests to other hosts, and no errors in the browser."""
    window = opens().go("/")
    window.go("/g/wagic-G1#e=122").press("w", "d", "m", "a", "ArrowLeft", "c", "i", "?", "Escape")
    assert [] == window.elsewhere
    assert [] == window.complaints
