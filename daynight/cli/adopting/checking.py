"""`daynight adopt ... check`: finds code that gives another state on another day, or in its next release."""

from __future__ import annotations

from typing import Any

import click

from daynight.adapters.values import in_words
from daynight.cli.terminal.output import print_json, print_line, to_its_end
from daynight.framework.language.wording import _, counted


@click.command(
    "check",
    epilog="\b\ndaynight adopt bank:BankAccounts --db bank.db check\n"
    "daynight adopt bank:BankAccounts --db bank.db check --against bank:BankAccounts --folder next/",
)
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option(
    "--against", metavar="MODULE:APPLICATION", help="Compare with this application instead, on the same events."
)
@click.option(
    "--folder",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False),
    help="The folder to import that application from; it may have the same modules.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
@click.pass_obj
@to_its_end
def check(there: Any, ids: tuple[str, ...], against: str | None, folder: str | None, as_json: bool) -> int:
    """Rebuild every aggregate twice and compare; exit code 1 if something differs.

    The second time, another process replays the events; its clock is 400 days ahead, and its hashes have another seed.
    If the state depends on the time, on random numbers or on the order of a set, the two results differ. check also
    compares each snapshot and each claim of --says with the events before it, and names events whose class is missing.
    With --against, the other process uses another application's code, and the true clock.
    """
    from daynight.adapters.checking import ENDS, Asked, compared

    adopted = there.adopted
    asked = Asked(
        against or there.asked["application"], there.asked["db"], tuple(there.asked["also"]),
        tuple(there.asked["hide"]), there.asked["project"], tuple(adopted.record(id).id for id in ids), folder,
        shifted=against is None, key=adopted.hiding.key,
    )  # fmt: skip
    found: list[dict[str, Any]] = []
    rebuilt = 0
    for one in compared(adopted, asked):
        rebuilt += 1
        found += [{"kind": "differs" if each.part != ENDS else "ends"} | each.document() for each in one]
    for id in asked.ids or [one.id for one in adopted.listed()]:
        found += _of_one(adopted, id)
    if as_json:
        print_json({"aggregates": rebuilt, "found": found})
    else:
        for each in found:
            print_line(_told(each, against))
        print_line(counted("{n} aggregate rebuilt twice", "{n} aggregates rebuilt twice", rebuilt))
    return 1 if found else 0


def _of_one(adopted: Any, id: str) -> list[dict[str, Any]]:
    """Return an aggregate's problems: early end, missing class, snapshots that can't be compared, disputed claims."""
    record = adopted.record(id)
    found: list[dict[str, Any]] = []
    if record.stops is not None:
        found.append({"kind": "stops", "id": record.id, "event": record.stops.event, "reason": record.stops.sentence})
    gone = [number for number, event in enumerate(record.events, 1) if event.own is None]
    if gone:
        topic = record.events[gone[0] - 1].type
        found.append({"kind": "gone", "id": record.id, "event": gone[0], "topic": topic})
    for number, reason in adopted.uncompared(record):
        found.append({"kind": "snapshot", "id": record.id, "event": number, "reason": reason})
    for one in record.audited().disputes:
        derived = None if one.derived is None else one.derived.value
        found.append({
            "kind": "claim", "id": record.id, "event": one.event, "part": one.said.part, "by": one.said.by,
            "claimed": one.said.value, "derived": derived,
        })  # fmt: skip
    return found


def _told(found: dict[str, Any], against: str | None) -> str:
    if found["kind"] == "ends":
        here, there = (_("it goes on") if one is None else one for one in (found["left"], found["right"]))
        sentence = _("{id}: event {event}: {left}; in the other process: {right}")
        if against is not None:
            sentence = _("{id}: event {event}: {left}; by the other application: {right}")
        return sentence.format(id=found["id"], event=found["event"], left=here, right=there)
    values = {name: in_words(found[name]) for name in ("left", "right", "claimed", "derived") if name in found}
    found = found | {name: _("nothing") if found[name] is None else value for name, value in values.items()}
    if found["kind"] == "stops":
        return _("{id}: the record ends before event {event}: {reason}").format(**found)
    if found["kind"] == "gone":
        return _("{id}: event {event}: {topic} names no class of the application").format(**found)
    if found["kind"] == "snapshot":
        return _("{id}: the snapshot after event {event} can't be compared: {reason}").format(**found)
    if found["kind"] == "claim":
        sentence = _("{id}: event {event}: {by} says {part}: {claimed}; by the events before it, it is {derived}")
        return sentence.format(**found)
    if against is not None:
        return _("{id}: event {event}: {part} is {left}, and {right} by the other application").format(**found)
    sentence = _("{id}: event {event}: {part} is {left}, and {right} in another process, {days} days later")
    return sentence.format(**found, days=_days())


def _days() -> int:
    from daynight.adapters.checking import DAYS

    return DAYS
