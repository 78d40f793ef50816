"""`daynight verify`: checks that stored games, exported games and archives are exactly as they were stored."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from rich.text import Text

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.exits import DAMAGED, each, worst
from daynight.cli.terminal.output import console, print_json, to_its_end, waiting, worded
from daynight.framework.folding.marks import not_checked
from daynight.framework.language.codec import document_of
from daynight.framework.language.errors import DaynightError, NotFoundError, locating
from daynight.framework.language.grammar import commas, first_of
from daynight.framework.language.source import STORED
from daynight.framework.language.wording import _, counted
from daynight.framework.positions import Position
from daynight.records import DEMO, Record

if TYPE_CHECKING:
    from daynight.store import Key
    from daynight.store.proving.verify import Verified
    from daynight.store.store import AnyStore

_KEY, _LISTED = 16, 12
"""How many digits of a public key, and at most how many events or ranges of turns, the text shows."""


def _signers(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    if any(not re.fullmatch("[0-9a-f]{16,64}", value.lower()) for value in values):
        raise click.BadParameter(_("a public key has 64 hexadecimal digits; give the first 16, or all of them"))
    for value in values:
        if len(value) == 64:
            stored.check_signer(value)
    return tuple(value.lower() for value in values)


def _identity(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch("[0-9a-f]{16,64}", value.lower()):
        raise click.BadParameter(_("an identity has 64 hexadecimal digits; give the first 16, or all of them"))
    return None if value is None else value.lower()


def _event(ctx: click.Context, param: click.Parameter, value: str | None) -> Position | None:
    position = options.position(ctx, param, value)
    if position is not None and position.branch is not None:
        raise click.BadParameter(_("expected an event of the game itself, like 18, e18 or turn:4"))
    return position


@click.command(epilog="\b\ndaynight verify\ndaynight verify friday.jsonl")
@click.argument("names", metavar="[GAME|FILE]...", nargs=-1, shell_complete=options.a_game_or_file)
@click.option(
    "--code",
    metavar="CODE",
    help="A code that you noted: of the one game or file named, 'e200 7K3M-2Q9X-...', or of the store, 's163 ...'.",
)
@click.option(
    "--signer",
    "signers",
    metavar="KEY",
    multiple=True,
    callback=_signers,
    help="The public key (16 digits or more) that must have signed the last event of a file, or the last ended turn"
    " of a stored game, and each event that undoes, overrules or closes something. Given several keys,"
    " any one of them may have signed each of these.",
)
@click.option(
    "--identity",
    metavar="IDENTITY",
    callback=_identity,
    help="The identity (16 digits or more) that the one GAME or FILE must have.",
)
@click.option(
    "--signed-to",
    metavar="POSITION",
    callback=_event,
    help="The event (18, e18, turn:4) up to which --signer must have signed the one stored GAME; by default the end of"
    " its last ended turn.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Exit code 1 also if the current rules refuse events that older rules accepted, or if those are unknown.",
)
@options.db
@options.as_json
@to_its_end
def verify(
    names: tuple[str, ...], code: str | None, signers: tuple[str, ...], identity: str | None,
    signed_to: Position | None, strict: bool, as_json: bool,
) -> int:  # fmt: skip
    """Check that games are exactly as they were stored.

    Name games of a store, or none for the whole store, or an exported FILE with its proof or a code that you noted. The
    answer counts the signed heads, and names the turns that are not signed; turn 0 is what came before the first turn.
    For a whole store it also shows the store's code: note it, and a later check finds out whether a game was deleted or
    moved.

    Exit code 5 if something differs from what was stored; the answer names the first bad event. Exit code 1 if nothing
    differs, but the current code cannot read a record from an event on. If the reason is that the rules have changed
    since, the answer says so, and only --strict makes it exit code 1.
    """
    of_store = code is not None and code.strip()[:1] in ("s", "S")
    if code is not None and len(names) != 1 and not (of_store and not names):
        raise click.UsageError(_("--code is that of one game, or of one file; of a store it begins with s"))
    if identity is not None and len(names) != 1:
        raise click.UsageError(_("--identity is that of one GAME, or of one FILE"))
    if signed_to is not None and (not signers or len(names) != 1 or _is_file(names[0])):
        raise click.UsageError(_("--signed-to is for one stored GAME, and --signer KEY"))
    codes: list[int] = []
    asked = _Asked(signers, identity, _own(signers))

    def one(name: str | None) -> int:
        for document in _answers(name, code, asked, signed_to):
            sound = document["whole"] and document.get("trusted", True) and document.get("meant", True)
            codes.append(DAMAGED if not sound else int(_is_found(document, strict)))
            if as_json:
                print_json(document)
            else:
                _tell(document)
        return 0

    failed = each(names or (None,), one)
    if not names and not failed and not codes and not as_json:
        console().print(_("no games yet: nothing to verify"))
    return worst([failed, *codes])


def _is_found(document: dict[str, Any], strict: bool) -> bool:
    """Return whether an undamaged game makes exit code 1: this code fails on it or, if `strict`, the rules changed."""
    stop = document.get("stop")
    if stop is not None and stop["rules"] is None:
        return True
    return strict and any(document.get(name) for name in ("stop", "refused", "unchecked"))


class _Asked(NamedTuple):
    """The first digits of the accepted keys, and of the game's identity; `own` is the user's own key, if accepted."""

    signers: tuple[str, ...]
    identity: str | None
    own: Key | None

    def trusting(self, game: str) -> tuple[str, ...]:
        """Return `signers` and, if the user's own key is accepted, the keys that it trusts in this game."""
        trusted = () if self.own is None else (key.hex() for key in self.own.recalled(game).trusted)
        return (*self.signers, *trusted)


def _own(signers: tuple[str, ...]) -> Key | None:
    """Return the user's own key if it is one of the signers, else None."""
    from daynight.store import Key, SettingsError

    with suppress(NotFoundError, SettingsError):
        own = Key.kept(stored.key_file(None)) if signers else None
        if own is not None and own.key.hex().startswith(signers):
            return own
    return None


def _answers(name: str | None, code: str | None, asked: _Asked, to: Position | None) -> Iterator[dict[str, Any]]:
    from daynight.store.proving.verify import verify_store

    if name is not None and _is_file(name):
        yield from _file(Record(name), code, asked)
        return
    if name is None:
        stored.say_who_may(stored.reading())
        yield from _whole(stored.reading(), code, asked)
        return
    games = (name.removeprefix(STORED),)
    with waiting() as progress:
        stored.say_who_may(stored.reading())
        for found in verify_store(stored.reading(), games, code=code, progress=progress):
            yield _document(f"{STORED}{found.game}", found, asked, None if to is None else _number(found, to))


def _number(found: Verified, to: Position) -> int | None:
    """Return the number of the event at `to`; None for a turn of a damaged game, whose events cannot be searched."""
    if to.event is not None or found.fault is not None:
        return to.event
    try:
        number: int = stored.reading().load(found.game).number(to)
    except NotFoundError as error:
        raise NotFoundError(f"{STORED}{found.game}: {error}", file=f"{STORED}{found.game}") from None
    return number


def _whole(store: AnyStore, code: str | None, asked: _Asked, shown: str = STORED) -> Iterator[dict[str, Any]]:
    """Yield an answer about each game, then one about the store: its code, and how `code` contradicts it.

    Without a contradiction, there is no answer about a store that is empty or has a damaged game.
    """
    from daynight.store.inventory import check_store, taken
    from daynight.store.proving.verify import verify_store

    whole, games = True, 0
    with waiting() as progress:
        for found in verify_store(store, progress=progress):
            whole, games = whole and found.fault is None, games + 1
            yield _document(f"{shown}{found.game}", found, asked)
    fault = None if code is None else check_store(store.recorder, code)
    if fault is None and not (whole and games):
        # A store that is damaged or empty has no code to note.
        return
    inventory = taken(store.recorder)
    names = "store whole games events code fault"
    own = {"store": store.settings.shown, "whole": fault is None, "games": len(inventory.heads), "fault": fault}
    yield document_of(inventory, names, **own)


def _is_file(name: str) -> bool:
    if name.startswith(STORED):
        return False
    return name in ("-", DEMO) or name.endswith((".jsonl", ".jsonl.gz")) or Path(name).exists()


def _file(record: Record, code: str | None, asked: _Asked) -> Iterator[dict[str, Any]]:
    from daynight.game import played
    from daynight.keeping.whole import is_archive
    from daynight.store.proving.proof import read_proof, verify_record

    if is_archive(record):
        if asked.identity is not None:
            raise click.UsageError(_("--identity is that of one game, and an archive has many"))
        yield from _archive(record, code, asked)
        return
    proof = None
    beside = Path(f"{record.name}.proof")
    with locating(file=str(beside)):
        if beside.exists():
            with beside.open("rb") as stream:
                proof = read_proof(stream)
        elif code is None:
            sentence = _("{proof}: no such file; a record is verified by its proof, or by a noted --code")
            raise NotFoundError(sentence.format(proof=beside), file=str(beside))
        with waiting() as progress:
            mechanic = stored.mechanic() or played()
            found = verify_record(record, code=code, proof=proof, mechanic=mechanic, progress=progress)
            yield _document(record.shown, found, asked, found.events)


def _archive(record: Record, code: str | None, asked: _Asked) -> Iterator[dict[str, Any]]:
    """Import an archive into a temporary store; yield what was imported, and the answers of verifying that store."""
    from daynight.games import Store
    from daynight.store.proving.archive import read_archive
    from daynight.store.proving.chain import parse_store_code

    if code is not None:
        try:
            parse_store_code(code)
        except DaynightError:
            raise click.UsageError(
                _("--code is that of one game, and an archive has many: give that of the store, which begins with s")
            ) from None
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder, "archive.db"), mechanic=stored.mechanic()) as store,
        record.raw() as stream,
        waiting() as progress,
    ):
        with record.locating():
            games, events = read_archive(store, stream, progress=progress, trust_rules=True)
        yield {"archive": record.shown, "whole": True, "games": games, "events": events}
        for document in _whole(store, code, asked, f"{record.shown}: "):
            yield document | {"store": record.shown} if "store" in document else document


def _document(name: str, found: Verified, asked: _Asked, to: int | None = None) -> dict[str, Any]:
    """Return the answer about a game; with signers, also whether they signed up to `to` (None: the last turn end)."""
    signers = asked.trusting(found.game)
    signatures = found.signatures.by(*signers) if signers else found.signatures
    document = document_of(
        found,
        " ".join(["record game whole events code identity signed signers heads unsigned fault", *_more(found)]),
        record=name,
        whole=found.fault is None,
        signed=signatures.last,
        signers=signatures.signers,
        heads=signatures.many,
        unsigned=signatures.unsigned,
    )
    if signers:
        needed = max(found.signatures.ended if to is None else to, 1)
        acts = signatures.unsigned_acts
        document |= {"needed": needed, "trusted": signatures.last >= needed and not acts, "acts": acts}
    if asked.identity is not None:
        document["meant"] = found.identity.startswith(asked.identity)
    return document


def _more(found: Verified) -> list[str]:
    """Return those of the members `stop`, `refused` and `unchecked` that the answer has: their value is not empty."""
    return [name for name in ("stop", "refused", "unchecked") if getattr(found, name)]


def _tell(document: dict[str, Any]) -> None:
    many = document["events"]
    record = document.get("archive") or document.get("record") or document["store"]
    if fault := document.get("fault"):
        damaged = Text(_("DAMAGED"), style="bold red")
        told = _("{record}: {damaged}: {fault}")
        if fault["event"] is not None:
            told = _("{record}: {damaged} at event {event}: {fault}")
        text = worded(told, record=record, damaged=damaged, event=fault["event"], fault=fault["sentence"])
        console().print(text)
        return
    facts = [counted("{n} event", "{n} events", many)]
    if "games" in document and "store" in document:
        facts.insert(0, counted("{n} game", "{n} games", document["games"]))
    if document.get("code"):
        facts.append(document["code"])
    if stop := document.get("stop"):
        facts.append(stop["sentence"])
    if refused := document.get("refused"):
        events = first_of([f"e{event}" for event in refused], _LISTED)
        sentence = counted("the rules of today refuse {n} event", "the rules of today refuse {n} events", len(refused))
        facts.append(f"{sentence} ({events})")
    if unchecked := document.get("unchecked"):
        facts.append(not_checked(unchecked))
    if "heads" in document:
        facts += _signed(document, document["heads"])
    if identity := document.get("identity"):
        facts.append(_("identity {digits}").format(digits=identity[:_KEY]))
    whole, told = Text(_("whole"), style="green"), _("{record}: {whole}, {facts}")
    if document.get("trusted", True) and document.get("meant", True):
        console().print(worded(told, record=record, whole=whole, facts=commas(facts)))
    else:
        _tell_wrong(document, record=record, whole=whole, facts=commas(facts))


def _tell_wrong(document: dict[str, Any], **given: Any) -> None:
    """Print that an undamaged game is not the intended one, or lacks the requested signatures."""
    if not document.get("meant", True):
        wrong = Text(_("ANOTHER GAME THAN THE ONE GIVEN"), style="bold red")
        console().print(worded(_("{record}: {whole}, {facts}, {wrong}"), wrong=wrong, **given))
        return
    wrong = Text(_("NOT SIGNED BY THE KEY GIVEN"), style="bold red")
    told = _("{record}: {whole}, {facts}, {wrong}: it has to have signed event {event}, or a later one")
    act = _("event {event} ({type}), {code}")
    acts = [act.format(event=one.event, type=one.type, code=one.code) for one in document["acts"]]
    if acts:
        told = _("{record}: {whole}, {facts}, {wrong}: it has to have signed {acts}")
    console().print(worded(told, wrong=wrong, event=document["needed"], acts=first_of(acts, _LISTED), **given))


def _signed(document: dict[str, Any], heads: int) -> list[str]:
    """Return phrases: up to which event a game is signed, by whom, with how many heads, which turns are not."""
    if not heads:
        return [_("not signed")]
    by = commas([signer[:_KEY] for signer in document["signers"]])
    facts = [
        _("signed up to event {event} by {key}").format(event=document["signed"], key=by),
        counted("{n} head signed", "{n} heads signed", heads),
    ]
    unsigned = document["unsigned"]
    if unsigned and stored.mechanic() is not None:
        # Turns are those of day and night.
        ends = first_of([f"e{end['event']}" for end in unsigned], _LISTED)
        sentence = counted("the head of {events} is not signed", "the heads of {events} are not signed", len(unsigned))
        facts.append(sentence.format(events=ends))
    elif unsigned:
        turns = _ranges([end["turn"] for end in unsigned])
        facts.append(counted("turn {turns} not signed", "turns {turns} not signed", len(unsigned)).format(turns=turns))
    return facts


def _ranges(turns: Sequence[int]) -> str:
    """List numbers of turns as ranges: `2, 4-6`."""
    listed: list[list[int]] = []
    for turn in turns:
        if listed and turn in (listed[-1][-1], listed[-1][-1] + 1):
            listed[-1][1:] = [turn]
        else:
            listed.append([turn])
    return first_of(["-".join(map(str, dict.fromkeys(each))) for each in listed], _LISTED)
