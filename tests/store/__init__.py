"""Tests of the event store: what it stores, what it refuses, and what remains after a power loss."""
