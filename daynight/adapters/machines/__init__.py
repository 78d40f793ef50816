"""Records what a machine of `transitions` does, and replays it without its callbacks."""
