"""Compares two records, or a record and a branch of it, and writes edits as options of `daynight what-if`."""
