"""What callers store: commands, undo, disputes and notes, each stored once however often it is sent."""
