"""Decides what a key may sign; every interface that stores or exports asks this module.

Somebody without the key could rewrite a game in a store and wait: the key's next signature would then confirm the
forgery. So a key refuses to sign a game that lacks the last head signed by it, a game that replaced another one of the
same name, and a game in which somebody else undid or overruled something, until the key's owner accepts that.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from msgspec import Struct

from daynight.framework.language.grammar import commas, first_of
from daynight.framework.language.wording import _
from daynight.machine.program import command, program
from daynight.store.database.mapper import is_line
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import BULK, Head, Row, Signer
from daynight.store.errors import (
    Act,
    ConflictError,
    DamagedError,
    NotAcceptedError,
    NotSignedError,
    StoreError,
    altered,
)
from daynight.store.proving.acts import unsigned_acts
from daynight.store.proving.chain import ORIGIN, code_of, digest, parse_code
from daynight.store.proving.keys import attested
from daynight.store.proving.remembered import Remembered
from daynight.store.records import chained_rows, missing

LISTED = 12
"""The most acts that the sentence of an error lists. Acts are the events that undo, overrule or close something."""


class Seen(Struct, frozen=True):
    """The result of checking a game: `head` is its last event, `signed` the last head of it that the key remembers.

    `identity` is the digest of the first event; empty if the key does not sign the game. `due`: the next append signs
    `head` too. `others`: the first and the last number of earlier events, some of which were stored without the key.
    """

    head: Head
    signed: Head | None
    identity: bytes = b""
    due: bool = False
    others: tuple[int, int] | None = None


class Permit(NamedTuple):
    """The permission for a key to sign a game with this identity.

    Of the key's memory, two heads count: the last one of this identity, and one of an older daynight without identity.
    `lowest` is the lower of them, and the game contains both; None if there is neither. `reached` is the last head that
    the key has signed, by its memory or by the stored signatures; None if it has signed none.
    """

    identity: bytes
    lowest: Head | None
    reached: Head | None


# ------------------------------------------------------------------------------------------------------- the decision


def permitted(recorder: GamesRecorder, signer: Signer, game: str, head: Head, *, arrived: bool = False) -> Permit:
    """Return the permission for a key to sign a stored game. `arrived`: imported now, so no stored signature counts.

    Raises:
        NotSignedError: where the key has signed another game of that name, missing events, or another mechanic's game.
        DamagedError: where the first event is not what was stored.
        SettingsError: where the file of the key's memory cannot be used.
    """
    memory = signer.recalled(game)
    identity = identity_of(recorder, game)
    last, begun = memory.last(identity), None
    if last is None and memory.known:
        if arrived or not _has_begun(recorder, signer, game, identity):
            raise _another(signer, game, memory)
        begun = Head(1, identity)
    here = memory.here(recorder.address)
    if last is not None and here is not None and here.place.identity != identity:
        raise _another_here(signer, game, here.head)
    mechanics = {each.place.mechanic for each in memory.known if each.place.identity == identity}
    if mechanics - {recorder.mechanic.name}:
        raise _of_another_mechanic(signer, game, min(mechanics))
    found = [signed for signed in (last, memory.plain) if signed is not None]
    for signed in found:
        if signed.number > head.number or recorder.digest(game, signed.number) != signed.digest:
            raise _missing(signer, game, signed)
    stored = None if arrived else _last_own(recorder, signer, game)
    reached = max([*found, *filter(None, [begun, stored])], key=_number, default=None)
    return Permit(identity, min(found, key=_number, default=None), reached)


def permitted_to_begin(recorder: GamesRecorder, game: str, identity: bytes, *, drawn: bool) -> None:
    """Check that the signer, if there is one, may sign a game that begins now.

    `drawn`: this process drew the identity at random. Then an earlier signed game of that name here is only reported.

    Raises:
        NotSignedError: where the key has signed another game of that name, or later events of this one.
        SettingsError: where the file of the key's memory cannot be used.
    """
    signer = recorder.signer
    if signer is None:
        return
    memory = signer.recalled(game)
    last = memory.last(identity)
    if memory.plain is not None:
        raise _missing(signer, game, memory.plain)
    if drawn:
        if (here := memory.here(recorder.address)) is not None:
            sentence = _(
                "{game}: begun anew; the game of that name that was here before is signed up to event {event}, {code}"
            )
            code = code_of(here.head.number, here.head.digest)
            recorder.say(sentence.format(game=game, event=here.head.number, code=code))
        return
    if last is None and memory.known:
        raise _another(signer, game, memory)
    if last is not None and last != Head(1, identity):
        raise _missing(signer, game, last)


def permitted_to_arrive(recorder: GamesRecorder, signer: Signer, game: str, head: Head) -> None:
    """Check that a key may sign a record that is being imported: no acts were added since the key last signed it.

    Raises:
        NotAcceptedError: where acts were added: no record says who stored them.
        NotSignedError, DamagedError, SettingsError: as `permitted`.
    """
    reached = permitted(recorder, signer, game, head, arrived=True).reached
    if reached is None or reached.number == head.number:
        return
    added = [row for rows in chained_rows(recorder, game, head.number, reached.number) for row in rows]
    if acts := unsigned_acts(game, recorder.acts.among(added), (), ()):
        raise _added(signer, game, reached, acts)
    if any(row.tag in recorder.acts.begins for row in added):
        say_others(recorder, game, Seen(head, None, others=(reached.number + 1, head.number)))


def followed(recorder: GamesRecorder, game: str, head: Head, seen: Seen | None, *, signing: bool = True) -> Seen:
    """Check that the last event of a game, `head`, follows from `seen` or from a signed head; return the new `Seen`.

    If `seen` is at `head`, no event is read; else the events after `seen` are compared with the chain. Without `seen`,
    the comparison begins after `Permit.lowest`; if that is None, at event 1, or after `Permit.reached` for a key that
    has no file. Without a key, only the last event is compared. If not `signing`, the key is ignored.

    Raises:
        DamagedError: where the last event does not follow.
        NotSignedError: where the signer may not sign it.
        NotAcceptedError: where somebody undid or overruled something since the signer's last signature.
        SettingsError: where the file of the signer's memory cannot be used.
    """
    signer = recorder.signer if signing else None
    signed = None if signer is None or seen is None else signer.remembered(game, seen.identity)
    known = seen is not None and seen.signed == signed and (signer is None or seen.identity != b"")
    if seen is not None and known and seen.head == head:
        return seen
    after = Head(head.number - 1, recorder.digest(game, head.number - 1) or ORIGIN)
    reached, identity = None, b""
    if seen is not None and known and seen.head.number <= head.number:
        after, reached, identity = seen.head, seen.head, seen.identity
    elif signer is not None and head.number:
        identity, lowest, reached = permitted(recorder, signer, game, head)
        signed = signer.remembered(game, identity)
        if lowest is not None:
            after = lowest
        elif signer.path is not None:
            after = Head(0, ORIGIN)
        elif reached is not None:
            after = reached
    walk = _Walk(recorder, game, after)
    if head.number and not walk.leads_to(head, None if signer is None else reached):
        sentence = _("event {event} is not what was stored: its digest differs").format(event=head.number)
        raise DamagedError(sentence, game=game, event=head.number)
    if signer is None or reached is None:
        return Seen(head, signed, identity)
    keys = {signer.key, *signer.recalled(game).trusted}
    if walk.acts and unsigned_acts(game, walk.acts, recorder.signatures(game), keys):
        raise _not_accepted(recorder, signer, game, head)
    others = (reached.number + 1, head.number) if walk.has_others(keys, signed) else None
    return Seen(head, signed, identity, others is not None or head.number - reached.number > BULK, others)


def say_others(recorder: GamesRecorder, game: str, seen: Seen) -> None:
    """Let the recorder report, after the commit, which events of a game were stored without the key, if any were."""
    if seen.others is not None:
        sentence = _("{game}: events {first} to {last} came without this key, or some of them; it signs them now")
        recorder.say(sentence.format(game=game, first=seen.others[0], last=seen.others[1]))


def say_unsigned(recorder: GamesRecorder, game: str, error: StoreError) -> None:
    """Let the recorder report, once per game, that the game is stored unsigned, and why the key does not sign it."""
    if game not in recorder.unsigned:
        recorder.unsigned.add(game)
        recorder.say(_("{game}: stored, and not signed: {reason}").format(game=game, reason=error.sentence))


def seen_after(recorder: GamesRecorder, seen: Seen, head: Head, signed: Head | None, identity: bytes) -> Seen:
    """Return the `Seen` of a game after this process appended to it, and perhaps signed a head of it."""
    remembers = recorder.signer is not None and recorder.signer.path is not None
    return Seen(head, (signed or seen.signed) if remembers else None, identity)


def identity_of(recorder: GamesRecorder, game: str) -> bytes:
    """Return the identity of a stored game: the digest of its first event, compared with its line.

    Raises:
        DamagedError: where the first event is not what was stored.
    """
    statement = "SELECT topic, state, digest FROM stored_events WHERE originator_id = ? AND originator_version = 1"
    found = recorder.select(statement, game)
    if not found:
        raise missing(recorder, game, 0)
    tag, line, stored = found[0]
    if type(tag) is not str or not is_line(line) or begun_with(game, tag, line) != stored:
        raise altered(game, 1)
    return bytes(stored)


def begun_with(game: str, tag: str, line: bytes) -> bytes:
    """Return the identity of a game that begins with this line."""
    return digest(ORIGIN, game, 1, tag, line)


def _number(head: Head) -> int:
    return head.number


def _has_begun(recorder: GamesRecorder, signer: Signer, game: str, identity: bytes) -> bool:
    """Return whether the signer's signature of the first event is stored: then it began the game."""
    rows = recorder.select("SELECT signature FROM heads WHERE game = ? AND signer = ? AND event = 1", game, signer.key)
    return any(type(one) is bytes and attested(signer.key, one, game, 1, identity) for (one,) in rows)


def _last_own(recorder: GamesRecorder, signer: Signer, game: str) -> Head | None:
    """Return the last validly signed head among the last 64 that `signer` signed in a game; None if there is none."""
    statement = "SELECT event, signature FROM heads WHERE game = ? AND signer = ? ORDER BY event DESC LIMIT 64"
    for event, signature in recorder.select(statement, game, signer.key):
        stored = recorder.digest(game, event)
        if stored is not None and type(signature) is bytes and attested(signer.key, signature, game, event, stored):
            return Head(event, stored)
    return None


class _Walk:
    """Walks over the rows of a game from the head `after` on: collects acts, and the last events of finished turns."""

    def __init__(self, recorder: GamesRecorder, game: str, after: Head) -> None:
        self._recorder = recorder
        self._game = game
        self._after = after
        self.acts: list[Row] = []
        self._ended: list[int] = []

    def leads_to(self, head: Head, reached: Head | None) -> bool:
        """Return whether the chain leads from the first head to `head`; collect only from rows after `reached`."""
        recorder, at = self._recorder, self._after
        if at.number and recorder.digest(self._game, at.number) != at.digest:
            return False
        rows = chained_rows(recorder, self._game, head.number, at.number) if at.number < head.number else ()
        for found in rows:
            at = Head(found[-1].number, found[-1].digest)
            if reached is not None:
                new = [row for row in found if row.number > reached.number]
                self.acts += recorder.acts.among(new)
                self._ended += [row.number - 1 for row in new if row.tag in recorder.acts.begins]
        return at == head

    def has_others(self, keys: Collection[bytes], signed: Head | None) -> bool:
        """Return whether a finished turn that ends elsewhere than at `signed` has no signature by one of these keys."""
        recorder, game = self._recorder, self._game
        ended = set(self._ended) - {0, 0 if signed is None else signed.number}
        if not ended:
            return False
        statement = "SELECT event, signer, signature FROM heads WHERE game = ? AND event >= ?"
        for event, key, signature in recorder.select(statement, game, min(ended)):
            # Anybody who writes to the database can store a row that names the key.
            if event in ended and key in keys and type(signature) is bytes:
                stored = recorder.digest(game, event)
                if stored is not None and attested(key, signature, game, event, stored):
                    ended.discard(event)
        return bool(ended)


# ------------------------------------------------------------------------------------------------------ what is refused


def _refused(signer: Signer, game: str, sentence: str, signed: Head | None = None, **given: object) -> NotSignedError:
    """Return the error that a game may not be signed: `sentence`, with the head `signed` and how to forget the game."""
    forget = command("key", "--forget", game, "--key", str(signer.path))
    if signed is not None:
        given |= {"event": signed.number, "code": code_of(signed.number, signed.digest)}
    return NotSignedError(sentence.format(command=forget, **given), game=game)


def _missing(signer: Signer, game: str, signed: Head) -> NotSignedError:
    sentence = _(
        "this key has signed event {event} as {code}, which is not in this game: an older copy was restored, or"
        " events were written anew. Go on in the store that has it; or, where this one is meant, let the key forget"
        " it: {command}"
    )
    return _refused(signer, game, sentence, signed)


def _another(signer: Signer, game: str, memory: Remembered) -> NotSignedError:
    sentence = _(
        "this key has signed another game of that name, up to event {event}, {code}, and this one was not begun with"
        " the key: it may be that game, written anew. Store it under another name; or, where this one is meant, let the"
        " key forget the other: {command}"
    )
    return _refused(signer, game, sentence, memory.known[-1].head)


def _another_here(signer: Signer, game: str, signed: Head) -> NotSignedError:
    sentence = _(
        "this key has signed event {event} as {code} of another game of that name in this place: a copy of another"
        " store was put here. Go on with this one in its own place; or, where it is meant to be here, let the key"
        " forget both: {command}"
    )
    return _refused(signer, game, sentence, signed)


def _of_another_mechanic(signer: Signer, game: str, name: str) -> NotSignedError:
    sentence = _(
        "this key has signed this game as one of the mechanic {name}; open the store for that one, or let the key"
        " forget it: {command}"
    )
    return _refused(signer, game, sentence, name=repr(name))


def _added(signer: Signer, game: str, signed: Head, acts: tuple[Act, ...]) -> NotAcceptedError:
    sentence = _(
        "this key has signed this game up to event {event}, {code}, and something that undoes, overrules or closes was"
        " added since: {acts}. Where it is meant, import it with another key (--key), and accept it with this one; or"
        " let this key forget the game: {command}"
    )
    return NotAcceptedError(_refused(signer, game, sentence, signed, acts=_told(acts)).sentence, acts, game=game)


def _told(acts: tuple[Act, ...]) -> str:
    told = _("event {event} ({type}), {code}")
    return first_of([told.format(event=act.event, type=act.type, code=act.code) for act in acts], LISTED)


def _not_accepted(recorder: GamesRecorder, signer: Signer, game: str, head: Head) -> NotAcceptedError:
    acts = unaccepted(recorder, signer, game, head)
    listed = acts[:LISTED]
    where = ["--db", recorder.shown] if recorder.shown else []
    accept = command("key", "--accept", game, listed[-1].code, "--key", str(signer.path), *where)
    sentence = _(
        "this key signs nothing more here: what undoes, overrules or closes something was stored without it: {acts}."
        " Look at it ({program} show), and where it is meant, accept it: {command}"
    )
    return NotAcceptedError(sentence.format(acts=_told(acts), program=program(), command=accept), acts, game=game)


# ------------------------------------------------------------------------------------------------------------ accepting


def unaccepted(recorder: GamesRecorder, signer: Signer, game: str, head: Head) -> tuple[Act, ...]:
    """Return the acts of a game that neither the signer nor a trusted key has signed.

    Raises:
        DamagedError: where the game is not what was stored.
    """
    acts = [row for rows in chained_rows(recorder, game, head.number) for row in recorder.acts.among(rows)]
    return unsigned_acts(game, acts, recorder.signatures(game), {signer.key, *signer.recalled(game).trusted})


def accept(recorder: GamesRecorder, signer: Signer, game: str, code: str) -> tuple[Act, ...]:
    """Let the signer sign each unsigned act of a game, up to the act whose code was shown; return these acts.

    Raises:
        SettingsError: where `code` is not a code, or the file of the key's memory cannot be used.
        ConflictError: where no unsigned act has that code: the act was replaced, or is signed already.
        NotSignedError: where the signer may not sign the game.
        DamagedError: where the game is not what was stored.
    """
    number, noted = parse_code(code)
    with recorder.transaction(write=True) as cursor:
        head = recorder.last(cursor, game)
        identity = permitted(recorder, signer, game, head).identity
        # This compares every line with the chain.
        acts = unaccepted(recorder, signer, game, head)
        found = next((act for act in acts if act.event == number), None)
        if found is None or found.code != noted:
            waiting = commas([act.code for act in acts[:LISTED]]) or _("nothing")
            sentence = _("no event that waits to be accepted has the code {code}; what waits: {waiting}")
            raise ConflictError(sentence.format(code=noted, waiting=waiting), game=game)
        taken = tuple(act for act in acts if act.event <= number)
        heads = [Head(act.event, recorder.digest(game, act.event) or b"") for act in taken]
        recorder.add_signatures(cursor, game, heads, identity)
    return taken
