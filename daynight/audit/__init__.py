"""The audit: claims and rulings compared to what follows from the actions."""
