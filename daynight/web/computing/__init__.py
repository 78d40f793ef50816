"""Answers that may take long: they are computed in processes of their own, in turn by caller, and once for all."""
