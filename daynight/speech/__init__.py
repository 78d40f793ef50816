"""Sentences about events, consequences and findings."""
