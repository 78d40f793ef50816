"""Audits: compares claims and rulings with what the actions imply by the rules."""
