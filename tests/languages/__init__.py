"""English, French and Japanese: complete catalogues, and the right language for each reader."""
