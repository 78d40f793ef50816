"""Two records side by side: edits, branches, and what differs."""
