"""Importers: games recorded by others, retold in the language of events.

An importer observes and never judges: what its source says of day and night becomes a claim. It knows the language of
events and nothing else of daynight.
"""
