"""What was claimed and ruled, compared with what follows from the actions."""
