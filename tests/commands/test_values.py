"""Invalid values of arguments and options: one sentence, an exit code from 2 to 4, and nothing is created.

| promise | test |
| --- | --- |
| an empty value is refused for every argument and option; the error says which word it is | test_empty |
| commands of other mechanics refuse an empty value too; `--command=x` is not empty | test_empty_elsewhere |
| the error for an invalid number names a limit, for every option that takes a number | test_numbers |
| an invalid game name is refused before a store or a key is created | test_names |
| pictures are SVG: a file with the ending of another format is refused | test_other_endings, test_endings |
| `stats -o` reports the written picture; if it can't be written, no answer is printed | test_drawn, test_not_drawn |
| a record is one game: `FILE#2` and `--game 2` are refused; the JSON error names the file | test_one_game |
"""

import click
import pytest

from daynight.cli.commands import daynight as command
from daynight.cli.commands import run
from daynight.cli.mechanics import commands
from daynight.disputes.mechanic import GAME


def leaves(group, *before):
    """Yield the words and the object of each command in a group, with `before` in front, and of each subcommand."""
    for name in group.list_commands(click.Context(group)):
        found = group.get_command(click.Context(group), name)
        if isinstance(found, click.Group):
            yield from leaves(found, *before, name)
        else:
            yield (*before, name), found


LEAVES = [*leaves(command)]


def test_empty(daynight, folder):
    """Every argument and option refuses an empty value, as of an unset shell variable; the error says which word."""
    said = 'is empty, as "$NAME" is where NAME has no value; leave it out, or fill it; try daynight --help'
    for path, found in LEAVES:
        for words in (("",), *((one.opts[-1], "") for one in found.params if not getattr(one, "is_flag", True))):
            ran = daynight(*path, *words)
            place = len(path) + len(words)
            assert (2, "", f"daynight: word {place} behind daynight {said}") == (*ran[:2], ran.error), (path, words)
    assert [] == [*folder.iterdir()]


def test_empty_elsewhere(daynight, friday, capfdbinary):
    assert 2 == run(["show", ""], commands(GAME), "club")
    assert capfdbinary.readouterr().err.startswith(b"club: word 2 behind club is empty, ")
    assert 0 == daynight("record", "friday", "--command=x", "turn 1 Ana").code


def numbered():
    """Yield a parameter for each option that takes a number: the words of its command, and the option."""
    for path, found in LEAVES:
        for one in found.params:
            if isinstance(one.type, click.IntRange | click.FloatRange):
                yield pytest.param(path, one, id=f"{' '.join(path)} {one.opts[-1]}")
            else:
                assert not isinstance(one.type, click.types.IntParamType | click.types.FloatParamType)


@pytest.mark.parametrize("path, option", [*numbered()])
def test_numbers(daynight, folder, path, option):
    """Text, and numbers that are too small or too large, are wrong usage; the error names a limit."""
    values = ["abc", "1.5x", "-1", *([str(option.type.max + 1)] if option.type.max else [])]
    # An application is named before the subcommand, with its database.
    named = ["bank:BankAccounts", "--db", "bank.db"] if path[0] == "adopt" else []
    for value in values:
        ran = daynight(path[0], *named, *path[1:], option.opts[-1], value)
        name = f"daynight {' '.join([path[0], *['MODULE:APPLICATION'] * bool(named), *path[1:]])}"
        begins = f"{name}: invalid value for '{option.opts[-1]}': '{value}' is no "
        assert (2, "", True) == (*ran[:2], ran.error.startswith(begins)), ran.error
        assert str(option.type.max or option.type.min) in ran.error
        assert "range" not in ran.error
    assert [] == [*folder.iterdir()]


@pytest.mark.parametrize("arguments, code", [
    (["import", "demo", "--as", "a\tb"], 2), (["import", "demo", "--as", "x" * 201], 2),
    (["import", "demo", "--as", "a\tb", "--into", "there.db"], 2), (["table", "a\tb", "Ana", "Bo", "--port", "0"], 3),
    (["table", "friday", "Ana", "A\tna", "--port", "0"], 3), (["new", "a\tb", "Ana", "Bo"], 3),
])  # fmt: skip
def test_names(daynight, folder, arguments, code):
    """An invalid name of a game or player gives exit code 2 or 3, and creates neither store nor key."""
    ran = daynight(*arguments)
    assert (code, "") == ran[:2]
    assert "made" not in ran.err
    assert ran.error
    assert [] == [*folder.iterdir()]


@pytest.mark.parametrize("name", ["x.png", "x.PNG", "x.jpg", "x.pdf", "x.html", "x.svgz", "x.svg.gz", "x.jsonl.png"])
def test_other_endings(daynight, folder, name):
    """Every command that draws refuses a file name with the ending of another format, and proposes .svg."""
    for arguments in (["picture", "demo", "-o", name], ["stats", "demo", "-o", name]):
        ran = daynight(*arguments, "--json")
        assert (2, name) == (ran.code, ran.whole[0]["file"])
        assert f"{name}: a picture is drawn as SVG; name its file x" in ran.error
        assert ".svg; try daynight" in ran.error
    assert 2 == daynight("corpus", "stats", "nowhere", "--picture", name).code
    assert [] == [*folder.iterdir()]


@pytest.mark.parametrize("name", ["x.svg", "x.SVG", "x", "finals-2.1"])
def test_endings(daynight, folder, name):
    assert 0 == daynight("picture", "demo", "-o", name).code
    assert (folder / name).read_bytes().startswith(b"<svg")


def test_drawn(daynight, folder):
    """`stats -o` writes the picture, and adds only the name of its file to the answer."""
    plain, drawn = daynight("stats", "demo"), daynight("stats", "demo", "-o", "x.svg")
    assert (0, f"{plain.out}written: x.svg\n", "") == drawn
    (document,) = daynight("stats", "demo", "-o", "x.svg", "--json").documents
    assert daynight("stats", "demo", "--json").documents == [{key: document[key] for key in document if key != "file"}]
    assert "x.svg" == document["file"]


def test_not_drawn(daynight, folder):
    """If a record is missing or the picture can't be written, an error is printed and no answer; exit code 4."""
    for arguments in (["demo", "-o", "nowhere/x.svg"], ["nowhere.jsonl"], ["nowhere.jsonl", "-o", "x.svg"]):
        ran = daynight("stats", *arguments)
        assert (4, "") == ran[:2]
        ran = daynight("stats", *arguments, "--json")
        assert (4, 1, [ran.error]) == (ran.code, len(ran.whole), [each["error"] for each in ran.refusals])
    assert [] == [*folder.iterdir()]


def test_one_game(daynight, g1):
    for arguments in (["replay", "g1.jsonl#2"], ["show", "g1.jsonl", "--game", "2"]):
        ran = daynight(*arguments, "--json")
        assert (2, "g1.jsonl") == (ran.code, ran.whole[0]["file"])
