"""The possible states of a game: the working data of the rules."""
