"""The live table in a real browser: several windows, lost connections, and a record that is right at the end."""
