"""A small mechanic for the tests of stores: a lamp that is switched, with a claim, a back-up and a snapshot."""

from typing import Self

import msgspec

from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.happening import Happening
from daynight.framework.language.language import Language
from daynight.framework.mechanic import Mechanic, Part, Said, derived


class Hung(Happening, frozen=True, tag="lamp-hung"):
    lamp: str


class Pressed(Happening, frozen=True, tag="pressed"):
    by: str


class Counted(Happening, frozen=True, tag="counted"):
    """An event that is a claim: somebody says how often the lamp was pressed."""

    presses: int
    by: str


class Dimmed(Happening, frozen=True, tag="dimmed"):
    """An event that is a back-up: the lamp is again as it was after event `to`."""

    to: int


class Clicked(msgspec.Struct, frozen=True, tag="clicked"):
    on: bool


class Lamp(msgspec.Struct):
    presses: int = 0
    last: int = 1

    def copy(self) -> Self:
        return msgspec.structs.replace(self)

    @property
    def on(self) -> bool:
        return self.presses % 2 == 1


def begins(event: object) -> None:
    if not isinstance(event, Hung):
        raise ImpossibleError("a lamp is hung first", path="$.type")


def step(lamp: Lamp, event: Hung | Pressed | Counted | Dimmed, number: int) -> tuple[Clicked, ...]:
    if isinstance(event, Hung) and number > 1:
        raise ImpossibleError("it hangs already", path="$.type")
    if isinstance(event, Pressed):
        lamp.presses, lamp.last = lamp.presses + 1, number
        return (Clicked(lamp.on),)
    return ()


LAMP: Mechanic[Lamp, Hung | Pressed | Counted | Dimmed, Clicked] = Mechanic(
    name="lamp",
    language=Language(Hung | Pressed | Counted | Dimmed),
    start=Lamp,
    step=step,
    begins=begins,
    parts={"on": Part(lambda lamp, subject: derived(lamp.on, lamp.last)),
           "presses": Part(lambda lamp, subject: derived(lamp.presses, lamp.last))},
    says=lambda event: [Said("presses", None, event.presses, event.by)] if isinstance(event, Counted) else [],
    restores=lambda event: event.to if isinstance(event, Dimmed) else None,
    names={Dimmed: ("to",)},
    seals={Counted: "after", Dimmed: "before"},
    title=lambda event: event.lamp if isinstance(event, Hung) else "",
    freeze=msgspec.json.encode,
    thaw=msgspec.json.Decoder(Lamp).decode,
)  # fmt: skip

HUNG = {"type": "lamp-hung", "lamp": "hall"}
PRESSED = {"type": "pressed", "by": "Ana"}


def dimmed(to: int) -> dict[str, object]:
    return {"type": "dimmed", "to": to}


def counted(presses: int) -> dict[str, object]:
    return {"type": "counted", "presses": presses, "by": "Bo"}
