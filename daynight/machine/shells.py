"""Quotes the words of a command for the shell that it is pasted into.

A sentence that proposes a command writes it for the `likely` shell. The command line sets it once with `pasting`;
nothing here reads the environment. The default is a POSIX shell.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, TypeAlias, get_args

from daynight.framework.language.wording import _

Shell: TypeAlias = Literal["posix", "cmd", "powershell", "pwsh"]
"""`cmd` is that of Windows, `powershell` is Windows PowerShell 5.1, and `pwsh` is PowerShell 7.3 or later.

The two PowerShells pass a quotation mark inside a word differently: the old one does not escape it, so the program
loses it.
"""

SHELLS: tuple[Shell, ...] = get_args(Shell)

_pasted: ContextVar[Shell] = ContextVar("daynight.shell", default="posix")

_BARE = re.compile(r"-|--?[a-z][a-z0-9-]*|(?!-)[a-z_./\\][a-z0-9_./\\:+-]*", re.IGNORECASE | re.ASCII)
"""Matches words that need no quotes in any Windows shell. PowerShell splits `-a.b`, and reads `1kb` as a number."""

_ALIKE = re.compile(r'[^"%$`“”„\x00-\x1f]*[^"%$`“”„\x00-\x1f\\]')
"""Matches words that mean the same between double quotes in every shell on Windows."""

_ACTIVE = frozenset("^&|<>()%!")
"""Characters with a meaning for cmd outside of its quotes; a caret before one removes that meaning."""

_MODULES = re.compile(r"powershell\\modules\\?$", re.IGNORECASE)


def shell_of(system: str, environment: Mapping[str, str]) -> Shell:
    r"""Return the shell that a process was probably started from; `system` is `os.name`.

    On Windows MSYSTEM names a POSIX shell, such as that of Git. The system's PSModulePath, which cmd has too, names one
    folder `WindowsPowerShell\Modules`; a PowerShell adds that of its user, and PowerShell 7 its own. A cmd that was
    started from a PowerShell looks like that PowerShell.
    """
    if system != "nt" or "MSYSTEM" in environment:
        return "posix"
    found = {name.upper(): value for name, value in environment.items()}
    folders = found.get("PSMODULEPATH", "").split(";")
    if any(re.search(r"\\powershell\\7[^\\]*\\modules\\?$", folder, re.IGNORECASE) for folder in folders):
        return "pwsh"
    return "powershell" if sum(_MODULES.search(folder) is not None for folder in folders) > 1 else "cmd"


@contextmanager
def pasting(shell: Shell) -> Iterator[None]:
    """Make `shell` the likely shell inside the `with` block."""
    token = _pasted.set(shell)
    try:
        yield
    finally:
        _pasted.reset(token)


def likely() -> Shell:
    """Return the shell that commands are probably pasted into."""
    return _pasted.get()


def joined(words: Sequence[str], shell: Shell) -> str:
    """Join the words of a command, the program first, into one line for this shell."""
    line = " ".join(quoted(word, shell) for word in words)
    # To PowerShell a line that begins with a quote is a text, not a command.
    return f"& {line}" if shell in ("powershell", "pwsh") and line.startswith(("'", '"')) else line


def quoted(word: str, shell: Shell) -> str:
    r"""Quote a word so that this shell passes exactly this word to a program.

    The word must have no line break: cmd cannot quote one.

    >>> print(quoted("it's", "posix"), quoted("it's", "cmd"), quoted("50% off", "cmd"), quoted("50% off", "pwsh"))
    'it'"'"'s' "it's" ^"50^%^ off^" '50% off'
    """
    if shell == "posix":
        return shlex.quote(word)
    if _BARE.fullmatch(word):
        return word
    if _ALIKE.fullmatch(word):
        return f'"{word}"'
    if shell == "cmd":
        return _for_cmd(word)
    if shell == "powershell":
        word = _for_arguments(word)
    # All of these are quotes to PowerShell; two of them stand for one.
    return "'" + re.sub("(['‘’‚‛])", r"\1\1", word) + "'"


def split(command: str, *, posix: bool = True) -> list[str]:
    """Return the words of a command, split as a POSIX shell does; variables and patterns are not expanded.

    Without `posix`, a backslash is an ordinary character, as in Windows paths.

    >>> split("python3 'my engine.py'")
    ['python3', 'my engine.py']

    Raises:
        ValueError: where a quotation mark is not closed, or a backslash ends the command.
    """
    try:
        return shlex.split(command, posix=posix)
    except ValueError:
        raise ValueError(_("the command is cut: a quotation mark is not closed, or a backslash ends it")) from None


def _for_cmd(word: str) -> str:
    r"""Quote a word for cmd, which reads quotes and carets, and for the program, which then reads `\"`.

    For cmd each quote begins or ends a quoted part, also the one in `\"`. Inside quotes `%` is still special,
    and a caret does not help. So a word with `%` stays outside of its quotes; a caret stands on both sides of each `%`,
    because cmd looks for the name of a variable between two of them, and no variable's name begins with a caret.
    """
    outside = "%" in word
    line, inside, last = [], False, ""
    spelled = f'"{_escaped(word, doubled=True)}"'
    for place, letter in enumerate(spelled):
        closing = place == len(spelled) - 1
        if letter == '"' and not outside and not (closing and not inside):
            inside = not inside
            line.append(letter)
        else:
            line.append(f"^{letter}" if not inside and (letter == '"' or letter in _ACTIVE or last == "%") else letter)
        last = letter
    return "".join(line)


def _for_arguments(word: str) -> str:
    """Escape a word as Windows PowerShell should do: it puts quotes around a word with a space, but escapes nothing."""
    return _escaped(word, doubled=any(letter.isspace() for letter in word)) or '""'


def _escaped(word: str, *, doubled: bool) -> str:
    r"""Escape a word as Windows programs read it between quotes: `\"` for `"`, and doubled backslashes before it.

    `doubled`: a quote follows the word, so the backslashes at its end are doubled too.
    """
    word = re.sub(r'(\\*)"', r'\1\1\\"', word)
    return re.sub(r"(\\+)$", r"\1\1", word) if doubled else word
