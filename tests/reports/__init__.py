"""Reports: what they tell, and that nothing in a record can make them tell more."""
