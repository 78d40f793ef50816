"""One line of the notation: its grammar, and the events it stands for."""
