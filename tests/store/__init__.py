"""The event store: what it keeps, what it refuses, and what is left of it after a power loss."""
