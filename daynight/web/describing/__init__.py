"""The description of the routes, for programs and for people."""
