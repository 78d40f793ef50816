"""Every form of a line, as help and errors show it: its event, its pattern, and an example.

The table is for readers and for proposals; the grammar decides what is valid, and a test compares each row with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from typing import NamedTuple


class Form(NamedTuple):
    """A form: the `type` of its event, the line with {placeholders} for names, and an example of it."""

    tag: str
    line: str
    example: str


FORMS: tuple[Form, ...] = (
    Form("game-started", "game {game}", "game friday"),
    Form("game-started", "players {players}", "players Ana, Bo"),
    Form("game-started", "teams {players} / {players}", "teams Ana, Bo / Cy, Di"),
    Form("game-started", "edition {edition}", "edition 2024-06-07"),
    Form("game-joined", "joined midway: {possible}", "joined midway: day or night"),
    Form("game-joined", "joined midway: {possible}; {arrivals}", "joined midway: night; Ana: Tavern Ruffian (w1)"),
    Form("turn-began", "turn {turn} {active}", "turn 5 Ana"),
    Form("turn-began", "turn {turn} {active}, no untap", "turn 5 Ana, no untap"),
    Form("step-began", "{step}", "untap"),
    Form("step-began", "untap: {permanents} phase in; {permanents} phase out", "untap: w1 phases in; b1, b2 phase out"),
    Form("step-began", "untap: {permanents} stays out", "untap: w1 stays out"),
    Form("spell-cast", "{player} casts {card}", "Ana casts Opt"),
    Form("spell-cast", "{player} casts a spell", "Ana casts a spell"),
    Form("spell-cast", "{player} casts {card} ({spell})", "Ana casts Moonmist (s1)"),
    Form("spell-cast", "{player} casts {times} spells", "Ana casts 2 spells"),
    Form("spell-copied", "{player} copies {card}", "Bo copies Opt"),
    Form("spells-uncertain", "{player} casts {least}-{most} more", "Bo casts 0-1 more"),
    Form("spells-uncertain", "{player} casts {least}+ more", "Bo casts 1+ more"),
    Form("permanents-entered", "{player}: {card} ({id}) enters", "Ana: Tavern Ruffian (w1) enters"),
    Form("permanents-entered", "{card} enters under {player} as {id}", "Tavern Ruffian enters under Ana as w2"),
    Form("permanents-left", "{permanents} leaves to {zone}", "w1 leaves to exile"),
    Form("control-changed", "{player} controls {permanents}", "Bo controls w1"),
    Form("abilities-lost", "{permanents} loses abilities by {source}", "w1 loses abilities by Humility"),
    Form("abilities-regained", "{permanents} regains abilities by {source}", "w1 regains abilities by Humility"),
    Form("became-copy", "{permanents} becomes a copy of {card}", "w1 becomes a copy of Immerwolf"),
    Form("copy-ended", "{permanents} is itself again", "w1 is itself again"),
    Form("turned-face-down", "{permanents} turns face down", "b1 turns face down"),
    Form("turned-face-up", "{permanents} turns face up", "b1 turns face up"),
    Form("phased-out", "{permanents} phases out", "w1 phases out"),
    Form("phased-in", "{permanents} phases in", "w1 phases in"),
    Form("transform-instructed", "{permanents} transforms by {source}", "w1 transforms by Moonmist"),
    Form("transform-instructed", "{permanents} is told to transform", "w1 is told to transform"),
    Form("transform-instructed", "{permanents} transforms since {event}", "w1 transforms since e12"),
    Form(
        "transform-forbidden", "{permanents} can't transform by {source}", "w1 can't transform by Bound by Moonsilver"
    ),
    Form("transform-allowed", "transforming allowed by {source}", "transforming allowed by Bound by Moonsilver"),
    Form("effect-resolved", "it becomes {becomes} by {source}", "it becomes night by The Celestus"),
    Form("effect-resolved", "it switches if {designation}", "it switches if day"),
    Form("player-left", "{player} leaves the game", "Bo leaves the game"),
    Form("player-left", "{player} leaves the game with {permanents}", "Bo leaves the game with w1"),
    Form("game-restarted", "the game restarts", "the game restarts"),
    Form("game-ended", "the game ends", "the game ends"),
    Form("game-ended", "{players} wins", "Ana wins"),
    Form("designation-claimed", "{by} says {designation}", "Bo says night"),
    Form("face-claimed", "{by} says {permanent} shows {face}", "arena says w1 shows back"),
    Form("tally-claimed", "{by} says {player} cast {spells} in turn {turn}", "Bo says Ana cast 2 in turn 4"),
    Form("judge-ruled", "{by} rules {ruling}", "Jo rules night"),
    Form("game-backed-up", "{by} backs up to {event}", "Jo backs up to e12"),
    Form("note-added", "{by} notes {says} about {event}", 'Jo notes "the check was forgotten" about e12'),
    Form("dispute-opened", "dispute {dispute}: {by} calls the judge about {event}", "dispute d1: Bo calls the judge"),
    Form("dispute-claimed", "dispute {dispute}: {by} says {designation}", 'dispute d1: Bo says night ("two casts")'),
    Form("dispute-ruled", "dispute {dispute}: {by} rules {outcome}", "dispute d1: Jo rules fix night"),
    Form("dispute-appealed", "dispute {dispute}: {by} appeals", "dispute d1: Bo appeals"),
    Form("dispute-closed", "dispute {dispute}: {by} closes it: {outcome}", "dispute d1: Jo closes it: fix"),
)
"""Every form, for each event the simplest first; the verbs are singular, but may be plural for several subjects."""

BEGINNINGS = frozenset(
    ("game", "players", "teams", "edition", "joined", "turn", "untap", "dispute", "it", "judge", "the", "step")
) | {"transforming"}
"""First words of a line that are no names: a wrong line is compared only with the forms that have its first word."""

_LIKE = 0.7
"""The least similarity at which a keyword is proposed for a word."""

_SPELLED: dict[str, tuple[str, ...]] = {
    "_GAME": ("game",), "_PLAYERS": ("players",), "_TEAMS": ("teams",), "_EDITION": ("edition",),
    "_JOINED": ("joined",), "_TURN": ("turn",),
    "SKIPS": ("no untap",), "_NOTES": ("notes",), "_WITH": ("with",),
    "STEP": ("untap", "upkeep", "draw", "main", "precombat", "beginning of combat", "declare attackers",
             "declare blockers", "combat damage", "end of combat", "postcombat", "end", "cleanup"),
    "PHASES": ("phases",), "STAYS": ("stays",),
    "_CASTS": ("casts",), "_CAST": ("cast",), "_MORE": ("more",), "RANGE": ("more",),
    "_PERHAPS": ("perhaps",), "_COPIES": ("copies",), "_IN_TURN": ("in turn",), "_ENTERS": ("enters", "enter"),
    "_UNDER": ("under",), "_AS": ("as",), "_LEAVES": ("leaves", "leave"), "_LEAVES_GAME": ("leaves",), "_TO": ("to",),
    "_BY": ("by",), "_OF": ("of",), "_CONTROLS": ("controls",), "_LOSES": ("loses", "abilities"),
    "_REGAINS": ("regains", "abilities"), "_BECOMES_COPY": ("becomes",), "_THEMSELVES": ("itself", "again"),
    "TURNS": ("turns",), "_TRANSFORMS": ("transforms",), "_SINCE": ("since",), "_CANT_TRANSFORM": ("can't",),
    "_ALLOWED": ("transforming allowed",), "TOKEN": ("token",), "BACK": ("back",), "FACE_DOWN": ("face down",),
    "_WITHOUT": ("without",), "_IT_BECOMES": ("becomes",), "_IT_SWITCHES": ("switches",), "_IF": ("if",),
    "_SAYS": ("says",), "_SHOWS": ("shows",), "_CLAIMED": ("claimed",), "_RULES": ("rules",), "_JUDGE": ("judge",),
    "_BACKS_UP": ("backs",), "_BACK_UP": ("back up",), "_DISPUTE": ("dispute",), "_CALLS": ("calls",),
    "_ABOUT": ("about",), "_APPEALS": ("appeals",), "_CLOSES": ("closes",), "OUTCOME": ("leave", "fix", "back up"),
    "START": ("game", "players", "teams", "edition", "joined", "turn", "dispute", "judge", "enters", "leaves",
              "transforming", "untap", "upkeep", "draw", "main", "precombat", "beginning", "declare", "combat",
              "end", "postcombat", "second", "cleanup"),
    "_RESTARTS": ("restarts",), "ENDS": ("ends",), "_WINS": ("wins",),
}  # fmt: skip
"""The words of each terminal of the grammar that has fixed words, to find misspelt ones."""


_OTHERWISE = {
    "cast": "casts", "casted": "casts", "copy": "copies", "copied": "copies", "entered": "enters", "left": "leaves",
    "play": "casts", "plays": "casts", "played": "casts", "say": "says", "said": "says", "claim": "says",
    "claims": "says", "rule": "rules", "ruled": "rules", "became": "becomes", "transformed": "transforms",
    "combat": "beginning of combat",
}  # fmt: skip
"""Everyday words that people use in place of keywords, each with its keyword."""

PLAYED = frozenset(("play", "plays", "played"))
"""The words for playing a card, which are ambiguous: a spell is cast, but a land enters without being cast."""

_ALIKE = 0.75

_STEP = (
    r"(?:untap|upkeep|draw|(?:(?:pre|post)-?combat[ -]|second )?main|beginning of combat|declare (?:attackers|blockers)"
    r"|combat damage|end of combat|end|cleanup)(?: (?:step|phase))?"
)
_STEPS = re.compile(rf"{_STEP}(?:(?: ?(?:[.;>/|+&-]|->) ?| (?:and |then )?){_STEP})+", re.IGNORECASE)


def meant_steps(text: str) -> str | None:
    """Return steps with commas between them if a text separates them otherwise (`untap > upkeep`); else None."""
    words = " ".join(text.split())
    return None if _STEPS.fullmatch(words) is None else ", ".join(re.findall(_STEP, words, re.IGNORECASE))


def nearest_word(said: Sequence[tuple[str, int]], expected: Iterable[str]) -> tuple[str, int, str] | None:
    """Return the word in `said` most similar to an expected word, its column and that expected word; None if none is.

    Among equally similar words the last one counts, because valid words come before the error. An everyday word for a
    keyword (`played`) has the similarity 0.75.
    """
    expected = frozenset(expected)
    words = sorted({word for terminal in expected for word in _SPELLED.get(terminal, ())})
    best: tuple[float, str, int, str] | None = None
    for word, column in said[-12:]:
        folded = word.casefold()[:40]
        if (other := _OTHERWISE.get(folded)) is not None and (other in words or "START" in expected):
            best = max(best or (0.0, "", 0, ""), (_ALIKE, word, column, other))
            continue
        for meant in get_close_matches(folded, words, n=1, cutoff=_LIKE):
            like = SequenceMatcher(None, folded, meant).ratio()
            if like < 1 and (best is None or like >= best[0]):
                best = like, word, column, meant
    return None if best is None else best[1:]


def misspelt(name: str, column: int, is_known: Callable[[str], bool]) -> tuple[str, int, str] | None:
    """Return the misspelt words in an unknown name, their column, and the words that were probably meant.

    After a known name, the next word may be a misspelt keyword: `Ana csts Opt`. Or the text may skip a step in words
    that the notation does not have: `skips his untap step` for `no untap`. None if neither is the case.
    """
    words = name.split(" ")
    for known in range(len(words) - 1, -1, -1):
        whose = " ".join(words[:known])
        if known and not is_known(whose):
            continue
        step = _left_out(" ".join(words[known:]))
        meant = f"{whose}, no {step}" if known else f"no {step}"
        if step is not None and meant != name:
            return name, column, meant
        if known:
            return nearest_word([(words[known], column + len(whose) + 1)], _SPELLED)
    return None


def _left_out(text: str) -> str | None:
    """Return the step that a text skips, such as `untap` in `without the untap step`; None if it skips none."""
    found = _LEFT_OUT.fullmatch(text)
    near = get_close_matches(found[1].casefold(), _SPELLED["STEP"], n=1, cutoff=_LIKE) if found else []
    return near[0] if near else None


_LEFT_OUT = re.compile(r"(?:no|skips?|skipping|without) (?:(?:an?|the|his|her|their) )?(.+?)(?: step)?", re.IGNORECASE)


def form_beginning(text: str, first: str) -> str | None:
    """Return an example of the form most similar to a line, of those whose first word is `first`; None if none is."""
    if first == "judge":
        return "judge Jo: night"
    having = [form for form in FORMS if form.line.split()[0].rstrip(":") == first]
    return max(having, key=lambda form: _likeness(form.line, text)).example if having else None


def meant_form(text: str, word: str | None) -> str:
    """Return an example of the form most similar to `text`, of those that have `word`; a step is its own example.

    If `word` is None, the forms are those whose second word is that of `text`; if no form fits, it is the nearest one.
    """
    if word in _SPELLED["STEP"]:
        return word
    if word is not None:
        stem = word.split(" ")[0][:5]
        having = [form for form in FORMS if any(part.startswith(stem) for part in form.line.split())]
    else:
        verb = text.casefold().split()[1:2]
        having = [form for form in FORMS if verb and form.line.split()[1:2] == verb]
    if having:
        return max(having, key=lambda form: _likeness(form.line, text)).example
    return nearest_form(text) or "Ana casts Opt"


def nearest_form(text: str) -> str | None:
    """Return an example of the form whose keywords are most similar to words of the text; None if none is similar."""
    best = max(FORMS, key=lambda form: _likeness(form.line, text))
    return best.example if _likeness(best.line, text) > _LIKE else None


def _likeness(line: str, text: str) -> float:
    own = [word for word in re.sub(r"\{\w+\}|[(),:;/+-]", "", line).split() if len(word) > 1]
    words = [said.casefold()[:40] for said in text.split()[:20]]
    return sum(max((_alike(word, said) for said in words), default=0.0) for word in own) / max(len(own), 1)


# A line that is not understood at once is tried in several ways, and nearly all its words stand in each.
@lru_cache(maxsize=8192)
def _alike(keyword: str, said: str) -> float:
    return SequenceMatcher(None, keyword, said).ratio()
