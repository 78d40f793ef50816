"""The state of day and night as bytes and back."""
