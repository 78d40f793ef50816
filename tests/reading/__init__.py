"""Strict reading of records: refusals with their places, accepted lines, and the agreement of both readers."""
