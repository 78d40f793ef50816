"""Reads the sources of a corpus's records."""
