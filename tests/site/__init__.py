"""The site: its pages are made from the guides, the docstrings and the program itself; Sphinx builds HTML of them."""
