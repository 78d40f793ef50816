"""What this machine is: its likely shell, where this daynight was installed from, and why the system refuses."""
