"""The commands that let others look on, and play along."""
