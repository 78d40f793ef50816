"""Live streams: every listener hears of every event once, in order, and nobody waits for who is slow."""
