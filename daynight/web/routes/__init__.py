"""The routes of the server, one module for each purpose."""
