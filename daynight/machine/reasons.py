"""Returns the system's reason for an error in the reader's language; the system gives it in one language only."""

from __future__ import annotations

import errno

from daynight.framework.language.wording import _, language


def reason_of(error: Exception) -> str:
    """Return the reason that an error gives, for a sentence.

    A system error gives the system's own words; for other languages than English the frequent ones are translated. Any
    other error gives its own text.

    >>> reason_of(PermissionError(13, "Permission denied", "games.db")), reason_of(ValueError("no key"))
    ('Permission denied', 'no key')
    """
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    if language() == "en":
        return error.strerror
    # Windows has two names for the errors of its network.
    name = errno.errorcode.get(error.errno or 0, "").removeprefix("WSA")
    return _translated().get(name, error.strerror)


def _translated() -> dict[str, str]:
    return {
        "ENOENT": _("no such file or directory"),
        "EACCES": _("permission denied"),
        "EPERM": _("operation not permitted"),
        "EROFS": _("the file system is read-only"),
        "EISDIR": _("is a directory"),
        "ENOTDIR": _("not a directory"),
        "ENOTEMPTY": _("the directory is not empty"),
        "EEXIST": _("it exists already"),
        "ENOSPC": _("no space left on the device"),
        "EDQUOT": _("the disk quota is used up"),
        "EFBIG": _("the file is too large"),
        "ENAMETOOLONG": _("the file name is too long"),
        "ELOOP": _("too many symbolic links"),
        "EMFILE": _("too many open files"),
        "ENFILE": _("too many open files"),
        "EIO": _("input or output failed"),
        "EBUSY": _("the device or file is in use"),
        "ETXTBSY": _("the device or file is in use"),
        "ENOEXEC": _("not a program that this system can run"),
        "EINVAL": _("invalid argument"),
        "EADDRINUSE": _("the address is in use already"),
        "ECONNREFUSED": _("the connection was refused"),
        "ECONNRESET": _("the connection was broken off"),
        "ETIMEDOUT": _("no answer came in time"),
    }
