"""Completion that click lacks: a script for bash, and completion in PowerShell."""

from __future__ import annotations

import os
import re
from typing import Any

from click.shell_completion import BashComplete, CompletionItem, ShellComplete, add_completion_class

SHELLS = ("bash", "zsh", "fish", "powershell")
"""The shells with completion."""

_BASH = r"""%(complete_func)s() {
    local IFS=$'\n' rest=$COMP_LINE words=() cword=0 option='' there='' quoted=''
    local place word spaces current response type value found
    # Bash splits words at COMP_WORDBREAKS, as at the colon of db:GAME. Other programs rely on COMP_WORDBREAKS as it is.
    # So the pieces that no space parts in the line are put together again, in `words`.
    for ((place = 0; place < ${#COMP_WORDS[@]}; place++)); do
        word=${COMP_WORDS[place]}
        spaces=${rest%%%%[![:space:]]*}
        rest=${rest#"$spaces"}
        rest=${rest#"$word"}
        if [[ $place -gt 0 && -z $spaces && ($word == [:=]* || ${words[-1]} == *[:=]) ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        if [[ $place -eq $COMP_CWORD ]]; then
            cword=$((${#words[@]} - 1))
        fi
    done
    current=${words[cword]}
    response=$(env COMP_WORDS="${words[*]}" COMP_CWORD=$cword %(complete_var)s=bash_complete "$1")
    # Readline replaces only what stands behind the last break, so what stands before it is not said again.
    if [[ $current == [\"\']* ]]; then
        quoted=yes
    else
        if [[ $current == -*=* ]]; then
            if [[ $COMP_WORDBREAKS != *=* ]]; then
                option=${current%%%%=*}=
            fi
            current=${current#*=}
        fi
        if [[ $COMP_WORDBREAKS == *:* && $current == *:* ]]; then
            there=${current%%"${current##*:}"}
        fi
    fi
    while IFS=, read -r type value; do
        case $type in
        plain)
            if [[ -z $quoted ]]; then
                printf -v value %%q "$value"
            fi
            COMPREPLY+=("$option${value#"$there"}")
            ;;
        file | dir)
            compopt -o filenames
            while read -r found; do
                COMPREPLY+=("$option${found#"$there"}")
            done < <(compgen -A "${type/dir/directory}" -- "$value")
            ;;
        esac
    done <<< "$response"
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""

_POWERSHELL = r"""Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = $commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition }
    $words = @($before | ForEach-Object {
        # The value of a word has no quotation marks around it.
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
        else { $_.Extent.Text }
    })
    $place = $words.Count
    if ($wordToComplete -ne '') { $place -= 1 }
    $encoding = [Console]::OutputEncoding
    $python = $env:PYTHONIOENCODING
    try {
        [Console]::OutputEncoding = [System.Text.Encoding]::UTF8
        $env:PYTHONIOENCODING = 'utf-8'
        $env:COMP_WORDS = $words -join "`n"
        $env:COMP_CWORD = $place
        $env:%(complete_var)s = 'powershell_complete'
        & %(prog_name)s | ForEach-Object {
            $type, $text, $shown, $told = $_ -split "`t", 4
            if ($type -eq 'plain') {
                [System.Management.Automation.CompletionResult]::new($text, $shown, 'ParameterValue', $told)
            } else {
                [System.Management.Automation.CompletionCompleters]::CompleteFilename($shown)
            }
        }
    } finally {
        [Console]::OutputEncoding = $encoding
        $env:PYTHONIOENCODING = $python
        $env:COMP_WORDS = $env:COMP_CWORD = $env:%(complete_var)s = $null
    }
}
"""

_PLAIN = re.compile(r"[\w./:=+-][\w./:=+\\-]*")
_QUOTES = re.compile("(['\u2018\u2019\u201a\u201b])")
"""The characters that PowerShell reads as a single quotation mark."""


@add_completion_class
class Bash(BashComplete):
    """Completion in bash. COMP_WORDBREAKS stays as it is, because other programs rely on it."""

    source_template = _BASH


@add_completion_class
class PowerShell(ShellComplete):
    """Completion in PowerShell, of Windows and of other systems."""

    name = "powershell"
    source_template = _POWERSHELL

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the completed word, and that word. PowerShell has already removed quotes."""
        words = os.environ.get("COMP_WORDS", "").split("\n")
        place = int(os.environ.get("COMP_CWORD", "0"))
        return words[1:place], words[place] if place < len(words) else ""

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Return the kind of completion, the inserted text, the shown text, and its description, separated by tabs."""
        name, equals, _begun = self.get_completion_args()[1].partition("=")
        # PowerShell replaces the whole word, and click completes only what stands behind the sign.
        before = name + equals if equals and name.startswith("-") else ""
        told = " ".join((item.help or item.value).split())
        return "\t".join((item.type, quoted(before + item.value), item.value, told))


def quoted(word: str) -> str:
    """Return a word as PowerShell reads it, in quotation marks if it needs them.

    >>> print(quoted("turn:4"), quoted("my game"), quoted("Ana's"))
    turn:4 'my game' 'Ana''s'
    """
    return word if _PLAIN.fullmatch(word) else "'" + _QUOTES.sub(r"\1\1", word) + "'"
