"""Folding a record: one loop applies its events to a state and calls observers."""
