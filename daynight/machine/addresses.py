"""What looks like the address of a server, and so may have a password in it: it is no file's name, and is not shown."""

from __future__ import annotations

import re

_SPELLED = re.compile(
    r"^\W*\w*(postgres|pgsql|psql)\w*(\+\w+)?\s*[:：;./\\]*[:：;]|^\W*postgres\w*//"
    r"|(^|[\s?&;])(pg)?(host|hostaddr|port|user|password|passwd|passfile|database|dbname|service|ssl\w+)\s*=",
    re.IGNORECASE,
)
_SIGNED_IN = re.compile(r"^(//)?(?![a-z]:[\\/])[^/\\@]*:[^@]*@", re.IGNORECASE)
_LISTED = re.compile(r"(?<![^\s/\\])([^\s:/\\]+:(?:[0-9]+|\*):[^\s:]*:[^\s:]*:)\S+")
"""As a line of a password file has it: `host:port:database:user:password`."""

_PASSWORD = re.compile(
    # After the user of an address, whatever the server, or none is named; the slashes may be taken for those of folders.
    r"((?:\w*(?:postgres|pgsql|psql)\w*(?:\+\w+)?[:：;][/\\]*|\b[a-z][\w+.-]+:[/\\]+)[^\s:@/\\]*?(?::|%3A))[^ ]*@"
    r"|((?<![^\s/\\'\"(=])(?!db:|[a-z]:[/\\]|[\w+.-]+:[/\\]{2})[^\s:@/\\'\"]*:)[^\s@]*@",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    # By its name, as libpq has it in a text, an address and the environment; in an address, letters may be written as %.
    r"((?:\w*pass(?:word|wd)|[?&][^\s=&]*%[^\s=&]*)\s*=\s*)(?:(\\*['\"])(?:(?!\2).)*\2|[^\s&]+)",
    re.IGNORECASE,
)


def without_password(text: str) -> str:
    """Return a sentence with `***` where an address of a server in it has its password, or one is given by its name."""
    return _LISTED.sub(r"\1***", _GIVEN.sub(r"\1***", _PASSWORD.sub(r"\1\2***@", text)))


def is_address(text: str) -> bool:
    """Return whether a text is spelled as the address of a database is, rightly or not."""
    return _SPELLED.search(text) is not None


def may_hold_password(text: str) -> bool:
    """Return whether a text is an address, or has a user and a password as one has: `ana:secret@host`, or a password file.

    A file of such a name is given with a folder before it: `./ana:secret@host`.
    """
    return is_address(text) or _SIGNED_IN.match(text) is not None or _LISTED.match(text) is not None
