"""The routes that store something, or try a change: commands, disputes, what-ifs and imports."""
