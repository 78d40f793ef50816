"""Compares claims and rulings with what follows from the actions."""
