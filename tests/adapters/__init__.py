"""Tests of questions about applications and machines that already exist."""
