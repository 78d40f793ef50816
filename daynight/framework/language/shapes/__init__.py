"""How the shapes of events change over time: old ones are lifted, and today's described."""
