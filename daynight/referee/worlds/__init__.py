"""How the game may stand: the working state of the rules."""
