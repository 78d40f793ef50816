"""Lines that no row and no order of words has, read by what is sure in them."""
