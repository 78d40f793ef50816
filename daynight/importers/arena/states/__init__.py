"""The states of a game: in which order they are read, and where a game is taken up whose beginning is missing."""
