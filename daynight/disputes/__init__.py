"""Disputes and notes: the second mechanic, kept beside the game in the same record."""
