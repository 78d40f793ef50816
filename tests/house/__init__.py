"""The house test: who may import whom, and the other manners of the code that a machine can check."""
