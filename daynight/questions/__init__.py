"""Questions about one record that only games of Magic have; one module each."""
