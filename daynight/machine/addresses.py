"""What looks like the address of a server, and so may have a password in it: it is no file's name, and is not shown."""

from __future__ import annotations

import re

_SPELLED = re.compile(
    r"^\W*\w*(postgres|pgsql|psql)\w*(\+\w+)?\s*[:;./\\]*[:;]|^\W*postgres\w*//"
    r"|(^|[\s?&;])(host|hostaddr|user|password|passfile|dbname|sslmode)\s*=",
    re.IGNORECASE,
)
_SIGNED_IN = re.compile(r"^(//)?(?![a-z]:[\\/])[^/\\@]*:[^@]*@", re.IGNORECASE)
_PASSWORD = re.compile(r"(\w*(?:postgres|pgsql|psql)\w*:[/\\]*[^\s:@/\\]*:)\S*@", re.IGNORECASE)


def without_password(text: str) -> str:
    """Return a sentence with `***` where an address of a server in it has its password."""
    return _PASSWORD.sub(r"\1***@", text)


def is_address(text: str) -> bool:
    """Return whether a text is spelled as the address of a database is, rightly or not."""
    return _SPELLED.search(text) is not None


def may_hold_password(text: str) -> bool:
    """Return whether a text is an address, or has a user and a password as one has: `ana:secret@host`.

    A file of such a name is given with a folder before it: `./ana:secret@host`.
    """
    return is_address(text) or _SIGNED_IN.match(text) is not None
