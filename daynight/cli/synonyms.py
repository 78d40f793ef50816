"""Verbs that are not commands but that people probably type, each with the command to type instead."""

from __future__ import annotations

from daynight.framework.language.wording import _

_MEANT = {
    "why": "explain reason because",
    "show": "view display print cat timeline",
    "show serve": "open",
    "replay": "log history events",
    "replay record": "play",
    "demo replay": "run",
    "list": "ls dir",
    "list audit": "games",
    "list show": "status state info",
    "new": "init create begin start",
    "record": "add append commit enter",
    "audit verify": "check validate",
    "audit": "test",
    "audit fmt": "lint",
    "repair": "fix correct",
    "what-if": "try edit change",
    "diff": "compare",
    "export": "save download",
    "import": "load upload",
    "read write": "convert",
    "fmt": "format",
    "follow": "watch tail",
    "serve": "web server browse",
    "picture": "draw image svg",
    "report": "html pdf page",
    "stats": "count statistics",
    "forecast": "next predict",
    "corpus": "find search",
}

PROPOSED = {word: tuple(commands.split()) for commands, words in _MEANT.items() for word in words.split()}
"""The commands to propose for a verb, the likeliest first."""

_BACK = ("undo", "revert", "rollback")
_GONE = ("delete", "rm", "remove", "del", "drop", "erase")
_LEFT = ("quit", "exit", "bye")

TOLD = (*_BACK, *_GONE, *_LEFT)
"""The verbs without any matching command: `instead` explains the alternative."""


def instead(verb: str) -> str | None:
    """Return the sentence about the alternative to a verb of `TOLD`; None for any other word."""
    if verb in _BACK:
        said = _(
            "no such command {verb}; type undo at the prompt of daynight record GAME, or record who backs up:"
            " daynight record GAME 'Ana backs up to e12'; daynight backup-plan says what that takes back"
        )
    elif verb in _GONE:
        said = _(
            "no such command {verb}; a store deletes nothing: undo at the prompt of daynight record GAME backs up, and"
            " what it takes back stays in the record; to keep only some games, export them and import them into another"
            " --db"
        )
    elif verb in _LEFT:
        said = _("no such command {verb}; there is nothing to leave but the prompt of daynight record, with quit")
    else:
        return None
    return said.format(verb=repr(verb))
