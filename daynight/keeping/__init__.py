"""Appends to records, imports games, and replaces files in one step, never with half of their content."""
