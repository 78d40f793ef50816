"""The house test: which room may import which, and other rules of the code base that a machine can check."""
