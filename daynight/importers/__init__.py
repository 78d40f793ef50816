"""Importers read games that other programs recorded, and retell them as events.

An importer observes and never judges: what its source says of day and night becomes a claim. It uses the events and
nothing else of daynight.
"""
