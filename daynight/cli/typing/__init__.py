"""Events typed at a terminal."""
