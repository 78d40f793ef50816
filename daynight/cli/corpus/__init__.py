"""Commands about many games at once, kept as a corpus."""
