"""How a corpus is built."""
