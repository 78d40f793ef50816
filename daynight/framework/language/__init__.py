"""The language of a mechanic: it reads, writes and describes events, and lifts old shapes."""
