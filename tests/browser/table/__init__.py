"""The live table in a real browser: several windows, lost connections, and a correct record at the end."""
