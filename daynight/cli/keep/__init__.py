"""Commands that store games."""
