"""A stored game at one moment: the last one, or an earlier one, with snapshots."""
