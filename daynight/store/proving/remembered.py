"""The data in a key's memory: the heads that it signed, with their games and places, and the lines of the file.

A game is known by its identity, the digest of its first event: two games of one name are two games.
"""

from __future__ import annotations

from msgspec import Struct

from daynight.store.database.rows import Head, Hex32, Number


class Place(Struct, frozen=True):
    """The game of a head: its identity, its mechanic, and the address of its store; "" for a store in memory."""

    identity: bytes
    mechanic: str
    store: str


class Known(Struct, frozen=True):
    """The last head of a game that the key signed in one store; `place` names the game and the store."""

    place: Place
    head: Head


class Remembered(Struct, frozen=True):
    """Everything that a key remembers about the games of one name.

    `known` are the games, the last signed one at the end. `plain` is the last head signed by an older daynight, for an
    unknown one of these games. `trusted` are the public keys whose signatures count beside the key's own.
    """

    known: tuple[Known, ...] = ()
    plain: Head | None = None
    trusted: frozenset[bytes] = frozenset()

    def last(self, identity: bytes) -> Head | None:
        """Return the last signed head of the game with this identity; None if none is remembered."""
        found = [each.head for each in self.known if each.place.identity == identity]
        return max(found, key=lambda head: head.number, default=None)

    def here(self, store: str) -> Known | None:
        """Return the game of this name that was signed last in the store at `store`, with its head; None if none."""
        return next((each for each in reversed(self.known) if store and each.place.store == store), None)


class Line(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """The common part of all lines."""

    signer: Hex32
    game: str


class Signed(Line, frozen=True, tag="signed"):
    """A signed head, in the form that every version of daynight reads."""

    event: Number
    digest: Hex32


class SignedGame(Signed, frozen=True, tag="signed-game"):
    """A signed head, with its game."""

    identity: Hex32
    mechanic: str
    store: str


class Trusted(Line, frozen=True, tag="trusted"):
    """Another key, whose signatures in the games of a name count."""

    key: Hex32


class OfAName:
    """The memory about all games of one name, built from lines."""

    def __init__(self) -> None:
        # The game that was signed last comes last.
        self.known: dict[tuple[bytes, str], Known] = {}
        self.plain: set[Head] = set()
        self.trusted: set[bytes] = set()
        self.shadowed: set[Head] = set()
        self.heads: dict[bytes, Head] = {}
        self.unplaced: Head | None = None

    def take(self, head: Head, place: Place | None) -> None:
        """Remember a head; one without a place comes from a plain line."""
        if place is None:
            if head not in self.shadowed:
                self.plain.add(head)
                self.unplaced = later(self.unplaced, head)
            return
        self.shadowed.add(head)
        if head in self.plain:
            self.plain.remove(head)
            self.unplaced = max(self.plain, key=lambda each: each.number, default=None)
        self.heads[place.identity] = later(self.heads.get(place.identity), head)
        name = place.identity, place.store
        before = self.known.pop(name, None)
        self.known[name] = Known(place, later(None if before is None else before.head, head))

    def last(self, identity: bytes | None) -> Head | None:
        """Return the greatest head of the game `identity` (None: of any game) and of the plain lines, or None."""
        found = self.unplaced
        for head in self.heads.values() if identity is None else filter(None, (self.heads.get(identity),)):
            found = later(found, head)
        return found

    def lines(self, signer: str, game: str) -> list[Line]:
        """Return the fewest lines from which this memory can be built again, for the key `signer` and this `game`."""
        found: list[Line] = []
        for each in self.known.values():
            found += lines_of(signer, game, each.head, each.place)
        if self.unplaced is not None:
            found += lines_of(signer, game, self.unplaced, None)
        return [*found, *(Trusted(signer, game, key.hex()) for key in sorted(self.trusted))]


def later(one: Head | None, other: Head) -> Head:
    """Return the head with the greater event; `other` if `one` is None."""
    return other if one is None or one.number < other.number else one


def lines_of(signer: str, game: str, head: Head, place: Place | None) -> list[Line]:
    """Return the lines for a signed head: one with its `place`, if that is known, and then the plain line."""
    plain = Signed(signer, game, head.number, head.digest.hex())
    if place is None:
        return [plain]
    # This one first: the second of two lines may be cut off.
    more = (place.identity.hex(), place.mechanic, place.store)
    return [SignedGame(signer, game, head.number, head.digest.hex(), *more), plain]
