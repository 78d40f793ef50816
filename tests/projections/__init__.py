"""The projections: the promises of their public methods, mostly without a game, and their exact sentences."""
