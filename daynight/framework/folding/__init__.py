"""Folding a record: one loop over its events, with observers."""
