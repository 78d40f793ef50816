"""The prompt of `daynight record` at a terminal: it shows the player, day or night, and the forecast."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from io import TextIOWrapper

import click
from msgspec.structs import replace as changed
from rich.console import Console
from rich.table import Table
from rich.text import Text

from daynight.cli.look.telling import possible_text, tell_line
from daynight.cli.terminal import stored
from daynight.cli.terminal.exits import told
from daynight.cli.terminal.output import console, error_line
from daynight.cli.typing.typed import Typist, says_nothing
from daynight.events import Designation, DesignationClaimed, Event, PermanentsEntered
from daynight.framework.language.errors import DaynightError, RecordError, tame
from daynight.framework.language.strict import LINE_LENGTH
from daynight.framework.language.wording import _
from daynight.games import Store
from daynight.keeping.next_turn import next_turn
from daynight.keeping.undoing import undoing
from daynight.notation.lines.hints import Meaning, remark
from daynight.notation.lines.lines import parted
from daynight.notation.lines.parsing import tree_of
from daynight.projections.transcript import line_of
from daynight.questions.forecast import forecast_of
from daynight.referee.state import State
from daynight.speech.sentences import listed
from daynight.store import Appended


def examples() -> tuple[str, ...]:
    """Return example lines for the help, in the reader's language; each is read as the same event as in English."""
    return (
        _("turn 3 Ana"), _("untap, upkeep"), _("Ana casts Opt"), _("Ana: Tavern Ruffian (w1) enters"), _("w1 leaves"),
        _("it becomes night by The Celestus"), _("Bo says night"), _("Jo rules night"), _("Jo backs up to e12"),
    )  # fmt: skip


_STEERING = re.compile("(\x1b\\[[0-9;]*m)")


class Prompt:
    """Reads the events of one stored game that a person types at a terminal.

    If standard output is no terminal, or JSON is asked for, the prompt and its answers go to standard error.
    """

    def __init__(self, store: Store, typist: Typist, *, speaker: str, as_json: bool) -> None:
        self._store = store
        self._typist = typist
        self._game = typist.game
        self._speaker = speaker
        self._beside = as_json or not sys.stdout.isatty()
        self._out: Console = console(stderr=self._beside)
        self._state: State = store.at(self._game)
        self._edited = not self._beside and _readline()
        # Let bytes that are no text through: the line's reader refuses them in a sentence.
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="surrogateescape")

    def lines(self) -> Iterator[bytes]:
        """Yield the lines that are not blank or comments, until the end of the input or the line `quit`.

        A prompt is printed before each line; if events were stored, the forecast of the next untap step comes first.
        """
        error_line(
            _("one line a happening, as: Ana casts Opt; stored as soon as it is typed; help lists more; Ctrl-D ends")
        )
        shown = self._state.event
        while True:
            self._state = self._store.at(self._game)
            if self._out.is_terminal and self._state.event != shown:
                shown = self._state.event
                self._out.print(Text(tame(forecast_of(self._state).sentence), style="dim"))
            line = self._line()
            if line is None:
                if self._out.is_terminal:
                    self._out.print()
                return
            if not says_nothing(line):
                if (meant := _meant(line)) is not None and meant.kind == "quit":
                    return
                yield line

    def append(self, line: bytes, command: str | None, expected: int | None) -> Appended | None:
        """Store the events that a line means, also `pass` and `undo`; return None if nothing was to be stored.

        If the line is a question, such as `why` or `help`, print the answer.

        Raises:
            RecordError, NotFoundError, ConflictError, UnavailableError: as `Typist.append`.
        """
        meant = _meant(line)
        if meant is not None and meant.kind == "pass" and self._may_pass(meant):
            number, state = self._before(command, expected)
            return self._store.append(self._game, next_turn(state), command=command, expected=number)
        if meant is not None and meant.kind == "undo":
            number, _state = self._before(command, expected)
            found = undoing(self._store, self._game, number)
            undone = self._store.append(self._game, [found.back_up(self._speaker)], command=command, expected=number)
            self._tell_undone(found.to, found.events)
            return undone
        if meant is not None and meant.kind == "claim":
            number, _state = self._before(command, expected)
            claimed = DesignationClaimed(designation=Designation(meant.subject), by=self._speaker)
            return self._store.append(self._game, [claimed], command=command, expected=number)
        if meant is not None and self._answer(meant):
            return None
        appended = self._typist.append([line], command, expected)
        if appended is None:
            self._out.print(_("nothing needs to be written; pass ends the turn"))
        return appended

    def refuse(self, error: DaynightError) -> None:
        """Print why a line was refused, so that the person can type it again."""
        if self._beside:
            told(error)
        else:
            self._out.print(Text(tame(str(error)), style="red"))

    def _line(self) -> bytes | None:
        """Return the next line; None at the end of the input."""
        text = self._prompt()
        if self._beside:
            if self._out.is_terminal:
                print(text, end="", file=sys.stderr, flush=True)
            line = sys.stdin.buffer.readline(LINE_LENGTH + 2)
            return line.removesuffix(b"\n") if line else None
        try:
            return input(text).encode(errors="surrogateescape")
        except EOFError:
            return None

    def _prompt(self) -> str:
        """Return the prompt: `turn 3 Ana ☀ day> `, in colour if the terminal has any."""
        state = self._state
        text = Text(_("before turn 1"))
        if state.turn:
            text = Text(_("turn {turn} {active}").format(turn=state.turn, active=tame(listed(state.active))))
        text.append(" ").append_text(possible_text(state.possible)).append("> ")
        with self._out.capture() as captured:
            self._out.print(text, end="", soft_wrap=True)
        # readline does not count the width of what is between these two signs.
        return _STEERING.sub("\x01\\1\x02", captured.get()) if self._edited else captured.get()

    def _before(self, command: str | None, expected: int | None) -> tuple[int, State]:
        """Return the event after which to store, and the state that the line is about.

        A repeated `command` has those of its first run. Else these are `expected`, or the last event that the prompt
        has read, and the state that it shows.
        """
        before = None if command is None else self._store.command(self._game, command)
        if before is not None:
            return before.first - 1, self._store.at(self._game, before.first - 1)
        return self._state.event if expected is None else expected, self._state

    def _may_pass(self, meant: Meaning) -> bool:
        """Return whether a `pass` line names the player whose turn it is, also by the name's beginning, or nobody."""
        said = meant.subject.casefold()
        return not said or any(player.casefold().startswith(said) for player in self._state.active)

    def _answer(self, meant: Meaning) -> bool:
        """Print the answer to a question, or why another player's `pass`, or `Ana does nothing`, stores nothing.

        Return False for any other line.
        """
        if meant.kind == "help":
            self._help()
        elif meant.kind == "what":
            self._out.print(Text(tame(forecast_of(self._state).sentence)))
        elif meant.kind == "why":
            from daynight.cli.look.why import why

            record = stored.StoredRecord(self._game, stored.place())
            click.get_current_context().invoke(why, record=(record, meant.subject or None))
        elif meant.kind == "pass":
            players = listed(self._state.active) or _("nobody")
            self._out.print(Text(tame(_("it is the turn of {players}; pass ends it").format(players=players))))
        elif meant.kind == "nothing":
            self._out.print(_("nothing needs to be written; pass ends the turn"))
        else:
            return False
        return True

    def _help(self) -> None:
        out = self._out
        out.print(_("A line is what happens, as:"))
        for line in examples():
            out.print(Text(f"  {line}"))
        out.print(_("And to this prompt:"))
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for word, does in (
            (_("pass"), _("the next player's turn begins, with untap and upkeep")),
            (_("undo"), _("backs up to before what was typed last, which stays in the record")),
            (_("why"), _("why it is day or night; why w1: why that permanent shows its face")),
            (_("what is it"), _("day or night, and what the next untap step will do")),
            (_("help"), _("this list; Ctrl-D or quit ends")),
        ):
            grid.add_row(f"  {word}", Text(does, style="dim"))
        out.print(grid, soft_wrap=False)

    def _tell_undone(self, to: int, events: tuple[tuple[int, Event], ...]) -> None:
        permanents = {status.id: status.permanent for status in self._store.at(self._game, to).battlefield}
        for number, event in events:
            if isinstance(event, PermanentsEntered):
                permanents |= {permanent.id: permanent for permanent in event.permanents}
            line = line_of(number, changed(event, note=None), permanents, undone=True)
            tell_line(self._out, line, mark=_("[undone]"))


def _meant(line: bytes) -> Meaning | None:
    """Return the meaning of a line such as `why` or `pass`; None if it is in the notation, or has no such meaning."""
    found = None
    try:
        text = parted(line.decode(errors="replace")).text
        if (found := remark(text)) is not None:
            tree_of(text)
    except RecordError:
        return found
    return None


def _readline() -> bool:
    """Enable line editing and history; return False if Python has no readline."""
    try:
        readline = import_module("readline")
    except ImportError:
        return False
    # Without this, Tab would offer names of files.
    readline.set_completer(lambda text, place: None)
    return True
