"""`daynight record`: appends events to a stored game; each is durable before it is acknowledged."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daynight.cards import Catalogue
from daynight.cli.terminal import options, stored
from daynight.cli.terminal.exits import INTERRUPTED, told
from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.output import error_line, unheard
from daynight.cli.typing.acknowledging import Acknowledger
from daynight.framework.language.errors import DaynightError, NotFoundError, RecordError
from daynight.framework.language.strict import LINE_LENGTH
from daynight.framework.language.wording import _, counted
from daynight.machine.shells import likely, quoted

if TYPE_CHECKING:
    from daynight.cli.typing.prompt import Prompt
    from daynight.cli.typing.typed import Typist
    from daynight.games import Store
    from daynight.store import Appended


@click.command(
    epilog='\b\ndaynight record friday "turn 1 Ana" "Ana: Tavern Ruffian (w1) enters"\ndaynight record friday'
)
@options.game
@click.argument("events", metavar="[EVENT...]", nargs=-1)
@options.command
@click.option(
    "--expect",
    "expected",
    metavar="NUMBER",
    type=Whole(min=0),
    help="Store only if event NUMBER is the last one of the game.",
)
@click.option(
    "--as",
    "speaker",
    metavar="NAME",
    default="table",
    show_default=True,
    help="The name to record for a back-up that undo makes at the prompt.",
)
@options.db
@options.key
@options.told
def record(
    game: str,
    events: tuple[str, ...],
    command: str | None,
    expected: int | None,
    speaker: str,
    key: Path | None,
    catalogue: Catalogue,
    as_json: bool,
) -> int:
    """Append events to a stored game.

    EVENT is a line of the notation, or JSON. Several EVENTs are stored together, or none of them. The names of players
    and of permanents on the battlefield may be shortened as long as they stay unambiguous.

    Without EVENT, or with -, each line of standard input is one EVENT, stored before the next line is read; blank lines
    and comments (#) are skipped. Not sure it arrived? Send it again with the same --command ID; it is stored once. The
    lines of standard input get the ids ID-1, ID-2 and so on.

    At a terminal, a prompt shows the turn and day or night. A refused line is explained, and the next one is read. pass
    begins the next player's turn, undo backs up to before the last line typed, why explains, help lists what can be
    typed.
    """
    if "-" in events and len(events) > 1:
        raise click.UsageError(_("- is standard input; give no EVENT beside it"))
    store = stored.writing(key, game=game)
    store.catalogue = catalogue
    from daynight.cli.typing.typed import Typist, unquoted_line

    acknowledger = Acknowledger(store, game, as_json=as_json)
    typist = Typist(store, game)
    if events and events != ("-",):
        try:
            appended = typist.append([event.encode("utf-8", "surrogateescape") for event in events], command, expected)
        except RecordError:
            if (line := unquoted_line(events)) is None:
                raise
            sentence = _("an EVENT of several words stands in quotation marks: {words}")
            raise click.UsageError(sentence.format(words=quoted(line, likely()))) from None
        if appended is None:
            error_line(_("nothing happens there that a record has a line for"))
        else:
            acknowledger.tell(appended)
        return 0
    prompt = None
    if sys.stdin.buffer.isatty():
        from daynight.cli.typing.prompt import Prompt

        # This also refuses a missing game before the prompt asks for a line.
        prompt = Prompt(store, typist, speaker=speaker, as_json=as_json)
    return _from_input(store, typist, acknowledger, prompt, command, expected)


def _from_input(
    store: Store,
    typist: Typist,
    acknowledger: Acknowledger,
    prompt: Prompt | None,
    command: str | None,
    expected: int | None,
) -> int:
    last: int | None = None
    done = 0
    try:
        for line in _lines() if prompt is None else prompt.lines():
            id = None if command is None else f"{command}-{done + 1}"
            try:
                if prompt is None:
                    appended: Appended | None = typist.append([line], id, expected)
                else:
                    appended = prompt.append(line, id, expected)
            except DaynightError as error:
                if prompt is None or not _can_be_mended(error):
                    raise
                prompt.refuse(error)
                continue
            if appended is None:
                continue
            last = appended.last
            expected = None if expected is None else last
            done += 1
            acknowledger.tell(appended)
    except BrokenPipeError:
        # No reader would see which further lines are stored.
        unheard()
        error_line(_("nobody reads the acknowledgements any more; the last event stored is {last}").format(last=last))
        return INTERRUPTED
    except OSError as error:
        # The acknowledgement could not be written; the event is stored.
        return told(error, _("the last event stored is {last}").format(last=last))
    except DaynightError as error:
        if last is None:
            raise
        sentence = counted(
            "the line before it is stored, as event {last}",
            "the {n} lines before it are stored, the last one as event {last}",
            done,
        )
        return told(error, sentence.format(last=last))
    if done == 0:
        # No line came, so refuse a missing game here.
        store.head(typist.game)
    return 0


def _can_be_mended(error: DaynightError) -> bool:
    """Return whether the error is about the typed line, so that the person can type another one."""
    from daynight.store import ConflictError

    return isinstance(error, (RecordError, NotFoundError, ConflictError))


def _lines() -> Iterator[bytes]:
    """Yield the lines of standard input that are not blank or comments, each as it comes."""
    from daynight.cli.typing.typed import says_nothing

    while line := sys.stdin.buffer.readline(LINE_LENGTH + 2):
        line = line.removesuffix(b"\n")
        if not says_nothing(line):
            yield line
