"""The page of an `eventsourcing` application or a `transitions` machine that daynight reads as it is (adopts).

| promise | test |
| --- | --- |
| the list has class and id, can be searched, links to each aggregate, and shows new ones at once | test_list |
| on a phone the list's heading is on one line | test_narrow_list |
| an aggregate's page has a timeline row for each changing attribute, why, and a field to go to a time | test_life |
| a what-if drops an event, or adds a changed copy of one; events that became impossible are listed | test_what_if |
| a machine's page shows triggers that changed no state and why, a picture, and new events at once | test_machine |
| no word of Magic is on these pages, in any language; no key is needed | test_nothing_of_magic |
| a hidden attribute is on no page | test_hidden |
| if the aggregate refuses a stored event, the page says that the record ends before it | test_stops |
"""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from daynight.adapters.eventsourcing import adopt
from daynight.adapters.transitions import recorded
from daynight.web.adopted import serving
from examples.adopt.bank import BankAccounts
from examples.adopt.order import Order, machine
from tests.adapters.test_commands import MAGIC

from .conftest import Site

SAYS = {"Withdrawn": ("balance", "balance_after")}


class Bank:
    """The bank of the guide: a running application with two accounts, and its database `place`."""

    def __init__(self, folder: Path) -> None:
        self.place = folder / "bank.db"
        self.app = BankAccounts(env={
            "PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(self.place)
        })  # fmt: skip
        self.ana, self.bo = self.app.open("Ana"), self.app.open("Bo")
        self.app.deposit(self.ana, "200.00")
        self.app.withdraw(self.ana, "50.00", balance_after="150.00")
        self.app.withdraw(self.ana, "120.00", balance_after="20.00")

    def adopted(self, **asked):
        """Return the application as daynight reads it from `place`; `asked` are options of `adopt`, like `hide`."""
        return adopt("examples.adopt.bank:BankAccounts", str(self.place), says=SAYS, **asked)


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    found = Bank(tmp_path_factory.mktemp("bank"))
    yield found
    found.app.close()


@pytest.fixture(scope="module")
def site(bank):
    with serving(bank.adopted()) as address:
        yield Site(address, "")


def expect(found):
    """Playwright's `expect`, which waits for a condition; imported only when used, because a browser may be missing."""
    from playwright.sync_api import expect as expected

    return expected(found)


def life(opens, site, id, event=None):
    return opens(of=site).go(f"/g/{id}{'' if event is None else f'#e={event}'}", ready="#state table")


def test_list(opens, site, bank):
    window = opens(of=site).go("/", ready=".games li")
    assert window.text(".games li").startswith("BankAccount ")
    assert window.page.locator(".games li").count() == 2
    assert "read only, from examples.adopt.bank:BankAccounts" in window.text("header")
    window.page.get_by_label("Class or id").fill(str(bank.ana)[:8])
    expect(window.page.locator(".games li")).to_have_count(1)
    assert "4 events" in window.text(".games li")
    window.page.get_by_label("Class or id").fill("")
    bank.app.open("Cy")
    expect(window.page.locator(".games li")).to_have_count(3)
    window.page.locator(".games a").filter(has_text=str(bank.ana)).click()
    window.page.wait_for_selector("#state table")
    assert f"BankAccount {bank.ana}" == window.page.locator("h1").inner_text()
    assert [] == window.complaints


@pytest.mark.parametrize("width, language", [(390, "fr"), (320, "ja")])
def test_narrow_list(opens, site, width, language):
    """On a phone the name of the application is not broken, and all is in the window."""
    page = opens(of=site, width=width, height=640, language=language).go("/", ready=".games li").page
    assert page.locator("h1").bounding_box()["height"] < 30
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_life(opens, site, bank):
    window = life(opens, site, bank.ana, 2)
    window.page.get_by_role("heading", name="1 claim contradicts").wait_for()
    drawn = window.page.locator(".lives")
    assert ["balance"] == drawn.locator(".names span").all_inner_texts()
    assert ["0.00", "200.00", "150.00", "30.00"] == drawn.locator("svg text").all_text_contents()
    assert "does not change: owner Ana" in drawn.inner_text()
    assert "balance: 200.00" in window.text(".why")
    window.press("g")
    window.page.get_by_role("textbox", name=re.compile("time of your zone")).fill("2999-11-03T14:34")
    window.page.get_by_role("button", name="Go", exact=True).click()
    expect(window.page.locator(".at")).to_contain_text("e4")
    window.page.get_by_role("button", name="What if").click()
    window.page.get_by_text("The first event that is wrong").click()
    window.page.get_by_label("or has another value:").select_option("balance")
    window.page.locator(".why").get_by_label("value", exact=True).fill("150.00")
    window.page.locator(".why").get_by_role("button", name="Find").click()
    window.page.get_by_role("button", name="Go to e3").wait_for()
    assert [] == window.complaints


def test_what_if(opens, site, bank):
    window = life(opens, site, bank.ana, 2).press("w")
    window.page.get_by_label("leave out e2").check()
    window.page.get_by_role("button", name="Try", exact=True).click()
    window.page.get_by_text("e3: the aggregate refuses it: InsufficientFundsError: Ana has 0.00").wait_for()
    window.page.get_by_text("balance: 30.00 / 0.00").wait_for()
    window.press("b")
    window = life(opens, site, bank.ana, 2).press("w")
    window.page.get_by_role("button", name="begin with e2").click()
    field = window.page.locator(".why textarea")
    field.fill(field.input_value().replace("200.00", "5.00"))
    window.page.get_by_role("button", name="Try", exact=True).click()
    window.page.get_by_text("balance: 30.00 / 35.00").wait_for()
    assert [] == window.complaints


def test_machine(opens):
    order = Order()
    with recorded(machine(order), facts=("paid",)) as record, serving(record) as address:
        order.receive(20)
        order.pack()
        order.ship()
        window = life(opens, Site(address, ""), "Order")
        window.page.get_by_role("button", name=re.compile("e4.*not taken")).wait_for()
        assert "ship() was not taken: is_paid() said no" in window.text(".why")
        picture = window.page.get_by_role("img", name=re.compile("how often each way was taken"))
        assert picture.evaluate("one => one.decode().then(() => one.naturalWidth > 100)")
        order.receive(10)
        order.ship()
        window.page.get_by_role("button", name=re.compile("e6 *ship")).wait_for()
        assert window.rest().text("#state tbody tr").startswith("stateshipped")
        assert [] == window.complaints
    assert order.mails == ["it is on its way"]


WORDS = re.compile(MAGIC.pattern.replace(")s?", "|spell|rules of|untap|permanent|comprehensive)s?"), re.IGNORECASE)


@pytest.mark.wide
def test_nothing_of_magic(opens, site, bank):
    window = opens(of=site).go("/", ready=".games li")
    said = [window.page.inner_text("body")]
    window = life(opens, site, bank.ana, 3)
    for keys in ((), ("?",), ("Escape", "g"), ("Escape", "w"), ("b",)):
        window.press(*keys)
        said.append(window.page.inner_text("body"))
        said.append(window.page.locator("body").aria_snapshot())
    for folded in ("Compare two moments", "The first event that is wrong"):
        window.page.get_by_role("button", name="What if").click()
        window.page.get_by_text(folded).click()
        said.append(window.page.inner_text("body"))
    said.append(opens(of=site).go("/g/nothing", ready="h1").page.inner_text("body"))
    for text in said:
        assert not WORDS.findall(text), text
    window = life(opens, site, bank.ana, 3)
    assert [] == [(rule["id"], rule["nodes"][0]["html"]) for rule in window.axe()["violations"]]
    window = opens(of=site).go("/", ready=".games li")
    assert [] == [(rule["id"], rule["nodes"][0]["html"]) for rule in window.axe()["violations"]]


@pytest.mark.wide
def test_hidden(opens, bank):
    with serving(bank.adopted(hide=["owner"])) as address:
        window = life(opens, Site(address, ""), bank.ana, 2).press("w")
        window.page.get_by_label("leave out e2").check()
        window.page.get_by_role("button", name="Try", exact=True).click()
        window.page.get_by_text("e3: the aggregate refuses it: InsufficientFundsError: (hidden) has 0.00").wait_for()
        assert "Ana" not in window.page.content()


@pytest.mark.wide
def test_stops(opens, bank, tmp_path):
    place = tmp_path / "bank.db"
    # The application runs: a part of its file is in its log.
    with closing(sqlite3.connect(bank.place)) as source, closing(sqlite3.connect(place)) as target:
        source.backup(target)
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute(
            "UPDATE stored_events SET state = CAST(replace(state, '\"200.00\"', '\"20.00\"') AS BLOB)"
            " WHERE originator_version = 2 AND originator_id = ?", (bank.ana.hex,),
        )  # fmt: skip
    with serving(adopt("examples.adopt.bank:BankAccounts", str(place))) as address:
        window = life(opens, Site(address, ""), bank.ana)
        window.page.get_by_text(
            "The record ends before event 3: the aggregate refuses it: InsufficientFundsError: Ana has 20.00"
        ).wait_for()
        assert window.page.locator("#log li").count() == 2
