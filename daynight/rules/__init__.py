"""The rules of day and night as pure functions, one module per rule: they take a state and return consequences."""

RULES: int = 4
"""The version of the rules and of the snapshot format.

Raise it whenever a record may lead to another state, or a snapshot is written differently. Snapshots with another
version are ignored.
"""
