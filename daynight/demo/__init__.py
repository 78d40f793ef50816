"""A recorded game to begin with: game 1 of a Wagic log, retold event by event; it holds a real wrong ruling."""
