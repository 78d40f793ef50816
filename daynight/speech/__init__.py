"""What is said of events, consequences and findings, in sentences."""
