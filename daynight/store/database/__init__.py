"""The databases: SQLite and PostgreSQL, and the tables that a store has in them."""
