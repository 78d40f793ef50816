"""From a finding to the end of a dispute, with the keyboard alone.

| promise | test |
| --- | --- |
| from the start of a real game to the finding, the reason, a repair, and a report | test_walk |
| a dispute: call, both statements, ruling, carrying out, closing; a back-up plan | test_dispute |
| a call at the event of a call is about the game before it; an empty statement is not sent | test_called |
| without a key the page is read-only, and says so | test_reader |
| the owner can make a link with a QR code for each role; others can't | test_links, test_no_links |
| a link is listed until the owner revokes it | test_ended |
| a note can be written, and found by its words | test_note |
| events by others appear at once; a window at an earlier moment stays there | test_live |
| a stored branch can be opened, compared and left | test_branch |
"""

import httpx
import pytest

try:
    from playwright.sync_api import expect
except ImportError:  # then the fixture of the browser says so
    expect = None

from .conftest import ended, started, stored

NAME = """() => {
    const on = document.activeElement;
    if (on === document.body) return '';
    return on.getAttribute('aria-label') || (on.labels && on.labels[0] ? on.labels[0].innerText : on.innerText);
}"""


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A server whose games these tests change."""
    folder = tmp_path_factory.mktemp("table")
    site, process = started("--db", str(stored(folder, "demo")), cwd=folder)
    yield site
    ended(process)


def reach(window, name, *, most=120):
    """Press Tab until the element with this name has the focus."""
    for _step in range(most):
        window.page.keyboard.press("Tab")
        found = window.page.evaluate(NAME)
        if name in (found or ""):
            return window
    raise AssertionError(f"Tab does not lead to {name}")


def test_walk(opens, tmp_path):
    """Without a mouse, keys, Tab and Enter lead to the finding, the reason, the repair and the file of the report."""
    window = opens().go("/g/wagic-G1#e=1")
    assert "Neither day nor night".lower() == window.text(".now").lower()
    window.press("x")
    assert "#e=122" == window.place
    window.press("i")
    assert "the rules say otherwise (claimed: front face; derived: back face)" in window.text(".why")
    assert "cast no spell in it (CR 728.2a)" in window.text(".why")
    assert "It entered at event 121 while it was night" in window.text(".why .says")
    reach(window, "What would make it right?").press("Enter")
    window.page.wait_for_selector("text=Had an effect made it day in turn 21")
    reach(window, "Try that").press("Enter")
    window.page.wait_for_selector("text=exact (0)")
    assert "audit: disputed (1) → exact (0)" in window.text(".why")
    # A what-if has no files; the record has.
    window.press("b").page.get_by_text("This is a what-if").wait_for(state="detached")
    reach(window, "Files").press("Enter")
    reach(window, "report, as a page")
    with window.page.expect_download() as download:
        window.page.keyboard.press("Enter")
    download.value.save_as(tmp_path / "report.html")
    assert "Brutal Cathar" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert [] == window.elsewhere


def test_links(opens, table):
    """The owner makes a link for each role with the keyboard; each QR code has an accessible name."""
    window = opens(of=table).go(f"/g/wagic-G1#e=1&k={table.owner}")
    reach(window, "Links").press("Enter")
    assert "Links for phones" == window.text("#tool-title")
    for who, page in (("player Seat A", "t"), ("judge", "t"), ("spectator", "g")):
        reach(window, f"Make a link: {who}").press("Enter")
        picture = window.page.get_by_role("img", name=f"The link as a QR code: {who}")
        picture.wait_for()
        assert picture.evaluate("one => one.decode().then(() => one.naturalWidth)") > 0
        assert f"The link is made: {who}." in window.page.get_by_role("status").all_text_contents()
        address = window.page.get_by_role("listitem").filter(has=picture).get_by_role("link").get_attribute("href")
        assert address.startswith(f"{table.address}/{page}/wagic-G1#k=")
        reach(window, f"Another link: {who}")
    reach(window, "No judge: a player may rule whether it is day or night").press("Space")
    for who, rules in (("player Seat A", True), ("spectator", None)):
        before = {one["link"] for one in listed(table)}
        reach(window, f"Another link: {who}").press("Enter")
        expect(window.page.get_by_role("status").filter(has_text=f"The link is made: {who}.")).to_have_count(1)
        (new,) = [one for one in listed(table) if one["link"] not in before]
        assert rules is new.get("rules")
    found = window.axe()
    assert [] == [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found["violations"]]
    assert [] == window.elsewhere


def test_ended(opens, table):
    """A revoked link no longer works; other links of the game do, and those of other games are not listed."""
    table.sent("/v1/games", {"command": "begin/1", "game": "friday", "players": ["Ana", "Bo"]})
    others = [table.sent("/v1/links", {"game": game, "role": "judge", "name": "Jo"}) for game in ("wagic-G1", "friday")]
    window = opens(of=table).go(f"/g/wagic-G1#e=1&k={table.owner}")
    reach(window, "Links").press("Enter")
    reach(window, "Make a link: player Seat B").press("Enter")
    address = window.page.get_by_role("link", name=table.address)
    key = address.get_attribute("href").partition("#k=")[2]
    assert "player" == you(table, key)
    end = window.page.get_by_role("button", name="End this link: player Seat B")
    expect(end).to_have_count(1)
    expect(window.page.get_by_role("button", name="End this link: judge Jo")).to_have_count(1)
    reach(window, "End this link: player Seat B").press("Enter")
    expect(end).to_have_count(0)
    assert "The link has ended: player Seat B." in window.page.get_by_role("status").all_text_contents()
    expect(address).to_have_count(0)
    assert [401, "judge", "judge"] == [you(table, key), *(you(table, other["key"]) for other in others)]
    # The link is revoked elsewhere while it is in the list here.
    owner = {"Authorization": f"Bearer {table.owner}"}
    ended = httpx.delete(f"{table.address}/v1/links/{others[0]['link']}", headers=owner)
    assert ended.is_success, ended.text
    reach(window, "End this link: judge Jo").press("Enter")
    expect(window.page.get_by_role("button", name="End this link: judge Jo")).to_have_count(0)
    expect(window.page.get_by_role("alert")).to_be_visible()


def listed(site):
    """The links that the owner has given out."""
    return httpx.get(f"{site.address}/v1/links", headers={"Authorization": f"Bearer {site.owner}"}).json()["links"]


def you(site, key):
    """Return the role of `key`, or the HTTP status with which the server refuses it."""
    answer = httpx.get(f"{site.address}/v1", headers={"Authorization": f"Bearer {key}"})
    return answer.json()["you"]["role"] if answer.is_success else answer.status_code


def test_no_links(opens):
    """A window without a key has no button for links."""
    window = opens().go("/g/wagic-G1#e=1")
    assert window.page.get_by_role("button", name="What if", exact=True).count()
    assert not window.page.get_by_role("button", name="Links", exact=True).count()


def test_dispute(opens, table):
    """The owner types a dispute, with both sides' names; it is stored as closed, and its ruling as carried out."""
    window = opens(of=table).go(f"/g/wagic-G1#e=122&k={table.owner}")
    assert "#e=122" == window.place
    window.press("d")
    reach(window, "Who")
    window.page.keyboard.type("Ana")
    reach(window, "Call a judge about e122").press("Enter")
    window.page.wait_for_selector("text=d1 ·")
    reach(window, "Who")
    window.page.keyboard.type("Bo")
    reach(window, "it is")
    window.page.keyboard.type("day")
    reach(window, "Note what was said").press("Enter")
    window.page.wait_for_selector("article >> text=the rules say otherwise")
    reach(window, "What backing up to e121 would take back").press("Enter")
    window.page.wait_for_selector("text=events would be undone")
    window.page.focus("#tool-title")
    reach(window, "What is done")
    window.page.keyboard.type("the judge")
    reach(window, "Outcome")
    window.page.keyboard.type("fix")
    reach(window, "it is")
    window.page.keyboard.type("night")
    reach(window, "carry it out now").press("Space")
    reach(window, "Note the ruling").press("Enter")
    window.page.wait_for_selector("article >> text=carried out")
    window.page.focus("#tool-title")
    reach(window, "Close the dispute").press("Enter")
    window.page.wait_for_selector("article >> text=closed by")
    (found,) = table.json("/v1/games/wagic-G1/disputes")["disputes"]
    assert ("closed", "Ana", "Bo", 122) == (found["status"], found["by"], found["claims"][0]["by"], found["about"])
    assert found["rulings"][0]["carried_out"]
    assert "night" == table.json("/v1/games/wagic-G1/state")["designation"]
    assert [] == window.complaints


def test_called(opens, table):
    """At the event that opened a dispute, the button for a new call names the last event of play before it; an empty
    statement is not sent."""
    window = opens(of=table).go(f"/g/wagic-G1#e=122&k={table.owner}").press("d")

    window.page.get_by_role("button", name="Call a judge about e122").click()
    window.page.get_by_role("button", name="Note what was said").first.click()
    assert window.rest().page.locator(".why [role=alert]").count() == 0
    assert window.page.locator(".why :invalid").first.is_visible()
    opened = max(one["opened"] for one in table.json("/v1/games/wagic-G1/disputes")["disputes"])
    moments = table.json("/v1/games/wagic-G1/moments?limit=500")["moments"][:opened]
    played = [one["event"] for one in moments if not one["record"]["type"].startswith(("dispute-", "note-"))]
    window.go(f"/g/wagic-G1#e={opened}").press("d")
    window.page.get_by_role("button", name=f"Call a judge about e{played[-1]}").wait_for()


def test_reader(opens, table):
    """A reader's page has no buttons to write, and a sentence says why."""
    window = opens(of=table).go("/g/wagic-G1").press("d")
    assert 0 == window.page.locator("text=Call a judge about").count()
    assert "To call a judge you need a link that may write." in window.text(".why")
    assert "To add a note you need a link that may write." in window.press("m").text(".why")


def test_note(opens, table):
    """A note is shown as plain text, and a search for its word finds one event."""
    window = opens(of=table).go(f"/g/wagic-G1#e=106&k={table.owner}").press("m")
    reach(window, "A note on e106")
    window.page.keyboard.type("the <b>untap</b> step was forgotten")
    reach(window, "Add the note").press("Enter")
    window.page.wait_for_selector(".notes li")
    assert "the <b>untap</b> step was forgotten" in window.text(".notes")
    assert 0 == window.page.locator(".notes b").count()
    window.press("/")
    window.page.keyboard.type("forgotten")
    window.press("Enter")
    assert "1 event" in window.text(".found")


def test_live(opens, table):
    """At the end of the game the page shows new events; at an earlier moment it stays, and only the total grows."""
    last = table.json("/v1/games/wagic-G1")["events"]
    now = opens(of=table).go("/g/wagic-G1")
    past = opens(of=table).go("/g/wagic-G1#e=100")
    now.page.wait_for_selector("text=live")
    past.page.wait_for_selector("text=live")
    table.sent("/v1/games/wagic-G1/commands", {"command": "live/1", "expected": last, "words": ["Seat A casts Opt"]})
    now.page.wait_for_selector(f"[aria-current] :text-is('e{last + 1}')")
    past.page.wait_for_selector(f"text=event 100 of {last + 1}")
    assert "#e=100" == past.place
    assert f"e{last + 1}" in past.press("End").text("[aria-current]")


def test_branch(opens, table):
    """A what-if is stored as a branch with an address of its own; b leaves it, and the arrow down opens it again."""
    window = opens(of=table).go(f"/g/wagic-G1#e=121&k={table.owner}").press("w")
    window.page.fill(".why textarea", "it becomes day")
    reach(window, "Try").press("Enter")
    window.page.wait_for_selector("text=audit")
    window.page.focus("#tool-title")
    reach(window, "Keep it as a branch called")
    window.page.keyboard.type("b2")
    window.press("Enter")
    window.page.wait_for_selector("text=This is the branch b2")
    window.rest()
    assert "#branch=b2" == window.place
    window.page.reload()
    window.page.wait_for_selector("text=This is the branch b2")
    window.rest().press("b")
    assert 0 == window.page.locator("text=This is the branch").count()
    window.press("ArrowDown")
    window.page.wait_for_selector("text=This is the branch b2")
