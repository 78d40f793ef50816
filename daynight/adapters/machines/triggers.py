"""The triggers of a machine as the events of a record, and the mechanic that replays them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from daynight.adapters.happened import at_time
from daynight.adapters.machines.forms import Form
from daynight.adapters.machines.shadow import RefusedError, Shadow
from daynight.adapters.values import in_words
from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.happening import Happening
from daynight.framework.language.language import Language
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Change, Derived, Mechanic, Part, Said, Way, Words
from daynight.framework.positions import Places, Position, nth


class Guard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A guard that was called, and its answer. A guard in `unless` lets the way be taken if it returns False."""

    guard: str
    answer: bool
    unless: bool = False


class Began(Happening, frozen=True, tag="began"):
    """A model was first seen, in this state. `form` has the states and the ways of the machine at that time."""

    model: str
    state: Any
    facts: Any = None
    form: Form | None = None


class Triggered(Happening, frozen=True, tag="triggered"):
    """A trigger: its arguments as JSON, the called guards in order, the state before (`source`) and after (`state`).

    `during` is the trigger whose callback fired it. `began_in` is the state when it was fired, if another trigger
    changed the state before it did. `error` is the raised error. Arguments that JSON cannot hold are recorded as their
    `repr`. `facts` are the recorded attributes that the trigger changed.
    """

    trigger: str
    state: Any
    source: Any = None
    guards: tuple[Guard, ...] = ()
    args: Any = None
    kwargs: Any = None
    during: str | None = None
    began_in: Any = None
    error: str | None = None
    facts: Any = None


class StateSet(Happening, frozen=True, tag="state-set"):
    """The state was set without a trigger."""

    state: Any
    facts: Any = None


class FactsChanged(Happening, frozen=True, tag="facts-changed"):
    """A trigger changed facts of the model again, after a nested trigger had changed them."""

    facts: Any


class MachineChanged(Happening, frozen=True, tag="machine-changed"):
    """The machine got or lost states or ways. `form` has its states and ways since then.

    Later events are replayed with it. `version` is its number; the machine's forms are counted from 1.

    A trigger that began before the change may come after it in the record: then another such event names the earlier
    form again.
    """

    version: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
    form: Form | None = None


class NotTaken(msgspec.Struct, frozen=True):
    """A trigger that guards refused, so that the state is as before.

    `guards` are the conditions that returned False, `unless` the guards in `unless` that returned True.
    """

    event: int
    trigger: str
    guards: tuple[str, ...]
    unless: tuple[str, ...] = ()


class Raised(msgspec.Struct, frozen=True):
    """A trigger during which an error was raised, by the machine or by a callback."""

    event: int
    trigger: str
    error: str


class Machined:
    """The state of a model in its record: the machine's state, the facts, and the last change of each."""

    __slots__ = ("facts", "form", "state", "version", "ways")

    def __init__(self) -> None:
        self.state: Any = None
        self.version = 1
        self.form: Form | None = None
        self.facts: dict[str, Any] = {}
        self.ways: dict[str, Way] = {}

    def copy(self) -> Machined:
        """Return a copy."""
        other = Machined()
        other.state, other.version, other.form = self.state, self.version, self.form
        other.facts, other.ways = dict(self.facts), dict(self.ways)
        return other


LANGUAGE: Language[Any] = Language[Any](Began | Triggered | StateSet | FactsChanged | MachineChanged, opening="began")


def mechanic_of(
    shadows: Sequence[Shadow], targets: Mapping[str, bool | None], facts: Sequence[str] = ()
) -> Mechanic[Any, Any, Any]:
    """Return the mechanic of a machine: its record is replayed by a machine without callbacks.

    `shadows` are the forms that the machine had, one after the other; more may follow while it is recorded. `targets`
    has for each guard the answer that lets its way be taken; None if that differs between ways. `facts` names the
    recorded attributes of the models.
    """
    stepping = _Stepping(shadows, targets)
    parts = {"state": Part(_state)} | {name: Part(_fact(name)) for name in facts}
    return Mechanic(
        name="machine",
        language=LANGUAGE,
        start=Machined,
        step=stepping.step,
        parts=parts,
        says=lambda event: (
            [Said("state", None, text(event.state), _("the machine"), after=True)]
            if isinstance(event, Triggered)
            else ()
        ),
        title=lambda event: event.model if isinstance(event, Began) else event.type,
        place=_PLACES,
        words=Words(
            event=_told_event, consequence=_told_consequence, value=lambda part, subject, value: in_words(value)
        ),
    )


_NTH = nth(trigger=Triggered)


def _placed(events: Sequence[Any], position: Position) -> int:
    """Return the number of the event that a position means: by a time, or by `trigger:2`, the second trigger."""
    return (at_time if Position.timed(position.mark or "") else _NTH.find)(events, position)


_PLACES = Places(_placed, _NTH.marks, _NTH.rows, _NTH.kinds)


class _Stepping:
    def __init__(self, shadows: Sequence[Shadow], targets: Mapping[str, bool | None]) -> None:
        self._shadows = shadows
        self._targets = targets
        self._of_forms: dict[bytes, Shadow] = {}

    def step(self, model: Machined, event: Any, number: int) -> Sequence[Any]:
        """Replay an event; return the changes, and `NotTaken` or `Raised` if guards refused it or an error was raised.

        Raises:
            ImpossibleError: where a trigger without an `error` is not possible now, or asks a guard whose answer was
                not recorded; where line 1 is no `Began`, or a later line is one; where no form is known.
        """
        if isinstance(event, Began) is not (number == 1):
            raise ImpossibleError(_("began is line 1 of a record, and no other line"), path="$.type")
        was = model.state
        found: list[Any] = []
        if isinstance(event, MachineChanged):
            model.version, model.form = event.version, event.form
            return found
        if isinstance(event, Began):
            model.form = event.form
        if isinstance(event, Triggered):
            model.state, found = self._replayed(model, event, number)
        elif not isinstance(event, FactsChanged):
            model.state = event.state
        rule = event.trigger if isinstance(event, Triggered) else None
        if text(was) != text(model.state):
            found = [Change(number, "state", None, text(was), text(model.state), rule, (number,)), *found]
            model.ways["state"] = Way(number, rule, (number,))
        for name, value in (event.facts or {}).items():
            if name not in model.facts or model.facts[name] != value:
                found.append(Change(number, name, None, model.facts.get(name), value, rule, (number,)))
                model.facts[name], model.ways[name] = value, Way(number, rule, (number,))
        return found

    def _replayed(self, model: Machined, event: Triggered, number: int) -> tuple[Any, list[Any]]:
        was = model.state
        shadow = self._shadow(model)
        try:
            begun = was if event.began_in is None else event.began_in
            state = shadow.taken(begun, event.trigger, [(one.guard, one.answer) for one in event.guards])
        except RefusedError as error:
            if event.error is None:
                raise ImpossibleError(str(error), path="$.trigger") from None
            state = was
        if event.error is not None and text(event.source) == text(was):
            # A callback raised: what was seen then counts.
            state = event.state
        found: list[Any] = []
        no = [one for one in event.guards if one.answer is self._is_unless(one)]
        if no and text(state) == text(was):
            said = [tuple(one.guard for one in no if one.answer is answer) for answer in (False, True)]
            found.append(NotTaken(number, event.trigger, *said))
        if event.error is not None:
            found.append(Raised(number, event.trigger, event.error))
        return state, found

    def _shadow(self, model: Machined) -> Shadow:
        """Return the shadow of the form in the record; if it has none, the shadow number `model.version`, or the last.

        Raises:
            ImpossibleError: where the record has no form, and there are no shadows.
        """
        known = self._shadows[min(model.version, len(self._shadows)) - 1] if self._shadows else None
        if known is not None and (model.form is None or model.form is known.form):
            return known
        if model.form is None:
            sentence = _("this record does not say which states and ways the machine has; give the machine")
            raise ImpossibleError(sentence, path="$.form")
        key = msgspec.json.encode(model.form)
        if key not in self._of_forms:
            self._of_forms[key] = Shadow(model.form)
        return self._of_forms[key]

    def _is_unless(self, one: Guard) -> bool:
        """Return whether a guard belongs to `unless`; an event that a person typed need not say so."""
        return one.unless or self._targets.get(one.guard) is False


def text(state: Any) -> Any:
    """Return a state as one text: its name; several active states joined with a plus."""
    return " + ".join(str(text(one)) for one in state) if isinstance(state, (list, tuple)) else state


def _state(model: Machined, subject: Any) -> Derived | None:
    return None if model.state is None or subject is not None else Derived((text(model.state),), (model.ways["state"],))


def _fact(name: str) -> Any:
    def derive(model: Machined, subject: Any) -> Derived | None:
        known = name in model.facts and subject is None
        return Derived((model.facts[name],), (model.ways[name],)) if known else None

    return derive


def _told_event(event: Any) -> str:
    if isinstance(event, Began):
        return _("{model} begins in {state}").format(model=event.model, state=text(event.state))
    if isinstance(event, StateSet):
        return _("the state is set to {state}").format(state=text(event.state))
    if isinstance(event, FactsChanged):
        return _("facts are changed again by a trigger that still runs")
    if isinstance(event, MachineChanged):
        return _("the machine is changed: it has other states or ways from here on")
    given = [
        *map(in_words, event.args or ()),
        *(f"{name}={in_words(one)}" for name, one in (event.kwargs or {}).items()),
    ]
    return f"{event.trigger}({', '.join(given)})"


def _told_consequence(found: Any) -> str:
    if isinstance(found, Change):
        was = _("nothing") if found.was is None else in_words(found.was)
        return f"{found.part}: {was} -> {in_words(found.became)}"
    if isinstance(found, Raised):
        return _("{trigger}() raised {error}").format(trigger=found.trigger, error=found.error)
    said = []
    if found.guards:
        said.append(_("{guards} said no").format(guards=", ".join(f"{guard}()" for guard in found.guards)))
    if found.unless:
        said.append(_("{guards} said yes").format(guards=", ".join(f"{guard}()" for guard in found.unless)))
    return _("{trigger}() was not taken: {why}").format(trigger=found.trigger, why=", ".join(said))
