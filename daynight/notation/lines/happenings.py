"""Converts a line to the fields of its events: one function for each kind of line in the grammar."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, get_args

import msgspec
from lark import Token, Tree

from daynight.events.terms import Step
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _
from daynight.notation.doubts import NUMBERS
from daynight.notation.lines.arrivals import entered, entered_as, entered_under, found_there
from daynight.notation.lines.hints import told_or_said
from daynight.notation.lines.lines import TypedLine, parted
from daynight.notation.lines.making import UNKNOWN, Fields, Maker, Making, number, with_those
from daynight.notation.lines.parsing import AskedError, Branch, tree_of
from daynight.notation.lines.sayings import SAYINGS
from daynight.notation.lookups import Lookups
from daynight.notation.spelling import WrittenName, ours_in

HEADER = "header"
"""The `type` in the fields of a header line (game, players, ...): several of these become one event."""

TIMES = 100
"""The most spells of a line such as `Ana casts 3 spells`."""

_OTHER_WORDS = {"main": "precombat-main", "second-main": "postcombat-main"}
STEPS: dict[str, str] = {**{step: step for step in get_args(Step)}, **_OTHER_WORDS}
"""The name of each step by its words, joined by hyphens."""


def parsed(line: TypedLine, lookups: Lookups) -> list[Fields]:
    """Return the fields of every event of a line, read by the grammar alone: no everyday words."""
    tree = tree_of(line.text)
    happening, *behind = tree.children
    assert isinstance(happening, Tree)
    making = Making(line, lookups)
    made = MAKERS[happening.data](making, *happening.children)
    common = making.behind(behind)
    if line.note is not None:
        common["note"] = line.note
    return [{**fields, **common} for fields in (made if isinstance(made, list) else [made])]


def _names(making: Making, names: Branch) -> list[WrittenName]:
    return making.joined([making.said(name) for name in names.children if isinstance(name, Tree)])


def _texts(making: Making, names: Branch) -> list[str]:
    return [said.text for said in _names(making, names)]


# ----------------------------------------------------------------------------------------------------------- the header


def _joined(making: Making, possible: Branch | None, *there: Branch) -> Fields:
    designations = [] if possible is None else [making.designation(name) for name in possible.children]
    fields: Fields = {"type": "game-joined", "possible": designations}
    for *subjects, source in [each.children for each in there]:
        if source is None:
            found_there(making, fields, subjects[0])
        else:
            held = [said.text for said in making.several(subjects[0])] if subjects else []
            fields.setdefault("forbids", []).append({"source": making.text(source), "permanents": held})
    return fields


# ------------------------------------------------------------------------------------------------------ turns and steps


def _turn(making: Making, turn: Token, names: Branch, *skipped: Token) -> Fields:
    active = [making.lookups.player(said) for said in _names(making, names)]
    skips = [_step_of(Token("STEP", token.lstrip(", \t")[2:])) for token in skipped]
    fields: Fields = {"type": "turn-began", "turn": number(turn), "active": active}
    return fields | ({"skips": skips} if skips else {})


def _step_of(token: Token) -> str:
    words = [word for word in token.casefold().replace("-", " ").split() if word not in ("step", "phase")]
    joined = "-".join(words).replace("pre-combat", "precombat").replace("post-combat", "postcombat")
    return STEPS[joined]


def _untap(making: Making, step: Token, *phased: Any) -> Fields:
    fields: Fields = {"type": "step-began", "step": _step_of(step)}
    for names, way in zip(phased[::2], phased[1::2], strict=True):
        words = way.casefold().split()
        key = "stays_out" if words[0].startswith("stay") else f"phased_{words[-1]}"
        if key in fields:
            raise UnreadableError(_("this stands twice on the line; once is meant"), column=way.column)
        fields[key] = making.permanents(_names(making, names))
    return fields


# --------------------------------------------------------------------------------------------------------------- spells


def _spell(tag: str, making: Making, subjects: Branch, *others: Branch | None) -> Fields:
    fields: Fields = {"type": tag, "player": making.lookups.player(making.one(subjects))}
    for other in others:
        if other is not None and other.data == "card":
            fields["card"] = making.lookups.card(making.said(other))
        elif other is not None:
            fields["spell"] = _spell_id(making, other)
    return fields


def _spell_id(making: Making, paren: Branch) -> str:
    _open, *options, _close = paren.children
    if len(options) != 1 or not (isinstance(options[0], Tree) and options[0].data == "name"):
        assert isinstance(_open, Token)
        raise UnreadableError(_("the spell's id alone stands in brackets here"), column=_open.column)
    said = making.said(options[0])
    if not said.literal and _ASIDE.match(said.text) is not None:
        raise UnreadableError(_("the spell's id alone stands in brackets here"), column=said.column)
    if not said.literal and ours_in(said.text):
        sentence = _("{id} is no id of a spell, for it has {word} in it; an id with such words is in quotation marks")
        raise UnreadableError(sentence.format(id=repr(said.text), word=ours_in(said.text)[0]), column=said.column)
    return said.text


_ASIDE = re.compile(
    r"(?:on|at|targeting|from|with|for|to|in|into|off|sur|avec|pour|depuis|en|dans|ciblant|x ?=)[ ]", re.IGNORECASE
)
"""Matches the beginning of a remark in brackets, such as `on w1`, which is not the id of a spell."""


def _cast_times(making: Making, subjects: Branch, said: Token) -> list[Fields]:
    fields: Fields = {"type": "spell-cast", "player": making.lookups.player(making.one(subjects))}
    (times,) = _numbers(said)
    if not 1 <= times <= TIMES:
        sentence = _("{n} times; a phrase stands for 1 to {most} events").format(n=times, most=TIMES)
        raise UnreadableError(sentence, column=said.column)
    return [fields] * times


def _doubt(making: Making, subjects: Branch, said: Token) -> Fields:
    fields: Fields = {"type": "spells-uncertain", "player": making.lookups.player(making.one(subjects))}
    numbers = _numbers(said)
    words = said.casefold().split()
    fields["at_least"] = 0 if words[0] in _FROM_NONE or words[:2] == ["at", "most"] else numbers[0]
    if not (words[-1].endswith("+") or words[-1] == "or" or words[:2] == ["at", "least"]):
        fields["at_most"] = numbers[-1]
    return fields


_FROM_NONE = ("up", "maybe", "perhaps")


def _numbers(said: Token) -> list[int]:
    """Return all numbers in a token such as `0-1` or `at most two`, written in digits or words."""
    found = re.findall(r"[0-9]+|[a-z]+", said.casefold())
    return [int(word) if word.isdigit() else NUMBERS[word] for word in found if word.isdigit() or word in NUMBERS]


def _perhaps(making: Making, subjects: Branch, most: Token | None = None) -> Fields:
    player = making.lookups.player(making.one(subjects))
    return with_those({"type": "spells-uncertain", "player": player, "at_least": 0}, at_most=number(most))


# ----------------------------------------------------------------------------------------------------------- permanents


def _permanents(making: Making, tag: str, subjects: Branch) -> Fields:
    """Return the fields of an event of type `tag` about the permanents named in `subjects`."""
    return {"type": tag, "permanents": making.permanents(making.several(subjects))}


def _of_permanents(tag: str, making: Making, subjects: Branch, source: Branch | None = None) -> Fields:
    """Return the same fields as `_permanents`, with the `source` if the line has one."""
    return with_those(_permanents(making, tag, subjects), source=making.text(source))


def _controlled(making: Making, subjects: Branch, names: Branch) -> Fields:
    controller = making.lookups.player(making.one(subjects))
    permanents = making.permanents(_names(making, names))
    return {"type": "control-changed", "permanents": permanents, "controller": controller}


def _copy_of(making: Making, subjects: Branch, name: Branch) -> Fields:
    fields, said = _permanents(making, "became-copy", subjects), making.said(name)
    front = making.lookups.face(said)
    unknown = front.name is not None and making.lookups.unknown(said, front.name)
    return fields | {"front": msgspec.to_builtins(front)} | ({UNKNOWN: [front.name]} if unknown else {})


def _way(tags: dict[str, str]) -> Maker:
    """Return a maker for an event about permanents; `tags` has its type by the verb's last word: `turns face up`."""
    return lambda making, subjects, verb: _permanents(making, tags[verb.split()[-1].casefold()], subjects)


def _transformed(making: Making, subjects: Branch, since: Token | None, source: Branch | None) -> Fields:
    fields = _permanents(making, "transform-instructed", subjects)
    return with_those(fields, source=making.text(source), own_since=number(since))


def _transforms(making: Making, subjects: Branch, since: Token | None, source: Branch | None) -> Fields:
    """Return the fields of `w1 transforms by Moonmist`.

    Raises:
        AskedError: where the line has neither `by` nor `since`: it may be only a claim about the face.
    """
    fields = _transformed(making, subjects, since, source)
    if since is None and source is None:
        raise AskedError(told_or_said(fields["permanents"][0]), column=making.several(subjects)[0].column)
    return fields


def _allowed(making: Making, *parts: Branch) -> Fields:
    for subjects in parts[:-1]:
        making.permanents(making.several(subjects))
    return {"type": "transform-allowed", "source": making.text(parts[-1])}


def _effect(making: Making, becomes: str, only_if: Branch | None, source: Branch | None) -> Fields:
    condition = None if only_if is None else making.designation(only_if)
    return with_those({"type": "effect-resolved", "becomes": becomes}, source=making.text(source), only_if=condition)


def _player_left(making: Making, who: Branch, what: Branch | None) -> Fields:
    fields: Fields = {"type": "player-left", "player": making.lookups.player(making.one(who))}
    return fields if what is None else fields | {"permanents": making.permanents(_names(making, what))}


MAKERS: dict[str, Maker] = {
    "game": lambda making, text: {"type": HEADER, "game": making.text(text)},
    "players": lambda making, names: {"type": HEADER, "players": _texts(making, names)},
    "teams": lambda making, *teams: {"type": HEADER, "teams": [_texts(making, team) for team in teams]},
    "edition": lambda making, text: {"type": HEADER, "edition": making.text(text)},
    "joined": _joined,
    "turn": _turn,
    "step": lambda making, *steps: [{"type": "step-began", "step": _step_of(token)} for token in steps],
    "untap": _untap,
    "cast": partial(_spell, "spell-cast"),
    "copied": partial(_spell, "spell-copied"),
    "cast_times": _cast_times,
    "doubt": _doubt,
    "perhaps": _perhaps,
    "entered": entered,
    "entered_as": entered_as,
    "entered_under": entered_under,
    "left": lambda making, subjects, to: with_those(
        _permanents(making, "permanents-left", subjects), to=making.text(to)
    ),
    "controlled": _controlled,
    "lost": partial(_of_permanents, "abilities-lost"),
    "regained": partial(_of_permanents, "abilities-regained"),
    "copy_of": _copy_of,
    "copy_as": lambda making, subjects, face: (
        _permanents(making, "became-copy", subjects) | {"front": making.json(face)}
    ),
    "copy_ended": partial(_of_permanents, "copy-ended"),
    "turned": _way({"up": "turned-face-up", "down": "turned-face-down"}),
    "phased": _way({"in": "phased-in", "out": "phased-out"}),
    "transforms": _transforms,
    "transformed": _transformed,
    "forbidden": partial(_of_permanents, "transform-forbidden"),
    "allowed": _allowed,
    "becomes": lambda making, word, only_if, source: _effect(
        making, making.word(word, ("day", "night", "switch")), only_if, source
    ),
    "switches": lambda making, only_if, source: _effect(making, "switch", only_if, source),
    **SAYINGS,
    "player_left": _player_left,
    "restarted": lambda making: {"type": "game-restarted"},
    "ended": lambda making, words: (
        {"type": "game-ended"} | ({"winner": []} if words.casefold().endswith("wins") else {})
    ),
    "won": lambda making, subjects: {
        "type": "game-ended",
        "winner": [making.lookups.player(said) for said in making.several(subjects)],
    },
}
"""The function for each kind of line, by the name of its rule in the grammar."""


def parsed_lines(text: str, line: TypedLine, lookups: Lookups, behind: Fields) -> list[Fields]:
    """Return the fields of the events of `text`: notation lines made from `line`, joined by ` ;; `, with all notes."""
    made: list[Fields] = []
    for each in text.split(" ;; "):
        said = parted(each)
        notes = [note for note in (said.note, line.note) if note is not None]
        made += parsed(said._replace(comment="; ".join(notes) if notes else None), lookups)
    return [fields | behind for fields in made]
