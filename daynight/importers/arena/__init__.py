"""Arena's log, `Player.log`, retold in the language of events."""

from daynight.importers.arena.log import IMPORTER as IMPORTER
