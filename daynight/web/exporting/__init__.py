"""A game as one file: the page with everything in it that it would ask a server for."""
