"""What is stored by those who ask: commands, undo, disputes and notes, each once however often it is sent."""
