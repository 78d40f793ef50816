"""`daynight conformance`: it asks an engine, and the exit code tells the result.

| promise | test |
| --- | --- |
| a correct engine passes, as the referee and the oracle do; one with a mistake fails | test_engines, test_our_engines |
| a failure says what the engine answered, and names the mistake that the case looks for | test_mistake |
| an engine that exits, is silent or prints garbage fails that case; other cases run | test_the_rest_goes_on |
| after three cases in a row without an answer the run stops, says so, and exits 1 | test_silent_for_good |
| an engine that floods output, or reads no input, does not block the run | test_floods, test_reads_nothing |
| a command is split like a shell line, but no shell runs it | test_no_shell |
| an engine that can't be started, and a missing command, are reported | test_no_engine |
| answers from a file are compared without starting an engine | test_check |
| an invalid answer in a file is refused | test_refused |
| the JUnit XML file has every case | test_junit |
| `list` and `export` give the cases; --case chooses single cases | test_list, test_export, test_one_case |
"""

import json
import shlex
import sys
import time
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

import daynight.conformance.running as running
from daynight.cli.commands import run as main
from daynight.conformance.cases import suite
from tests.conformance.engines import machine

ENGINE = f"{shlex.quote(sys.executable)} -m tests.conformance.engines"


@pytest.fixture(autouse=True)
def _here(monkeypatch):
    """Make the top folder the working folder, so that the engines, which are modules of the tests, can be imported."""
    monkeypatch.chdir(Path(__file__).resolve().parents[2])


def ran(capsys, *arguments):
    code = main(["conformance", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def statuses(told):
    return {case["id"]: case["status"] for case in told["cases"]}


@pytest.mark.parametrize("name, code", [("machine", 0), ("machine 'copies count'", 1), ("echo", 1)])
def test_engines(capsys, name, code):
    found, told = ran(capsys, "run", "--engine", f"{ENGINE} {name}")
    assert found == code
    assert statuses(told)["dn-0001"] == ("failed" if name == "echo" else "passed")
    assert statuses(told)["dn-0004"] == ("failed" if code else "passed")


def test_mistake(capsys):
    _code, told = ran(capsys, "run", "--engine", f"{ENGINE} machine 'copies count'", "--rule", "check-night")
    reasons = {case["id"]: case["reason"] for case in told["cases"]}
    mistake = "It becomes day: the copy was counted as a second spell."
    expected = f'designation is "day"; by the rules "night". The mistake that this case catches: {mistake}'
    assert reasons["dn-0004"].endswith(expected)


@pytest.mark.wide
@pytest.mark.parametrize("name", ["referee", "naive"])
def test_our_engines(capsys, name):
    found, told = ran(capsys, "run", "--engine", f"{ENGINE} {name}")
    assert (found, told["counts"]["passed"]) == (0, len(suite()))


@pytest.mark.parametrize(
    "name, reason", [("crash", "exit code 9"), ("silent", "no answer in"), ("garbage", "no JSON object")]
)
@pytest.mark.wide(but=1)
def test_the_rest_goes_on(capsys, monkeypatch, name, reason):
    monkeypatch.setattr(running.run, "__defaults__", (2.5 if name == "silent" else 20.0,))
    code, told = ran(capsys, "run", "--engine", f"{ENGINE} {name}", "--rule", "nightbound-as-day")
    failed = [case for case in told["cases"] if case["status"] == "failed"]
    assert code == 1
    assert reason in failed[0]["reason"]
    assert told["cases"].index(failed[0]) == 2
    assert [case["status"] for case in told["cases"]].count("passed") == len(told["cases"]) - len(failed) > 3


def test_silent_for_good(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(running.run, "__defaults__", (0.1,))
    command = [
        "run",
        "--engine",
        f"{shlex.quote(sys.executable)} -c 'import time; time.sleep(60)'",
        "--junit",
        str(tmp_path / "results.xml"),
    ]
    code, told = ran(capsys, *command)
    assert code == 1
    assert told["counts"] == {"passed": 0, "failed": 3, "skipped": 0, "doubt": 0, "not run": len(suite()) - 3}
    assert [case["status"] for case in told["cases"]] == ["failed"] * 3 + ["not run"] * (len(suite()) - 3)
    root = fromstring((tmp_path / "results.xml").read_bytes())
    assert (len(root.findall(".//failure")), len(root.findall(".//skipped"))) == (3, len(suite()) - 3)
    assert root[0].get("skipped") == str(len(suite()) - 3)
    assert main(["conformance", *command]) == 1
    told = capsys.readouterr().out
    assert f"{len(suite()) - 3} cases were not asked, for the 3 before them had no answer in time." in " ".join(
        told.split()
    )
    assert "dn-0004" not in told


def test_floods(capsys):
    """Each case of an engine that floods its output fails, because the engine is stopped after some lines."""
    code, told = ran(capsys, "run", "--engine", f"{ENGINE} flood", "--rule", "becomes")
    assert code == 1
    assert set(statuses(told).values()) == {"failed"}
    reasons = [case["reason"] for case in told["cases"]]
    assert any("lines without an end" in reason for reason in reasons)


def test_reads_nothing():
    """An engine that reads no input gets its time limit also for a large question; then the answer is None."""
    engine = running._Engine([sys.executable, "-c", "import time; time.sleep(60)"])
    began = time.monotonic()
    assert engine.ask("x" * 2**21, 0.2) is None
    assert engine.stop(0) is None
    assert time.monotonic() - began < 10


def test_no_shell(capsys, tmp_path):
    there = tmp_path / "there"
    code, _told = ran(capsys, "run", "--rule", "check-neither", "--engine", f"{ENGINE} machine '' ; touch {there}")
    assert code == 1
    assert not there.exists()


@pytest.mark.parametrize("engine, code", [("", 2), ("'open", 2), ("no-such-program-here", 4), ("pyproject.toml", 4)])
def test_no_engine(capsys, engine, code):
    assert main(["conformance", "run", "--engine", engine]) == code
    [said] = capsys.readouterr().err.splitlines()
    assert ("a file of this folder is ./pyproject.toml" in said) is (engine == "pyproject.toml")
    cut = "--engine: the command is cut: a quotation mark is not closed, or a backslash ends it"
    assert (said == cut) is (engine == "'open")


def test_one_case(capsys, tmp_path):
    two = "--case", "dn-0004", "--case", "dn-0008"
    code, told = ran(capsys, "run", "--engine", f"{ENGINE} machine 'copies count'", *two)
    assert (code, statuses(told)) == (1, {"dn-0004": "failed", "dn-0008": "passed"})
    results = tmp_path / "results.jsonl"
    results.write_text("\n".join(json.dumps(machine(case.sent("events"))) for case in suite()))
    code, told = ran(capsys, "check", str(results), *two)
    assert (code, told["counts"]["passed"]) == (0, 2)
    assert main(["conformance", "list", "--case", "dn-9999"]) == 2
    assert "no case 'dn-9999'" in capsys.readouterr().err


def test_check(capsys, tmp_path):
    results = tmp_path / "results.jsonl"
    lines = [json.dumps(machine(case.sent("events"))) for case in suite()]
    results.write_text("\n".join(lines))
    assert ran(capsys, "check", str(results))[0] == 0
    results.write_text("\n".join(lines[1:]))
    code, told = ran(capsys, "check", str(results))
    assert code == 1
    assert [id for id, status in statuses(told).items() if status == "failed"] == ["dn-0001"]


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"seen": []}', '{"id": "dn-9999", "seen": []}', '{"id": "dn-0001"}\n' * 2]
)
def test_refused(capsys, tmp_path, line):
    results = tmp_path / "results.jsonl"
    results.write_text(line)
    assert main(["conformance", "check", str(results)]) == 3
    assert "results.jsonl:" in capsys.readouterr().err
    assert main(["conformance", "check", str(tmp_path / "nowhere")]) == 4


def test_junit(capsys, tmp_path):
    report = tmp_path / "results.xml"
    code, _told = ran(capsys, "run", "--engine", f"{ENGINE} echo", "--rule", "becomes", "--junit", str(report))
    root = fromstring(report.read_bytes())
    assert code == 1
    assert len(root.findall(".//testcase")) == len(root.findall(".//failure")) > 5


def test_list(capsys):
    code, told = ran(capsys, "list")
    assert code == 0
    assert told["cases"][1]["runs"] == {
        "XMage": "failed",
        "Forge": "not run",
        "Argentum": "not run",
        "phase-rs": "not run",
    }
    assert len(ran(capsys, "list", "--needs", "phasing")[1]["cases"]) == 2
    assert main(["conformance", "list", "--rule", "no-such-rule"]) == 2
    assert main(["conformance", "list"]) == 0
    assert "magefree/mage bb9895f" in capsys.readouterr().out


def test_export(capsys, tmp_path):
    assert ran(capsys, "export", "--for", "cases", "-o", str(tmp_path))[0] == 0
    assert len(list(tmp_path.glob("dn-*.json"))) == len(suite())
    code, told = ran(capsys, "export", "--for", "xmage", "-o", str(tmp_path))
    assert code == 0
    assert set(told["left_out"]) == {"dn-0006", "dn-0010", "dn-0026"}
