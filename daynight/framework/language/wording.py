"""The one door through which every sentence for a person passes on its way to translation.

What is said in one context (a thread's, a task's) is said in the language chosen there: a server may answer two people
in two languages at once.
"""

from __future__ import annotations

import gettext as _gettext
from contextvars import ContextVar

_ENGLISH = _gettext.NullTranslations()
_spoken: ContextVar[_gettext.NullTranslations] = ContextVar("daynight.wording", default=_ENGLISH)


def speak(translations: _gettext.NullTranslations) -> None:
    """Choose the language of all sentences from now on, in this context; English when never called."""
    _spoken.set(translations)


def spoken() -> _gettext.NullTranslations:
    """The translations chosen in this context."""
    return _spoken.get()


def language() -> str:
    """The language chosen in this context, as `lang` attributes have it: `en`, `fr` or `ja`."""
    return _spoken.get().info().get("language", "en")


def _(sentence: str) -> str:
    """The sentence in the chosen language; itself where it has no translation."""
    return _spoken.get().gettext(sentence)


def counted(one: str, many: str, number: int) -> str:
    """The form of a sentence that fits `number` ("1 spell", "2 spells") in the chosen language."""
    return _spoken.get().ngettext(one, many, number)


def card_word(name: str) -> str:
    """The name of a card or a face as it is printed in the chosen language; `name` itself where that is not known."""
    return _spoken.get().pgettext("card", name)


def translated(text: str) -> str:
    """A text that is data of ours (the help of a command, what a source says) in the chosen language."""
    return _spoken.get().gettext(text) if text else text
