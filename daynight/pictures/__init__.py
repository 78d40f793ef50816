"""Pictures as SVG: the timeline of a game, the battlefield at a moment, the shares of day and night, and machines."""

from daynight.pictures.board import board_svg
from daynight.pictures.drawing.palette import STYLE
from daynight.pictures.machine import machine_svg
from daynight.pictures.shares import shares_svg
from daynight.pictures.timeline import timeline_svg

__all__ = ["STYLE", "board_svg", "machine_svg", "shares_svg", "timeline_svg"]
