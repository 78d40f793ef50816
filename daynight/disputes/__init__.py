"""Disputes and notes: a mechanic of their own, whose events are in the same record as those of the game."""
