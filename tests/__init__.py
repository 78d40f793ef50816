"""The tests; tests/README.md says which is where."""
