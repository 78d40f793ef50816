"""Mending a record: corrections, and turns that nobody pressed. Nothing is deleted, and nothing invented."""
