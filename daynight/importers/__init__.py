"""Importers read games that other programs recorded, and turn them into events.

An importer never applies rules: statements of its source about day and night become claims. So this package imports
only the events, the notation and the framework of daynight.
"""
