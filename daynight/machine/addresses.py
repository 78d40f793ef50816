"""Recognises server addresses, which may contain a password: they are never used as file names or shown."""

from __future__ import annotations

import re

_SPELLED = re.compile(
    r"^\W*\w*(postgres|pgsql|psql)\w*(\+\w+)?\s*[:\uff1a;./\\]*[:\uff1a;]|^\W*postgres\w*//"
    r"|(^|[\s?&;])(pg)?(host|hostaddr|port|user|password|passwd|passfile|database|dbname|service|ssl\w+)\s*=",
    re.IGNORECASE,
)
_SIGNED_IN = re.compile(r"^(//)?(?![a-z]:[\\/])[^/\\@]*:[^@]*@", re.IGNORECASE)
_LISTED = re.compile(r"(?<![^\s/\\])([^\s:/\\]{1,255}:(?:[0-9]{1,5}|\*):[^\s:]{0,255}:[^\s:]{0,255}:)\S+")
"""Matches a line of a password file of PostgreSQL: `host:port:database:user:password`."""

# All repetitions are limited: a sentence may be long, and quadratic time must not happen.
_PASSWORD = re.compile(
    # After the user of an address, whatever the server, or none is named; slashes may be taken for those of folders.
    r"((?:(?:postgres|pgsql|psql)\w{0,40}(?:\+\w{1,40})?[:\uff1a;][/\\]{0,9}|\b[a-z][\w+.-]{1,40}:[/\\]{1,9})"
    r"[^\s:@/\\]{0,255}?(?::|%3A))[^ ]{0,999}@"
    r"|((?<![^\s/\\'\"(=])(?!db:|[a-z]:[/\\]|[\w+.-]{1,40}:[/\\]{2})[^\s:@/\\'\"]{0,255}:)[^\s@]{0,999}@",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    # By its name, as libpq has it in a text, an address and the environment; an address may have letters as %77.
    r"((?:pass(?:word|wd)|[?&][^\s=&]{0,40}%[^\s=&]{0,40})\s{0,9}=\s{0,9})(?:(\\{0,9}['\"])(?:(?!\2).){0,999}\2|[^\s&]+)",
    re.IGNORECASE,
)
_LONGEST = 4096
"""How many characters of a text are examined: no file has a longer name."""


def without_password(text: str) -> str:
    """Return a text with `***` for each password: in an address, behind `password=`, in a line of a password file."""
    return _LISTED.sub(r"\1***", _GIVEN.sub(r"\1***", _PASSWORD.sub(r"\1\2***@", text)))


def is_address(text: str) -> bool:
    """Return whether a text looks like an address or settings of a PostgreSQL server, valid or not."""
    return _SPELLED.search(text[:_LONGEST]) is not None


def may_hold_password(text: str) -> bool:
    """Return whether a text may hold a password: an address, a user with a password, or a line of a password file.

    Examples are `ana:secret@host` and `host:5432:games:ana:secret`.

    To give a file with such a name, write a folder before it: `./ana:secret@host`.
    """
    text = text[:_LONGEST]
    return is_address(text) or _SIGNED_IN.match(text) is not None or _LISTED.match(text) is not None
