"""The projections on their own: the promises of their public methods, without a game."""
