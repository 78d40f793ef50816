"""The corpus: its files, its two referees, and its commands."""
