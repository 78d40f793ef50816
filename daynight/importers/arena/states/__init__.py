"""The states of a game: their order, and where to join a game whose beginning is missing."""
