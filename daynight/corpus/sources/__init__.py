"""Where the records of a corpus come from."""
