"""The command line as a person or a program meets it: what it prints where, and its exit codes."""
