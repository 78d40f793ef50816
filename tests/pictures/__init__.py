"""The pictures of a game, held to what is derived and to how they have to be written."""
