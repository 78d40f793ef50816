"""Everyday sentences at a table, in three languages, as lines of the notation."""
