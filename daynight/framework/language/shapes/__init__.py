"""Changes of the shapes of events over time: upcasting old shapes, and describing the current ones."""
