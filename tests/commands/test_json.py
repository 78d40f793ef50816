"""Every command with --json prints one document per line on standard output, and nothing else there."""

import json

import pytest

from daynight.cards import bundled
from daynight.cli.commands import COMMANDS
from daynight.cli.words.completing import SHELLS
from daynight.events.language import LANGUAGE
from daynight.framework.language.language import published
from daynight.game import Game
from daynight.rules.citations import EDITIONS, cited
from daynight.rules.designation import ARCS
from tests.behaviour.games import CONTRACT, EVERY_TYPE, kept
from tests.rules.judges import claim
from tests.rules.words import effect, started

EACH = {
    "new": ["new", "sunday", "Ana", "Bo"],
    "record": ["record", "friday", '{"type": "turn-began", "turn": 1, "active": ["Ana"]}'], "list": ["list"],
    "import": ["import", "demo"], "export": ["export", "friday", "-o", "friday.jsonl"], "verify": ["verify"],
    "key": ["key"], "backup": ["backup", "copy.db"],
    "restore": ["restore", "daynight.db", "--db", "new.db"], "replay": ["replay", "demo"], "why": ["why", "demo"],
    "audit": ["audit", "demo"], "show": ["show", "demo"],
    "what-if": ["what-if", "demo", "--at", "turn:20", "--insert", "B casts 2"], "branches": ["branches", "demo"],
    "stats": ["stats", "demo"], "diff": ["diff", "demo", "--at", "115", "--at", "122"], "bisect": ["bisect", "demo"],
    "blame": ["blame", "demo"], "replay-test": ["replay-test", "--write", "demo.base", "demo"],
    "forecast": ["forecast", "demo"], "repair": ["repair", "demo"],
    "dispute": ["dispute", "show", "demo"], "backup-plan": ["backup-plan", "demo", "--to", "turn:21"],
    "unknowns": ["unknowns", "demo"], "picture": ["picture", "demo"], "report": ["report", "demo"],
    "corpus": ["corpus", "build", "friday.dn", "-o", "league"], "read": ["read", "demo"], "write": ["write", "demo"],
    "fmt": ["fmt", "friday.dn"], "chart": ["chart"], "schema": ["schema"], "cards": ["cards"], "editions": ["editions"],
    "demo": ["demo"], "completion": ["completion", "bash"],
    "conformance": ["conformance", "list"],
}  # fmt: skip
"""Every command, as a command line with the fewest arguments that it needs."""

ELSEWHERE = {"adopt", "follow", "live", "migrate", "serve", "table"}
"""The commands that wait, or that need a server or an application; other files test them."""


def test_every_command_is_here():
    """`EACH` and `ELSEWHERE` together contain exactly the commands."""
    assert set(COMMANDS) == set(EACH) | ELSEWHERE


@pytest.mark.wide(but=6)
@pytest.mark.parametrize("command", EACH)
def test_only_json(daynight, friday, command):
    """The exit code is 0 or 1, standard error is empty, and every line of standard output is a document."""
    ran = daynight(*EACH[command], "--json")
    assert ran.code in (0, 1)
    assert "" == ran.err
    assert ran.documents
    assert ran.out.endswith("\n")
    assert "\x1b" not in ran.out


@pytest.mark.wide(but=6)
@pytest.mark.parametrize("command", EACH)
def test_words_are_no_json(daynight, friday, command):
    """Without --json there is text, which ends with a line end."""
    ran = daynight(*EACH[command])
    assert ran.code in (0, 1)
    assert ("", True) == (ran.err, ran.out.endswith("\n"))


def test_replay(daynight, tmp_path):
    """The document equals that of `Game.document`, with the keys in the same order."""
    ran = daynight("replay", kept(tmp_path / "g1.jsonl", CONTRACT), "--json")
    (document,) = ran.documents
    assert json.dumps(Game(CONTRACT).document()) == json.dumps(document)
    assert 0 == ran.code


def test_replay_at_every_event(daynight, tmp_path):
    """`replay --at` prints the document of the game in memory at events 1, 4, 7 and so on."""
    path = kept(tmp_path / "game.jsonl", EVERY_TYPE)
    game = Game(EVERY_TYPE)
    for number in range(1, len(game) + 1, 3):
        assert [game.document(number)] == daynight("replay", path, "--at", number, "--json").documents


def test_why(daynight, tmp_path):
    """The document equals that of `Game.why` for the same event."""
    path = kept(tmp_path / "g1.jsonl", CONTRACT)
    assert [Game(CONTRACT).why(4).document()] == daynight("why", path, "--at", "4", "--json").documents


def test_audit(daynight, tmp_path):
    """There is one document for each record, under the given name; exit code 1 if one of them is disputed."""
    good = kept(tmp_path / "good.jsonl", [started(), claim("neither")])
    bad = kept(tmp_path / "bad.jsonl", [started(), claim("night")])
    ran = daynight("audit", good, bad, good, "--json")
    assert [str(good), str(bad), str(good)] == [document["record"] for document in ran.documents]
    assert ["exact", "disputed", "exact"] == [document["verdict"] for document in ran.documents]
    assert 1 == ran.code
    assert 0 == daynight("audit", good, "--json").code
    order = ["event", "about", "subject", "claimed", "derived", "by", "rule", "cr", "because", "sentence", "short"]
    assert order == [*ran.documents[1]["findings"][0]]


def test_show(daynight, tmp_path):
    """`show` lists the turns that were not undone, with the spells of their active players."""
    path = kept(tmp_path / "g1.jsonl", CONTRACT)
    (document,) = daynight("show", path, "--json").documents
    assert ["game", "event", "turns", "changes"] == [*document]
    assert [
        {"event": 2, "turn": 1, "active": ["Ana"], "designation": "day", "spells": {"Ana": 1}, "changed": True},
        {"event": 5, "turn": 2, "active": ["Bo"], "designation": "day", "spells": {"Bo": 0}, "changed": False},
        {"event": 7, "turn": 3, "active": ["Ana"], "designation": "night", "spells": {"Ana": 0}, "changed": True},
    ] == document["turns"]
    assert Game(CONTRACT).document()["changes"] == document["changes"]
    (earlier,) = daynight("show", path, "--at", "turn:2", "--json").documents
    assert (5, 2, 1) == (earlier["event"], len(earlier["turns"]), len(earlier["changes"]))


def test_show_what_stands(daynight, tmp_path):
    """`show` lists turn 1, and turn 1 after the game was restarted, each once; it lists no undone turn."""
    path = kept(tmp_path / "game.jsonl", EVERY_TYPE)
    (document,) = daynight("show", path, "--json").documents
    assert [(3, 1), (31, 1)] == [(turn["event"], turn["turn"]) for turn in document["turns"]]


def test_chart(daynight):
    """`chart` lists the states and the arcs of the chart, with the rule numbers of the chosen edition."""
    (document,) = daynight("chart", "--json").documents
    assert (["neither", "day", "night"], "neither") == (document["states"], document["initial"])
    assert [(arc.source, arc.dest, arc.trigger) for arc in ARCS] == [
        (arc["from"], arc["to"], arc["rule"]) for arc in document["arcs"]
    ]
    assert document["mermaid"].startswith("stateDiagram-v2\n")
    (latest,) = daynight("chart", "--edition", "latest", "--json").documents
    assert ["728.2a", "731.2a"] == [
        next(arc["cr"] for arc in one["arcs"] if arc["rule"] == "check-day") for one in (document, latest)
    ]


def test_schema(daynight):
    """`schema` prints the schema itself; without --json it is indented."""
    assert [json.loads(published(LANGUAGE.schema()))] == daynight("schema", "--json").documents
    assert published(LANGUAGE.schema()) == daynight("schema").out


def test_cards(daynight):
    """`cards` prints a document for each card, or for the requested one, by any of its names."""
    documents = daynight("cards", "--json").documents
    assert [card.name for card in bundled()] == [card["name"] for card in documents]
    for name in ("Tavern Ruffian", "Tavern Smasher", "Tavern Ruffian // Tavern Smasher"):
        (document,) = daynight("cards", name, "--json").documents
        assert "Tavern Ruffian" == document["name"]


def test_demo(daynight):
    """`demo` prints two documents: the state of the demo game, and its audit with a finding at event 122."""
    state, audit = daynight("demo", "--json").documents
    assert ("wagic-G1", "day") == (state["game"], state["designation"])
    assert ("demo", "disputed", [122]) == (
        audit["record"], audit["verdict"], [finding["event"] for finding in audit["findings"]],
    )  # fmt: skip


@pytest.mark.parametrize("shell", SHELLS)
def test_completion(daynight, shell):
    """`completion` prints the script as a string in a document."""
    (document,) = daynight("completion", shell, "--json").documents
    assert shell == document["shell"]
    assert document["script"].strip() == daynight("completion", shell).out.strip()


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("edition, expected", [
    ("2021-09-24", "724.3a"),
    ("2021-11-19", "724.2a"),
    ("2022-11-18", "727.2a"),
    ("2023-04-14", "726.2a"),
    ("2025-06-06", "729.2a"),
    ("2026-02-27", "730.2a"),
    ("2026-09-25", "731.2a"),
    ("latest", "731.2a"),
])  # fmt: skip
def test_edition(daynight, tmp_path, edition, expected):
    """Every document with rule numbers has those of the requested edition."""
    path = kept(tmp_path / "g1.jsonl", [*CONTRACT, claim("day")])
    for command in ("replay", "show"):
        (document,) = daynight(command, path, "--edition", edition, "--json").documents
        assert expected == document["changes"][1]["cr"]
    (why,) = daynight("why", path, "--edition", edition, "--json").documents
    assert expected == why["cr"]
    (audit,) = daynight("audit", path, "--edition", edition, "--json").documents
    assert expected == audit["findings"][0]["cr"]
    assert f"CR {expected}" in daynight("replay", path, "--edition", edition).out


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_may_be_asked_for(daynight, edition):
    """`chart` accepts every edition, and gives the rule numbers of that edition."""
    (document,) = daynight("chart", "--edition", edition, "--json").documents
    assert [cited(arc["rule"], edition) for arc in document["arcs"]] == [arc["cr"] for arc in document["arcs"]]


def test_the_records_own_edition(daynight, tmp_path):
    """Without --edition the rule numbers are those of the edition in the record's first line."""
    path = kept(tmp_path / "game.jsonl", [started(edition="2026-08-07"), effect("day"), claim("night")])
    for command in ("replay", "show"):
        assert "731.1" == daynight(command, path, "--json").documents[0]["changes"][0]["cr"]
    assert "731.1" == daynight("why", path, "--json").documents[0]["cr"]
    assert "731.1" == daynight("audit", path, "--json").documents[0]["findings"][0]["cr"]
    assert "CR 2026-08-07" in daynight("show", path).out
