"""The projections by themselves: what their public methods promise, without a game around them."""
