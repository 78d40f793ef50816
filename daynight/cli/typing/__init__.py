"""Reads events that a person types at a terminal."""
