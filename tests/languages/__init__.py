"""English, French and Japanese: what there is to say, whether all of it is said, and to whom."""
