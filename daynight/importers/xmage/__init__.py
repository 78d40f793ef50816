"""The log that XMage's client writes of a game."""

from daynight.importers.xmage.log import IMPORTER as IMPORTER
