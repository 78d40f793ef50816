"""The tests; tests/README.md describes the rooms."""
