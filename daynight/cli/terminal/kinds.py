"""The types of option values: an edition of the rules, and numbers. A wrong value is refused in our own words.

The refusal of a misspelt edition proposes similar ones.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import click

from daynight.framework.language.wording import _
from daynight.rules.citations import EDITIONS, LATEST_EDITION

_LATEST = "latest"
_NEAR = 2
"""The most editions that are proposed."""


class NoEditionError(click.BadParameter):
    """A value that is no edition; `possibilities` are the editions that were probably meant."""

    def __init__(self, value: str, ctx: click.Context | None, param: click.Parameter | None) -> None:
        self.possibilities = get_close_matches(value, [_LATEST, *EDITIONS], _NEAR)
        said = _("{value} is no edition; daynight editions lists them")
        if self.possibilities:
            said = _("{value} is no edition")
        super().__init__(said.format(value=repr(value)), ctx, param)


class _EditionType(click.Choice[str]):
    """An edition by its date, or `latest`, which becomes the date of the latest one."""

    def __init__(self) -> None:
        super().__init__([*EDITIONS, _LATEST])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices:
            raise NoEditionError(value, ctx, param)
        return LATEST_EDITION if value == _LATEST else str(value)


EDITION = _EditionType()
"""The type of an option that takes an edition."""


class Whole(click.IntRange):
    """A whole number from `min` to `max`; without `max`, from `min` on."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; for a wrong value, fail with the allowed range."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            sentence = _("{value} is no whole number from {least} to {most}")
            if self.max is None:
                sentence = _("{value} is no whole number from {least} on")
            self.fail(sentence.format(value=repr(value), least=self.min, most=self.max), param, ctx)


class Hours(click.FloatRange):
    """A number of hours above 0, up to `max`."""

    def __init__(self, most: int) -> None:
        super().__init__(0, most, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; for a wrong value, fail with the allowed range."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            sentence = _("{value} is no number of hours above 0, up to {most}")
            self.fail(sentence.format(value=repr(value), most=self.max), param, ctx)
