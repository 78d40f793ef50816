"""Adapters: they read an application of `eventsourcing`, or record a machine of `transitions`, for daynight."""
