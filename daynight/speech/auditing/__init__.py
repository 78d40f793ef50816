"""Sentences about the findings of an audit."""
