"""Colours for editors: the terms of the grammar, as a lexer for Pygments and as a grammar for TextMate."""
