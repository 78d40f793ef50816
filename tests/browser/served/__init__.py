"""The page that a server serves, opened in a browser."""
