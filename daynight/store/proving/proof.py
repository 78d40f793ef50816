"""A proof goes with an exported game, so that the file can be verified without the store.

It is one JSON object: the game's name, its last event and digest, the signed heads, and a mark for each event (the
first bytes of its digest), which shows where a changed file differs from the stored game. The record itself stays an
ordinary record. A code that a player noted can verify the file too, without a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, BinaryIO, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.reader import blocks
from daynight.framework.language.source import Source
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.store.database.guard import guarded
from daynight.store.database.mapper import game_name
from daynight.store.database.rows import Head, Hex32, Hex64, Number
from daynight.store.errors import Fault
from daynight.store.proving.chain import ORIGIN, parse_code
from daynight.store.proving.chain import digest as chained
from daynight.store.proving.signatures import Signature, SignedTurns, check_signatures
from daynight.store.proving.signing import followed, say_others
from daynight.store.proving.verify import Verified, check_noted, verified
from daynight.store.records import chained_rows
from daynight.store.store import AnyStore

MARK = 4
"""The number of bytes of an event's digest that a proof has as its mark."""

SIZE = 2**27
"""The most bytes a proof may have."""


class SignedHead(Struct, frozen=True, forbid_unknown_fields=True):
    """A signed head and its signer, in hexadecimal."""

    event: Number
    signer: Hex32
    signature: Hex64


class Proof(Struct, frozen=True, forbid_unknown_fields=True, tag="proof"):
    """The proof of a game, without its lines; `marks` has eight hexadecimal digits per event.

    `language` is the SHA-256 of the description of its events, if the store has one.
    """

    format: Literal[1]
    game: Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
    events: Number
    digest: Hex32
    heads: tuple[SignedHead, ...]
    marks: Annotated[str, Meta(pattern=r"^[0-9a-f]*\Z")]
    language: Hex32 | UnsetType = UNSET


_DECODER = msgspec.json.Decoder(Proof)


def prove(store: AnyStore, game: str) -> bytes:
    """Return the proof of a stored game, with its last head signed by the store's key, if it has one.

    The signature is stored too, unless the store is read-only.

    Raises:
        NotFoundError: where there is no such game.
        DamagedError: where its chain is broken.
        NotSignedError, NotAcceptedError: where the key refuses to sign it.
    """
    store.head(game)
    recorder = store.recorder
    with guarded(game=game), recorder.transaction(write=not recorder.fixed) as cursor:
        head, marks = Head(0, ORIGIN), []
        for rows in chained_rows(recorder, game):
            marks += [row.digest[:MARK].hex() for row in rows]
            head = Head(rows[-1].number, rows[-1].digest)
        seen = followed(recorder, game, head, None)
        if recorder.signer is not None:
            say_others(recorder, game, seen)
        if not recorder.fixed:
            recorder.add_signatures(cursor, game, [head])
        signed = set(recorder.signatures(game))
        if recorder.fixed and (signer := recorder.signer):
            signed.add((head.number, signer.key, signer.sign(game, head.number, head.digest)))
            recorder.note_signed(game, head)
        heads = tuple(SignedHead(event, key.hex(), sign.hex()) for event, key, sign in sorted(signed))
    proof = Proof(1, game, head.number, head.digest.hex(), heads, "".join(marks), recorder.guarding.digest() or UNSET)
    return msgspec.json.encode(proof) + b"\n"


def read_proof(stream: BinaryIO) -> Proof:
    """Read the proof in a file.

    Raises:
        UnreadableError: where the file is not a proof.
    """
    data = stream.read(SIZE + 1)
    if len(data) > SIZE:
        raise UnreadableError(_("no proof: more than {most} bytes").format(most=SIZE))
    try:
        proof = _DECODER.decode(data)
        game_name(proof.game)
    except (msgspec.MsgspecError, RecursionError, ValueError, UnreadableError) as error:
        reason = error.sentence if isinstance(error, UnreadableError) else str(error)
        raise UnreadableError(_("no proof: {reason}").format(reason=reason)) from None
    if len(proof.marks) != proof.events * MARK * 2:
        raise UnreadableError(_("no proof: {events} events, but not as many marks").format(events=proof.events))
    return proof


def verify_record(
    record: Source,
    *,
    code: str | None = None,
    proof: Proof | None = None,
    game: str | None = None,
    mechanic: Mechanic[Any, Any, Any],
    progress: Callable[[int], None] = lambda events: None,
) -> Verified:
    """Verify an exported record against its proof, or a noted code, or both; the result has the first fault, if any.

    The lines must be exactly the stored bytes. `game` is the name under which it was stored, if neither the proof nor
    the first event has that name.

    Raises:
        SettingsError: where `code` is not a code.
        NotFoundError: where there is no such record.
    """
    noted = None if code is None else parse_code(code)
    walk = _Walk(mechanic, proof, game, noted[0] if noted else None)
    fault = walk.go(record, progress)
    if fault is None and proof is not None:
        fault = walk.against(proof)
    if fault is None and noted is not None:
        fault = check_noted(noted, walk.digests.get(noted[0]), walk.head.number)
    if fault is None and walk.head.number == 0:
        fault = Fault(1, _("it is empty"))
    signatures = walk.turns.signatures(walk.signatures, walk.head.number, walk.digests)
    return verified(walk.game or "", walk.head, signatures, fault, identity=walk.identity)


class _Walk:
    """Reads the lines of a record once, and computes their chain."""

    def __init__(
        self, mechanic: Mechanic[Any, Any, Any], proof: Proof | None, game: str | None, noted: int | None
    ) -> None:
        self._mechanic = mechanic
        self._proof = proof
        self.game = game if proof is None else proof.game
        self.head = Head(0, ORIGIN)
        self.signatures = [
            Signature(head.event, bytes.fromhex(head.signer), bytes.fromhex(head.signature))
            for head in (proof.heads if proof else ())
        ]
        self.turns = SignedTurns(mechanic)
        self._asked = {noted, *(each.event for each in self.signatures)}
        self.digests: dict[int, bytes] = {}
        self.identity = b""

    def go(self, record: Source, progress: Callable[[int], None]) -> Fault | None:
        """Read the lines up to the first that differs from what was stored; return that fault, None if none differs."""
        try:
            with record.open() as stream:
                for block in blocks(stream):
                    for line in block.splitlines(keepends=True):
                        fault = self._line(line)
                        if fault is not None:
                            return fault
                    progress(self.head.number)
        except UnreadableError as error:
            return Fault(self.head.number + 1, error.sentence)
        return None

    def _line(self, line: bytes) -> Fault | None:
        number = self.head.number + 1
        if not line.endswith(b"\n"):
            return Fault(number, _("line {event} is cut off").format(event=number))
        data = line[:-1]
        try:
            event = self._mechanic.language.read_line(data)
        except UnreadableError as error:
            return Fault(number, f"{error.path}: {error.sentence}")
        if self.game is None:
            self.game = str(getattr(event, "game", "")) or self._mechanic.title(event)
        digest = chained(self.head.digest, self.game, number, self._mechanic.language.tag_on(data, event), data)
        proof = self._proof
        if proof is not None:
            if number > proof.events:
                return Fault(number, _("event {event} came after the proof").format(event=number))
            if proof.marks[(number - 1) * MARK * 2 : number * MARK * 2] != digest[:MARK].hex():
                return Fault(number, _("event {event} is not what was stored").format(event=number))
        self.turns.take(number, (event,))
        if number in self._asked or number in self.turns.acts:
            self.digests[number] = digest
        self.head, self.identity = Head(number, digest), self.identity or digest
        return None

    def against(self, proof: Proof) -> Fault | None:
        """Compare the end of the record and the proof's signatures; return the first fault, None if there is none."""
        if self.head.number < proof.events:
            event = self.head.number + 1
            return Fault(event, _("event {event} is missing").format(event=event))
        if self.head.digest.hex() != proof.digest:
            return Fault(None, _("the proof is not that of this record"))
        return check_signatures(proof.game, self.signatures, self.digests, self.head.number)
