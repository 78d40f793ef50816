"""What a machine of `transitions` does: how it tells of it, and how that is replayed without its callbacks."""
