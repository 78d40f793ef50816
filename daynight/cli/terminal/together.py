"""Several records in one call: each gets its answer, and one that fails does not keep the others from theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from daynight.cli.terminal.exits import told, worst
from daynight.cli.terminal.opening import games_of
from daynight.framework.language.errors import DaynightError

Asked = TypeVar("Asked")


def each(records: Sequence[Asked], answer: Callable[[Asked], int]) -> int:
    """Answer for every record, and for every game of a log.

    The exit code is that of the worst failure, else the greatest answer.
    """
    codes = [0]
    failures: list[int] = []

    def one(record: Asked) -> None:
        try:
            codes.append(answer(record))
        except BrokenPipeError:
            raise
        except (DaynightError, OSError) as error:
            failures.append(told(error))

    for record in records:
        try:
            games = games_of(record)
        except (DaynightError, OSError) as error:
            failures.append(told(error))
            continue
        for game in games:
            one(game)
    return worst(failures) if failures else max(codes)
