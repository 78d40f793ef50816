"""Commands that compare records."""
