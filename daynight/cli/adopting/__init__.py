"""The command `daynight adopt`: daynight's questions, asked of an application of `eventsourcing`."""

EXAMPLE = "daynight adopt bank:BankAccounts --db bank.db"
"""How the examples of the help name an application and its database."""
