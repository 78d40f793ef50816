"""The chain: every stored event is bound to all that came before it in its game.

The digest of an event is SHA-256 over the digest of the event before it, the game's name, the event's number, its tag
and its line. The name and the tag have their lengths before them, so that different inputs never give the same bytes. A
noted digest of event n covers events 1 to n.
"""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Iterable
from hashlib import sha256
from struct import pack

from daynight.framework.language.wording import _
from daynight.store.errors import SettingsError

ORIGIN = sha256(b"daynight: the beginning of a game").digest()
"""The digest before the first event of every game."""

SEAL = 64
"""The number of bytes in the seal of a snapshot."""

CODE_BITS = 80
"""The number of bits in a code: too many to find another game with the same code, but few enough to write down.

A person who may choose both games, before the code is noted, could make two games with the same code.
"""

_GROUP = 4
_CODE = re.compile(r"[eE]?([0-9]{1,10})[\s:-]+([0-9A-Za-z][0-9A-Za-z\s-]*)")
_STORE_CODE = re.compile(rf"[sS]{_CODE.pattern.removeprefix('[eE]?')}")
# Crockford's letters, of which none looks like another. A code that is read may use either case, and O, I, L.
_LETTERS = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", b"0123456789ABCDEFGHJKMNPQRSTVWXYZ")
_READ = str.maketrans("OILoil", "011011")


def digest(before: bytes, game: str, number: int, tag: str, line: bytes) -> bytes:
    """Return the digest of an event: 32 bytes."""
    return digests(before, game, number, [(tag, line)])[0]


def digests(before: bytes, game: str, first: int, events: Iterable[tuple[str, bytes]]) -> list[bytes]:
    """Return the digests of consecutive events, given as tag and line; `before` is the digest of event first - 1."""
    name = game.encode()
    named = pack(">I", len(name)) + name
    tags: dict[str, bytes] = {}
    found: list[bytes] = []
    for number, (tag, line) in enumerate(events, first):
        kind = tags.get(tag)
        if kind is None:
            kind = tags[tag] = pack(">H", len(tag.encode())) + tag.encode()
        before = sha256(b"%b%b%b%b%b" % (before, named, number.to_bytes(8, "big"), kind, line)).digest()
        found.append(before)
    return found


def seal(game: str, command: str, first: int, last: int, request: bytes, digest: bytes) -> bytes:
    """Return the seal of a command's row, which reveals a change: 32 bytes. `digest` is that of its last event."""
    name, id = game.encode(), command.encode()
    head = pack(">32sIIqqI", digest, len(name), len(id), first, last, len(request))
    return sha256(head + name + id + request).digest()


def sealed(game: str, number: int, snapshot: bytes, digest: bytes) -> bytes:
    """Return the snapshot of event `number` in stored form: with 64 digits that bind it to the event's digest.

    The digits reveal a snapshot that was edited or moved. As they contain no secret, a forger can compute them again;
    verifying the game reveals that, because it replays the events.
    """
    name = game.encode()
    head = pack(">32sIqI", digest, len(name), number, len(snapshot))
    return snapshot + sha256(head + name + snapshot).hexdigest().encode()


def unsealed(data: bytes) -> bytes:
    """Return a snapshot without its seal; the same bytes if it has none, as in stores of older versions."""
    return data if data.endswith(b"}") else data[:-SEAL]


def code_of(number: int, digest: bytes) -> str:
    """Return the code that a player notes of event `number`: `e200 7K3M-2Q9X-AB4D-9YQT`."""
    return f"e{number} {_grouped(b32encode(digest[: CODE_BITS // 8]).translate(_LETTERS).decode())}"


def store_code_of(events: int, digest: bytes) -> str:
    """Return the code of all games of a store after its first `events` events: `s163 7K3M-2Q9X-AB4D-9YQT`."""
    return code_of(events, digest).replace("e", "s", 1)


def parse_code(text: str) -> tuple[int, str]:
    """Return a noted code's event number, and the code as `code_of` writes it; small letters, O, I and L are accepted.

    Raises:
        SettingsError: where the text is no code.
    """
    return _read("e", _CODE, text, _("{code} is no code; expected one like e200 7K3M-2Q9X-AB4D-9YQT"))


def parse_store_code(text: str) -> tuple[int, str]:
    """Return a noted store code's number of events, and the code as `store_code_of` writes it.

    Raises:
        SettingsError: where the text is no code of a store.
    """
    return _read("s", _STORE_CODE, text, _("{code} is no code of a store; expected one like s163 7K3M-2Q9X-AB4D-9YQT"))


def _read(letter: str, kind: re.Pattern[str], text: str, refusal: str) -> tuple[int, str]:
    found = kind.fullmatch(text.strip())
    letters = re.sub(r"[\s-]", "", found[2]).upper().translate(_READ) if found else ""
    if not found or len(letters) != CODE_BITS // 5 or "U" in letters or int(found[1]) == 0:
        raise SettingsError(refusal.format(code=repr(text)))
    number = int(found[1])
    return number, f"{letter}{number} {_grouped(letters)}"


def _grouped(letters: str) -> str:
    return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))
