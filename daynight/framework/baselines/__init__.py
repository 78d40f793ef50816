"""Baselines: every part of a record as computed on one day, stored to be compared with later code."""
