"""Forge's text log, retold in the language of events."""

from daynight.importers.forge.log import IMPORTER as IMPORTER
