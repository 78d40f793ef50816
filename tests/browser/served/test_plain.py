"""The page of another mechanic: log, state, why, what if, compare and the first error, in plain tables and forms.

| promise | test |
| --- | --- |
| the state is a table of the mechanic's parts; why explains the value of a part | test_parts |
| two moments are compared, and the first wrong claim is found | test_asked |
| leaving out an event shows the differences | test_what_if |
| events, values and rules use the mechanic's words; a claim shows both values | test_words |
| the heading of the list of records is the mechanic's name | test_named |
| the list shows the verdict on each file; its filter by verdict finds them | test_listed |
| the address of a table opens the page: such records have no table | test_no_table |
| a finding is said once in words, beside the mark and the values | test_words |
| the timeline has a row for each part that changes, with a box for each value | test_rows |
| the page has nothing about day and night, no judge, and no empty tab | test_nothing_of_magic |
| axe-core finds no violations | test_axe |
"""

import pytest

from .conftest import ROOT, ended, started


@pytest.fixture(scope="module")
def sunday(tmp_path_factory):
    """A server of the record of examples/monarch.py."""
    folder = tmp_path_factory.mktemp("monarch")
    record = ROOT / "examples/monarch.jsonl"
    site, process = started(str(record), program=(str(ROOT / "examples/monarch.py"),), cwd=folder)
    yield site
    ended(process)


def at(opens, sunday, event):
    """Return a window on the record after event `event`."""
    return opens(of=sunday).go(f"/g/sunday#e={event}", ready="#state table")


def test_parts(opens, sunday):
    """At event 8 the table says that Bo is the monarch, because of events 3 and 7; at the end it is Cy."""
    window = at(opens, sunday, 8)
    cells = window.page.locator("#state tbody tr").first.locator("th, td").all_text_contents()
    assert ["monarch", "Bo", "e3, e7"] == [" ".join(cell.split()) for cell in cells]
    assert "monarch: Bo" in window.text(".why")
    assert "the rules agree" in window.text(".why")
    window.press("End")
    assert "Cy" in window.text("#state table tbody tr")


def test_words(opens, sunday):
    """A wrong claim is told in words: Ana says that she is the monarch; by the rules Cy is, as the monarch left."""
    window = at(opens, sunday, 14)
    window.page.get_by_role("heading", name="1 claim contradicts the rules:").wait_for()
    assert "Ana says: Ana is the monarch" == window.text("[aria-current] .says")
    assert "(claimed: Ana; derived: Cy)" in window.text(".claim")
    assert "the monarch left: the active player becomes the monarch" in window.text(".claim")
    assert ["e7, e13"] == window.page.locator(".claim dd").all_inner_texts()
    assert "by the rules it is" not in window.text(".panels")
    for sign in ("'", "=", "player-left", "None"):
        assert sign not in window.text(".panels")
    window.page.get_by_role("button", name="Ana says: Ana is the monarch, event 14").click()
    assert "#e=14" == window.rest().place


def test_named(opens, sunday, tmp_path):
    """The heading of the list is the mechanic's name, approval; the page does not speak of a judge."""
    (tmp_path / "b.jsonl").write_text((ROOT / "examples/approval.jsonl").read_text().replace("budget", "plan"))
    files = (str(ROOT / "examples/approval.jsonl"), str(tmp_path / "b.jsonl"))
    site, process = started(*files, program=(str(ROOT / "examples/approval.py"),), cwd=tmp_path)
    try:
        window = opens(of=site).go("/", ready=".games li")
        window.page.get_by_role("heading", name="approval", level=1).wait_for()
        assert "Head Judge" not in window.page.inner_text("body")
        assert "the travel costs are missing" in window.go("/g/budget", ready="#state table").text("#log")
    finally:
        ended(process)


def test_listed(opens, sunday, tmp_path):
    lines = (ROOT / "examples/monarch.jsonl").read_text().splitlines()
    (tmp_path / "b.jsonl").write_text("\n".join([lines[0].replace("sunday", "monday"), *lines[1:3]]) + "\n")
    files = (str(ROOT / "examples/monarch.jsonl"), str(tmp_path / "b.jsonl"))
    site, process = started(*files, program=(str(ROOT / "examples/monarch.py"),), cwd=tmp_path)
    try:
        window = opens(of=site).go("/", ready=".games li")
        assert ["unverified", "disputed"] == window.page.locator(".games .verdict").all_inner_texts()
        window.page.get_by_label("Verdict").select_option("disputed")
        window.rest()
        assert ["sunday"] == window.page.locator(".games .name").all_inner_texts()
    finally:
        ended(process)


def test_no_table(opens, sunday):
    window = opens(of=sunday).go("/t/sunday", ready="#state table")
    assert "/g/sunday" == window.page.evaluate("location.pathname")
    assert [] == window.complaints


def test_asked(opens, sunday):
    """Keys a and c compare event 8 with event 1; the first wrong event is 14, the claim that Ana is the monarch."""
    window = at(opens, sunday, 8).press("a", "Home", "c")
    assert "monarch: Bo / nobody" in window.text(".why")
    window.page.get_by_text("The first event that is wrong").click()
    window.page.locator(".why").get_by_role("button", name="Find").click()
    window.page.get_by_role("button", name="Go to e14").click()
    window.rest()
    assert "#e=14" == window.place
    window.page.get_by_role("button", name="Why").click()
    assert "the rules say otherwise (claimed: Ana; derived: Cy)" in window.text(".why")


def test_what_if(opens, sunday):
    """Without event 3 nobody is the monarch at the end, instead of Cy."""
    window = at(opens, sunday, 3).press("w")
    window.page.get_by_label("leave out e3").check()
    window.page.get_by_role("button", name="Try", exact=True).click()
    window.page.wait_for_selector("text=monarch: Cy / nobody")
    assert [] == window.complaints


def test_rows(opens, sunday):
    """The row has boxes for Ana, Bo and Cy, and after the back-up for Bo and Cy again; the picture has a text."""
    window = at(opens, sunday, 8)
    window.page.get_by_role("img", name="The record, a row for each part that changes").wait_for()
    names = window.page.locator(".lives .names span").all_inner_texts()
    assert "monarch" == names[0]
    boxes = window.page.locator(".lives text").all_text_contents()
    assert ["Ana", "Bo", "Cy", "Bo", "Cy"] == [one for one in boxes if one in ("Ana", "Bo", "Cy")]
    says = window.page.text_content("#lives-said")
    assert "monarch: from e1: nobody; from e3: Ana; from e7: Bo" in says
    window.page.locator(".lives svg[role=img]").click(position={"x": 2, "y": 4})
    assert "#e=1" == window.rest().place


def test_nothing_of_magic(opens, sunday):
    """The page has no timeline of day and night, no disputes, and no edition of rules."""
    window = at(opens, sunday, 8)
    heard = window.page.locator("body").aria_snapshot()
    assert ["Why", "What if"] == window.page.locator(".tools button").all_inner_texts()
    assert "Notes" not in window.press("d", "m").text(".why")
    for word in ("Timeline", "Judge", "Notes", "Disputes", "Edition", "Permanents", "Head Judge"):
        assert word not in heard


def test_axe(opens, sunday):
    """axe-core finds no violations on the page, which shows the state as a table."""
    assert [] == [(rule["id"], rule["nodes"][0]["html"]) for rule in at(opens, sunday, 8).axe()["violations"]]
