"""`daynight unknowns`: lists what an uncertain record leaves open."""

from __future__ import annotations

import click
from rich.console import Console
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.output import console, print_json, to_its_end
from daynight.events.terms import Face
from daynight.framework.language.errors import tame
from daynight.framework.language.grammar import also, commas, labelled
from daynight.framework.language.wording import _
from daynight.framework.positions import Position
from daynight.questions.unknowns import Unknowns
from daynight.questions.unknowns import unknowns as found_unknown
from daynight.records import Record
from daynight.referee.documents import offered, policy
from daynight.referee.due import due_sentence
from daynight.speech.sentences import designation_word, either_word, face_word


@click.command(epilog="\b\ndaynight unknowns game.jsonl --at 14")
@options.file
@options.at
@options.told
@to_its_end
def unknowns(record: Record, at: Position | None, catalogue: Catalogue, as_json: bool) -> int:
    """List what a record leaves open, and the result of each answer.

    For each uncertain event, the list has every fact that may be true, and which designations are possible if it is.
    Exit code 1 if more than one state is possible at the position.
    """
    game, number = options.moment(record, at, catalogue)
    found = found_unknown(game, number)
    if as_json:
        print_json(found.document())
    else:
        _tell(console(), found)
        if due := due_sentence(game.at(number)):
            console().print(Text(due))
    return int(not found.certain)


def _tell(out: Console, found: Unknowns) -> None:
    if found.certain:
        word = designation_word(found.possible[0])
        out.print(Text(_("e{event}  certain: {designation}").format(event=found.event, designation=word)))
        return
    out.print(Text(_("e{event}  possible:").format(event=found.event), style="bold"))
    for designation, faces in found.states:
        shown = commas([labelled(id, face_word(Face(face))) for id, face in faces])
        word = designation_word(designation)
        out.print(Text(tame("  " + (also(word, shown) if shown else word))))
    for unknown in found.unknown:
        if not unknown.matters:
            continue
        out.print(Text(tame(f"e{unknown.event}  {unknown.sentence}"), style="bold"))
        for fact in unknown.facts:
            word = either_word(fact.possible)
            out.print(Text(tame(_("  if {fact}: {designation}").format(fact=fact.sentence, designation=word))))
    if offered(found.possible):
        sentence = _("where nobody can tell, the judge assumes night ({rule}: policy, not derived)")
        out.print(Text(sentence.format(rule=policy()["rule"])))
