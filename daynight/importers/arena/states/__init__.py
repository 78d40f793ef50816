"""The states of a game: their order, and where the record of a game without its beginning starts."""
