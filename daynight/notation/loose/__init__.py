"""Reads everyday lines that no phrase, order of words or grammar fits: clause by clause, and only if all is certain."""
