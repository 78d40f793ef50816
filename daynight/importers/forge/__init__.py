"""Turns Forge's text log into events."""

from daynight.importers.forge.log import IMPORTER as IMPORTER
