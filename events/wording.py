"""The one door through which every sentence for a person passes on its way to translation."""

import gettext as _gettext

_chosen = {"translations": _gettext.NullTranslations()}

__all__ = ["_", "counted", "speak"]


def speak(translations: _gettext.NullTranslations) -> None:
    """Choose the language of all sentences from now on; English when never called."""
    _chosen["translations"] = translations


def _(sentence: str) -> str:
    """The sentence in the chosen language; itself where it has no translation."""
    return _chosen["translations"].gettext(sentence)


def counted(one: str, many: str, number: int) -> str:
    """The form of a sentence that fits `number` ("1 spell", "2 spells") in the chosen language."""
    return _chosen["translations"].ngettext(one, many, number)
