"""The server: it gives the commands' answers to those who may ask, and to nobody else."""
