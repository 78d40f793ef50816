"""Corrections of a record, and turns that nobody recorded. Nothing is deleted or invented."""
