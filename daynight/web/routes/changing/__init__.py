"""The routes that change what is stored, or try to: commands, disputes, what-if and imports."""
