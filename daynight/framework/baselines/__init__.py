"""Baselines: files with the parts of records as the code computed them once, to compare later code with."""
