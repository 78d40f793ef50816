"""Checks a part, a value or a mechanic when it is created; the error names the field and what to write instead."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from daynight.framework.chart import Chart, misspelt
from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.happening import Happening, field_names
from daynight.framework.language.wording import _


def check_functions(functions: Mapping[str, object]) -> None:
    """Check that each value in `functions`, by the name of its field, is None or can be called.

    Raises:
        TypeError: where one of them is something else.
    """
    for name, function in functions.items():
        if function is not None and not callable(function):
            raise TypeError(f"{name}: {function!r} can't be called; write a function of the state, such as a lambda")


def check_name(name: object) -> None:
    """Check that the name of a mechanic is one word.

    Raises:
        TypeError, ValueError: where it is not a text, is empty, or contains spaces.
    """
    if not isinstance(name, str):
        raise TypeError(f"name: {name!r} is no text; write one word")
    if not name.strip():
        raise ValueError(f"name: {name!r} is no word; a store remembers it")
    if len(words := name.split()) > 1 or words[0] != name:
        raise ValueError(f"name: {name!r} has blanks; write one word, such as {'-'.join(words)!r}")


def check_mappings(mappings: Mapping[str, object]) -> None:
    """Check that each value in `mappings`, by the name of its field, is a mapping.

    Raises:
        TypeError: where one is something else, such as a list.
    """
    for field, given in mappings.items():
        if not isinstance(given, Mapping):
            raise TypeError(f"{field}: {given!r} is no mapping; write {{name: ...}}")


def check_kinds(place: str, named: Iterable[Any], kinds: Collection[type], *, bases: bool = False) -> None:
    """Check that the classes `named` are event types in `kinds` or, with `bases`, base classes of some.

    An error names `place`, the field of the mechanic that names the classes.

    Raises:
        TypeError: where one is not a class.
        ValueError: where one is not an event type, such as the class of an old tag.
    """
    known = {kind.__name__: kind for kind in kinds}
    for one in named:
        if not isinstance(one, type):
            raise TypeError(f"{place}: {one!r} is no class; write the class of an event")
        if one not in kinds and not (bases and any(issubclass(kind, one) for kind in kinds)):
            raise ValueError(misspelt(f"{place}: no event of this language is", one.__name__, known))


def check_fields(place: str, kind: type, named: Sequence[str]) -> None:
    """Check that the event type `kind` has the fields `named`; an error names `place`, the mechanic's field.

    Raises:
        TypeError: where `named` is a single text.
        ValueError: where a field is missing.
    """
    if isinstance(named, str):
        raise TypeError(f"{place}, {kind.__name__}: {named!r} is a text; write a tuple, ({named!r},)")
    for one in named:
        if one not in (known := field_names(kind)):
            raise ValueError(misspelt(f"{place}: {kind.__name__} has no field", one, known))


Charts: TypeAlias = Chart[Any, Any] | Mapping[str, Chart[Any, Any]] | Sequence[Chart[Any, Any]]
"""The charts of a mechanic: one, several by name, or several that take the names of their states' classes."""


def check_rules(version: object, check: object, checks: Mapping[Any, object], kinds: Iterable[type]) -> None:
    """Check the version of a mechanic's rules, its current `check` and earlier `checks`, and its event types.

    With a `check`, each of these types must be a `Happening`, for it has the field `rules`.

    Raises:
        TypeError, ValueError: with the field, what is wrong, and what to write.
    """
    versions = version if isinstance(version, tuple) else (version,)
    if not versions or any(type(one) is not int or one < 1 for one in versions):
        raise ValueError(f"version: {version!r} is no whole number from 1 on")
    if check is None:
        if checks:
            raise ValueError("checks: there are earlier ones, but no check; give the check of today too")
        return
    if version in checks:
        raise ValueError(f"checks, {version}: that is the version of today; raise version, or leave it out of checks")
    for kind in kinds:
        if not issubclass(kind, Happening):
            raise TypeError(f"check: {kind.__name__} has no field for the version of the rules; use Happening")


def charts_of(charts: Charts | None) -> dict[str, Chart[Any, Any]]:
    """Return the charts of a mechanic by their names. A chart without a name takes the name of its states' class.

    Raises:
        TypeError: where one of them is no chart.
        ValueError: where two have the same name.
    """
    if charts is None:
        return {}
    if isinstance(charts, Mapping):
        named = [*charts.items()]
    else:
        several: Sequence[Any] = charts if isinstance(charts, (list, tuple)) else [charts]
        named = [(one.name if isinstance(one, Chart) else "", one) for one in several]
    for name, one in named:
        if not isinstance(one, Chart):
            raise TypeError(f"chart: {one!r} is no Chart; write Chart(states, initial, arcs), or {{name: Chart(...)}}")
        if [other for other, _chart in named].count(name) > 1:
            raise ValueError(f"chart: two charts are named {name}; write {{name: Chart(...), name: Chart(...)}}")
    return dict(named)


def chart_named(charts: Charts | None, name: str) -> Chart[Any, Any]:
    """Return the chart of this name.

    Raises:
        NotFoundError: where there is none.
    """
    known = charts_of(charts)
    if name not in known:
        sentence = _("no chart {name}; there are: {known}")
        raise NotFoundError(sentence.format(name=repr(name), known=", ".join(known) or _("nothing")))
    return known[name]
