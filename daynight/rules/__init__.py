"""The rules of day and night, one module each: plain functions from what is to what follows."""

RULES: int = 4
"""Raised whenever the same record may lead to another state, or a snapshot of it is written otherwise.

Snapshots that were taken by other rules are ignored.
"""
