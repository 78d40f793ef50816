"""The interactive prompt of `daynight record`.

| promise | test |
| --- | --- |
| the prompt shows turn, active players and designation; consequences and the forecast are above it | test_a_game |
| the prompt uses colour, except with NO_COLOR or without a terminal | test_colour, test_no_colour, test_beside |
| it works without readline; with readline there is a history | test_without_readline, test_history |
| `pass` begins the next player's turn, with untap and upkeep, stored together | test_a_game, test_next_turn |
| players take turns in order, those who left are skipped, a team shares its turn | test_next_turn |
| `undo` backs up to before the last typed line, and names its events; nothing is deleted | test_undo, test_undoing |
| `undo` skips notes, disputes and earlier `undo`s, and refuses to undo a judge's back-up | test_undoing |
| if nothing can be undone, `undo` says so | test_nothing_to_undo, test_undoing |
| `--as` names who backs up; the default is the table | test_undo, test_slips |
| questions are answered without storing anything; a claim is stored | test_answers |
| French and Japanese lines work in any language; help is in the reader's language | test_languages |
| a narrow terminal shows everything, in every language | test_narrow |
| a command word inside a line is not a command | test_a_line_is_a_line, test_slips |
| an error or a conflict with another writer is reported, and typing continues | test_slips, test_somebody_was_faster |
| JSON is accepted, invalid text refused, and `quit` ends the prompt | test_other_lines, test_quit |
"""

import json
import os
import re
import select
import shutil
import sys
import time

import pytest
from rich.cells import cell_len

from daynight.cli.typing.prompt import examples
from daynight.framework.language.errors import ImpossibleError
from daynight.game import Game
from daynight.games import Store
from daynight.keeping.next_turn import next_turn
from daynight.keeping.undoing import undoing
from daynight.languages.speaking import speaking
from daynight.notation import read_text
from tests import processes
from tests.commands.conftest import environ, read_to_the_end, stored
from tests.languages.messages import TRANSLATED
from tests.rules.judges import back_up, noted, opens
from tests.rules.words import cast, joined, quits, restarted, started, turn, untap, upkeep

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals", allow_module_level=True)

STEERING = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x07|\r")
PATIENCE = 60
RUN = [sys.executable, "-m", "daynight"]
WITHOUT_READLINE = "import sys; sys.modules['readline'] = None; from daynight.cli.commands import run; sys.exit(run())"


class Terminal:
    """A command at a pseudo-terminal; `type` types each line when the prompt appears."""

    def __init__(self, folder, *arguments, run=RUN, stdout=None, **more):
        self._ours, theirs = os.openpty()
        out = theirs if stdout is None else stdout
        environment = environ(TERM="xterm-256color", COLUMNS="160", HOME=str(folder)) | more
        self.child = processes.Popen(
            [*run, *map(str, arguments)], cwd=folder, env=environment, stdin=theirs, stdout=out, stderr=theirs
        )
        os.close(theirs)
        self._bytes = b""

    @property
    def raw(self):
        """All output so far."""
        return self._bytes.decode(errors="replace")

    def screen(self):
        """The output without control sequences."""
        return STEERING.sub("", self.raw)

    def wait(self):
        """Wait until the prompt appears or the command has ended."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if not select.select([self._ours], [], [], 1)[0]:
                continue
            try:
                piece = os.read(self._ours, 65536)
            except OSError:
                return  # the other side is closed
            self._bytes += piece
            if self.screen().endswith("> "):
                return
        raise AssertionError(self.raw)

    def ended(self):
        """Wait until the command has ended; return its exit code."""
        self._bytes += read_to_the_end(self._ours)
        return self.child.wait(PATIENCE)

    def type(self, *lines):
        """Type lines, each at a prompt, and end the command; return the new output."""
        self.wait()
        begins = len(self.screen())
        for line in lines:
            os.write(self._ours, line if isinstance(line, bytes) else f"{line}\n".encode())
            self.wait()
        rest = self.screen()[begins:]
        os.write(self._ours, b"\x04")
        assert 0 == self.ended(), self.raw
        return rest


@pytest.fixture
def friday(begun, folder):
    """A game whose werewolf makes it day in the first turn: three events."""
    shutil.copytree(begun / "wolf", folder, dirs_exist_ok=True)
    return folder


LANGUAGES = {
    "fr": ("aide", "il fait jour", "Bo lance Opt", "passe", "nuit", "Ana attaque", "pourquoi w1", "état", "annule"),
    "ja": ("ヘルプ", "昼です", "BoがOptを唱える", "パス", "夜", "Anaが攻撃する", "なぜ w1", "昼か夜か", "取り消し"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.wide(but=1)
def test_languages(friday, language):
    """A claim, a cast, a passed turn, a claim and its undo are stored; the help's examples are valid lines."""
    screen = Terminal(friday, "record", "friday", "--lang", language).type(*LANGUAGES[language])
    kinds = [event.type for event in stored().events[3:]]
    turned = ["turn-began", "step-began", "step-began"]
    assert ["designation-claimed", "spell-cast", *turned, "designation-claimed", "game-backed-up"] == kinds
    with speaking(language):
        assert all(f"  {line}" in screen for line in examples())
        for line in examples():
            assert read_text(f"game g\nplayers Ana, Bo\nturn 1 Ana\nAna: Tavern Ruffian (w1) enters\n{line}")[3:]


def test_a_game(friday):
    """The whole screen of a cast and two passed turns; the three events of `pass` are stored together."""
    screen = Terminal(friday, "record", "friday").type("ana casts opt", "pass", "Pass Turn")
    so_far = "Day. Bo, active in this turn, has cast no spell: it becomes night in the next turn's untap step"
    assert screen.splitlines() == [
        "ana casts opt", "e4  Ana casts opt",
        "Day. Ana has cast 1 spell as the active player: it stays day, whatever is still cast in this turn.",
        "turn 1 Ana ☀ day> pass", "e5  turn 2: Bo", "e6  untap step", "e7  upkeep", f"{so_far} unless Bo casts one.",
        "turn 2 Bo ☀ day> Pass Turn", "e8  turn 3: Ana", "e9  untap step",
        "      -> it becomes night: Bo, active in turn 2, cast no spell in it (CR 728.2a)",
        "      -> Tavern Ruffian (w1) transforms into Tavern Smasher (CR 702.145b)", "e10  upkeep",
        "Night. Ana, active in this turn, has cast no spell: it stays night unless Ana casts 2.",
        "turn 3 Ana ☾ night> ",
    ]  # fmt: skip
    assert 10 == len(stored())
    with Store.open("daynight.db") as store:
        assert {(5, 7), (8, 10)} <= {(one.first, one.last) for one in store.commands("friday")}


def test_colour(friday):
    """The designation and the consequences are coloured."""
    terminal = Terminal(friday, "record", "friday")
    terminal.type("pass", "pass")
    assert "\x1b[1;38;5;63m☾ night" in terminal.raw
    assert "\x1b[32m" in terminal.raw


@pytest.mark.slow
def test_no_colour(friday):
    """With NO_COLOR the prompt has no colour."""
    terminal = Terminal(friday, "record", "friday", NO_COLOR="1")
    terminal.type("pass", "pass")
    assert "turn 3 Ana ☾ night> " in terminal.screen()
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", terminal.raw)


@pytest.mark.slow
def test_without_readline(friday):
    """Without readline the prompt works: the terminal itself edits the line, as with backspace."""
    terminal = Terminal(friday, "record", "friday", run=[sys.executable, "-c", WITHOUT_READLINE])
    screen = terminal.type("bo castz opt\x7f\x7f\x7f\x7f\x7fs opt", "undo")
    assert "e4  Bo casts opt [undone]" in screen
    assert "\x01" not in terminal.raw


@pytest.mark.slow
def test_history(friday):
    """The up arrow brings back the previous line; it can be changed and typed again."""
    pytest.importorskip("readline", reason="this Python was built without readline")
    Terminal(friday, "record", "friday").type("bo casts opt", "\x1b[A" + "\x7f" * 3 + "Immerwolf")
    assert ["opt", "Immerwolf"] == [event.card for event in stored().events[-2:]]


@pytest.mark.slow
def test_beside(friday):
    """If standard output is a file, it has only the stored events, and the terminal has the prompt."""
    with (friday / "out").open("wb") as out:
        terminal = Terminal(friday, "record", "friday", "--json", stdout=out)
        assert "turn 1 Ana ☀ day> " in terminal.type("pass", "undo", "what is it")
    documents = [json.loads(line) for line in (friday / "out").read_text(encoding="utf-8").splitlines()]
    assert [4, 5, 6, 7] == [document["event"] for document in documents]


ANA_BO = started("Ana", "Bo")
THREE = started("Ana", "Bo", "Cy")
TEAMS = started("Ana", "Bo", "Cy", "Di", teams=[["Ana", "Bo"], ["Cy", "Di"]])


@pytest.mark.parametrize("events, number, active", [
    ([ANA_BO], 1, ("Ana",)),
    ([ANA_BO, joined("day")], 1, ("Ana",)),
    ([ANA_BO, turn(1, "Ana")], 2, ("Bo",)),
    ([ANA_BO, turn(7, "Bo")], 8, ("Ana",)),
    ([THREE, turn(1, "Cy")], 2, ("Ana",)),
    ([THREE, turn(1, "Ana"), quits("Bo")], 2, ("Cy",)),
    ([THREE, turn(1, "Ana"), quits("Ana")], 2, ("Bo",)),
    ([THREE, quits("Ana")], 1, ("Bo",)),
    ([TEAMS], 1, ("Ana", "Bo")),
    ([TEAMS, turn(1, "Ana", "Bo")], 2, ("Cy", "Di")),
    ([TEAMS, turn(1, "Cy", "Di")], 2, ("Ana", "Bo")),
    ([TEAMS, turn(1, "Ana", "Bo"), quits("Cy")], 2, ("Di",)),
    ([ANA_BO, turn(1, "Ana"), turn(2, "Bo"), back_up(2)], 2, ("Bo",)),
    ([ANA_BO, turn(1, "Bo"), restarted()], 1, ("Ana",)),
])  # fmt: skip
def test_next_turn(events, number, active):
    """`next_turn` returns three events that the game accepts: the turn of the next player or team, untap, upkeep."""
    game = Game(events)
    begun, *steps = next_turn(game.state)
    assert (number, active) == (begun.turn, begun.active)
    assert ["untap", "upkeep"] == [each.step for each in steps]
    for event in (begun, *steps):
        game.record(event)
    assert (number, active, "upkeep") == (game.state.turn, game.state.active, game.state.step)


def undo(to, note="undo"):
    """Return the event that `undo` writes: a back-up to the event `to`."""
    return back_up(to) | {"by": "table", "note": note}


FIRST = [ANA_BO]
LAST = [cast()]


@pytest.mark.parametrize("appended, to, taken", [
    ([FIRST, [turn(1, "Ana")], LAST], 2, [3]),
    # Events stored together are undone together.
    ([FIRST, [turn(1, "Ana"), untap(), upkeep()]], 1, [2, 3, 4]),
    # Notes and disputes are skipped, and stay.
    ([FIRST, [turn(1, "Ana")], LAST, [noted()], [opens()]], 2, [3]),
    ([FIRST, [turn(1, "Ana")], [cast(), noted(), cast()]], 2, [3, 5]),
    # Undone events are skipped: the next `undo` goes further back.
    ([FIRST, [turn(1, "Ana")], LAST, [undo(2)]], 1, [2]),
    ([FIRST, [turn(1, "Ana")], LAST, LAST, [undo(3)], [noted()], [undo(2)]], 1, [2]),
    ([FIRST, [turn(1, "Ana")], LAST, [undo(2)], LAST], 4, [5]),
    # A judge backed up, and later events exist.
    ([FIRST, [turn(1, "Ana")], LAST, [back_up(2)], LAST], 4, [5]),
    ([FIRST, [turn(1, "Ana"), cast(), cast()], [back_up(3)], LAST, [undo(5)]], None, "event 5 is a back-up"),
    ([FIRST, [turn(1, "Ana")], LAST, [back_up(2)]], None, "event 4 is a back-up"),
    ([FIRST], None, "nothing to undo"),
    ([FIRST, [noted()]], None, "nothing to undo"),
    ([[ANA_BO, joined("day")]], None, "nothing to undo"),
    ([FIRST, [turn(1, "Ana")], [undo(1)]], None, "nothing to undo"),
    # The events that began the game were not typed, so they are not undone.
    ([[ANA_BO, turn(1, "Ana"), cast(), cast()]], 3, [4]),
])  # fmt: skip
def test_undoing(appended, to, taken):
    """`undo` backs up to the event `to` and undoes the events `taken`; if `to` is None, the error matches `taken`."""
    with Store.open("memory:") as store:
        for events in appended:
            store.append("g1", events)
        head = store.head("g1").number
        if to is None:
            with pytest.raises(ImpossibleError, match=taken):
                undoing(store, "g1", head)
            return
        found = undoing(store, "g1", head)
        assert (to, taken) == (found.to, [number for number, _event in found.events])
        before = store.load("g1")
        store.append("g1", [found.back_up("table")])
        after = store.load("g1")
        assert before.events == after.events[:-1]
        assert all(number not in taken for number in range(1, head + 1) if after.stands(number))
        assert before.document(to)["designation"] == after.document()["designation"]
        assert before.document(to)["tallies"] == after.document()["tallies"]


def test_undo(friday):
    """The answer names the undone events and the author of `--as`; the next `undo` skips what was undone before."""
    screen = Terminal(friday, "record", "friday", "--as", "Ana").type(
        "ana casts moonmist  # quick", "undo", "bo casts opt", "Oops!", "undo"
    )
    assert "e4  Ana casts Moonmist [undone]\ne5  Ana backs the game up to event 3  # undo\n" in screen
    assert "e6  Bo casts opt [undone]\ne7  Ana backs the game up to event 5  # undo\n" in screen
    assert "e3  Tavern Ruffian (w1) enters the battlefield [undone]" in screen
    assert 8 == len(stored())


@pytest.mark.slow
def test_nothing_to_undo(friday):
    """After a judge's back-up, `undo` says that it does not take that back, and stores nothing."""
    screen = Terminal(friday, "record", "friday").type("jo backs up to e1", "undo")
    assert "event 4 is a back-up, which undo does not take back" in screen
    assert 4 == len(stored())


@pytest.mark.slow
def test_answers(friday):
    """Questions store nothing; saying that it is day or night is a claim, and is stored."""
    asked = ("it is night", "night", "no spells", "bo does nothing", "bo passes", "what is it")
    screen = Terminal(friday, "record", "friday").type(*asked, "why", "why w1", "why x", "help")
    for words in (
        "it is night\ne4  table says: it is night\n",
        "turn 1 Ana ☀ day> night\ne5  table says: it is night\n",
        "nothing needs to be written; pass ends the turn",
        "it is the turn of Ana; pass ends it",
        "Day. Ana, active in this turn, has cast no spell: it becomes night",
        "It has been day since event 3, turn 1",
        "w1 shows its front face. Since event 3.\nTavern Ruffian (w1) shows its front face, Tavern Ruffian. It has",
        "no permanent 'x'",
        "Jo backs up to e12",
        "backs up to before what was typed last",
    ):
        assert words in screen, screen
    assert ["designation-claimed"] * 2 == [event.type for event in stored().events[3:]]


@pytest.mark.parametrize(
    "language", ["en", *(pytest.param(language, marks=pytest.mark.slow) for language in TRANSLATED)]
)
def test_narrow(friday, language):
    """At 40 columns no text is cut off with an ellipsis, and no line is longer than the terminal."""
    screen = Terminal(friday, "--lang", language, "record", "friday", COLUMNS="40").type(
        "help", "pass", "night", "undo"
    )
    assert "\N{HORIZONTAL ELLIPSIS}" not in screen
    told = [line for line in screen.splitlines() if "> " not in line.removeprefix("      -> ")]
    assert 40 >= max(map(cell_len, told))


@pytest.mark.slow
def test_a_line_is_a_line(friday):
    """Command words in comments, quoted text and card names are not commands: each line is stored as one event."""
    Terminal(friday, "record", "friday").type(
        "Ana casts Opt  # and Ana passes", 'Jo notes "Bo does nothing"', "Ana casts Time Passes"
    )
    *_before, noted_, said_, named = stored().events
    assert ("and Ana passes", "Bo does nothing", "Time Passes") == (noted_.note, said_.says, named.card)


@pytest.mark.wide
def test_slips(friday):
    """Each error has line and column; the next line is stored, and `undo` without `--as` is by the table."""
    screen = Terminal(friday, "record", "friday").type(
        "bo castes opt", "turn 1 bo", "bo casts opt  # and Ana passes", "undo"
    )
    assert "db:friday:4:4: 'castes' is not understood; did you mean casts?" in screen
    assert "db:friday:4:6: turn 1 does not rise above turn 1" in screen
    assert "e4  Bo casts opt [undone]\ne5  table backs the game up to event 3  # undo\n" in screen
    assert "and Ana passes" == stored().events[3].note
    assert 5 == len(stored())


@pytest.mark.slow
def test_somebody_was_faster(friday, daynight):
    """`pass` is refused if another writer has changed the game since the prompt; the `undo` after it is not."""
    terminal = Terminal(friday, "record", "friday")
    terminal.wait()
    assert 0 == daynight("record", "friday", "turn 2 Bo").code
    os.write(terminal._ours, b"pass\n")
    screen = terminal.type("undo")
    assert "friday: the last event is 4, not 3; read what came, and append again" in terminal.screen()
    assert "e4  turn 2: Bo [undone]" in screen
    assert 5 == len(stored())


@pytest.mark.slow
def test_other_lines(friday):
    """JSON is stored; invalid text is refused, and a comment and an empty line are ignored."""
    screen = Terminal(friday, "record", "friday").type(
        '{"type": "game-restarted"}', b"bo casts \xff\n", "# a break", ""
    )
    assert "the game restarts" in screen
    assert "not UTF-8" in screen
    assert 4 == len(stored())


def test_quit(friday):
    """The word `quit` ends the prompt with exit code 0."""
    terminal = Terminal(friday, "record", "friday")
    terminal.wait()
    os.write(terminal._ours, b"quit\n")
    terminal.wait()
    assert 0 == terminal.child.wait(PATIENCE)
    assert 3 == len(stored())


@pytest.mark.slow
def test_enter_is_not_lost(friday):
    """`undo` names the card of a permanent whose leaving or entering it undoes."""
    screen = Terminal(friday, "record", "friday").type("bo: immerwolf (i1) enters", "i1 leaves", "undo", "undo")
    assert "e5  Immerwolf (i1) leaves the battlefield [undone]" in screen
    assert "e4  Immerwolf (i1) enters the battlefield [undone]" in screen
