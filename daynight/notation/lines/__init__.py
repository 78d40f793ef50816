"""One line of the notation: its grammar, and how it becomes events."""
