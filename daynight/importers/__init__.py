"""Importers read games that other programs recorded, and turn them into events.

An importer never applies rules: statements of its source about day and night become claims. It imports nothing of
daynight but the events.
"""
