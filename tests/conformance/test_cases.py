"""The cases of the conformance suite are right, each catches a mistake, and play form and events agree.

| promise | test |
| --- | --- |
| there are at least sixty core cases with unique ids, and rule numbers of their edition | test_cases |
| play form and events are the same game with the same expectations | test_both_forms |
| the referee, the oracle and another machine pass all of them | test_right_engines |
| each planted mistake fails a case, and each case catches a mistake | test_mistakes |
| an engine fails if a permanent enters front face up at night and then transforms | test_turned_after_entering |
| a case is sent without its expected answers, so an engine that echoes fails | test_sent, test_echo |
| an answer with any error or gap fails | test_wrong_answers |
| a line that is no answer fails, and the reason quotes it | test_wrong_lines_are_shown |
| a case is skipped only if the engine lacks a required feature | test_skipping |
| a case about an open question of the rules (level `doubt`) fails no engine | test_doubt |
| only engines that were really run are reported as run | test_runs |
| the exports have the documented contents | test_exports, test_xmage |
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from daynight.conformance.cases import chosen, outcome, runs, suite
from daynight.conformance.exporting import exported
from daynight.conformance.judging import judged, judged_line
from daynight.rules.citations import KEYS, cited
from tests.conformance.engines import machine, naive, referee
from tests.conformance.mistakes import MISTAKES
from tests.conformance.playing import played
from tests.golden import golden

SUITE = {case.id: case for case in suite()}


def answered(case, engine, *more):
    return judged(case, engine(json.loads(json.dumps(case.sent("events"))), *more), "events")


def test_cases():
    assert len([case for case in suite() if case.level == "core"]) >= 60
    assert len(SUITE) == len(suite())
    for case in suite():
        assert case.fails_like
        assert case.rules
        for key, number in case.rules:
            assert key in KEYS
            assert number == cited(key, case.document["since"])
        assert set(case.needs) <= {"simultaneous-arrival", "phasing", "shared-team-turns", "face-down"}


def test_both_forms():
    for case in suite():
        events, checks = played(case.document)
        assert events == case.document["events"], case.id
        assert checks == case.document["checks"], case.id


@pytest.mark.parametrize("engine", [referee, naive, machine])
def test_right_engines(engine):
    assert [case.id for case in suite() if answered(case, engine).status != "passed"] == []


def test_mistakes():
    table = {
        mistake: {case.id for case in suite() if answered(case, machine, mistake).status == "failed"}
        for mistake in MISTAKES
    }
    assert len(table) >= 25
    rows = (f"{mistake}: {MISTAKES[mistake]}: {' '.join(sorted(caught))}" for mistake, caught in table.items())
    golden(Path(__file__).parent / "golden" / "mistakes.txt", rows)
    assert [mistake for mistake, caught in table.items() if not caught] == []
    assert set.union(*table.values()) == set(SUITE)


@pytest.mark.parametrize("id", ["dn-0071", "dn-0076", "dn-0086", "dn-0096"])
def test_turned_after_entering(id):
    """A card that enters and then transforms fails by the list `transformed`, in dn-0096 by the wrong face."""
    assert answered(SUITE[id], machine, "turns after entering").status == "failed"
    assert "transformed" in SUITE[id].sent("events").get("keys", []) or id == "dn-0096"


def test_sent():
    for case in suite():
        for form in ("events", "play"):
            sent = json.dumps(case.sent(form))
            assert not {"expect", "checks", "title", "fails_like"} & set(case.sent(form))
            assert case.title not in sent
            assert case.fails_like not in sent
    assert set(SUITE["dn-0001"].sent("events")) == {"id", "level", "needs", "rules", "since", "events", "ask"}
    assert SUITE["dn-0071"].sent("events")["keys"] == ["designation", "faces", "triggered", "transformed"]
    assert SUITE["dn-0003"].sent("play")["ask"][0] == {"at": "1/postcombat-main", "keys": ["designation", "triggered"]}


@pytest.mark.parametrize("form", ["events", "play"])
def test_echo(form):
    for case in suite():
        sent = case.sent(form)
        assert judged(case, sent, form).status == "failed"
        assert judged(case, {**sent, "seen": sent["ask"]}, form).status == "failed"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda seen: seen.clear(),
        lambda seen: seen[0].update(designation="day"),
        lambda seen: seen[0].pop("designation"),
        lambda seen: seen[0].pop("faces"),
        lambda seen: seen[0]["faces"].clear(),
        lambda seen: seen[0].update(faces=None),
        lambda seen: seen[0].update(triggered=["v"]),
        lambda seen: seen[0].update(triggered=None),
        lambda seen: seen[0].update(transformed=["v"]),
        lambda seen: seen[0].pop("transformed"),
        lambda seen: seen[0].update(at="x"),
        lambda seen: seen.append(dict(seen[0])),
        lambda seen: seen.append(1),
    ],
)  # fmt: skip
def test_wrong_answers(spoil):
    case = SUITE["dn-0071"]
    answer = machine(case.sent("events"))
    assert judged(case, answer, "events").status == "passed"
    spoil(answer["seen"])
    assert judged(case, answer, "events").status == "failed"


@pytest.mark.parametrize(
    "line, reason",
    [
        ("computing dn-0001...", "its answer is no JSON object on one line, but computing dn-0001..."),
        ("", "its answer is no JSON object on one line, but ''"),
        ("\x1b[31mx" + "y" * 90, "but \\x1b[31mx" + "y" * 51 + "..."),
        ('{"seen": []}', "its answer has no id"),
        ('{"id": "dn-0002", "seen": []}', 'its answer is to another case: "dn-0002"'),
    ],
)
def test_wrong_lines_are_shown(line, reason):
    assert judged_line(SUITE["dn-0001"], line, "events").reason.endswith(reason)


@pytest.mark.parametrize("line", ["", "1", "[]", '"dn-0001"', "{}", '{"id": "dn-0002", "seen": []}', "[" * 100_000])
def test_wrong_lines(line):
    assert judged_line(SUITE["dn-0001"], line, "events").status == "failed"


def test_played_answers():
    case = SUITE["dn-0007"]
    seen = [{"at": row["at"], **row} for row in case.document["expect"]]
    assert judged(case, {"id": case.id, "seen": seen}, "play").status == "passed"
    seen[0] = {**seen[0], "phased_out": []}
    assert judged(case, {"id": case.id, "seen": seen}, "play").status == "failed"


def test_skipping():
    teams = SUITE["dn-0010"]
    assert judged(teams, {"id": teams.id, "skipped": "shared-team-turns"}, "events").status == "skipped"
    assert judged(teams, {"id": teams.id, "skipped": "phasing"}, "events").status == "failed"
    assert judged(SUITE["dn-0001"], {"id": "dn-0001", "skipped": "shared-team-turns"}, "events").status == "failed"
    assert judged(SUITE["dn-0001"], {"id": "dn-0001", "skipped": []}, "events").status == "failed"


def test_doubt():
    open_case = replace(SUITE["dn-0001"], level="doubt")
    assert judged(open_case, {"id": "dn-0001", "seen": []}, "events").status == "doubt"


def test_runs():
    told = {run["engine"]: [outcome(run, case) for case in suite()] for run in runs()}
    assert told["XMage"].count("passed") == 6
    assert [case.id for case in suite() if outcome(runs()[0], case) == "failed"] == ["dn-0002", "dn-0007"]
    assert {word for engine, words in told.items() if engine != "XMage" for word in words} == {"not run"}
    assert all((run["date"] is None) is (run["engine"] != "XMage") for run in runs())


def test_chosen():
    assert {case.id for case in chosen(needs=["phasing"])} == {"dn-0007", "dn-0080"}
    assert all("becomes" in dict(case.rules) for case in chosen(["becomes"]))


def test_exports():
    files, out = exported(suite(), "cases")
    assert out == {}
    lines = files["cases.jsonl"].decode().splitlines()
    assert [json.loads(line)["id"] for line in lines] == list(SUITE)
    assert json.loads(files["dn-0001.json"]) == SUITE["dn-0001"].document
    assert b"CC0" in files["README.txt"]


def test_xmage():
    files, out = exported(suite(), "xmage")
    assert set(out) == {"dn-0006", "dn-0010", "dn-0026"}
    [text] = [data.decode() for data in files.values()]
    assert text.count("@Test") == len(SUITE) - len(out)
    assert text.count("{") == text.count("}")
    assert text.count("(") == text.count(")")
    assert 'castSpell(1, PhaseStep.PRECOMBAT_MAIN, playerB, "Twincast", "Lightning Bolt", "Lightning Bolt");' in text
    assert "currentGame.setDaytime(false);" in text
    names = [line.split("void ")[1] for line in text.splitlines() if "public void" in line]
    assert len(set(names)) == len(names)
    assert "dn-0003/1 is not asserted" in text
    assert '"{3}{R}: Turn this face-down permanent face up."' in text
    assert 'castSpell(1, PhaseStep.PRECOMBAT_MAIN, playerA, "Waxing Moon", "Vildin-Pack Alpha");' in text
    assert '"Sacrifice another permanent:", "Village Reavers");' in text
