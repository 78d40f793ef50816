"""The site: its pages are generated from the guides, the docstrings and the program itself, and built."""
