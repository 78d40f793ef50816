"""Live streams: every listener gets every event once, in order, and no listener waits for a slower one."""
