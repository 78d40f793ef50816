"""The shapes of what is answered: types that are never made, for the description of the routes."""
