"""The server: games over HTTP, for the page, for programs and for phones at a table."""
