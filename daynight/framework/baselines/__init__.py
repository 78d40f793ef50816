"""Baselines: files with the parts of records as the code of one day computed them, to be compared with later code."""
