"""The languages that daynight speaks: chooses one for the current context only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from daynight.cards import bundled
from daynight.framework.language.errors import AskedError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _, speak, spoken

LANGUAGES = ("en", "fr", "ja")
"""English, in which the sentences are written, French and Japanese."""

DOMAIN = "daynight"
"""The gettext domain: the name of our message catalogues."""

CATALOGUES = Path(__file__).with_name("locale")
"""The folder of the message catalogues: LANGUAGE/LC_MESSAGES/daynight.mo."""

VARIABLES = ("DAYNIGHT_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The environment variables for a person's language, ours first, then gettext's; the first non-empty one counts."""


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak this language inside the `with` block, in this context only.

    >>> from daynight.speech.sentences import designation_word
    >>> from daynight.events.terms import Designation
    >>> with speaking("fr"):
    ...     print(designation_word(Designation.NIGHT))
    nuit

    Raises:
        AskedError: where there is no such language; it lists the languages, and is also a ValueError.
    """
    found = _translations(language)
    before = spoken()
    speak(found)
    try:
        yield
    finally:
        speak(before)


def chosen(environment: Mapping[str, str]) -> str | None:
    """Return the first language that an environment asks for and daynight has; None if there is none.

    >>> chosen({"LANG": "fr_FR.UTF-8"}), chosen({"LANGUAGE": "de:ja_JP", "LANG": "fr_FR"}), chosen({"LANG": "C"})
    ('fr', 'ja', None)
    """
    asked = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    for locale in asked.split(":"):
        language = locale.partition(".")[0].partition("@")[0].replace("-", "_").partition("_")[0].lower()
        if language in ("c", "posix"):
            break
        if language in LANGUAGES:
            return language
    return None


class _CardNames(NullTranslations):
    """The names of cards in one language: gettext asks here for what the message catalogue lacks."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._names = bundled().names_in(language)

    def pgettext(self, context: str, message: str) -> str:
        """Return the name of card `message` in this language if `context` is `card`; any other message unchanged."""
        return self._names.get(message, message) if context == "card" else message


@cache
def _translations(language: str) -> NullTranslations:
    if language not in LANGUAGES:
        sentence = _("no language {language}; there are {languages}")
        raise AskedError(sentence.format(language=repr(language), languages=commas(LANGUAGES)))
    if language == LANGUAGES[0]:
        return NullTranslations()
    with (CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as stream:
        found = GNUTranslations(stream)
    found.add_fallback(_CardNames(language))
    return found
