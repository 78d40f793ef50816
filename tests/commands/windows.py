"""How Windows reads a typed line: naive parsers for cmd, two PowerShells, and a program's arguments.

Each follows the published rules literally, and does not share code with daynight's quoting. A line that would do more
than start one program, such as a second command, is refused.
"""

from __future__ import annotations

import re

SINGLE, DOUBLE = "'‘’‚‛", '"“”„'
"""The characters that PowerShell reads as single quotes, and as double quotes."""


class MoreThanWordsError(ValueError):
    """A line is more than one program with its arguments, or has an open quote."""


def words_of_program(line: str) -> list[str]:
    """Return the arguments that a program gets from its command line, by CommandLineToArgvW and the C runtime."""
    words, at = [], 0
    while at < len(line):
        if line[at] in " \t":
            at += 1
            continue
        word, quoted = "", False
        while at < len(line) and (quoted or line[at] not in " \t"):
            slashes = 0
            while at < len(line) and line[at] == "\\":
                slashes, at = slashes + 1, at + 1
            if at < len(line) and line[at] == '"':
                word += "\\" * (slashes // 2)
                if slashes % 2:
                    word += '"'
                elif quoted and line[at + 1 : at + 2] == '"':
                    # The two parsers differ here, so nobody should write this.
                    raise MoreThanWordsError('"" between quotes')
                else:
                    quoted = not quoted
                at += 1
            else:
                word += "\\" * slashes
                if at < len(line) and (quoted or line[at] not in " \t"):
                    word += line[at]
                    at += 1
        if quoted:
            raise MoreThanWordsError("a quote is not closed")
        words.append(word)
    return words


def typed_into_cmd(line: str) -> list[str]:
    """Return the words that a program gets from a line typed into cmd; each %NAME% without a caret becomes EXPANDED."""
    done, at = "", 0
    # Variables first, whatever surrounds them: %NAME% and %NAME:this=that%.
    while at < len(line):
        found = re.compile(r"%([^%:]+)(:[^%]*)?%").match(line, at)
        if found and "^" not in found[1]:
            done, at = f"{done}EXPANDED", found.end()
        else:
            done, at = done + line[at], at + 1
    # Then carets and quotes. For cmd a backslash before a quote has no meaning.
    given, quoted, at = "", False, 0
    while at < len(done):
        letter = done[at]
        if letter == '"':
            quoted = not quoted
        elif letter == "^" and not quoted:
            at += 1
            letter = done[at : at + 1]
            if not letter:
                raise MoreThanWordsError("goes on in the next line")
        elif letter in "&|<>\n" and not quoted:
            raise MoreThanWordsError(f"{letter} outside of quotes")
        given, at = given + letter, at + 1
    if quoted:
        raise MoreThanWordsError("cmd is within quotes at the end")
    return words_of_program(given)


def typed_into_powershell(line: str, *, old: bool) -> list[str]:
    """Return the words that a program gets from a line in PowerShell 7.3; with `old`, in Windows PowerShell 5.1."""
    called = line.startswith("& ")
    found = _words_of_powershell(line.removeprefix("& "))
    if found and found[0][1] and not called:
        raise MoreThanWordsError("a quoted text alone, and no command")
    given = [_as_before(word) if old else _as_now(word) for word, _is_quoted in found]
    return words_of_program(" ".join(each for each in given if each))


def _words_of_powershell(line: str) -> list[tuple[str, bool]]:
    words, at = [], 0
    while at < len(line):
        if line[at].isspace():
            at += 1
        elif line[at] in SINGLE + DOUBLE:
            same = SINGLE if line[at] in SINGLE else DOUBLE
            word, at = "", at + 1
            while True:
                letter = line[at : at + 1]
                if not letter:
                    raise MoreThanWordsError("a quote is not closed")
                if same == DOUBLE and letter in "$`":
                    raise MoreThanWordsError(f"{letter} between double quotes")
                if letter in same:
                    if line[at + 1 : at + 2] == "" or line[at + 1] not in same:
                        break
                    at += 1
                    letter = line[at]
                word, at = word + letter, at + 1
            at += 1
            if line[at : at + 1].strip():
                raise MoreThanWordsError("a quoted text with something behind it")
            words.append((word, True))
        else:
            word = re.compile(r"\S+").match(line, at)[0]  # type: ignore[index]
            if re.search(r"[^a-zA-Z0-9_./\\:+-]", word) or word[0].isdigit() or re.match(r"-[^-].*[.:]", word):
                raise MoreThanWordsError(f"{word}: more than a word")
            words.append((word, False))
            at += len(word)
    return words


def _as_before(word: str) -> str:
    """Quote a word as Windows PowerShell 5.1 does for a program: only if it has a space outside its own quotes."""
    needed, quotes, before = False, 0, ""
    for letter in word:
        if letter == '"' and before != "\\":
            quotes += 1
        elif letter.isspace() and quotes % 2 == 0:
            needed = True
        before = letter
    return f'"{word}"' if needed and quotes % 2 == 0 else word


def _as_now(word: str) -> str:
    """Quote a word as PowerShell 7.3 does for a program: around spaces and quotes, with backslashes before quotes."""
    if word and not re.search(r'[\s"]', word):
        return word
    return '"' + re.sub(r'(\\*)("|$)', lambda found: found[1] * 2 + ("\\" * bool(found[2]) + found[2]), word) + '"'
