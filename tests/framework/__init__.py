"""The framework, which knows no game."""
