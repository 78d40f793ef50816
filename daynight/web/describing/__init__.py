"""The routes described, for programs and for people."""
