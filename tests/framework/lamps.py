"""Two charts for tests, with their rows: of a lamp, and of an enum whose two members equal strings."""

from enum import Enum, StrEnum

from daynight.framework.chart import Arc, Chart, Guard


class Light(Enum):
    """The states of a lamp."""

    OFF = "off"
    ON = "on"
    BROKEN = "broken"


class Word(StrEnum):
    """States that equal strings."""

    HERE = "here"
    THERE = "there"


OFF, ON, BROKEN = Light.OFF, Light.ON, Light.BROKEN


def powered(volts: int) -> bool:
    """There is
    enough power.
    """
    return volts > 100


def too_much(volts: int) -> bool:
    """More than the lamp bears."""
    return volts > 300


def always(volts: int) -> bool:
    """In any case."""
    return True


ROWS = [
    Arc("press", OFF, BROKEN, too_much), Arc("press", OFF, ON, powered), Arc("press", ON, OFF, always),
    Arc("throw", OFF, BROKEN, always), Arc("throw", ON, BROKEN, always),
]  # fmt: skip


def twin(name: str) -> Guard[int]:
    """A new guard with this name, which always says no."""

    def guard(volts: int) -> bool:
        return False

    guard.__name__ = name
    return guard


def lamp(*rows: Arc[Light, int]) -> Chart[Light, int]:
    """A chart of the lamp with these rows; by default with `ROWS`."""
    return Chart(Light, OFF, rows or ROWS)


def two(*rows: Arc[Word, int]) -> Chart[Word, int]:
    """A chart of the two states of `Word` with these rows."""
    return Chart(Word, Word.HERE, rows)
