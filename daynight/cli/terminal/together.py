"""Several records in one call: each gets its answer, and one that fails does not keep the others from theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from daynight.cli.terminal.exits import told, worst
from daynight.framework.language.errors import DaynightError

Asked = TypeVar("Asked")


def each(records: Sequence[Asked], answer: Callable[[Asked], int]) -> int:
    """Answer for every record, and for every game of a log.

    The exit code is that of the worst failure, else the greatest answer.
    """
    codes = [0]
    failures: list[int] = []

    for record in records:
        try:
            games: Callable[[], Sequence[Asked]] | None = getattr(record, "games", None)
            alike = (record,) if games is None else games()
        except (DaynightError, OSError) as error:
            failures.append(told(error))
            continue
        for game in alike:
            try:
                codes.append(answer(game))
            except BrokenPipeError:
                raise
            except (DaynightError, OSError) as error:
                failures.append(told(error))
    return worst(failures) if failures else max(codes)
