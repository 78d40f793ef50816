"""A stored game at one moment: live, past, snapshots."""
