"""Tests of what is asked of applications and machines that already exist."""
