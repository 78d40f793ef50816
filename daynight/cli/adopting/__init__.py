"""The command `daynight adopt`: daynight's questions, asked of an application of `eventsourcing`."""
