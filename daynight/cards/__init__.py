"""The catalogue: the cards that the rules of day and night care about, as data of the package."""

from daynight.cards.catalogue import Card, Catalogue, bundled, doubt_sentence, doubting

__all__ = ["Card", "Catalogue", "bundled", "doubt_sentence", "doubting"]
