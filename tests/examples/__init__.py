"""The recorded games and the programs of examples/: they do what their guide says."""
