"""Help, the version and `--json` before a command's name, in words or as JSON."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import click

from daynight import __version__
from daynight.cli.terminal.output import as_document, print_json
from daynight.framework.language.wording import translated

IN_JSON = f"{__name__}.in-json"
"""The context key that notes that `--json` came before the name of the command."""


def _remember(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta[IN_JSON] = True


in_json = click.option(
    "--json", "as_json", is_flag=True, expose_value=False, callback=_remember, help="Print JSON and nothing else."
)
"""The option `--json` of a group, which applies to the command after it."""


def print_help(ctx: click.Context) -> None:
    """Print the help of a command; with JSON, a document with the same text and, for a group, its commands."""
    if not as_document():
        click.echo(ctx.get_help(), color=ctx.color)
        return
    names = ctx.command.list_commands(ctx) if isinstance(ctx.command, click.Group) else []
    print_json({"command": ctx.command_path, "help": ctx.get_help(), "commands": names})


def _printing(tell: Callable[[click.Context], None]) -> Callable[[click.Context, click.Parameter, bool], None]:
    """Return the callback of an option that prints a text and ends the program."""

    def told(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            tell(ctx)
            ctx.exit()

    return told


def _print_version(ctx: click.Context) -> None:
    if as_document():
        print_json({"daynight": __version__})
    else:
        click.echo(f"daynight {__version__}", color=ctx.color)


_flag: Any = {"is_flag": True, "expose_value": False, "is_eager": True}

_help = click.Option(
    ["-h", "--help", "help_asked"], help="Show this message and exit.", callback=_printing(print_help), **_flag
)

version = click.option(
    "-V", "--version", help="Show the version and exit.", callback=_printing(_print_version), **_flag
)
"""The option `--version`."""


def help_option() -> click.Option:
    """Return the option `--help`, in the reader's language."""
    told = copy.copy(_help)
    told.help = translated(_help.help or "")
    return told
