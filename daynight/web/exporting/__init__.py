"""A game as one file: the page, with all answers inside that it would request from a server."""
