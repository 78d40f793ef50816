"""What this machine is: the shell that is likely there, and where this daynight was installed from."""
