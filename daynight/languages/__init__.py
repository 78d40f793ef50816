"""The languages that daynight speaks."""
