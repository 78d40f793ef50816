"""The rules of day and night, one module each: plain functions from what is to what follows."""
