"""Turns the game log of XMage's client into events."""

from daynight.importers.xmage.log import IMPORTER as IMPORTER
