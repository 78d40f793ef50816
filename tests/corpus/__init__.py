"""Tests of the corpus: its files, its two referees, and its commands."""
