"""The site: its pages put together from the guides, the docstrings and the program itself, and built."""
