"""Commands that let other people watch a game and record it together."""
