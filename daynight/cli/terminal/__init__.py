"""The terminal: options, output, exit codes, languages."""
