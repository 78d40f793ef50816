"""What people open in a browser, opened in one."""
