"""Engines: they run the work on the parts of a corpus."""
