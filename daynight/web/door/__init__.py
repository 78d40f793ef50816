"""The door: checks every request before a route sees it, and adds the headers of every answer."""
