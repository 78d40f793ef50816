"""The server of an application or a machine: the HTTP answers behind the page.

| what holds | test |
| --- | --- |
| the list has class, id, number of events and last change; it can be searched and paged | test_list |
| the first page of 100,000 aggregates takes under 3 times as long as that of 100, a search under 0.5 s | test_many |
| a record has events, attributes, claims and marks, at an event or at a time | test_record |
| a what-if may drop, replace and insert events; it lists those that became impossible | test_what_if |
| a record that ends early says where; other records are served | test_stops |
| a hidden value is in no answer, no export and no stream | test_hidden |
| if an application encrypts its events, no answer has a value, unless `show` is set | test_encrypted |
| an aggregate, and the list, are updated while the application runs | test_live |
| errors do not mention Magic, and nothing can be written | test_refused |
| a machine is served with its picture, while it runs; no callback is called | test_machine |
| a machine that changed is served with all its events, and the change is in its log | test_changed |
| a browser's cached answer is not used after the code changed | test_other_code |
| if the code raises, the event is listed as impossible, and the server continues | test_what_if |
"""

import re
import sqlite3
import time
from contextlib import closing
from decimal import Decimal
from urllib.request import Request, urlopen
from uuid import uuid4

import msgspec
import pytest

from daynight.adapters.eventsourcing import adopt
from daynight.adapters.transitions import recorded
from daynight.web.adopted import serving
from daynight.web.adopted.origin import origin_of
from daynight.web.adopted.routes import ROUTES
from daynight.web.adopted.shelf import AdoptedShelf
from daynight.web.asgi import application
from daynight.web.door.hosts import hosts_of
from daynight.web.visit import House
from examples.adopt.order import Order, machine
from tests.adapters.test_applications import KEY
from tests.adapters.test_commands import MAGIC
from tests.web.asking import Asking
from tests.web.serving import Frames


def asking(adopted):
    shelf = AdoptedShelf(origin_of(adopted))
    shelf.routes = ROUTES
    return Asking(application(House(shelf=shelf, hosts=hosts_of("127.0.0.1", 8000, "http", (), local=True))))


def adopted(bank, **asked):
    return adopt("bank:BankAccounts", str(bank.path), **asked)


def tried(ask, id, *edits, route=""):
    body = msgspec.json.encode({"edits": [*edits]})
    answer = ask(f"/v1/games/{id}/what-if{route}", "POST", None, body, content_type="application/json")
    assert answer.status == 200, answer
    return answer.document


def test_list(bank):
    ids = sorted(str(bank.account(name)) for name in ("Ana", "Bo", "Cy"))
    ask = asking(adopted(bank))
    page = ask.document("/v1/games?limit=2")
    assert [one["id"] for one in page["games"]] == ids[:2]
    assert page["next"] == ids[1]
    assert ask.document(f"/v1/games?limit=2&after={ids[1]}")["games"][0]["id"] == ids[2]
    (row,) = ask.document(f"/v1/games?q={ids[0][:9]}")["games"]
    assert (row["kind"], row["events"]) == ("BankAccount", 5)
    assert re.fullmatch(r"20..-..-..T.*\+00:00", row["last"])
    assert len(ask.document("/v1/games?q=nkacc")["games"]) == 3
    assert ask.document("/v1/games?q=parcel")["games"] == []
    assert ask.document("/v1")["source"] == "bank:BankAccounts"


def many(path, number):
    """Add `number` aggregates to the database at `path`, each with one event: a copy of a stored row."""
    with closing(sqlite3.connect(path)) as connection, connection:
        row = connection.execute("SELECT topic, state FROM stored_events LIMIT 1").fetchone()
        connection.executemany(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?, 1, ?, ?)",
            ((uuid4().hex, *row) for _one in range(number)),
        )


@pytest.mark.alone
@pytest.mark.slow
def test_many(banks):
    took = []
    for number in (100, 100_000):
        bank = banks()
        bank.account()
        many(bank.path, number)
        there = adopted(bank)
        best = []
        for search in ("", "account"):
            times = []
            for _time in range(5):
                begun = time.process_time()
                assert len([*there.listed("", 50, search)]) == 50
                times.append(time.process_time() - begun)
            best.append(min(times))
        took.append(best)
    assert took[1][0] < 3 * took[0][0]
    assert took[1][1] < 0.5


def test_record(bank):
    id = bank.account()
    ask = asking(adopted(bank, says={"Withdrawn": [("balance", "balance_after"), ("owner", "balance_after")]}))
    there = f"/v1/games/{id}"
    about = ask.document(there)
    assert (about["title"], about["kind"], about["events"], about["stops"]) == (f"BankAccount {id}", "adopted", 5, None)
    moments = ask.document(f"{there}/moments")["moments"]
    assert [one["sentence"].partition(" ")[0] for one in moments] == [
        "Opened", "Deposited", "Withdrawn", "Tagged", "Withdrawn"
    ]  # fmt: skip
    assert moments[1]["consequences"][0]["sentence"] == "balance: 0.00 -> 200.00"
    # A claim is about the time after its event; of two the wrong one is told.
    assert (moments[2]["claim"]["about"], moments[2]["claim"]["verdict"]) == ("owner", "differs")
    at = moments[1]["record"]["at"].replace("+", "%2B")
    assert ask.document(f"{there}/state?at={at}")["event"] == 2
    assert ask.document(f"{there}/bisect?until=balance:150.00") == {"version": 1, "bad": 3}
    assert ask.document(f"{there}/blame?at=3")["parts"][1] | {"because": []} == {
        "part": "balance", "subject": None, "value": "150.00", "since": 3, "rule": "BankAccount.Withdrawn",
        "because": [],
    }  # fmt: skip
    (found,) = ask.document(f"{there}/diff?a=2&b=3")["differences"]
    assert found["sentence"] == "balance: 200.00 / 150.00"
    assert {one["kind"] for one in ask.document(f"{there}/marks")["marks"]} == {"change", "disagreement"}


def test_what_if(bank):
    id = bank.account()
    ask = asking(adopted(bank))
    found = tried(ask, id, {"at": 2, "drop": True})
    assert [one["event"] for one in found["impossible"]] == [3]
    line = {"type": "BankAccount.Deposited", "fields": {"amount": "1.00"}}
    put = tried(ask, id, {"at": 3, "insert": [line]})
    assert (put["impossible"], put["differences"][0]["sentence"]) == ([], "balance: 50.00 / 51.00")
    assert tried(ask, id, {"at": 2, "replace": [line]})["impossible"][0]["event"] == 3
    walked = tried(ask, id, {"at": 2, "drop": True}, route="/moments")
    assert walked["stopped"]["event"] == 3
    assert walked["stopped"]["reason"] == "the aggregate refuses it: InsufficientFundsError: Ana has 0.00"


def test_stops(bank):
    ids = [str(bank.account(name)) for name in ("Ana", "Bo")]
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        connection.execute(
            "UPDATE stored_events SET state = CAST(replace(state, '\"200.00\"', '\"20.00\"') AS BLOB)"
            " WHERE originator_version = 2 AND originator_id = ?", (ids[0].replace("-", ""),),
        )  # fmt: skip
    ask = asking(adopted(bank))
    about = ask.document(f"/v1/games/{ids[0]}")
    assert (about["events"], about["stops"]["event"]) == (2, 3)
    assert "InsufficientFundsError: Ana has 20.00" in about["stops"]["sentence"]
    assert ask.document(f"/v1/games/{ids[1]}")["events"] == 5
    assert len(ask.document("/v1/games")["games"]) == 2


def test_hidden(bank):
    id = bank.account("Anastasia Secret")
    bank.app.take_snapshot(id)
    there = adopted(bank, hide=["owner", "note"], says={"Opened": ("owner", "owner")})
    ask = asking(there)
    bodies = [ask("/v1/games").body]
    for path in (
        "", "/state", "/moments", "/blame?at=3", "/audit", "/marks", "/why?part=owner", "/diff?a=1&b=5", "/bisect",
        "/search?q=Opened", "/record.jsonl", "/page.html", "/bisect?until=owner:x",
    ):  # fmt: skip
        answer = ask(f"/v1/games/{id}{path}")
        assert answer.status == 200, (path, answer)
        bodies.append(answer.body)
    bodies.append(msgspec.json.encode(tried(ask, id, {"at": 2, "drop": True})))
    with serving(there) as address, listening(address, f"/v1/games/{id}/live?after=0") as frames:
        bodies += [msgspec.json.encode(one) for one in frames.take(5)]
    for body in (*bodies, exported(bodies)):
        assert b"Anastasia" not in body
        assert b"doctype" in body or b'"good"' not in body
    assert b"(hidden)" in bodies[3]
    assert there.record(str(id)).audited().verdict == "exact"


@pytest.mark.parametrize("show", [False, True])
def test_encrypted(banks, show):
    env = {"CIPHER_KEY": KEY, "CIPHER_TOPIC": "eventsourcing.cryptography:AESCipher"}
    bank = banks(**env)
    id = bank.account("Anastasia Secret")
    there = adopted(bank, env=env)
    bodies = []
    with serving(there, show=show) as address:
        for path in ("/state", "/moments", "/blame?at=3", "/marks", "/record.jsonl", "/search?q=Opened"):
            with urlopen(f"{address}/v1/games/{id}{path}") as answer:
                bodies.append(answer.read())
        body = msgspec.json.encode({"edits": [{"at": 2, "drop": True}]})
        with urlopen(Request(f"{address}/v1/games/{id}/what-if", body, {"Content-Type": "application/json"})) as answer:
            bodies.append(answer.read())
    for body in bodies:
        assert show is (b"Anastasia" in body or b"150.00" in body or b"0.00" in body)
    assert b"BankAccount.Deposited" in bodies[1]
    assert b"InsufficientFundsError" in bodies[-1]
    assert there.record(str(id)).part("owner").value == "Anastasia Secret"


def exported(bodies):
    """The unpacked data of the exported page, the only one of `bodies` that is HTML."""
    import zlib
    from base64 import b64decode

    (page,) = [body for body in bodies if body.startswith(b"<!doctype")]
    packed = re.search(rb'id="exported">([^<]+)<', page)[1]
    found = zlib.decompress(b64decode(packed))
    assert b"BankAccount.Deposited" in found
    return found


class listening:  # noqa: N801  # it is used like a function
    def __init__(self, address, path):
        import httpx

        self._client = httpx.Client(base_url=address, timeout=20)
        self._stream = self._client.stream("GET", path)

    def __enter__(self):
        return Frames(self._stream.__enter__())

    def __exit__(self, *error):
        self._stream.__exit__(*error)
        self._client.close()


def test_live(bank):
    id = bank.account()
    with (
        serving(adopted(bank)) as address,
        listening(address, f"/v1/games/{id}/live?after=5") as frames,
        listening(address, "/v1/live") as grown,
    ):
        bank.app.do(id, "deposit", amount=Decimal("1.00"))
        found = frames.next()
        assert (found["event"], found["data"]["event"]) == ("moment", 6)
        assert found["data"]["consequences"][0]["sentence"] == "balance: 50.00 -> 51.00"
        new = bank.app.open("Bo")
        named = [grown.next()["data"] for _one in range(2)]
        assert [(one["game"], one["last"]) for one in named] == [(str(id), 6), (str(new), 1)]


def test_refused(bank):
    id = bank.account()
    ask = asking(adopted(bank))
    there = f"/v1/games/{id}"
    paths = [
        "/v1/games/nothing", f"/v1/games/{uuid4()}", f"{there}/state?at=9", f"{there}/state?at=1999-01-01",
        f"{there}/state?at=never", f"{there}/why?part=nothing", "/v1/games?verdict=exact", f"{there}/forecast",
        f"{there}/machine.svg", f"{there}/why?edition=latest",
    ]  # fmt: skip
    for path in paths:
        answer = ask(path)
        assert answer.status in (400, 404), answer
        assert not MAGIC.findall(answer.document["detail"]), answer
    for method in ("PUT", "DELETE"):
        assert ask(there, method).status == 405
    refused = ask("/v1/games", "POST", None, b'{"game":"x"}', content_type="application/json")
    assert refused.status in (401, 403, 404, 405)


def test_machine():
    order = Order()
    with recorded(machine(order), facts=("paid",)) as record, serving(record) as address:
        with listening(address, "/v1/games/Order/live?after=0") as frames:
            order.receive(20)
            order.pack()
            order.ship()
            found = frames.take(4)
        ask = asking(record)
        (row,) = ask.document("/v1/games")["games"]
        assert (row["game"], row["events"], row["now"]) == ("Order", 4, "packed")
        assert found[3]["data"]["consequences"][0]["sentence"] == "ship() was not taken: is_paid() said no"
        picture = ask("/v1/games/Order/machine.svg").body.decode()
        assert "is_paid() said no 1×" in picture
        assert "is_paid() said no" not in ask("/v1/games/Order/machine.svg?at=3").body.decode()
        order.receive(10)
        assert order.ship()
        said = [{"guard": "is_paid", "answer": True}]
        yes = {"at": 4, "replace": [{"type": "triggered", "trigger": "ship", "state": "shipped", "guards": said}]}
        assert tried(ask, "Order", yes)["impossible"][0]["event"] == 5
        assert ask.document("/v1/games/Order/audit")["verdict"] == "exact"
    assert order.mails == ["it is on its way"]


def test_changed():
    order = Order()
    made = machine(order)
    with recorded(made) as record:
        order.receive(30)
        order.pack()
        made.remove_transition("pack")
        order.ship()
    ask = asking(record)
    about = ask.document("/v1/games/Order")
    assert (about["events"], about["stops"]) == (5, None)
    assert "the machine is changed" in ask.document("/v1/games/Order/moments")["moments"][3]["sentence"]
    assert ask("/v1/games/Order/machine.svg").status == 200


def test_other_code(bank):
    """Two servers give the same events different ETags, because their code may differ."""
    id = bank.account()
    tags = [asking(adopted(bank))(f"/v1/games/{id}/state?at=2").headers["etag"] for _server in range(2)]
    assert tags[0] != tags[1]
