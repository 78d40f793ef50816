"""Writes: commands, undo, disputes and notes, each stored once even if it is sent again; and uploads."""
