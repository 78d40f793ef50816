"""The rules of day and night as plain functions, a module for each: they take the present and return what follows."""

RULES: int = 4
"""The version of the rules and of the snapshot format.

Raise it whenever a record may lead to another state, or a snapshot is written differently. Snapshots with another
version are ignored.
"""
