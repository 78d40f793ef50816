"""Expensive answers, computed in worker processes: callers take turns, and equal questions are computed once."""
