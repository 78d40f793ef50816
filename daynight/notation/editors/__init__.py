"""Syntax colouring for editors: a lexer for Pygments and a grammar for TextMate, made from the notation's grammar."""
