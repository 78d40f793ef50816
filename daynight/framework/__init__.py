"""The framework: event-sourced state machines. Nothing in here knows a game."""
