"""A lexer for Pygments: it reads each line as the grammar does, so that words inside names are not keywords."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from pygments.lexer import Lexer
from pygments.token import Comment, Keyword, Literal, Name, Number, Punctuation, String, Text

from daynight.notation.editors.terms import Kind, pieces

_TOKENS: dict[Kind, Any] = {
    "header": Keyword.Declaration,
    "turn": Keyword.Namespace,
    "step": Name.Label,
    "keyword": Keyword,
    "number": Number.Integer,
    "string": String.Double,
    "json": String.Other,
    "time": Literal.Date,
    "sign": Punctuation,
    "name": Name,
    "comment": Comment.Single,
}


class DaynightLexer(Lexer):
    """Colours games in the notation for people."""

    name = "daynight"
    aliases: ClassVar[Sequence[str]] = ("daynight", "dn")
    filenames: ClassVar[Sequence[str]] = ("*.dn",)
    mimetypes: ClassVar[Sequence[str]] = ("text/x-daynight",)
    url = ""

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """Yield the tokens of a text: the position, the type and the text of each."""
        begins = 0
        for line in text.splitlines(keepends=True):
            end = 0
            for piece in pieces(line.rstrip("\r\n")):
                if piece.begins > end:
                    yield begins + end, Text, line[end : piece.begins]
                yield begins + piece.begins, _TOKENS[piece.kind], line[piece.begins : piece.ends]
                end = piece.ends
            if end < len(line):
                yield begins + end, Text, line[end:]
            begins += len(line)
