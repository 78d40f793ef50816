"""Builds a corpus."""
