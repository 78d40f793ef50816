"""Prints a game and its state in words, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.console import Console
from rich.text import Text

from daynight.cli.terminal.grid import print_table
from daynight.cli.terminal.output import SIGNS, STYLES, waiting, worded
from daynight.events.terms import Designation
from daynight.framework.audit import Verdict
from daynight.framework.language.errors import tame
from daynight.framework.language.grammar import commas, labelled
from daynight.framework.language.wording import _, card_word
from daynight.game import Game
from daynight.projections.tallies import Tally
from daynight.projections.transcript import Line, ids_of, line_of, told
from daynight.referee.documents import offered, policy
from daynight.referee.due import due_sentence
from daynight.referee.state import State
from daynight.rules.citations import with_number
from daynight.speech.sentences import designation_word, face_word, keyword_word, listed, spells_word, step_word


def designation_text(designation: Designation | None) -> Text:
    """Return the designation's sign and word, in its style."""
    return Text(f"{SIGNS[designation]} {designation_word(designation)}", style=STYLES[designation])


def possible_text(possible: Sequence[Designation]) -> Text:
    """Return the possible designations, each as sign and word in its style, joined by `or`."""
    return Text(_(" or ")).join(map(designation_text, possible))


def verdict_text(verdict: Verdict, disputes: int = 0) -> Text:
    """Return the verdict of an audit in its style, and the number of `disputes` unless it is 0."""
    words = {"disputed": _("DISPUTED"), "exact": _("exact"), "unverified": _("unverified")}
    styles = {"disputed": "bold red", "exact": "green", "unverified": "yellow"}
    return Text(words[verdict] + (f" ({disputes})" if disputes else ""), style=styles[verdict])


def stage_word(stage: str) -> str:
    """Return the word for a stage of a dispute: `ruled`, `appealed` and `closed` have their own; any other is open."""
    words = {"ruled": _("ruled, not closed"), "appealed": _("under appeal"), "closed": _("closed")}
    return words.get(stage) or _("open")


def tell_game(out: Console, game: Game, number: int, edition: str) -> None:
    """Print the transcript up to an event: one line per event, its consequences below it, and a mark at undone events.

    If the transcript goes to a file, progress is shown at the terminal.
    """
    width = len(str(number)) + 1
    upto = game.what_if(number, ()) if number < len(game) else game
    with waiting(printing=True) as progress:
        for line in told(upto.moments(), number=partial(with_number, edition=edition), stands=upto.stands):
            tell_line(out, line, width, _("[undone]") if line.undone else "")
            progress(line.number)


def event_lines(game: Game, numbers: Sequence[int]) -> list[Line]:
    """Return events of a game as lines of its transcript, without their consequences."""
    lines: list[Line] = []
    for number in numbers:
        event = game.events[number - 1]
        # Most events name no permanent, so their sentence needs no state.
        there = game.at(number - 1).battlefield if any(ids_of(event)) else ()
        lines.append(line_of(number, event, {status.id: status.permanent for status in there}))
    return lines


def tell_line(out: Console, line: Line, width: int = 0, mark: str = "") -> None:
    """Print a line of the transcript and, below it, its consequences.

    `mark` is a remark after the sentence; the event's number is right-aligned in `width` characters.
    """
    label = f"e{line.number}".rjust(width)
    style = "dim strike" if line.undone else "bold" if line.heading else ""
    text = Text(f"{label}  ", style="dim")
    text.append(tame(line.sentence) + (f" {mark}" if mark else ""), style=style)
    if line.note is not None:
        text.append(f"  # {tame(line.note)}", style="italic dim")
    out.print(text)
    for consequence in line.consequences:
        out.print(Text(" " * len(label) + "    -> " + tame(consequence), style="dim" if line.undone else "green"))


def tell_state(out: Console, state: State, edition: str) -> None:
    """Print the state after an event: designation, tallies, battlefield."""
    if state.turn:
        sentence = _("after event {event}, turn {turn}, {step}")
        place = sentence.format(event=state.event, turn=state.turn, step=step_word(state.step))
    else:
        place = _("after event {event}, before the first turn").format(event=state.event)
    out.print(worded(_("{label}: {text}"), label=place, text=possible_text(state.possible)))
    if due := due_sentence(state):
        out.print(Text(due))
    if offered(state.possible):
        out.print(_("where nobody can tell, the judge assumes night ({rule}: policy)").format(rule=policy()["rule"]))
    for label, tally in ((_("this turn"), state.tallies.current), (_("turn before"), state.tallies.previous)):
        if tally is not None:
            out.print(Text(labelled(label, _tally(state, tally))))
    if len(state.battlefield):
        _battlefield(out, state)


def _tally(state: State, tally: Tally) -> str:
    if tally.unknown:
        return _("unknown; any number of spells")
    spells = [
        _("{player} {spells}").format(player=player, spells=spells_word(*tally.range(player)))
        for player in state.players
    ]
    return _("active {players}; {spells}").format(players=listed(tally.active), spells=commas(spells))


def _battlefield(out: Console, state: State) -> None:
    rows = []
    backs = state.possibilities[0].backs
    for status in state.battlefield:
        face = state.face(status.id)
        name = "-" if status.face_down else _("uncertain") if face is None else card_word(status.name(backs))
        words = [_("face down") if status.face_down else face_word(face)]
        if not status.phased_in:
            words.append(_("phased out"))
        keywords = status.shows(backs).keywords if status.acts and face is not None else ()
        rows.append((status.id, name, status.controller or "-", commas(words), commas([*map(keyword_word, keywords)])))
    print_table(out, (_("permanent"), _("name"), _("controller"), _("face"), _("keywords")), rows)
