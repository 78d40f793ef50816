"""Facts about this machine: its probable shell, the source of this installation, and the system's error messages."""
