"""The chain and its codes: different contents have different digests; codes are read as people write them."""

import random
import string

import pytest

from daynight.games import Store
from daynight.store import SettingsError
from daynight.store.proving.chain import CODE_BITS, ORIGIN, code_of, digest, digests, parse_code, seal

LINE = b'{"type":"spell-cast","player":"Ana"}'


def test_a_digest_is_of_everything():
    """A digest changes with each of its five inputs, even if only the border between two of them moves."""
    alike = [
        (ORIGIN, "friday", 1, "spell-cast", LINE), (bytes(32), "friday", 1, "spell-cast", LINE),
        (ORIGIN, "Friday", 1, "spell-cast", LINE), (ORIGIN, "friday", 2, "spell-cast", LINE),
        (ORIGIN, "friday", 1, "spell-copied", LINE), (ORIGIN, "friday", 1, "spell-cast", LINE + b" "),
        (ORIGIN, "friday", 1, "spell-cas", b"t" + LINE), (ORIGIN, "friday\0", 1, "spell-cast", LINE),
        (ORIGIN, "", 1, "spell-cast", LINE), (ORIGIN, "friday", 1, "", b"spell-cast" + LINE),
    ]  # fmt: skip
    assert len({digest(*each) for each in alike}) == len(alike)
    assert digest(*alike[0]) == digest(*alike[0])


def test_a_seal_is_of_everything():
    alike = [
        ("friday", "c-1", 1, 2, bytes(32), ORIGIN), ("fridayc", "-1", 1, 2, bytes(32), ORIGIN),
        ("friday", "c-2", 1, 2, bytes(32), ORIGIN), ("friday", "c-1", 2, 2, bytes(32), ORIGIN),
        ("friday", "c-1", 1, 3, bytes(32), ORIGIN), ("friday", "c-1", 1, 2, bytes(31), ORIGIN),
        ("friday", "c-1", 1, 2, bytes(32), bytes(32)), ("friday", "c-1", -1, 2, bytes(32), ORIGIN),
    ]  # fmt: skip
    assert len({seal(*each) for each in alike}) == len(alike)


def test_many_at_once():
    """Computing the digests of many events at once gives the same as one by one."""
    pairs = [("turn-began", b"%d" % number) for number in range(9)]
    found, before = digests(ORIGIN, "g", 1, pairs), ORIGIN
    for number, (tag, line) in enumerate(pairs, 1):
        before = digest(before, "g", number, tag, line)
        assert found[number - 1] == before
    assert digests(found[3], "g", 5, pairs[4:]) == found[4:]


def test_the_same_for_ever():
    """The digested bytes never change, so codes that were noted years ago stay valid."""
    with Store.open("memory:") as store:
        store.append("friday", [{"type": "game-started", "format": 1, "game": "friday", "players": ["Ana", "Bo"]}])
        store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}], command="c-2")
        assert store.code("friday") == "e2 YD8N-0N85-7VXX-S1GV"


def test_codes():
    """A noted code is read in every spelling that people use."""
    luck = random.Random(80)
    for number in (1, 2, 10, 200, 5_000_000):
        code = code_of(number, luck.randbytes(32))
        assert not set(code[1:]) & set("ILOU")
        assert len(code.split()[1].replace("-", "")) == CODE_BITS // 5
        start, _space, letters = code.partition(" ")
        plain = letters.replace("-", "")
        written = [
            code, f"  {code}\n", code.lower(), code.upper(), code.replace("-", " "), code.replace("-", ""),
            f"{number} {letters}", f"{start}: {letters}", f"{start}-{letters}", f"{start}\t{plain.lower()}",
            f"{start} {'-'.join(plain)}", f"{start} {plain.replace('0', 'O').replace('1', 'l')}",
            f"{start} {plain.replace('0', 'o').replace('1', 'I')}", f"{start} {plain.replace('1', 'L')}",
        ]  # fmt: skip
        for each in written:
            assert parse_code(each) == (number, code), each


def test_another_letter_is_another_code():
    code = code_of(200, bytes(range(32)))
    for place in range(5, len(code)):
        for letter in string.ascii_uppercase + string.digits:
            other = code[:place] + letter + code[place + 1 :]
            if code[place] == "-" or letter == "U":
                continue
            assert (parse_code(other)[1] == code) is (letter.translate(str.maketrans("OIL", "011")) == code[place])


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "e200", "e200 ", "7K3M-2Q9X-AB4D-9YQT", "e200 7K3M-2Q9X-AB4D-9YQ", "e200 7K3M-2Q9X-AB4D-9YQTT",
        "e200 7K3M-2Q9X-AB4D-9YQU", "e200 7K3M-2Q9X-AB4D-9YQ!", "e200 7K3M-2Q9X-AB4D-9YQé", "e0 7K3M-2Q9X-AB4D-9YQT",
        "e-1 7K3M-2Q9X-AB4D-9YQT", "e99999999999 7K3M-2Q9X-AB4D-9YQT", "x200 7K3M-2Q9X-AB4D-9YQT",
        "e٢ 7K3M-2Q9X-AB4D-9YQT", "e200 ７K3M-2Q9X-AB4D-9YQT", "e200" + "-" * 10_000, "e200 " + "A " * 10_000,
        "e1\0 7K3M-2Q9X-AB4D-9YQT",
    ],
)  # fmt: skip
def test_no_code(text):
    with pytest.raises(SettingsError, match="is no code"):
        parse_code(text)
