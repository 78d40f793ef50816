"""The notation for people: what is written is read as just that again, and what is typed wrongly is told."""
