"""Several records in one call: each gets its answer, and one that fails does not keep the others from theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from daynight.cli.output import error_line
from daynight.events.errors import NotFoundError, RecordError
from daynight.records import Record

__all__ = ["each"]

_NOT_FOUND, _UNREADABLE = 4, 3


def each(records: Sequence[Record], answer: Callable[[Record], int]) -> int:
    """Answer for every record; the exit code is that of the worst failure, else the greatest answer."""
    codes = [0]
    failures: list[int] = []
    for record in records:
        try:
            codes.append(answer(record))
        except RecordError as error:
            error_line(str(error))
            failures.append(_UNREADABLE)
        except NotFoundError as error:
            error_line(str(error))
            failures.append(_NOT_FOUND)
        except BrokenPipeError:
            raise
        except OSError as error:
            error_line(f"{record.name}: {error.strerror}")
            failures.append(_UNREADABLE)
    return min(failures) if failures else max(codes)
