"""Checks of a mechanic and its parts when they are created."""
