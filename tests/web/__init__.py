"""The server: that it answers what the commands print, to those who may ask, and to nobody else."""
