"""Commands that let several people watch a game and record it together."""
