"""The language of a mechanic: its events read strictly, written, lifted from old shapes, and described by a schema."""
