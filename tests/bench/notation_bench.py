"""The notation: reading and writing a record in words, as ratios to decoding the same events from JSON Lines.

`a` is, as in `bench`, what msgspec takes to decode the equivalent JSON Lines, and nothing else.
"""

import io
from pathlib import Path

import msgspec

from daynight.cards import bundled
from daynight.events import Event
from daynight.framework.language.codec import encode_lines
from daynight.notation import Reading, lines_of, read, read_lines
from tests.bench.records import lines
from tests.bench.timing import best

__all__ = ["main"]

ROUNDS = 5
EVENTS = 100_000
BY_GRAMMAR = 2_000
"""How many events are read by the slow grammar alone."""

DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def main() -> None:
    """Measure and print it."""
    print(f"the notation for people, {EVENTS:,} events; x a")
    print(f"  {'record':<44}{'a':>9}{'grammar':>9}{'as JSON':>9}{'read':>9}{'write':>9}")
    for title, busy in (("as stored", False), ("a change and an arrival every four turns", True)):
        made = DECODER.decode_lines(lines(EVENTS, busy=busy))
        measured(title, [bundled().fill(event) for event in made])
    real = DECODER.decode_lines((Path(__file__).resolve().parents[2] / "daynight/demo/wagic-G1.jsonl").read_bytes())
    measured("a real game, once", [bundled().fill(event) for event in real])


def measured(title: str, events: list[Event]) -> None:
    """Print a row: the times of decoding, of reading by the grammar alone, to JSON and to events, and of writing."""
    data = encode_lines(events)
    text = in_words(events)
    some = in_words(events[:BY_GRAMMAR]).decode()
    assert [placed.event for placed in read(io.BytesIO(text))] == events
    a, converted, whole, written = best(
        lambda: DECODER.decode_lines(data),
        lambda: sum(len(found) for found, _places in read_lines(io.BytesIO(text))),
        lambda: sum(1 for _placed in read(io.BytesIO(text))),
        lambda: in_words(events),
        rounds=ROUNDS,
    )
    (slow,) = best(lambda: by_grammar(some), rounds=ROUNDS)
    slow *= len(events) / min(len(events), BY_GRAMMAR)
    cells = [f"{a / len(events) * 1e6:.3f}", *(f"{cost / a:.1f}" for cost in (slow, converted, whole, written))]
    print(f"  {title:<44}" + "".join(f"{cell:>9}" for cell in cells))


def in_words(events: list[Event]) -> bytes:
    """Return the record of `events` in words, as UTF-8."""
    return "".join(f"{line}\n" for found in lines_of(events) for line in found).encode()


def by_grammar(text: str) -> int:
    """Parse each line of `text` by the grammar, without a cache; return the number of events."""
    reading = Reading()
    return sum(len(reading.take(line, number)) for number, line in enumerate(text.split("\n"), 1))
