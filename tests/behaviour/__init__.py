"""Questions about a recorded game: the audit, why, time travel, and the framework below them."""
