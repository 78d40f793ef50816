"""A followed file: it grows, or is overwritten in place.

| promise | test |
| --- | --- |
| new lines are read as one source | test_grows |
| a file that is overwritten between two polls, by a log of any length, is another source | test_overwritten |
| it is read as another source even if only the part read last differs | test_overwritten_behind_its_head |
"""

import pytest

from daynight.importers.following import KNOWN, follow

FIRST = [b"first %06d\n" % number for number in range(1_000)]


def followed(path, *changes):
    """Return a list of lines for each source; at each end of the file, call the next of `changes`."""
    changing = iter(changes)

    def waiting():
        change = next(changing, None)
        if change is not None:
            change()
        return change is not None

    return [[line for _number, line in source.lines()] for source in follow(path, waiting, look=0)]


def bare(lines):
    return [line.rstrip(b"\n") for line in lines]


def test_grows(tmp_path):
    """The file grows by halves of lines: it is one source, with whole lines."""
    path = tmp_path / "Player.log"
    path.write_bytes(b"".join(FIRST))

    def more(data):
        with path.open("ab") as file:
            file.write(data)

    found = followed(path, lambda: more(b"one m"), lambda: more(b"ore\nand"), lambda: more(b" another\n"))
    assert [[*bare(FIRST), b"one more", b"and another"]] == found


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("number", [1, 10, 1_000, 1_001, 50_000])
def test_overwritten(tmp_path, number):
    """A log of `number` lines overwrites the file in place: the new lines are a second source."""
    path = tmp_path / "Player.log"
    path.write_bytes(b"".join(FIRST))
    second = [b"other %06d\n" % each for each in range(number)]
    assert [bare(FIRST), bare(second)] == followed(path, lambda: path.write_bytes(b"".join(second)))


def test_overwritten_behind_its_head(tmp_path):
    """The new log begins like the old one, as logs of one client do: its lines are still a second source."""
    path = tmp_path / "Player.log"
    alike = [b"the same in every log\n"] * KNOWN
    path.write_bytes(b"".join(alike + FIRST))
    second = [*alike, *(line.replace(b"first", b"other") for line in FIRST), b"and more\n"]
    assert [bare(alike + FIRST), bare(second)] == followed(path, lambda: path.write_bytes(b"".join(second)))
