"""What an audit found, in sentences."""
