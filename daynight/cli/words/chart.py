"""`daynight chart`: prints the state machine of the designation, from the table of arcs that the rules run on."""

from __future__ import annotations

import click
from rich.text import Text

from daynight.cli.terminal import options
from daynight.cli.terminal.grid import print_table
from daynight.cli.terminal.output import console, print_json
from daynight.events.terms import Designation
from daynight.framework.language.wording import _, translated
from daynight.rules.citations import DEFAULT_EDITION, cited
from daynight.rules.designation import CHART


@click.command(epilog="\b\ndaynight chart\ndaynight chart --format mermaid")
@click.option(
    "--format",
    "shape",
    type=click.Choice(["table", "mermaid", "both"]),
    default="both",
    show_default=True,
    help="A table, a Mermaid diagram, or both.",
)
@options.edition_of_none
@options.as_json
def chart(shape: str, edition: str | None, as_json: bool) -> int:
    """Print the state machine, every arc with its rule.

    Its states are neither, day and night. Each arc also has the condition under which the rule applies.
    """
    edition = edition or DEFAULT_EDITION

    def label(trigger: str) -> str:
        number = cited(trigger, edition)
        return trigger if number is None else f"{trigger} ({number})"

    if as_json:
        arcs = [
            {"from": source, "to": dest, "rule": trigger, "cr": cited(trigger, edition), "when": guard}
            for source, dest, trigger, guard in CHART.table()
        ]
        states = [state.value for state in CHART.states]
        print_json({"states": states, "initial": CHART.initial.value, "arcs": arcs, "mermaid": CHART.mermaid(label)})
        return 0
    out = console()
    if shape != "mermaid":
        rows = []
        for source, dest, trigger, guard in CHART.table():
            ends = (_state_word(Designation(state)) for state in (source, dest))
            rows.append((*ends, trigger, cited(trigger, edition) or "-", translated(guard)))
        print_table(out, (_("from"), _("to"), _("rule"), "CR", _("when")), rows)
    if shape == "both":
        out.print()
    if shape != "table":
        out.print(Text(CHART.mermaid(label, _state_word, translated)), end="")
    return 0


def _state_word(state: Designation) -> str:
    """Return a state in the reader's language; in English, that is its word in the chart."""
    words = {Designation.NEITHER: _("neither"), Designation.DAY: _("day"), Designation.NIGHT: _("night")}
    return words[state]
