"""The server: it gives the commands' answers to clients that are allowed to ask, and to no others."""
