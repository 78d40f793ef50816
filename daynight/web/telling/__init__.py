"""How the server tells a game: one way for games of day and night, one for records of any mechanic."""
