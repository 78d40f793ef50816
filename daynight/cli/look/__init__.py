"""Commands that look at a record."""
