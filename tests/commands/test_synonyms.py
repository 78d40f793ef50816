"""Commands that daynight does not have, and what it proposes for them.

| promise | test |
| --- | --- |
| for a common verb the error proposes the commands that do it | test_proposed |
| every proposed or mentioned command exists; no synonym is a command | test_they_exist |
| a verb is in the table once | test_once |
| for a verb that no command does, the error names the alternative | test_instead |
| the alternative works as described | test_undo_is_a_line |
| for any other word, similar command names are proposed, if there are any | test_others |
| synonyms apply only to the first word | test_only_first |
"""

import re

import pytest

from daynight.cli import synonyms
from daynight.cli.commands import COMMANDS
from daynight.cli.synonyms import PROPOSED, TOLD, instead
from daynight.languages.speaking import LANGUAGES, speaking


@pytest.mark.parametrize("verb", PROPOSED)
def test_proposed(daynight, verb):
    """For a verb of the table `PROPOSED`, the error proposes exactly its commands, though others have similar names."""
    ran = daynight(verb, "demo")
    meant = ", ".join(PROPOSED[verb])
    assert (2, "", f"daynight: no such command '{verb}'; did you mean {meant}?") == (*ran[:2], ran.error)


@pytest.mark.parametrize(
    "verb, meant",
    [("explain", "why"), ("open", "show, serve"), ("check", "audit, verify"), ("ls", "list"), ("init", "new")],
)
def test_the_likeliest(daynight, verb, meant):
    assert daynight(verb).error.endswith(f"; did you mean {meant}?")


def test_they_exist():
    """Every command that a table or a sentence names is a command of the program, and no verb of a table is."""
    for verb, commands in PROPOSED.items():
        assert commands, verb
        assert set(commands) <= set(COMMANDS), verb
    assert set() == set(COMMANDS) & {*PROPOSED, *TOLD, "help", "version"}
    for language in LANGUAGES:
        with speaking(language):
            named = {name for verb in TOLD for name in re.findall(r"daynight ([a-z-]+)", instead(verb) or "")}
        assert {"record", "backup-plan"} <= named <= set(COMMANDS)


def test_once():
    """No verb is twice in the tables, where a second entry would hide the first."""
    words = [word for line in synonyms._MEANT.values() for word in line.split()]
    assert sorted({*words}) == sorted(words)
    assert set() == set(words) & set(TOLD)


@pytest.mark.parametrize("verb", TOLD)
def test_instead(daynight, verb):
    """For a verb of the table `TOLD`, the error has the verb and a sentence in place of proposals."""
    ran = daynight(verb, "friday")
    assert (2, "") == ran[:2]
    assert ran.error.startswith(f"daynight: no such command '{verb}'; ")
    assert "did you mean" not in ran.error
    assert instead("why") is None
    assert instead("explain") is None


def test_undo_is_a_line(daynight, folder):
    """The line that the sentence proposes for `undo` is valid."""
    line = re.search("'(Ana backs up to e)12'", instead("undo") or "")
    assert line is not None
    assert 0 == daynight("new", "friday", "Ana", "Bo").code
    assert 0 == daynight("record", "friday", "turn 1 Ana", "Ana casts Opt").code
    ran = daynight("record", "friday", f"{line[1]}2")
    assert (0, "") == ran[::2]


@pytest.mark.parametrize("verb, ends", [
    ("replya", "did you mean replay, repair, read?"),
    ("xyzzy", "try daynight --help"),
    ("Explain", "try daynight --help"),
])  # fmt: skip
def test_others(daynight, verb, ends):
    assert f"daynight: no such command '{verb}'; {ends}" == daynight(verb).error


def test_only_first(daynight):
    """`undo` as a subcommand of `dispute` is an ordinary unknown command, without a synonym."""
    assert "daynight dispute: no such command 'undo'; try daynight dispute --help" == daynight("dispute", "undo").error
