"""A stored game at one moment, the last one or an earlier one, read with the help of snapshots."""
