"""The conformance suite: cases that any engine can run, and whether its answers are those of the rules."""
