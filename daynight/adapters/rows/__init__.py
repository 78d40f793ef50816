"""The rows of an application's database: read, and never written."""
