"""The command line in the reader's language: which one that is, the help of the commands, and click's own words.

Click looks its words up by gettext's own functions, which go by the environment. So for as long as a command line runs,
click's domain is ours and LANGUAGE names the language chosen; the work of a command itself, and every program that it
starts, is done in the environment that was there before.
"""

from __future__ import annotations

import copy
import functools
import gettext
import inspect
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import click
from rich.cells import cell_len

from daynight.framework.language.wording import _, counted, translated
from daynight.keeping.files import PlaceError
from daynight.languages.speaking import CATALOGUES, DOMAIN, LANGUAGES, chosen, speaking

AS_WRITTEN = "\b\n"
"""Begins an epilog of examples: command lines, which are neither translated nor wrapped. The mark is click's own."""

_OPTION = "--lang"
_VARIABLE = "LANGUAGE"
_before: ContextVar[tuple[str | None] | None] = ContextVar("daynight.language-before", default=None)

lang = click.option(
    _OPTION,
    type=click.Choice(LANGUAGES),
    expose_value=False,
    is_eager=True,
    help="The language of the text; by default that of DAYNIGHT_LANG or of your environment.",
)
"""Wherever it stands in a command line, it was looked up before the rest was read."""


def asked(arguments: Sequence[str], environment: Mapping[str, str]) -> str | None:
    """The language that a command line, or else the environment, asks for; None where none of ours is asked for.

    The last that is asked for is meant: that of the innermost command.
    """
    found = None
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        value = None
        if argument == _OPTION:
            value = next(iter(arguments[place + 1 :]), None)
        elif argument.startswith(f"{_OPTION}="):
            value = argument.partition("=")[2]
        if value in LANGUAGES:
            found = value
    return found or chosen(environment)


@contextmanager
def interpreting(language: str | None) -> Iterator[None]:
    """All that is said inside, by us and by click, is said in this language; None: in the one spoken anyway."""
    if language is None:
        yield
        return
    domain, folder = gettext.textdomain(), gettext.bindtextdomain(DOMAIN)
    token = _before.set((os.environ.get(_VARIABLE),))
    gettext.bindtextdomain(DOMAIN, str(CATALOGUES))
    gettext.textdomain(DOMAIN)
    try:
        with speaking(language), _environment(language):
            yield
    finally:
        gettext.bindtextdomain(DOMAIN, folder)
        gettext.textdomain(domain)
        _before.reset(token)


@contextmanager
def _environment(language: str | None) -> Iterator[None]:
    """LANGUAGE as given inside, and outside what it was; None: it is not set."""
    before = os.environ.get(_VARIABLE)
    _set(language)
    try:
        yield
    finally:
        _set(before)


def _set(language: str | None) -> None:
    if language is None:
        os.environ.pop(_VARIABLE, None)
    else:
        os.environ[_VARIABLE] = language


def interpreted(command: click.Command) -> click.Command:
    """The command with its help in the language spoken, and `--lang`; its work is done in the environment from before.

    The command itself stays as it is.
    """
    told = copy.copy(command)
    told.params = [_interpreted(parameter) for parameter in command.params]
    if all(_OPTION not in parameter.opts for parameter in command.params):
        lang(told)
        told.params[-1:] = [_interpreted(told.params[-1])]
    told.help = translated(paragraphs(command.help or ""))
    told.short_help = first_sentence(told.help)
    told.epilog = command.epilog or ""
    if not told.epilog.startswith(AS_WRITTEN):
        told.epilog = translated(paragraphs(told.epilog))
    told.options_metavar = translated(command.options_metavar or "")
    told._help_option = None  # made anew, in this language, when it is first needed
    if isinstance(told, click.Group):
        told.subcommand_metavar = translated(told.subcommand_metavar)
        told.commands = {name: interpreted(inner) for name, inner in told.commands.items()}
    elif command.callback is not None:
        told.callback = _as_before(command.callback)
    told.context_class = _Context
    return told


def first_sentence(text: str) -> str:
    """The first sentence of a help text, which stands for it in a list of commands.

    >>> first_sentence("Convert a game in the .dn notation. Event n is line n.")
    'Convert a game in the .dn notation.'
    """
    return re.split(r"(?<=[.])\s|(?<=。)|\n", text, maxsplit=1)[0]


def paragraphs(text: str) -> str:
    """A help text as it is translated: each paragraph on one line."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", inspect.cleandoc(text)))


def _interpreted(parameter: click.Parameter) -> click.Parameter:
    told = copy.copy(parameter)
    if told.metavar is not None:
        told.metavar = translated(told.metavar)
    if isinstance(told, click.Option):
        told.help = translated(paragraphs(told.help or ""))
    return told


def _as_before(work: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(work)
    def done(*arguments: Any, **named: Any) -> Any:
        with _wrong_usage():
            if (before := _before.get()) is None:
                return work(*arguments, **named)
            with _environment(*before):
                return work(*arguments, **named)

    return done


@contextmanager
def _wrong_usage() -> Iterator[None]:
    """A place that nothing can be written to is wrong usage of the command that names it."""
    try:
        yield
    except PlaceError as error:
        raise click.UsageError(str(error)) from None


# ------------------------------------------------------------------------------------------ characters two cells wide


_NEVER_FIRST = "、。，．：；！？）」』】…ー・"
"""What does not stand at the beginning of a line."""


class _Formatter(click.HelpFormatter):
    """Help with headings as the language writes them, and examples under a heading of their own.

    Lines break at spaces, and between characters that take two cells. `program` is the name under which the program is
    run; the examples show it.
    """

    program = "daynight"

    def write_heading(self, heading: str) -> None:
        """The heading, and what stands behind it."""
        self.write(" " * self.current_indent + _("{heading}:").format(heading=heading) + "\n")

    def write_text(self, text: str) -> None:
        """Paragraphs, wrapped; or examples, a line each."""
        indent = " " * self.current_indent
        if text.startswith(AS_WRITTEN):
            examples = text.removeprefix(AS_WRITTEN).splitlines()
            self.dedent()
            self.write_heading(counted("Example", "Examples", len(examples)))
            self.indent()
            for line in examples:
                self.write(f"{indent}{line.replace('daynight', self.program)}\n")
            return
        for number, part in enumerate(text.split("\n\n")):
            if number:
                self.write("\n")
            for line in _wrapped(part, self.width - self.current_indent):
                self.write(f"{indent}{line}\n")

    def write_dl(self, rows: Any, col_max: int = 30, col_spacing: int = 2) -> None:
        """A list of terms, each with its text beside it."""
        rows = list(rows)
        first = min(max(cell_len(term) for term, _said in rows), col_max) + col_spacing
        indent = " " * (first + self.current_indent)
        for term, said in rows:
            self.write(" " * self.current_indent + term)
            lines = _wrapped(said, self.width - len(indent))
            room = first - cell_len(term)
            if room < col_spacing or not lines:
                self.write("\n")
            else:
                self.write(" " * room + lines.pop(0) + "\n")
            for line in lines:
                self.write(f"{indent}{line}\n")


class _Context(click.Context):
    """A context whose wrong usage always names the command, and whose help is formatted by us."""

    @contextmanager
    def scope(self, cleanup: bool = True) -> Iterator[click.Context]:
        try:
            with super().scope(cleanup) as ctx, _wrong_usage():
                yield ctx
        except click.UsageError as error:
            error.ctx = error.ctx or self
            raise

    def make_formatter(self) -> click.HelpFormatter:
        """One that writes as the language does, and names the program."""
        made = _Formatter(width=self.terminal_width, max_width=self.max_content_width)
        made.program = self.find_root().info_name or made.program
        return made


def _wrapped(text: str, width: int) -> list[str]:
    """Lines of at most that many cells, broken at spaces and between wide characters."""
    pieces = re.findall(rf"[^ \t\n\u3000-\u9fff\uff00-\uff60]+|[ \t\n]+|.[{_NEVER_FIRST}]*", text)
    lines, line = [], ""
    for piece in pieces:
        if line and cell_len(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece if line else piece.lstrip()
    return [*lines, line.rstrip()] if line else lines
