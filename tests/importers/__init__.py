"""The importers: real sessions, made-up logs in the same formats, and hostile files."""
