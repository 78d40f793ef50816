"""Keeping records: appended to, imported again, written whole or not at all."""
