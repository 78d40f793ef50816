"""Changes of the shapes of events over time: old shapes are upcast, and present ones described."""
