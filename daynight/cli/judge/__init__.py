"""Commands for judges."""
