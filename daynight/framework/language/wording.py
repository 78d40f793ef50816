"""Translates sentences for people.

Each context (a thread, a task) has its own language, so a server can answer two people in two languages at once.
"""

from __future__ import annotations

import gettext as _gettext
from contextvars import ContextVar

_ENGLISH = _gettext.NullTranslations()
_spoken: ContextVar[_gettext.NullTranslations] = ContextVar("daynight.wording", default=_ENGLISH)


def speak(translations: _gettext.NullTranslations) -> None:
    """Set the translations that this context uses from now on. The default is English."""
    _spoken.set(translations)


def spoken() -> _gettext.NullTranslations:
    """The translations chosen in this context."""
    return _spoken.get()


def language() -> str:
    """The language chosen in this context, as `lang` attributes have it: `en`, `fr` or `ja`."""
    return _spoken.get().info().get("language", "en")


def _(sentence: str) -> str:
    """Translate a sentence to the chosen language; return it as it is if there is no translation."""
    return _spoken.get().gettext(sentence)


def counted(one: str, many: str, number: int) -> str:
    """Return the translation of `one` or `many`, whichever fits `number`, with the number in place of `{n}`."""
    return _spoken.get().ngettext(one, many, number).replace("{n}", str(number))


def card_word(name: str) -> str:
    """Return the name of a card or face as printed in the chosen language; `name` itself if that is not known."""
    return _spoken.get().pgettext("card", name)


def translated(text: str) -> str:
    """Translate a text that a variable holds, from daynight's own data: a command's help, for example."""
    return _spoken.get().gettext(text) if text else text
