"""Stores a whole record in one transaction; `fill` completes its events first, so an export has the completed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from daynight.framework.folding.marks import accepted, in_force, known, marked, spelled
from daynight.framework.language.codec import encode, encode_lines
from daynight.framework.language.happening import anew, tag_of
from daynight.framework.language.reader import blocks
from daynight.framework.language.source import Source
from daynight.framework.language.wording import _, counted
from daynight.framework.mechanic import Mechanic
from daynight.framework.recorded import Recorded
from daynight.store.database.declared import note_rules
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import BULK, Append
from daynight.store.errors import ConflictError, NotSignedError
from daynight.store.given import has_given
from daynight.store.moments.past import Past
from daynight.store.proving.signing import permitted, permitted_to_arrive, say_unsigned
from daynight.store.records import lines_of

Tell: TypeAlias = Callable[[str], object]
"""Called with sentences about decisions during the import."""


def keep_record(
    recorder: GamesRecorder, record: Source, game: str, interval: int, progress: Callable[[int], None], *,
    trust: bool = False, unsigned: bool = False, tell: Tell = lambda sentence: None,
) -> None:  # fmt: skip
    """Store a record under a name, unless it is stored already; then take the missing snapshots.

    `trust` accepts events of unknown rules; `tell` is called with sentences about old tags, older rules and events that
    were not checked. `unsigned`: a record that the signer refuses to sign is stored all the same.

    Raises:
        RecordError: at the first line that is refused; nothing is stored then.
        ConflictError: where another record has that name, or a longer copy of this one.
        NotSignedError, NotAcceptedError: as `store_record`.
    """
    last = recorder.head(game).number
    if not last:
        if store_record(recorder, record, game, interval, progress, trust=trust, unsigned=unsigned, tell=tell):
            return
        # Another process has made the game meanwhile.
        last = recorder.head(game).number
    if is_stored(recorder, record, game):
        Past(recorder, game, checked=True).take_snapshots(last, interval)
    else:
        # What is refused as a record is refused as that.
        with record.open() as stream:
            given = len(Recorded.load(recorder.mechanic, stream))
        if given < last and is_stored(recorder, record, game, given):
            sentence = _("the store has a longer copy of this record, up to event {last}; nothing is imported")
            raise ConflictError(sentence.format(last=last), game=game)
        raise ConflictError(_("there is another game of that name; import it under a name of its own"), game=game)


def store_record(
    recorder: GamesRecorder, record: Source, game: str, interval: int, progress: Callable[[int], None], *,
    trust: bool = False, unsigned: bool = False, tell: Tell = lambda sentence: None,
) -> bool:  # fmt: skip
    """Store a record as a new game of that name, its head signed, with a snapshot every `interval` events.

    Return False, and store nothing, if there is a game of that name already; else True. `trust`, `unsigned` and `tell`
    are those of `keep_record`.

    Raises:
        RecordError: at the first line that is refused; nothing is stored then.
        NotSignedError: where the signer has signed another game of that name, or later events of this one.
        NotAcceptedError: where acts were added after the signer's last signature of this game.
    """
    past = Past(recorder, game)
    live = past.live(0)
    with recorder.transaction(write=True) as cursor:
        if recorder.last(cursor, game).number:
            return False
        recorder.guarding.keep(cursor)
        note_rules(recorder, cursor, game, 1)
        for events in _accepted(recorder.mechanic, record, trust=trust, tell=tell):
            # Stored first: the record may back up to one of them.
            lines = [(tag_of(type(event)), encode(event)) for event in events]
            recorder.append(cursor, game, lines, Append(checked=True))
            for at in range(0, len(events), interval):
                before = live.number
                live.pass_over(events[at : at + interval])
                if live.number // interval > before // interval:
                    live, snapshot = past.frozen(live, before, interval)
                    past.keep(snapshot)
            progress(live.number)
        head = recorder.last(cursor, game)
        if (signer := recorder.signer) is None:
            return True
        try:
            # Check the whole record, not a part of it: a prefix need not contain everything that was signed before.
            if unsigned:
                permitted(recorder, signer, game, head, arrived=True)
            else:
                permitted_to_arrive(recorder, signer, game, head)
        except NotSignedError as error:
            if not unsigned:
                raise
            recorder.take_back_signatures(cursor, game, signer.key)
            say_unsigned(recorder, game, error)
            return True
        recorder.add_signatures(cursor, game, [head])
    return True


def is_stored(recorder: GamesRecorder, record: Source, game: str, last: int | None = None) -> bool:
    """Return whether the stored events up to `last` (None: all) equal this record; old tags and marks do not count."""
    last = recorder.head(game).number if last is None else last
    given, kept = sha256(), sha256()
    for events in _filled(recorder.mechanic, record):
        given.update(encode_lines(events))
    for piece in lines_of(recorder, game, 0, last):
        kept.update(piece)
    language = recorder.mechanic.language
    if given.digest() == kept.digest() or not (language.upcasters or language.marked):
        return given.digest() == kept.digest()
    # Lines of old tags are lifted, and marks of rules do not count.
    with record.open() as stream:
        read = [event for some in language.read_blocks(stream) for event in some]
    there = [event for some in Past(recorder, game).events(0, last) for event in some]
    return has_given(there, read, [*map(anew(recorder.mechanic.fill), read)])


def _accepted(mechanic: Mechanic[Any, Any, Any], record: Source, *, trust: bool, tell: Tell) -> Iterator[list[Any]]:
    """Yield the events of an imported record, checked by the rules that it names, thousands at a time."""
    if not mechanic.language.marked:
        yield from _filled(mechanic, record)
        return
    events = [event for some in _filled(mechanic, record) for event in some]
    if many := _lifted(mechanic, record):
        tell(
            counted(
                "{n} line has an old tag: it is stored in the shape of today, and an older proof does not fit it",
                "{n} lines have old tags: they are stored in the shape of today, and an older proof does not fit them",
                many,
            )
        )
    version = accepted(mechanic, events, trust=trust)
    if version is not None:
        events[0] = marked(events[0], version)
        if version != mechanic.version:
            sentence = _("accepted by rules {rules}; those of today, {today}, refuse it")
            tell(sentence.format(rules=spelled(version), today=spelled(mechanic.version)))
    there = known(mechanic)
    for rules, many in Counter(one for one in in_force(events) if one is not None and one not in there).items():
        if mechanic.check is not None or rules != mechanic.version:
            sentence = counted("{n} event is not checked: rules {rules} are not known here",
                               "{n} events are not checked: rules {rules} are not known here", many)  # fmt: skip
            tell(sentence.format(rules=spelled(rules)))
    for at in range(0, len(events), BULK):
        yield events[at : at + BULK]


class _Tagged(Struct):
    type: str


_TAGGED = msgspec.json.Decoder(_Tagged)


def _lifted(mechanic: Mechanic[Any, Any, Any], record: Source) -> int:
    """Return how many lines of a record, all of them readable, have old tags."""
    old = mechanic.language.upcasters
    if not old:
        return 0
    with record.open() as stream:
        return sum(one.type in old for block in blocks(stream) for one in _TAGGED.decode_lines(block))


def _filled(mechanic: Mechanic[Any, Any, Any], record: Source) -> Iterator[list[Any]]:
    fill = anew(mechanic.fill)
    with record.open() as stream:
        for events in mechanic.language.read_blocks(stream):
            for at in range(0, len(events), BULK):
                yield [fill(event) for event in events[at : at + BULK]]
