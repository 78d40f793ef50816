"""A record taken over its events: one fold, and whoever looks on."""
