"""The built packages: they contain exactly daynight, and no package called plain `events`."""
