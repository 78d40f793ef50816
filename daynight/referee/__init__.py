"""The referee: what each event does to a game of Magic, in the order of the rules."""
