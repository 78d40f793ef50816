"""Turns Arena's log, `Player.log`, into events."""

from daynight.importers.arena.log import IMPORTER as IMPORTER
