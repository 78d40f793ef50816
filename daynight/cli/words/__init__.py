"""Commands about the notation, the catalogue and the schema."""
