"""Converts everyday sentences at a table, in three languages, to lines of the notation."""
