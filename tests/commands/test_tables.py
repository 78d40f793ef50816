"""Tables at terminals: columns if they fit, otherwise blocks; nothing is cut off.

| promise | test |
| --- | --- |
| in 40 to 80 columns, in every language, no text is missing and no line is longer | test_nothing_is_cut_off |
| a table that fits has aligned columns; one that does not is printed in blocks | test_columns_or_blocks |
| the last column is wrapped if it has enough room | test_the_last_column_is_wrapped |
| in a pipe a row is one line, however long, unless COLUMNS gives a width | test_in_a_pipe |
| day and night can be read on a black and on a white terminal | test_contrast |
"""

import os
import re
import sys

import pytest
from rich.cells import cell_len
from rich.color import Color
from rich.console import Console
from rich.style import Style

from daynight.cli.commands import run
from daynight.cli.terminal.grid import print_table
from daynight.cli.terminal.output import STYLES
from daynight.events.terms import Designation
from tests import processes
from tests.behaviour.games import CONTRACT, kept
from tests.commands.conftest import at_home, environ, read_to_the_end
from tests.languages.messages import TRANSLATED
from tests.rules.placing import enter
from tests.rules.wolves import RUFFIAN
from tests.rules.words import started, turn
from tests.sampling import sampled

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals", allow_module_level=True)

LONG = "a-game-with-a-name-that-is-longer-than-any-narrow-terminal-is-wide"
SCREENS = (
    ["cards"], ["chart", "--format", "table"], ["stats", "g1.jsonl", "long.jsonl"], ["list"],
    ["branches", "db:g1"], ["replay", "long.jsonl"],
)  # fmt: skip
WIDTHS = (40, 60, 80, 1000)
PRINTED = """
import os, sys
from daynight.cli.commands import run
for width in {widths}:
    for screen in {screens}:
        os.environ["COLUMNS"] = str(width)
        assert run(["--lang", {language!r}, *screen]) in (0, 1)
        sys.stdout.flush()
        print("\\f", flush=True)
"""


@pytest.fixture(scope="module")
def kept_games(tmp_path_factory):
    """A folder with files, and a store with a game and a branch."""
    folder = tmp_path_factory.mktemp("tables")
    kept(folder / "g1.jsonl", CONTRACT)
    wolf = enter("a-permanent-with-a-name-of-its-own", RUFFIAN)
    kept(folder / "long.jsonl", [started("Ana", "Bo") | {"game": LONG}, turn(1, "Ana"), wolf])
    # No key in the home folder: it would remember these games.
    for command in (
        ["import", "g1.jsonl", "long.jsonl"],
        ["what-if", "db:g1", "--at", "5", "--insert", "Bo casts Opt", "--name", "a-cast", "--keep"],
    ):
        with pytest.MonkeyPatch.context() as patched:
            patched.chdir(folder)
            at_home(patched, folder)
            patched.delenv("DAYNIGHT_DB", raising=False)
            assert run(command) in (0, 1)
    return folder


def screens(folder, language):
    """Return a dictionary: for each width and command of `SCREENS`, what the command prints at a terminal."""
    ours, theirs = os.openpty()
    program = PRINTED.format(widths=WIDTHS, screens=SCREENS, language=language)
    environment = environ(TERM="xterm-256color", NO_COLOR="1")
    with processes.Popen(
        [sys.executable, "-c", program], cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    ) as child:
        os.close(theirs)
        printed = read_to_the_end(ours)
    assert 0 == child.returncode, printed[-2000:]
    text = re.sub("\x1b\\[[0-9;]*m", "", printed.decode().replace("\r\n", "\n"))
    pages = text.split("\f\n")[:-1]
    assert len(WIDTHS) * len(SCREENS) == len(pages)
    return {(width, " ".join(screen)): pages.pop(0) for width in WIDTHS for screen in SCREENS}


def bare(text):
    """Return a text without white space, which wrapping changes."""
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("language", sampled(["en", *TRANSLATED], 3))
def test_nothing_is_cut_off(kept_games, language):
    """Each cell shown at the widest terminal is also shown at narrower ones."""
    printed = screens(kept_games, language)
    for width in WIDTHS[:-1]:
        for screen in map(" ".join, SCREENS):
            page, widest = printed[width, screen], printed[1000, screen]
            assert width >= max(map(cell_len, page.splitlines())), (width, screen)
            there = bare(page)
            rows = [[bare(cell) for cell in re.split(r"\s{2,}", line)] for line in widest.splitlines()]
            # The first row with several cells is the headings; blocks do not repeat the first heading.
            heading = next(row for row in rows if len(row) >= 4)
            rows.remove(heading)
            missing = {cell for row in rows for cell in row if cell != "-" and cell not in there}
            assert missing == set(), (width, screen)
    assert LONG in bare(printed[40, "list"])
    assert LONG in bare(printed[40, "stats g1.jsonl long.jsonl"])


HEADINGS, ROWS = ("game", "turns", "verdict"), (("friday", "12", "exact"), ("saturday", "3", "-"))


def page(width, capsys=None):
    """Return the lines of the table of `ROWS` at a terminal of this width."""
    out = Console(width=width, force_terminal=True, color_system=None, highlight=False)
    with out.capture() as captured:
        print_table(out, HEADINGS, ROWS, numbers=(1,))
    return [line.rstrip() for line in re.sub("\x1b\\[[0-9;]*m", "", captured.get()).splitlines()]


def test_columns_or_blocks():
    """If the terminal is one column too narrow for the table, each row is a block, without the cells that are `-`."""
    columns = ["game      turns  verdict", "friday       12  exact", "saturday      3  -"]
    assert columns == page(24)
    assert ["friday", "  turns: 12 · verdict:", "  exact", "saturday", "  turns: 3"] == page(23)


def test_the_last_column_is_wrapped():
    """If 24 characters are left for the last column, it is wrapped below its heading; if 23, each row is a block."""
    words = "it becomes day as this enters the battlefield"

    def shown(width):
        out = Console(width=width, color_system=None, highlight=False)
        with out.capture() as captured:
            print_table(out, ("rule", "when"), [("becomes", words)])
        return captured.get().splitlines()

    assert ["rule     when", "becomes  it becomes day as this", "         enters the battlefield"] == shown(9 + 24)
    assert "becomes" == shown(9 + 23)[0]


def test_in_a_pipe(daynight, kept_games, monkeypatch):
    """In a pipe each row is one line, so that grep finds whole rows; with COLUMNS no line is wider than that."""
    monkeypatch.chdir(kept_games)
    monkeypatch.delenv("COLUMNS", raising=False)
    out = daynight("list").out
    assert 1 == sum(LONG in line and "unverified" in line for line in out.splitlines()), out
    monkeypatch.setenv("COLUMNS", "40")
    *table, _sums = daynight("list").out.splitlines()
    assert 40 >= max(map(cell_len, table))


def luminance(colour):
    """Return the relative luminance of a colour, as WCAG defines it."""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("designation, least", [(Designation.DAY, 3.0), (Designation.NIGHT, 4.5)])
def test_contrast(designation, least):
    """Night (text) and day (sign or bold text) meet WCAG on black and white; themes only change colours 0 to 15."""
    colour = Style.parse(STYLES[designation]).color
    assert isinstance(colour, Color)
    assert colour.number >= 16
    light = luminance(colour.get_truecolor())
    assert (light + 0.05) / 0.05 >= least
    assert 1.05 / (light + 0.05) >= least
