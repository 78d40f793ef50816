"""What the work on the parts of a corpus runs on."""
