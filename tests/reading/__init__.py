"""Reading records strictly: what is refused and where, what is not, and that both ways of reading agree."""
