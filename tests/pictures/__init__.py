"""The pictures of a game: their content, and the form of their SVG."""
