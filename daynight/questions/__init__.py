"""Questions about one record that only Magic asks, one module each."""
