"""Judges the games of a corpus."""
