"""What is built and installed: exactly daynight, and nothing called plain events."""
