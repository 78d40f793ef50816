"""Terminal output: words and signs, colour only at a terminal, aligned columns, no control characters from input."""

import os
import re
import sys
from itertools import pairwise

import pytest
from rich.cells import cell_len

from daynight.cli.terminal import output
from daynight.framework.language.errors import tame
from tests import processes
from tests.behaviour.games import CONTRACT, EVERY_TYPE, kept
from tests.bench import records
from tests.commands.conftest import ROOT, environ, read_to_the_end
from tests.rules.judges import argues, back_up, claim, opens, rules_on
from tests.rules.placing import enter, phase_out
from tests.rules.turning import face_down
from tests.rules.wolves import RUFFIAN
from tests.rules.words import cast, doubt, effect, joined, said, started, turn, untap
from tests.sampling import sampled

GAMES = ROOT / "examples" / "games"
ESCAPE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
EVERY_SCREEN = [
    ["replay", "demo"], ["why", "demo"], ["audit", "demo"], ["show", "demo"], ["chart"], ["cards"], ["demo"],
    ["schema"], ["cards", "Werewhat"], ["why", "demo", "--at", "1"],
]  # fmt: skip


def on_a_terminal(folder, *arguments, columns=80, **environment):
    """A command's output at a terminal of this width, with escape codes."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "daynight", *map(str, arguments)]
    environment = environ(TERM="xterm-256color", COLUMNS=str(columns)) | environment
    with processes.Popen(command, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs) as child:
        os.close(theirs)
        printed = read_to_the_end(ours)
    assert child.returncode in (0, 1, 3)
    return printed.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("arguments", EVERY_SCREEN, ids=" ".join)
def test_no_escape_codes_where_there_is_no_terminal(daynight, arguments):
    """Pipes and files get no escape codes."""
    assert not ESCAPE.search(daynight(*arguments).out)


def test_colour_on_a_terminal(tmp_path):
    """A terminal gets colour, unless NO_COLOR is set; the words are the same."""
    coloured = on_a_terminal(tmp_path, "show", "demo")
    without = on_a_terminal(tmp_path, "show", "demo", NO_COLOR="1")
    assert re.search("\x1b\\[[0-9;]*3[0-9]", coloured)
    assert not re.search("\x1b\\[[0-9;]*3[0-9]", without)
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == re.sub("\x1b\\[[0-9;]*m", "", without)
    assert "☾" in without
    assert "night" in without


@pytest.mark.parametrize("columns", [40, *(pytest.param(columns, marks=pytest.mark.slow) for columns in (60, 200))])
@pytest.mark.parametrize("arguments", sampled([("show", "demo"), ("replay", "g.jsonl"), ("cards", "Immerwolf")], 3))
def test_no_wider_than_the_terminal(tmp_path, columns, arguments):
    """No line is wider than the terminal; a timeline that is too wide continues below, with every turn."""
    kept(tmp_path / "g.jsonl", EVERY_TYPE)
    printed = on_a_terminal(tmp_path, *arguments, columns=columns, NO_COLOR="1")
    printed = re.sub("\x1b\\[[0-9;]*m", "", printed)
    assert columns >= max(cell_len(line) for line in printed.splitlines())
    if arguments[0] == "show":
        turns = [int(n) for line in printed.splitlines() if line.startswith(" turn ") for n in line.split()[1:]]
        assert [*range(1, 26)] == turns


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("columns", [40, 100, 200])
@pytest.mark.parametrize("arguments", [["cards"], ["chart"], ["replay", "demo"]], ids=" ".join)
def test_tables_have_the_width_of_columns(daynight, monkeypatch, arguments, columns):
    """If COLUMNS gives a width, tables in a pipe are at most that wide."""
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = daynight(*arguments)
    table = ran.out.splitlines()
    if arguments[0] == "chart":
        table = table[: table.index("stateDiagram-v2") - 1]
    elif arguments[0] == "replay":
        table = table[next(n for n, line in enumerate(table) if line.startswith("turn before")) + 1 :]
    assert columns >= max(map(cell_len, table))


@pytest.mark.parametrize("columns", [40, 200])
def test_sentences_are_not_broken_in_a_pipe(daynight, monkeypatch, columns):
    """Whatever COLUMNS says, a finding in a pipe is three lines: its short form, its whole sentence, and its events."""
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = daynight("audit", "demo")
    heading, short, sentence, because, ending = ran.out.splitlines()
    assert short.startswith("  ✗ Event 122: ")
    assert 140 >= len(short.removeprefix("  ✗ "))
    (document,) = daynight("audit", "demo", "--json").documents
    (found,) = document["findings"]
    assert (f"  ✗ {found['short']}", f"      {found['sentence']}") == (short, sentence)
    assert len(sentence) > 200
    assert ("demo: DISPUTED, 160 events", "      because of: e121", True) == (heading, because, ending.endswith("."))


JAPANESE = [
    started("あやか", "ぼう太郎"),
    turn(1, "あやか"), enter("狼", RUFFIAN, controller="あやか"), cast("あやか"),
    turn(2, "ぼう太郎"), untap(), cast("ぼう太郎") | {"card": "稲妻"},
    turn(3, "あやか"), untap(), turn(4, "ぼう太郎"), untap(), claim("day"),
]  # fmt: skip


def columns_of(line):
    """Return the columns, in cells, at which the texts of a line begin; two spaces end a text."""
    return [cell_len(line[: found.start()]) for found in re.finditer(r"(?<!\S)\S+( \S+)*", line)]


def test_columns_of_wide_characters(daynight, tmp_path):
    """A Japanese character takes two cells: columns are still aligned."""
    path = kept(tmp_path / "g.jsonl", JAPANESE)
    grid = daynight("show", path).out.splitlines()[1:5]
    assert ["turn", "active", "state", "spells"] == [line.split()[0] for line in grid]
    for above, below in pairwise(grid):
        assert columns_of(above) == columns_of(below)
    *_above, heading, row = daynight("replay", path).out.splitlines()
    assert "あやか" in row
    assert columns_of(heading) == columns_of(row)


def test_long_names(daynight, tmp_path):
    """With a name of two hundred characters the lines of the timeline are still shorter than 60 columns."""
    name = "x" * 200
    path = kept(tmp_path / "g.jsonl", [started(name, "Bo"), turn(1, name), cast(name), turn(2, "Bo")])
    grid = daynight("show", path).out.splitlines()[1:]
    assert 60 > max(cell_len(line) for line in grid[:4])


STEERING = "\x1b[31mred\x07 \u202eback\u2066 \x9b1m \r gone"


@pytest.mark.parametrize("command", ["replay", "show", "audit", "why"])
def test_notes_do_not_steer_the_terminal(daynight, tmp_path, command):
    """Escape sequences and bidi controls are printed as escapes; other characters of a note are unchanged."""
    record = [event | {"note": STEERING} for event in EVERY_TYPE]
    ran = daynight(command, kept(tmp_path / "g.jsonl", record))
    assert ran.code in (0, 1)
    assert not ESCAPE.search(ran.out)
    if command == "replay":
        shown = r"# \u001b[31mred\u0007 \u202eback\u2066 \u009b1m \u000d gone"
        assert len(record) == ran.out.count(shown)


def test_a_note_of_several_lines(daynight, tmp_path):
    """An event takes one line, even if its note has several."""
    ran = daynight("replay", kept(tmp_path / "g.jsonl", [started() | {"note": "one\ntwo\u2028three"}]))
    assert r"e1  g1 begins: Ana and Bo  # one\u000atwo\u2028three" == ran.out.splitlines()[0]


def test_markup_is_no_markup(daynight, tmp_path):
    """Text that looks like markup of the printing library is printed literally."""
    record = [started("[red]Ana[/red]", "Bo") | {"game": "[link=x]:smile:[/link]"}, turn(1, "Bo")]
    record.append(said("permanents-entered", permanents=[{"id": "[b]", "card": "[/]", "controller": "[red]Ana[/red]"}]))
    path = kept(tmp_path / "g.jsonl", record)
    told = daynight("replay", path).out
    assert "[link=x]:smile:[/link] begins: [red]Ana[/red] and Bo" in told
    assert "[/] ([b]) enters the battlefield" in told
    assert "[link=x]:smile:[/link]: [red]Ana[/red] against Bo" in daynight("show", path).out


def test_errors_do_not_steer_either(daynight, tmp_path, monkeypatch):
    """Control characters in names of files, in options and in a record are escaped in errors too."""
    monkeypatch.chdir(tmp_path)
    ran = daynight("audit", "\x1b[31m\u202e.jsonl")
    assert (
        r"\u001b[31m\u202e.jsonl: no such file; give a record, a log, - for standard input, demo, or db:GAME"
        == ran.error
    )
    (tmp_path / "g.jsonl").write_text('{"type": "\\u001b[31m"}\n', encoding="utf-8")
    ran = daynight("audit", "g.jsonl")
    assert not ESCAPE.search(ran.error)
    ran = daynight("audit", "demo", "--edition", "\x1b[31m")
    assert "\x1b" not in ran.err
    ran = daynight("why", "demo", "--at", "\x1b[31m\u202e")
    assert not ESCAPE.search(ran.error)


def test_tame():
    """`tame` escapes control characters, and nothing else."""
    assert r"a\u001bb\u202ec\u000ad é 日 ☾ 👍🏽" == tame("a\x1bb\u202ec\nd é 日 ☾ 👍🏽")


def test_what_is_uncertain_is_said(daynight, tmp_path):
    """An uncertain answer names both possibilities, and `replay` adds what the judge assumes by policy."""
    record = [
        started(), joined("day", "night"), enter("w1"), enter("b1", {"card": "Bear"}), face_down("b1"),
        phase_out("w1"), turn(1, skips=["untap"]), doubt("Ana", 0, 2), doubt("Bo", 1), untap(stays_out=["w1"]),
    ]  # fmt: skip
    path = kept(tmp_path / "g.jsonl", record)
    told = daynight("replay", path).out
    for words in (
        "after event 10, turn 1, untap step: ☀ day or ☾ night",
        "where nobody can tell, the judge assumes night (MTR 4.9: policy)",
        "this turn: active Ana; Ana 0-2 spells, Bo 1 or more spells",
        "turn before: unknown; any number of spells",
        "uncertain, phased out",
        "face down",
        "-> perhaps: it becomes",
    ):
        assert words in told
    assert "after event 3, before the first turn: ☀ day or ☾ night" in daynight("replay", path, "--at", "3").out
    shown = daynight("show", path).out
    assert " now: day or night" in shown
    assert "[perhaps]" in shown
    assert re.search(r"^ spells  0-2$", shown, re.MULTILINE)
    why = daynight("why", path).out
    assert "The record leaves open whether it is day or night" in why
    assert why.startswith("e10  ? uncertain\n")


def test_one_spell_is_one_spell(daynight, tmp_path):
    """One spell is printed as `1 spell`, two as `2 spells`."""
    path = kept(tmp_path / "g.jsonl", [started(), turn(1), cast(), cast("Bo"), cast("Bo")])
    assert "this turn: active Ana; Ana 1 spell, Bo 2 spells" in daynight("replay", path).out


def test_more_spells_than_one_knows(daynight, tmp_path):
    """In the timeline, a number of spells without an upper bound has a plus sign, as `1+`."""
    path = kept(tmp_path / "g.jsonl", [started(), turn(1), cast(), doubt("Ana", 0), turn(2, "Bo")])
    assert re.search(r"^ spells  1\+ +0$", daynight("show", path).out, re.MULTILINE)


def test_a_game_without_turns(daynight, tmp_path):
    """`show` of a game without turns says `0 turns`, and that is not an error."""
    path = kept(tmp_path / "g.jsonl", [started()])
    ran = daynight("show", path)
    assert (0, True) == (ran.code, "g1: Ana against Bo · 0 turns · 1 event · " in ran.out)
    assert "after event 1, before the first turn: · neither day nor night" in daynight("replay", path).out


def test_teams(daynight):
    """`show` names a team's players together: `Ana and Al` in the heading, `Ana/Al` as the active players of a turn."""
    shown = daynight("show", GAMES / "two-headed-giant.jsonl").out
    assert "two-headed giant: Ana and Al against Bo and Bea · 6 turns" in shown
    assert re.search(r"^ active  Ana/Al +Bo/Bea ", shown, re.MULTILINE)


def test_undone(daynight, tmp_path):
    """`replay` shows undone events, and `audit` an undone finding, with `[undone]`; the exit code of `audit` is 0."""
    path = kept(tmp_path / "g.jsonl", [*CONTRACT, claim("day"), back_up(4)])
    told = daynight("replay", path).out
    assert 5 == told.count("[undone]")
    assert "turn 2: Bo [undone]" in told
    ran = daynight("audit", path)
    assert 0 == ran.code
    assert re.search(r"^  ~ Event 9: .* \[undone\]\n      event 9 \(.*\.\n", ran.out, re.MULTILINE)


def test_sources(daynight, tmp_path):
    """`why` shows the sources of a rule that agree with it; with --sources, also those that conflict, and says so."""
    clone = enter("c1", {"card": "Clone", "front": {"keywords": ["nightbound"]}})
    file = kept(tmp_path / "g.jsonl", [started(), clone])
    why = daynight("why", file).out
    assert "[agrees] Comprehensive Rules 2024-06-07, 702.145g: " in why
    assert "Werewhat" not in why
    all_ = daynight("why", file, "--sources").out
    conflict = "  [CONFLICTS: the rules win] Werewhat (2024-11-08): a lone permanent with nightbound makes it day"
    assert conflict in all_
    assert why.splitlines() == [line for line in all_.splitlines() if "CONFLICTS" not in line]
    (document,) = daynight("why", file, "--json").documents
    assert [True, False] == [source["agrees"] for source in document["sources"]]


def test_what_an_answer_rests_on(daynight, tmp_path):
    """`why` lists the events behind an answer with their sentences, at most twelve, and the number of the others."""
    file = kept(tmp_path / "g.jsonl", CONTRACT)
    lines = daynight("why", file).out.splitlines()
    at = lines.index("because of:")
    assert "    e5  turn 2: Bo" == lines[at + 1]
    casts = [started(), turn(1), effect("night"), *[cast()] * 20, turn(2, "Bo"), untap()]
    lines = daynight("why", kept(tmp_path / "many.jsonl", casts)).out.splitlines()
    at = lines.index("because of:")
    assert "    e2  turn 1: Ana" == lines[at + 1]
    assert "   e14  Ana casts a spell" == lines[at + 12]
    assert "    and 9 more events" == lines[at + 13]


def test_an_untap_step_to_come(daynight, tmp_path):
    """If a position is before a turn's untap step, the answer is the old state, and says what the step will change."""
    file = kept(tmp_path / "g.jsonl", [started(), effect("day"), turn(1), turn(2, "Bo"), cast("Bo")])
    says = "Turn 2's untap step is not written down yet: once it is over, it is night."
    for command in ("show", "replay", "unknowns", "why"):
        assert says in daynight(command, file, "--at", "turn:2").out
        assert says not in daynight(command, file).out
        assert says not in daynight(command, file, "--at", "turn:1").out


def test_why_of_a_permanent(daynight, tmp_path):
    """`why` of a permanent: which face, since when, by which rule, at any moment; an unknown id gives exit code 4."""
    file = kept(tmp_path / "g.jsonl", CONTRACT)
    lines = daynight("why", file, "w1").out.splitlines()
    assert "e8  Tavern Ruffian (w1): back face" == lines[0]
    assert "w1 shows its back face. Since event 8 (CR 702.145b)." == lines[1]
    assert "It transformed as it became night, at event 8 (CR 702.145b)." in lines[2]
    assert ["because of:", "    e8  untap step"] == lines[3:5]
    (document,) = daynight("why", file, "--at", "7", "w1", "--json").documents
    assert (7, "w1", "front", 4, [4]) == tuple(
        document[key] for key in ("event", "permanent", "face", "since", "because")
    )
    # An event that only shows that the untap step is over did not turn it.
    unwritten = kept(tmp_path / "u.jsonl", [started(), enter("w1"), turn(1), turn(2, "Bo"), claim("day")])
    lines = daynight("why", unwritten, "w1").out.splitlines()
    assert "    e5  Ana says: it is day [the untap step just before it]" in lines
    assert "just before it" not in daynight("why", file, "w1").out
    missing = daynight("why", file, "w2")
    assert (4, "") == (missing.code, missing.out)
    assert missing.err.endswith("g.jsonl: no permanent 'w2' on the battlefield after event 8; there: w1\n")


def test_a_dispute_in_an_audit(daynight, tmp_path):
    """In `audit` a ruling against the rules is a finding; another line has its dispute, with what each side said."""
    acts = [opens(), argues(designation="day"), argues(designation="night"), rules_on(outcome="fix", designation="day")]
    ran = daynight("audit", kept(tmp_path / "g.jsonl", [*CONTRACT, *acts]))
    assert 1 == ran.code
    short = "Event 12: Jo rules that it is day; derived: it is night. Since event 8 (CR 728.2a)."
    sentence = "event 12 (turn 3, untap step): Jo rules in dispute d1 that it is day; by the rules it is night."
    assert f"  ✗ {short}\n      {sentence} " in ran.out
    sides = "Bo says day, which is not derived; Bo says night, as derived"
    assert f"  · d1, about event 8: ruled, not closed; {sides}\n" in ran.out


def test_no_almost(daynight, tmp_path):
    """If no small change would have changed the answer, `why` prints no line about "almost"."""
    why = daynight("why", kept(tmp_path / "g.jsonl", [started(), joined("night")])).out
    assert "almost" not in why


@pytest.mark.parametrize("shape, table, diagram", [("table", 1, 0), ("mermaid", 0, 1), ("both", 1, 1)])
def test_chart(daynight, shape, table, diagram):
    """`chart` prints a table, a diagram, or both; in the diagram an arrow for a ruling has no rule number."""
    printed = daynight("chart", "--format", shape).out
    assert (table, diagram) == (printed.count("Some one active player"), printed.count("stateDiagram-v2\n"))
    assert diagram == printed.count("[some one active player")
    if diagram:
        assert "    day --> night : check-day (728.2a) [no active player of the previous turn cast" in printed
        assert "    day --> night : judge [a judge rules that it is night]\n" in printed


def test_cards(daynight, monkeypatch):
    """`cards` prints what each card does with day and night, and whether that was verified."""
    monkeypatch.setenv("COLUMNS", "200")
    found = " ".join(daynight("cards").out.split())
    for words in (
        "daybound, nightbound", "day if neither", "watches day", "it can't become night", "makes it night",
        "can't transform", "asks whether it is night", "NOT verified",
    ):  # fmt: skip
        assert words in found
    assert "its ability on a change" in daynight("cards", "Sunstreak Phoenix").out


def test_cards_that_ask_for_day(daynight, tmp_path):
    """`cards` marks a card that asks whether it is day, in a custom catalogue too."""
    path = tmp_path / "cards.json"
    path.write_text('[{"name": "A", "double_faced": false, "front": {"name": "A"}, "reads": "day"}]')
    assert "asks whether it is day" in daynight("cards", "--catalogue", path).out


def test_progress(tmp_path, monkeypatch, capsys):
    """At a terminal, standard error shows progress only after a waiting time; it is removed at the end."""
    monkeypatch.setattr(output, "_PATIENCE", -1.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with output.waiting() as progress:
        progress(7)
    assert ("", "\r7 events read\r\x1b[K") == capsys.readouterr()
    monkeypatch.setattr(output, "_PATIENCE", 1000.0)
    with output.waiting() as progress:
        progress(7)
    assert ("", "") == capsys.readouterr()


def test_no_progress_in_a_pipe(daynight, tmp_path, monkeypatch):
    """If standard error is not a terminal, no progress is shown."""
    monkeypatch.setattr(output, "_PATIENCE", -1.0)
    path = tmp_path / "long.jsonl"
    path.write_bytes(records.lines(3000))
    assert (0, "") == daynight("audit", path)[::2]


@pytest.mark.parametrize("command", sampled(["show", "audit", "replay"], 3))
def test_an_output_without_our_signs(process, command):
    """If the encoding of the output has no sun and moon, commands still answer, without an error."""
    ran = process(command, "demo", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert ran.code in (0, 1), ran.err
    assert "" == ran.err
