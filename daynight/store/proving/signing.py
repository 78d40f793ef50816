"""Checks a game before it is appended to or signed: it must continue what this process saw, or the key signed.

Somebody without a key could rewrite a game in a store and wait: the next signature by a key would then vouch for it. So
a key signs no game that does not contain the last head of it that the key has signed.
"""

from __future__ import annotations

from msgspec import Struct

from daynight.framework.language.wording import _
from daynight.machine.shells import joined, likely
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import Head
from daynight.store.errors import DamagedError
from daynight.store.proving.chain import ORIGIN, code_of
from daynight.store.records import chained_rows


class Seen(Struct, frozen=True):
    """What this process has seen of a game: its last event, which follows from the last head its key had signed."""

    head: Head
    signed: Head | None


def check_signed(recorder: GamesRecorder, game: str, head: Head) -> None:
    """Check that the last head that the signer has signed of a game, if it remembers one, is stored in it.

    Raises:
        DamagedError: where it is not: nothing may be signed then.
        SettingsError: where the signer cannot remember.
    """
    signer = recorder.signer
    signed = None if signer is None else signer.remembered(game)
    if signer is None or signed is None:
        return
    if signed.number > head.number or recorder.digest(game, signed.number) != signed.digest:
        forgetting = ["daynight", "key", "--forget", game, "--key", str(signer.path)]
        sentence = _(
            "this key has signed event {event} as {code}, which is not in this game: an older copy was restored, or"
            " events were written anew. Go on in the store that has it; or, where this one is meant, let the key forget"
            " it: {command}"
        )
        code, command = code_of(signed.number, signed.digest), joined(forgetting, likely())
        raise DamagedError(sentence.format(event=signed.number, code=code, command=command), game=game)


def followed(recorder: GamesRecorder, game: str, head: Head, seen: Seen | None) -> Seen:
    """See that the last event of a game follows from what was seen or signed of it; answers what is seen now.

    Nothing is read where it is the event that was seen last. What others stored since is compared with the chain. Where
    nothing is known of the game, its last event is compared with the one before it.

    Raises:
        DamagedError: where it does not follow.
        SettingsError: where the signer cannot remember.
    """
    signer = recorder.signer
    signed = None if signer is None else signer.remembered(game)
    known = seen is not None and seen.signed == signed and seen.head.number <= head.number
    if seen is not None and known and seen.head == head:
        return seen
    if seen is not None and known:
        after = seen.head
    elif signed is not None:
        check_signed(recorder, game, head)
        after = signed
    else:
        after = Head(head.number - 1, recorder.digest(game, head.number - 1) or ORIGIN)
    if head.number and not _leads(recorder, game, after, head):
        sentence = _("event {event} is not what was stored: its digest differs").format(event=head.number)
        raise DamagedError(sentence, game=game, event=head.number)
    return Seen(head, signed)


def seen_after(recorder: GamesRecorder, seen: Seen, head: Head, signed: Head | None) -> Seen:
    """What is seen of a game once this process has appended to it, and perhaps signed a head of it."""
    remembers = recorder.signer is not None and recorder.signer.path is not None
    return Seen(head, (signed or seen.signed) if remembers else None)


def _leads(recorder: GamesRecorder, game: str, after: Head, head: Head) -> bool:
    if after.number and recorder.digest(game, after.number) != after.digest:
        return False
    for rows in chained_rows(recorder, game, head.number, after.number) if after.number < head.number else ():
        after = Head(rows[-1].number, rows[-1].digest)
    return after == head
