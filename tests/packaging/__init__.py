"""Tests of packaging: wheel, source archive, release, lowest versions of dependencies, how to install extras."""
