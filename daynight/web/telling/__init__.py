"""Turns games into documents for the page: one way for games of day and night, one for records of any mechanic."""
