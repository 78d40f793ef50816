"""Answers about one record, to questions that make sense only for Magic: one module for each question."""
