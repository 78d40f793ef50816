"""Baselines: every part of a record as the code of a day gave it, kept to be compared with what later code gives."""
