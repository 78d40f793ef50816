"""The command `daynight adopt`: asks daynight's questions about an application of `eventsourcing`."""

EXAMPLE = "daynight adopt bank:BankAccounts --db bank.db"
"""How the examples of the help name an application and its database."""
