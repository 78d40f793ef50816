"""What is wrong with a command line, in one sentence: which command, what of it, and what to try."""

from __future__ import annotations

import re

import click

from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _

_OF_CLICK = re.compile("(?:Got|Invalid|Missing|No such|Option|Takes) ")
"""How click's own English begins; in the middle of a sentence it does so with a small letter."""


def usage_sentence(error: click.ClickException) -> str:
    """The one sentence for wrong usage, in the language spoken: a near miss is proposed, else the command's help.

    >>> usage_sentence(click.NoSuchOption("--jsn", possibilities=["--json"]))
    "daynight: no such option '--jsn'; did you mean --json?"
    >>> usage_sentence(click.UsageError("give a record"))
    'daynight: give a record; try daynight --help'
    """
    ctx = getattr(error, "ctx", None)
    command = "daynight" if ctx is None else ctx.command_path
    if isinstance(error, (click.NoSuchOption, click.NoSuchCommand)) and error.possibilities:
        sentence = _("{command}: {reason}; did you mean {names}?")
        return sentence.format(command=command, reason=_clause(error.message), names=commas(error.possibilities))
    sentence = _("{command}: {reason}; try {command} --help")
    return sentence.format(command=command, reason=_clause(error.format_message()))


def _clause(message: str) -> str:
    """Click's sentences, or one of ours, as a part of a sentence on one line."""
    # Not by str.split: it would take French and Japanese spaces for ordinary ones.
    message = re.sub(r"[ \t\n]+", " ", message).rstrip(".。")
    message = re.sub(r"'\. (.)", lambda found: f"'; {found[1].lower()}", message)
    return message[:1].lower() + message[1:] if _OF_CLICK.match(message) else message
