"""The rows of an application's database: reads them, and never writes."""
