"""One line of the notation: its grammar, and its events."""
