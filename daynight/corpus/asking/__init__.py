"""Answers questions about a corpus and the result of its audit: finds games, groups them, and loads the tables."""
