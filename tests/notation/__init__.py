"""The notation for people: writing and reading give the same events, and typing errors are reported."""
