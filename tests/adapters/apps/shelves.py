"""Shelves whose attributes are of several kinds; the command `change` changes one, a mutable one in place."""

from __future__ import annotations

from dataclasses import dataclass

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event


@dataclass
class Box:
    many: int


class Shelf(Aggregate):
    @event("Built")
    def __init__(self, where: str):
        self.where = where
        self.names = ["a", "b"]
        self.pairs = [("a", 1)]
        self.numbers = {"a": 1}
        self.marks = {1, 2}
        self.boxes = [Box(1), Box(2)]
        self.deep = {"a": {"b": [1]}}
        self.both = (1, 2)

    @event("Changed")
    def change(self, what: str):
        """Change the attribute that `what` names, as `CHANGES` says; "nothing" assigns an equal list."""
        CHANGES[what](self)


CHANGES = {
    "nothing": lambda shelf: setattr(shelf, "names", [*shelf.names]),
    "names": lambda shelf: shelf.names.__setitem__(0, "z"),
    "pairs": lambda shelf: shelf.pairs.append(("b", 2)),
    "numbers": lambda shelf: shelf.numbers.__setitem__("a", 2),
    "marks": lambda shelf: shelf.marks.add(3),
    "boxes": lambda shelf: setattr(shelf.boxes[1], "many", 5),
    "deep": lambda shelf: shelf.deep["a"]["b"].append(2),
    "both": lambda shelf: setattr(shelf, "both", (1, 3)),
}


class Shelves(Application):
    pass
