"""Appends to records, imports games, and writes files whole or not at all."""
