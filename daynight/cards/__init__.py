"""The catalogue: the cards that have to do with day and night, as data of the package."""

from daynight.cards.catalogue import Card, Catalogue, bundled, doubt_sentence, doubting, unknown_sentence

__all__ = ["Card", "Catalogue", "bundled", "doubt_sentence", "doubting", "unknown_sentence"]
