"""Tests that the recorded games and the programs of examples/ do what their guide says."""
