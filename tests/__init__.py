"""The tests; tests/README.md says what the tests of each folder prove."""
