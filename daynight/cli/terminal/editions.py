"""An edition of the rules as a value of an option; a misspelt one is answered with those that were probably meant."""

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
    """A value that is no edition; `possibilities` are those that were probably meant."""

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
