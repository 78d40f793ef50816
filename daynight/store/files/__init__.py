"""The files of SQLite stores: their connections, and copies of whole stores."""
