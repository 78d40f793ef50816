"""The server: a shelf of games over HTTP, for the page, for scripts and for phones at a table."""
