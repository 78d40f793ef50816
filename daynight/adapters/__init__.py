"""Adapters: daynight's questions, asked of an event store or a state machine that already exists."""
