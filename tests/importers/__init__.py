"""The importers: real sessions, logs made in their shapes, and whatever else a file may hold."""
