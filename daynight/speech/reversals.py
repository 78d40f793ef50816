"""Says what a back-up reverses, consequence by consequence."""

from __future__ import annotations

from collections.abc import Mapping

from daynight.events import Changed, Consequence, Designation, Face, Permanent, PutOnStack, Transformed, Triggered
from daynight.framework.language.wording import _, counted
from daynight.speech.sentences import designation_word, face_name, listed, names


def reversal_sentence(consequence: Consequence, permanents: Mapping[str, Permanent]) -> str | None:
    """Say what it means that a back-up undoes a consequence: `it is day again`; None if there is nothing to say.

    There is nothing to say if nothing happened (a permanent did not transform), if permanents phased in, or if the
    undone event says it all (a permanent that entered is gone, whichever face it showed).
    """
    sentence = _told(consequence, permanents)
    if sentence is None or consequence.certain:
        return sentence
    return _("perhaps: {sentence}").format(sentence=sentence)


def _told(consequence: Consequence, permanents: Mapping[str, Permanent]) -> str | None:
    if isinstance(consequence, Changed):
        if consequence.was is Designation.NEITHER:
            return _("it is neither day nor night again")
        return _("it is {designation} again").format(designation=designation_word(consequence.was))
    if isinstance(consequence, Transformed):
        other = Face.FRONT if consequence.face is Face.BACK else Face.BACK
        there = [id for id in consequence.permanents if id in permanents]
        who = listed([f"{face_name(permanents[id], consequence.face)} ({id})" for id in there])
        into = listed([face_name(permanents[id], other) for id in there])
        return counted("{names} is {into} again", "{names} are {into} again", len(there)).format(names=who, into=into)
    if isinstance(consequence, Triggered):
        return _("what triggered of {name} is gone").format(name=names((consequence.permanent,), permanents))
    if isinstance(consequence, PutOnStack):
        return _("what triggered in the untap step waits again")
    return None
