"""Pages and files that people open in a browser, tested in a real one."""
