"""Every condition of "plain" is needed: without it, some game is called plain and its columns give a wrong result."""

import inspect
from types import ModuleType

import pytest

from daynight.corpus import columns, plain, reading
from daynight.events import actions
from daynight.framework.language.happening import tag_of
from daynight.game import Game
from tests.rules import words as w
from tests.rules.judges import back_up, claim, claim_face, claim_tally, opens, ruled, rules_on
from tests.rules.placing import control, enter, lose, permanent, phase_out, regain, together
from tests.rules.turning import copy, face_up, forbid, transform
from tests.rules.wolves import CLONE_OF_NIGHTBOUND, DAYBOUND_FACE, IMMERWOLF, NIGHTBOUND_FACE, OLD_WEREWOLF, VANDAL
from tests.sampling import case, few_or_all

from .both import by_columns, by_rules, designations, gathered

START = w.started()
WOLF, BEAR = enter("w"), enter("b", {"card": "Grizzly Bears"})
MAN = {"name": "Man"}


def half(front, back, **more):
    """A double-faced permanent with these faces enters."""
    return enter("h", {"card": "Wolf", "double_faced": True, "front": front, "back": back}, **more)


def beside(kind):
    """The condition `TAGS` of "plain" as source text, changed so that it allows events of type `kind` too."""
    return f'if kind in plain.PLAIN or event.type == "{tag_of(kind)}":'


TAGS = "if kind in plain.PLAIN:"
SWITCH = 'event.becomes == "switch" or event.only_if is not None'
NOTHING = "not (found.cares or self.hopeless)"
CARES = "face.day_if_neither or bool(face.keywords)"
TURNS = "_TURNS if daybound and nightbound and front.permanent else 0"
GIVES = 'face.day_if_neither or "daybound" in face.keywords'
ABLE = "if permanent.face_down or permanent.without_abilities:"

MUTANTS = (
    # Conditions of all plain games.
    (columns, 'None if started.teams is None else "teams"', "None",
     [w.started("Ana", "Bo", "Cy", "Di", teams=[["Ana", "Bo"], ["Cy", "Di"]]), w.effect("night"),
      w.turn(1, "Ana", "Bo"), w.cast("Ana"), w.cast("Bo"), w.turn(2, "Cy", "Di"), w.untap(), claim("night")]),
    (columns, 'self.breaks("phasing", moved=True)', "pass",
     [START, WOLF, BEAR, w.turn(1), w.untap(phased_out=["b"]), w.effect("night"), claim_face("w", "back")]),
    (columns, 'self.breaks("holds", moved=True)', "pass",
     [START, WOLF, enter("i", IMMERWOLF), w.effect("night"), claim_face("w", "back")]),
    (columns, 'self.breaks("half")', "pass",
     [START, half(MAN, NIGHTBOUND_FACE, face="back"), claim_face("h", "back")]),
    (columns, 'self.breaks("left-behind")', "pass",
     [w.started("Ana", "Bo", "Cy"), WOLF, enter("v", controller="Bo"), w.quits("Ana"), w.effect("night"),
      claim_face("v", "back")]),
    (columns, "self.turning[id] = event.controller", "pass",
     [w.started("Ana", "Bo", "Cy"), WOLF, control("Bo", "w"), w.quits("Bo"), w.effect("night"),
      claim_face("w", "front")]),
    (columns, "self.breaks(event.type, doubted=True)", "pass",
     [START, w.turn(1), w.doubt("Ana", 0, 1), claim_tally("Ana", 0)]),
    (columns, SWITCH, "event.only_if is not None", [START, WOLF, w.effect("switch"), claim("night")]),
    (columns, SWITCH, 'event.becomes == "switch"', [START, w.effect("night", "day"), claim("neither")]),
    (columns, 'self.breaks("dispute" if kind in _DISPUTES else event.type)', "pass",
     [START, opens(), rules_on(outcome="fix", designation="day")]),
    (columns, "(permanent.id, 0) for permanent in event.permanents)\n        self.breaks(event.type)", "())",
     [START, w.joined("day"), claim("day")]),
    (columns, "self.columns.turn.add(row, 0)\n        self.breaks(event.type)", "pass",
     [START, WOLF, w.restarted(), claim("neither")]),
    (columns, "self.columns.by.add(row, event.by)\n        self.breaks(event.type)", "pass",
     [START, ruled("day"), claim("day")]),
    (columns, "not in _OF_THE_RECORD\n        self.breaks(event.type)", "not in _OF_THE_RECORD",
     [START, w.turn(1), claim("day"), back_up(2)]),
    # What phases in, is allowed, copies no more or is turned face down makes no difference without another of these.
    *((columns, TAGS, beside(kind), game) for kind, game in (
        (actions.TransformInstructed,
         [START, enter("w", OLD_WEREWOLF), transform("w"), claim_face("w", "back")]),
        (actions.TransformForbidden,
         [START, WOLF, forbid("Bound", "w"), w.effect("night"), claim_face("w", "front")]),
        (actions.TurnedFaceUp, [START, enter("w", face_down=True), face_up("w"), claim("day")]),
        (actions.PhasedOut, [START, WOLF, phase_out("w"), w.effect("night"), claim_face("w", "front")]),
        (actions.AbilitiesLost, [START, WOLF, lose("w"), w.effect("night"), claim_face("w", "front")]),
        (actions.AbilitiesRegained, [START, enter("w", without_abilities=True), regain("w"), claim("day")]),
        (actions.BecameCopy, [START, BEAR, copy(DAYBOUND_FACE, "b"), claim("day")]),
    )),
    # Conditions of games in which nothing cares.
    (columns, NOTHING, "not found.cares",
     [START, w.turn(1), w.cast(), w.restarted(), w.turn(1), claim_tally("Ana", 0)]),
    (columns, NOTHING, "not self.hopeless",
     [START, w.effect("day"), w.turn(1), w.doubt("Ana", 0, 1), w.turn(2), w.untap()]),
    (columns, "not (self.doubted and self.claims_tally)", "True",
     [START, w.turn(1), w.doubt("Ana", 0, 1), claim_tally("Ana", 0)]),
    (columns, "not (self.moved and self.claims_face)", "True",
     [START, enter("o", OLD_WEREWOLF), transform("o"), claim_face("o", "back")]),
    (columns, "columns.cares = columns.cares or plain.cares(permanent)", "pass",
     [START, WOLF, w.turn(1), w.doubt("Ana", 0, 1), w.turn(2), w.untap()]),
    (columns, "self.columns.cares = self.columns.cares or plain.face_cares(event.front)", "pass",
     [START, BEAR, copy(DAYBOUND_FACE, "b"), claim("day")]),
    (columns, "self.columns.cares = True\n        if event.becomes", "if event.becomes",
     [START, w.effect("day"), w.turn(1), w.doubt("Ana", 0, 1), w.turn(2), w.untap()]),
    (plain, CARES, "face.day_if_neither", [START, WOLF, w.turn(1), w.doubt("Ana", 0, 1), w.turn(2), w.untap()]),
    (plain, CARES, "bool(face.keywords)",
     [START, enter("v", VANDAL), w.turn(1), w.doubt("Ana", 0, 1), w.turn(2), w.untap()]),
    (plain, "face for face in (permanent.front, permanent.back) if", "face for face in (permanent.front,) if",
     [START, half(MAN, {"day_if_neither": True}, face="back"), w.turn(1), w.doubt("Ana", 0, 1), w.turn(2), w.untap()]),
    # Which permanents turn, and which stay.
    (plain, "permanent.face_down or permanent.without_abilities or not back", "permanent.without_abilities or not back",
     [START, enter("w", face_down=True), w.effect("night"), claim_face("w", "front")]),
    (plain, "permanent.without_abilities or not back", "not back",
     [START, enter("w", without_abilities=True), w.effect("night"), claim_face("w", "front")]),
    (plain, " or not back.permanent", "",
     [START, half(DAYBOUND_FACE, NIGHTBOUND_FACE | {"permanent": False}), w.effect("night"),
      claim_face("h", "front")]),
    (plain, TURNS, "_TURNS if daybound and nightbound else 0",
     [START, half(DAYBOUND_FACE | {"permanent": False}, NIGHTBOUND_FACE, face="back"), w.effect("day"),
      claim_face("h", "back")]),
    (plain, TURNS, "_TURNS if daybound and front.permanent else 0",
     [START, half(DAYBOUND_FACE, MAN), w.effect("night"), w.effect("day"), claim_face("h", "back")]),
    (plain, TURNS, "_TURNS if nightbound and front.permanent else 0",
     [START, half(MAN, NIGHTBOUND_FACE), w.effect("night"), claim_face("h", "front")]),
    (plain, "stays = _BACK if", "stays = _FRONT if", [START, half(MAN, MAN, face="back"), claim_face("h", "back")]),
    (plain, "permanent.face is _OTHER_SIDE and not permanent.face_down", "permanent.face is _OTHER_SIDE",
     [START, half(MAN, MAN, face="back", face_down=True), claim_face("h", "front")]),
    # What an arrival gives.
    (plain, ABLE, "if permanent.without_abilities:", [START, enter("w", face_down=True), claim("neither")]),
    (plain, ABLE, "if permanent.face_down:", [START, enter("w", without_abilities=True), claim("neither")]),
    (plain, "(permanent.back if permanent.face is _OTHER_SIDE else permanent.front)", "permanent.front",
     [START, enter("w", face="back"), claim("night")]),
    (plain, GIVES, '"daybound" in face.keywords', [START, enter("v", VANDAL), claim("day")]),
    (plain, GIVES, "face.day_if_neither", [START, WOLF, claim("day")]),
    (plain, "return _DAY\n", "found = found or _DAY\n",
     [START, together(permanent("n", CLONE_OF_NIGHTBOUND), permanent("w")), claim("day")]),
    (plain, "found = _NIGHT", "pass", [START, enter("n", CLONE_OF_NIGHTBOUND), claim("night")]),
)  # fmt: skip
"""Rows of a module, a text in its source, the text that replaces it, and a game that is then judged wrongly."""


def test_every_condition_is_there():
    """The text of each condition occurs exactly once in its module, so that the test below can replace it."""
    sources = {module: inspect.getsource(module) for module, *_rest in MUTANTS}
    assert [old for module, old, *_rest in MUTANTS if sources[module].count(old) != 1] == []


def changed(module, old, new):
    """A copy of the module, compiled with `new` for `old`."""
    source = inspect.getsource(module)
    mutant = ModuleType(module.__name__)
    exec(compile(source.replace(old, new), module.__name__, "exec"), mutant.__dict__)
    return mutant


def is_wrong(game):
    """Return whether a game is called plain although the result from its columns differs from the rules."""
    (found,), made = gathered([game])
    games, events = made["games"], made["events"]
    said = by_columns(games, events), designations(games, events)
    return found.plain and said != ([by_rules(game)], [after(game)])


def after(game):
    """The designation after each event; if it is uncertain, the possible ones with "or" between them."""
    return [" or ".join(state.possible) for _moment, state in Game(game).walk()]


@pytest.mark.parametrize("mutants", few_or_all(MUTANTS[:2], MUTANTS), ids=["few", "all"])
def test_every_condition_is_needed(mutants):
    """Without the condition, the game is called plain and its columns give a wrong result.

    With the condition, the game is not plain, or the result is right.
    """
    for module, old, new, game in mutants:
        with case((old, new)), pytest.MonkeyPatch.context() as patched:
            assert not is_wrong(game)
            mutant = changed(module, old, new)
            if module is plain:
                patched.setattr(columns, "plain", mutant)
            else:
                patched.setattr(reading, "columns", mutant.columns)
            assert is_wrong(game)
