"""A game as one file: the page, with every answer inside that it would ask a server for."""
