"""Names of events, fields and attributes, as a user types them: a misspelt one is refused, and nothing is shown.

| what holds | test |
| --- | --- |
| an unknown name to hide is refused, with a similar one proposed | test_hide |
| fields, attributes, names within values, and names that only the events have can be hidden | test_known |
| a claim with an unknown event, attribute or field is refused | test_says, test_says_in_python |
"""

import pytest

from daynight.adapters.errors import AdoptedError
from daynight.adapters.eventsourcing import adopt
from daynight.cli.commands import run


@pytest.mark.parametrize("name, near", [
    ("oner", "; did you mean owner?"),
    ("balanceafter", "; did you mean balance_after?"),
    ("qqqq", ""),
    ("recorder", ""),  # the application's own
    ("_version", ""),  # the library's own
])  # fmt: skip
def test_hide(bank, capsys, name, near):
    id = bank.account("Anastasia")
    assert run(["adopt", "bank:BankAccounts", "--db", str(bank.path), "--hide", name, "show", str(id)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert f"--hide {name}: no field or attribute of this application{near}" in err
    assert "Anastasia" not in err


@pytest.mark.parametrize("name", ["owner", "balance", "balance_after", "tags", "note", "street", "grams"])
def test_known(bank, name):
    id = bank.account()
    assert adopt("bank:BankAccounts", str(bank.path), hide=["owner", name]).record(str(id)).events
    # A name that no class has: a key of a dict in an event.
    bank.app.do(id, "tag", type={"pin_code": "1234"}, note="x")
    record = adopt("bank:BankAccounts", str(bank.path), hide=["pin_code"]).record(str(id))
    assert record.events[-1].fields["type"] == {"pin_code": "(hidden)"}


@pytest.mark.parametrize("claim, sentence", [
    ("Witdrawn:balance=balance_after", "--says Witdrawn: no event of this application; did you mean Withdrawn?"),
    ("Withdrawn:balanc=balance_after", "no aggregate has an attribute balanc; did you mean balance?"),
    ("Withdrawn:balance=balanceafter", "Withdrawn has no field balanceafter; did you mean balance_after?"),
    ("BankAccount.Opened:balance=balance_after", "BankAccount.Opened has no field balance_after"),
])  # fmt: skip
def test_says(bank, capsys, claim, sentence):
    id = bank.account()
    assert run(["adopt", "bank:BankAccounts", "--db", str(bank.path), "--says", claim, "audit", str(id)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert sentence in err


def test_says_in_python(bank):
    from bank import BankAccount

    id = bank.account()
    for kind in ("Withdrawn", "BankAccount.Withdrawn", BankAccount.Withdrawn):
        there = adopt("bank:BankAccounts", str(bank.path), says={kind: ("balance", "balance_after")})
        assert there.record(str(id)).audited().verdict == "exact"
    with pytest.raises(AdoptedError, match="no aggregate has an attribute total"):
        adopt("bank:BankAccounts", str(bank.path), says={BankAccount.Withdrawn: ("total", "balance_after")})
