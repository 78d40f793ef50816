"""Small screens and large games: a phone, many permanents, ten thousand events; and invalid addresses.

| promise | test |
| --- | --- |
| on a phone a link to a moment shows the event and the verdict; changes and errors have buttons | test_phone |
| on a phone the menu is within the window, with its list of files | test_menu |
| what would make a claim right is in sight right after its key, above the buttons at the bottom | test_in_sight |
| at 200 % a small phone shows the counts of spells and the table's settings whole | test_small_at_twice_the_size |
| so is the list of files in every wider window; names of games in the list are on one line | test_between |
| by player, permanents with daybound or nightbound are shown, others folded; headings are one line | test_many |
| numbers above 10,000 stay on one line; the log can be filtered for changes, wrong claims, or casts | test_long |
| search gives the total number; the timeline's table is paged | test_long |
| in a game of more turns than the page loads, headline, keys and timeline have the right turns | test_turns |
| only uncertain designations are hatched | test_hatched |
| an address of an unknown event, branch or game is reported, with a way to go on | test_astray, test_nothing |
| a wrong key is reported in a sentence that stands alone, with the same way to go on | test_wrong_key |
| with reduced motion the page does not play events by itself, not even after the play key | test_still |
| from 2,000 turns on buttons, keys or dragging show a part of the timeline; it follows the moment | test_zoom |
| a shorter timeline has no controls to zoom | test_zoom_of_few |
| cards have French and Japanese names on the board too, and in an event's consequences | test_cards |
| a consequence without a rule of the CR shows no id of a rule of this program | test_no_ids |
"""

import json

import pytest

from .conftest import ended, long, started

LINES = 1.9
"""The greatest height of an element with one line of text, in multiples of its font size."""


def one_line(place):
    """Return whether the text of each element of `place` is on one line."""
    ask = """all => all.map(one => {
        const style = getComputedStyle(one);
        const around = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
        return (one.getBoundingClientRect().height - around) / parseFloat(style.fontSize);
    })"""
    return all(high <= LINES for high in place.evaluate_all(ask))


@pytest.mark.parametrize("width, height", [(390, 780), (320, 640)])
def test_phone(opens, width, height):
    window = opens(width=width, height=height, has_touch=True).go("/g/wagic-G1#e=122")
    window.page.wait_for_selector(".answer .says:not(.soft)")
    dock = window.rest().page.locator(".dock").bounding_box()["y"]
    event = window.page.locator(".why .event").bounding_box()
    assert event["y"] + event["height"] <= dock
    assert window.page.locator(".claim.differs > p").bounding_box()["y"] <= dock
    order = [window.page.locator(f".panels > .{name}").bounding_box()["y"] for name in ("why", "state", "log")]
    assert order == sorted(order)
    for name in ("previous change", "next change", "previous disagreement", "next disagreement"):
        box = window.page.get_by_role("button", name=name).bounding_box()
        assert min(box["width"], box["height"]) >= 44
    window.page.get_by_role("button", name="previous change").tap()
    assert "#e=106" == window.rest().place
    window.page.get_by_role("button", name="next disagreement").tap()
    assert "#e=122" == window.rest().place


@pytest.mark.parametrize("path, shown", [("g/wagic-G1#e=122", "#state td"), ("t/wagic-G1", "select")])
def test_small_at_twice_the_size(opens, path, shown):
    """195 px are what a phone of 390 px has at 200 %."""
    window = opens(width=195, height=422).go(f"/{path}")
    assert window.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    for one in window.page.locator(shown).all():
        box = one.bounding_box()
        assert box is None or 0 <= box["x"] < box["x"] + box["width"] <= 195, one.inner_text()


@pytest.mark.parametrize("width, height, language", [(390, 844, "en"), (320, 640, "ja"), (320, 640, "fr")])
def test_in_sight(opens, width, height, language):
    window = opens(width=width, height=height, language=language).go("/g/wagic-G1").press("x", "w")
    window.page.locator(".mends button").first.wait_for()
    window.rest()
    box, dock = (window.page.locator(one).bounding_box() for one in (".mends", ".dock"))
    assert 0 <= box["y"] < box["y"] + box["height"] <= dock["y"]


@pytest.mark.parametrize("width, language", [(390, "en"), (390, "fr"), (320, "fr"), (320, "ja"), (640, "en")])
def test_menu(opens, width, language):
    """All of the menu, its list of files too, is within the window, and wide enough to be read."""
    window = opens(width=width, height=780, language=language).go("/g/clone#e=12")
    page = window.page
    page.locator(".menu > summary").click()
    page.locator(".menu summary.button").last.click()
    for control in page.locator(".menu :is(select, button, summary, a)").all():
        box = control.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width, control.inner_text()
        assert box["width"] >= 24
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("width", [720, 900, 1280])
def test_between(opens, width):
    """In windows of 720 to 1280 pixels, the list of files is within the window, and names of games are on one line."""
    page = opens(width=width, height=450, language="fr").go("/g/clone#e=12").page
    page.locator("header summary.button").click()
    for link in page.locator("header details a").all():
        box = link.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width, link.inner_text()
    window = opens(width=width, height=450).go("/")
    assert one_line(window.page.locator(".games .name"))


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A server of a game with 66 permanents, six of them with daybound."""
    lines = [
        {"type": "game-started", "format": 1, "game": "many", "players": ["Ana", "Bo"]},
        {"type": "turn-began", "turn": 1, "active": ["Ana"]},
    ]
    for place in range(66):
        card = "Tavern Ruffian" if place % 11 == 0 else f"Beast {place}"
        one = {"id": f"p{place}", "card": card, "controller": ("Ana", "Bo")[place % 2]}
        lines.append({"type": "permanents-entered", "permanents": [one]})
    folder = tmp_path_factory.mktemp("many")
    (folder / "many.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    site, process = started(str(folder / "many.jsonl"), cwd=folder)
    yield site
    ended(process)


def test_many(opens, many):
    for width in (1440, 390):
        window = opens(of=many, width=width, height=900).go("/g/many")
        groups = [heading.inner_text() for heading in window.page.locator("#state h4").all()]
        assert ["Ana", "Bo"] == groups
        seen = [one.inner_text() for one in window.page.locator(".permanents .name").all() if one.is_visible()]
        assert ["Tavern Ruffian"] * 6 == seen
        assert 60 == sum("Beast" in one for one in window.page.locator(".permanents .name").all_text_contents())
        assert window.page.evaluate("document.documentElement.scrollHeight") <= (900 if width == 1440 else 2_600)
        assert one_line(window.page.locator("#state thead th"))
        window.page.locator("#state summary").first.click()
        assert window.page.get_by_text("Beast 2", exact=True).is_visible()


@pytest.fixture(scope="module")
def lengthy(tmp_path_factory):
    """A server of a game of 12,000 events."""
    folder = tmp_path_factory.mktemp("long")
    site, process = started(str(long(folder / "long.jsonl", 12_000)), cwd=folder)
    yield site
    ended(process)


def test_long(opens, lengthy):
    window = opens(of=lengthy).go("/g/long#e=11003").opened()
    assert one_line(window.page.locator("#log .n"))
    show = window.page.get_by_role("combobox", name="Show", exact=True)
    show.select_option("changes")
    changes = lengthy.json("/v1/games/long/marks?kind=change&limit=500")["marks"]
    window.rest()
    window.page.locator("#log .scroller").evaluate("one => { one.scrollTop = 0 }")
    window.page.wait_for_selector(f"#log .n:text-is('e{changes[0]['event']}')")
    show.select_option("casts")
    window.page.wait_for_selector("text=of those that are loaded")
    assert all("casts" in text for text in window.page.locator("#log .says").all_text_contents())
    show.select_option("differing")
    window.page.wait_for_selector("#log [role=status] >> text=0 events")
    show.select_option("all")
    window.page.wait_for_selector("#log .n:text-is('e11003')")
    window.press("/")
    window.page.keyboard.type("Opt")
    window.press("Enter")
    total = lengthy.json("/v1/games/long/search?q=Opt&limit=1")["total"]
    assert total > 100
    window.page.wait_for_selector(f"text=100 of {total} events")
    before = window.page.evaluate("document.querySelectorAll('*').length")
    window.page.get_by_role("button", name="The timeline as a table").click()
    window.page.get_by_role("button", name="more rows").click()
    window.page.wait_for_selector("text=rows 26 to 50 of")
    assert window.page.evaluate("document.querySelectorAll('*').length") - before <= 300


@pytest.mark.wide
def test_turns(opens, tmp_path):
    """In a game of 6,500 turns the headline names the last one, marks go beyond 5,500, and keys go turn by turn."""
    lines = ['{"type":"game-started","format":1,"game":"turns","players":["Ana","Bo"]}']
    turn = '{"type":"turn-began","turn":TURN,"active":["NAME"]}'
    lines += [turn.replace("TURN", str(n)).replace("NAME", ("Bo", "Ana")[n % 2]) for n in range(1, 6501)]
    lines += ['{"type":"designation-claimed","designation":"night","by":"Ana"}']
    (tmp_path / "turns.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    site, process = started(str(tmp_path / "turns.jsonl"), cwd=tmp_path)
    try:
        window = opens(of=site).go("/g/turns").opened()
        window.page.get_by_text("event 6502, turn 6500").wait_for()
        window.page.locator(".timeline text.turn").last.wait_for()
        shown = [int(one) for one in window.page.locator(".timeline text.turn").all_text_contents()]
        assert shown == sorted(set(shown))
        assert shown[0] == 1
        assert shown[-1] > 5_500
        window.press("Shift+ArrowLeft", "Shift+ArrowLeft")
        assert "#e=6500" == window.place
        assert "turn 6499" in window.text("#state .place")
        window.press("Shift+ArrowRight")
        assert "#e=6501" == window.place
        assert [] == window.complaints
    finally:
        ended(process)


def test_hatched(opens, lengthy):
    window = opens(of=lengthy).go("/g/long").opened()
    window.page.wait_for_selector(".run.night")
    assert 0 == window.page.locator(".run.open").count()
    assert opens().go("/g/uncertain").opened().page.locator(".run.open").count()


@pytest.mark.parametrize("place, says", [
    ("clone#e=9999", "There is no event 9999; the last one is 16."),
    ("clone#e=x", "The address names no moment that is known: e=x"),
    ("clone#branch=none&e=3", "There is no branch none; this is the recorded game."),
])  # fmt: skip
def test_astray(opens, place, says):
    window = opens().go(f"/g/{place}")
    window.page.get_by_role("alert").get_by_text(says).wait_for()
    window.press("ArrowLeft")
    assert 0 == window.page.get_by_role("alert").count()
    window = opens().go("/g/nothing", ready="[role=alert]")
    assert "No game 'nothing' here." == window.text("[role=alert]")
    assert "There is nothing to show" == window.text("h1")
    assert [] == window.axe()["violations"]
    window.page.get_by_role("link", name="To the list of games").click()
    window.page.wait_for_selector(".games li")


def test_nothing(opens):
    """The page and the table of an unknown game have no controls or texts about a game; the page links to the list."""
    window = opens().go("/g/nothing", ready=".nothing")
    assert ["To the list of games"] == window.page.locator("main a").all_inner_texts()
    assert 0 == window.page.get_by_role("button", name="Print").count()
    window.go("/t/nothing", ready=".refused")
    window.page.get_by_role("heading", name="There is nothing to show").wait_for()
    assert "is kept here" not in window.page.inner_text("body")
    assert ["To the list of games"] == window.page.locator("main a").all_inner_texts()
    assert 0 == window.page.get_by_role("link", name="Log", exact=True).count()


@pytest.mark.parametrize("language, says", [
    ("en", "This key is not valid, or not any more; ask for a new link. To the list of games"),
    ("ja", "この鍵は無効か、もう使えません。新しいリンクを求めてください。 ゲームの一覧へ"),
])  # fmt: skip
def test_wrong_key(opens, language, says):
    """A refusal is a sentence that stands alone, also where the server's own sentence begins small and ends open."""
    window = opens(language=language).go("/g/clone#k=wrong", ready=".refused")
    assert says == window.text(".refused")


def test_still(opens):
    window = opens(reduced_motion="reduce").go("/g/clone#e=3").press("Space")
    assert "Nothing plays by itself here" in window.text(".toast")
    window.page.wait_for_timeout(900)
    assert "#e=3" == window.place
    window = opens().go("/g/clone#e=3").press("Space")
    window.page.wait_for_function("() => location.hash !== '#e=3'")


CLAIMED = {
    "fr": "(affirmé\u00a0: face recto\u00a0; déduit\u00a0: face verso)",
    "ja": "（申告：第1面、ルール上：第2面）",
}  # fmt: skip


@pytest.mark.parametrize("language, front, back", [
    ("fr", "Cathare brutal", "Furielune brutal"), ("ja", "粗暴な聖戦士", "月憤怒の粗暴者"),
])  # fmt: skip
def test_cards(opens, language, front, back):
    window = opens(language=language).go("/g/wagic-G1#e=122")
    window.page.locator(".permanents .name").get_by_text(back).wait_for()
    assert window.page.locator(".permanents .name", has_text=back).locator("[lang]").count() == 0
    assert front in window.text(".answer")
    assert CLAIMED[language] == window.page.text_content(".claim .small")
    hint = window.page.locator("[aria-current] .verdict")
    assert hint.get_attribute("title") == hint.locator(".hidden").inner_text().strip()
    window.page.locator(".permanents .name", has_text=back).click()
    assert back in window.rest().text("#of-title")
    window.press("Escape", "ArrowLeft").page.locator(".consequences", has_text=back).wait_for()


def test_no_ids(opens):
    window = opens(language="fr").go("/g/ruling%20and%20back-up#e=13")
    told = [" ".join(one.split()) for one in window.page.locator(".consequences > li").all_inner_texts()]
    assert told[0] == "→ on passe au jour e13"
    assert told[1].startswith("→ Ruffiane des tavernes : face recto CR 702.145")
    window.go("/g/ruling%20and%20back-up#e=15")
    assert "backed-up" not in window.text(".consequences")


@pytest.fixture(scope="module")
def turning(tmp_path_factory):
    """A server of a game of 2,000 turns, in which day and night alternate."""
    lines = [
        {"type": "game-started", "format": 1, "game": "turning", "players": ["Ana", "Bo"]},
        {"type": "effect-resolved", "becomes": "day"},
    ]
    for turn in range(1, 2_001):
        lines += [{"type": "turn-began", "turn": turn, "active": [("Ana", "Bo")[turn % 2]]}]
        lines += [{"type": "spell-cast", "player": ("Ana", "Bo")[turn % 2]}] * (2 if turn % 4 < 2 else 0)
        lines += [{"type": "step-began", "step": "untap"}]
    folder = tmp_path_factory.mktemp("turning")
    (folder / "turning.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    site, process = started("turning.jsonl", cwd=folder)
    yield site
    ended(process)


@pytest.mark.wide
def test_zoom(opens, turning):
    """The page says which events are shown; keys, the current moment and dragging change that; few boxes are drawn."""
    window = opens(of=turning).go("/g/turning#e=3000")
    page, group = window.page, window.page.get_by_role("group", name="Part of the timeline")
    said, range_ = group.get_by_role("status"), group.get_by_role("slider", name="Part that is shown")
    group.wait_for()
    assert ("", 0) == (said.text_content(), range_.count())
    for _time in range(2):
        group.get_by_role("button", name="Zoom in").click()
    first, last = map(int, said.text_content().removeprefix("events ").split(" to "))
    assert first < 3000 < last
    assert last - first < 400
    turns = [int(turn) for turn in page.locator(".timeline .turn").all_text_contents() if turn]
    assert len(turns) > 5
    assert turns[-1] - turns[0] < 150
    assert page.locator(".timeline rect").count() <= 400
    # With the keys, and then along with the moment.
    range_.focus()
    window.press("ArrowRight")
    assert first < int(said.text_content().split()[1])
    assert "#e=3000" == window.place
    page.locator("body").click(position={"x": 1, "y": 1})
    window.press("End")
    assert said.text_content().endswith(" to 6002")
    group.get_by_role("button", name="Zoom out").click()
    group.get_by_role("button", name="The whole game").click()
    assert "" == said.text_content()
    # Dragged. The strip is as wide as the timeline above it.
    sides = "all => all.map(one => one.getBoundingClientRect()).map(one => [one.left, one.right])"
    ends = page.locator(".strip rect").evaluate_all(sides)
    box = page.locator(".strip").bounding_box()
    assert abs(min(left for left, _right in ends) - box["x"]) < 3
    assert abs(max(right for _left, right in ends) - box["x"] - box["width"]) < 3
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 5, steps=5)
    page.mouse.up()
    first, last = map(int, said.text_content().removeprefix("events ").split(" to "))
    assert abs(first - 1500) < 60
    assert abs(last - 3000) < 60
    assert [] == window.axe()["violations"]
    assert [] == window.complaints


def test_zoom_of_few(opens):
    window = opens().go("/g/wagic-G1#e=122")
    window.page.wait_for_selector(".timeline .turn")
    assert not window.page.get_by_role("button", name="Zoom in").count()
