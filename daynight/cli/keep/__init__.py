"""Commands that keep games."""
