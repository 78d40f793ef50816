"""The referee applies each event to a game of Magic, in the order of the rules."""
