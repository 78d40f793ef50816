"""The group of all commands; it loads only the command that runs, and turns errors into exit codes."""

from __future__ import annotations

import builtins
import keyword
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import cast

import click

from daynight.cards import doubt_sentence, doubting, unknown_sentence
from daynight.cli.greeting import greeting
from daynight.cli.synonyms import PROPOSED, instead
from daynight.cli.terminal.exits import told
from daynight.cli.terminal.helping import IN_JSON, print_help, version
from daynight.cli.terminal.interpreter import asked, interpreted, interpreting, lang
from daynight.cli.terminal.letters import spell_out
from daynight.cli.terminal.output import answering, error_line, heard, unheard
from daynight.framework.language.wording import _
from daynight.machine.program import DAYNIGHT, program, running
from daynight.machine.shells import pasting, shell_of

SECTIONS = {
    "look": ("show", "replay", "why", "forecast", "stats", "unknowns", "picture", "demo", "serve", "live"),
    "judge": ("audit", "dispute", "report", "repair", "backup-plan"),
    "compare": ("what-if", "branches", "diff", "bisect", "blame", "replay-test"),
    "keep": (
        "new", "record", "table", "list", "follow", "import", "export", "verify", "key", "backup", "restore", "migrate",
        "corpus",
    ),
    "words": ("read", "write", "fmt", "chart", "schema", "cards", "editions", "completion", "conformance", "adopt"),
}  # fmt: skip
"""Every command, by section. Its function and its module have its name; `_FOLDERS` has its folder."""

_FOLDERS = {command: section for section, commands in SECTIONS.items() for command in commands} | {
    "serve": "share",
    "live": "share",
    "table": "share",
    "corpus": "corpus",
    "adopt": "adopting",
}
"""The folder of each command: the folder of its section, with some exceptions."""

COMMANDS = tuple(_FOLDERS)
"""Every command, in the order of the help."""


COMPLETING = "_DAYNIGHT_COMPLETE"
"""The variable by which a completion script asks for completions."""


def _heading(section: str) -> str:
    return {
        "look": _("Look at a game"),
        "judge": _("Judge a game"),
        "compare": _("Compare games"),
        "keep": _("Keep games"),
        "words": _("Words and tools"),
    }[section]


def _module(command: str) -> str:
    """Return the module of a command: `what_if`, or `import_` and `list_` where Python uses the name itself."""
    command = command.replace("-", "_")
    return f"{command}_" if keyword.iskeyword(command) or hasattr(builtins, command) else command


_OPTIONS: dict[str, Callable[[list[str]], list[str]]] = {
    "help": lambda more: [*more, "--help"],
    "version": lambda more: ["--version", *more],
}
"""Words that people type like a command; each function returns the arguments that the word and `more` mean."""


class _NoCommandError(click.UsageError):
    """A verb that is no command; `possibilities` are the commands that were probably meant."""

    def __init__(self, message: str, possibilities: Sequence[str] | None, ctx: click.Context) -> None:
        super().__init__(message, ctx)
        self.possibilities = possibilities


class _Lazy(click.Group):
    """Loads the module of a command on first use."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse `args` as click does; without any, print the greeting in a terminal, else raise a usage error."""
        if not args and sys.stdout.isatty() and not ctx.resilient_parsing:
            click.echo(greeting(ctx))
            ctx.exit()
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = _module(cmd_name)
        command: click.Command = getattr(import_module(f"daynight.cli.{_FOLDERS[cmd_name]}.{name}"), name)
        return interpreted(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section, each with its whole first sentence."""
        width = max(map(len, COMMANDS))
        for section, names in SECTIONS.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(_heading(section)):
                formatter.write_dl([(f"{name:{width}}", one.get_short_help_str()) for name, one in commands if one])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        verb, *more = args
        if verb in _OPTIONS and ctx.resilient_parsing:
            # A shell completes `help why` as it completes `why`.
            return super().resolve_command(ctx, more) if more else (None, None, [])
        if verb in _OPTIONS:
            before = ["--json"] if IN_JSON in ctx.meta else []
            with self.make_context(ctx.info_name, [*before, *_OPTIONS[verb](more)], parent=ctx.parent) as meant:
                self.invoke(meant)
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand:
            if (sentence := instead(verb)) is not None:
                raise click.UsageError(sentence, ctx) from None
            # Click would look for a similar name among loaded commands only, and there are none.
            near = click.NoSuchCommand(verb, possibilities=COMMANDS)
            raise _NoCommandError(near.message, PROPOSED.get(verb) or near.possibilities, ctx) from None


@click.group(
    cls=_Lazy,
    invoke_without_command=True,  # --json alone
    no_args_is_help=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Exit codes: 0 done, nothing found; 1 done, something found; 2 wrong usage; 3 input that cannot be read or"
    " is impossible; 4 not found; 5 store damaged, conflicting or not available; 70 a bug of ours; 130 interrupted.",
)
@version
@lang
@click.pass_context
def daynight(ctx: click.Context) -> None:
    """Is it day or night, and can you prove it? Replay, explain and audit a recorded game of Magic.

    FILE is a record: a .jsonl, .jsonl.gz or .dn file, - for standard input, demo for the bundled game, or db:GAME for a
    game of a store. Commands that only read also take a log of Magic Arena, XMage or Forge; --game names one of its
    games.
    """
    if ctx.invoked_subcommand is None:
        if IN_JSON not in ctx.meta:
            raise click.UsageError(_("Missing command."))
        print_help(ctx)


def run(
    arguments: list[str] | None = None, group: click.Group | None = None, words: str | Sequence[str] = DAYNIGHT
) -> int:
    """Run a command line of `group`, or of daynight; return the exit code. Print any error as one line on stderr.

    `words` are the words that start the program: proposed commands begin with them.
    """
    for channel, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, channel) is None:
            # The program that started this one closed the channel, as schedulers do.
            setattr(sys, channel, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    spell_out(sys.stdout, sys.stderr)
    given = sys.argv[1:] if arguments is None else arguments
    language, program_words = asked(given, os.environ), [words] if isinstance(words, str) else words
    with (
        pasting(shell_of(os.name, os.environ)), running(program_words), interpreting(language), answering(given),
        doubting() as doubts,
    ):  # fmt: skip
        code = _run(arguments, daynight if group is None else group, program())
        for card, near in doubts.items():
            if near is not None:
                error_line(doubt_sentence(card, near))
        if unknown := [card for card, near in doubts.items() if near is None]:
            error_line(unknown_sentence(unknown))
        return code


def _check_words(words: Sequence[str], ctx: click.Context) -> None:
    """Refuse an empty word of the command line: most often a shell variable in it has no value.

    Raises:
        UsageError: where a word is empty; it names the first one.
    """
    if "" in words:
        sentence = _(
            'word {n} behind {program} is empty, as "$NAME" is where NAME has no value; leave it out, or fill it'
        )
        raise click.UsageError(sentence.format(n=words.index("") + 1, program=ctx.command_path), ctx)


def _run(arguments: list[str] | None, group: click.Group, name: str) -> int:
    try:
        if COMPLETING in os.environ:
            # click has to know the shells that it does not have itself.
            import_module("daynight.cli.words.completing")
        else:
            _check_words(sys.argv[1:] if arguments is None else arguments, click.Context(group, info_name=name))
        code = click.Group.main(cast(click.Group, interpreted(group)), arguments, prog_name=name, standalone_mode=False)
        with heard():
            sys.stdout.flush()
    except click.exceptions.Exit as exit:
        return exit.exit_code
    except (BrokenPipeError, SystemExit):
        # The reader closed our output (click exits then), so nothing more can be printed there.
        unheard()
        return 0
    except BaseException as error:
        return told(error, own=group.context_settings.get("obj") is not None)
    return code if isinstance(code, int) else 0
