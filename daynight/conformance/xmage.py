"""Cases as a test class of XMage's own framework (JUnit, Java)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from daynight.conformance.cases import SUITE, Case, runs
from daynight.framework.language.wording import _

FILE = "DaynightConformanceTest.java"
"""The name of the file; XMage expects it in `Mage.Tests/src/test/java/org/mage/test/cards/abilities/keywords/`."""

_STEPS = {
    "upkeep": "UPKEEP",
    "draw": "DRAW",
    "precombat-main": "PRECOMBAT_MAIN",
    "postcombat-main": "POSTCOMBAT_MAIN",
    "end": "END_TURN",
}
_FACES = {
    "Tavern Ruffian": ("Tavern Ruffian", "Tavern Smasher"),
    "Brutal Cathar": ("Brutal Cathar", "Moonrage Brute"),
    "Village Watch": ("Village Watch", "Village Reavers"),
    "Geier Reach Bandit": ("Geier Reach Bandit", "Vildin-Pack Alpha"),
}
_OLD = ("Geier Reach Bandit",)  # It has no daybound, so it does not enter back face up at night.
_ACTIVATED = {"The Celestus": "{3}, {T}:", "Bound by Moonsilver": "Sacrifice another permanent:"}
_BURNS = ("Shock", "Lightning Bolt")
_HEAD = """package org.mage.test.cards.abilities.keywords;

import mage.constants.PhaseStep;
import mage.constants.Zone;
import org.junit.Assert;
import org.junit.Test;
import org.mage.test.serverside.base.CardTestPlayerBase;

/**
 * Written by "daynight conformance export --for xmage", suite %s, CC0.
 * Run by XMage, %s, in an earlier text of the same cases: %s.
 * The others, and this text, were not run yet.
 */
public class DaynightConformanceTest extends CardTestPlayerBase {

    private void assertDesignation(String id, Boolean day) {
        Assert.assertEquals(id + ": has a designation", day != null, currentGame.hasDayNight());
        if (day != null) {
            Assert.assertTrue(id + ": is " + (day ? "day" : "night"), currentGame.checkDayNight(day));
        }
    }
"""


def left_out(case: Case) -> str | None:
    """Return a sentence that says why `case` can't be written for XMage's test framework; None if it can."""
    setup = case.document["setup"]
    if "teams" in setup:
        return _("XMage has no shared team turns")
    if setup.get("together"):
        return _("XMage's tests put one permanent after another onto the battlefield")
    if "turns" in setup:
        return _("an extra turn has to be taken by a card, and the case names none")
    return None


def written(cases: Sequence[Case]) -> str:
    """Return the Java text of a test class with `cases`; `left_out` must be None for each of them."""
    known = next(run for run in runs() if run["engine"] == "XMage")
    ran = {*known["passed"], *known["failed"]}
    tried = ", ".join(case.id for case in cases if case.id in ran) or "none"
    head = _HEAD % (SUITE, known["version"], tried)
    return head + "".join(f"\n{_method(case)}" for case in cases) + "}\n"


def _method(case: Case) -> str:
    document = case.document
    setup = document["setup"]
    numbers = ", ".join(number or key for key, number in case.rules)
    name = case.id.replace("-", "") + "_" + _camel(case.title)
    lines = [f"/** {case.id} ({numbers}): {case.title} */", "@Test", f"public void {name}() {{"]
    body = []
    if setup["designation"] is not None:
        body.append(f"currentGame.setDaytime({_day(setup['designation'])});")
    for owner, card, *rest in setup.get("battlefield", []):
        face, count = rest[0] if rest else None, rest[1] if len(rest) > 1 else 1
        put_so = setup["designation"] is None or card in _OLD
        shown = _FACES[card][1] if face == "back" and put_so else card
        body.append(f'addCard(Zone.BATTLEFIELD, player{owner}, "{shown}"{_many(count)});')
    for owner, card, *rest in setup.get("hand", []):
        body.append(f'addCard(Zone.HAND, player{owner}, "{card}"{_many(rest[0] if rest else 1)});')
    for owner, card in setup.get("library", []):
        body.append(f'addCard(Zone.LIBRARY, player{owner}, "{card}");')
    body += ["skipInitShuffling();"] if "library" in setup else []
    body += ["", *_acts(case), *_choices(case), "", "setStrictChooseMode(true);"]
    burns = any(act.get("cast") in _BURNS for act in document["actions"])
    life = Counter(A=20, B=20)
    acted = {f"{act.get('turn')}/{act.get('step')}" for act in document["actions"]}
    for number, entry in enumerate(document["expect"], 1):
        turn, step = entry["at"].split("/")
        if entry["at"] in acted:
            body.append(f"// {case.id}/{number} is not asserted: a test can't stop before what is done in that step")
            continue
        body += [f"setStopAt({turn}, PhaseStep.{_STEPS[step]});", "execute();"]
        body += _asserted(case, number, entry)
        if "transformed" in entry:
            body.append(f"// {case.id}/{number}: what transformed on the way there is not asserted")
        if not burns and "triggered" in entry:
            _lose(life, entry["triggered"])
            body += [f"assertLife(player{player}, {life[player]});" for player in "AB"]
    return "\n".join(f"    {line}" for line in lines) + "\n" + _indented(body) + "    }\n"


def _asserted(case: Case, number: int, entry: dict[str, Any]) -> list[str]:
    found = [f'assertDesignation("{case.id}/{number}", {_day(entry["designation"])});']
    names = entry.get("names", {})
    out = entry.get("phased_out", [])
    shown: Counter[tuple[str, str]] = Counter()
    for where, face in entry.get("faces", {}).items():
        owner, _sign, card = where.partition(":")
        if where not in out:
            shown[owner, names.get(where) or _FACES[card][face == "back"]] += 1
        else:
            body = f'p -> Assert.assertEquals("{case.id}/{number}: phased out, it shows its", "{card}", p.getName())'
            phased = "currentGame.getBattlefield().getAllPermanents().stream().filter(p -> !p.isPhasedIn())"
            found.append(f"{phased}.forEach({body});")
    for where, count in entry.get("battlefield", {}).items():
        owner, _sign, card = where.partition(":")
        shown[owner, card] = count
    return found + [f'assertPermanentCount(player{who}, "{card}", {count});' for (who, card), count in shown.items()]


def _acts(case: Case) -> list[str]:
    found: list[str] = []
    before = None
    first: dict[str, Any] = {}
    for act in case.document["actions"]:
        here = (act.get("turn"), act.get("step"))
        if act.get("in_response"):
            where = f"{first['turn']}, PhaseStep.{_STEPS[first['step']]}"
            found.append(f'castSpell({where}, player{act["by"]}, "{act["cast"]}", "{act["at"]}", "{act["at"]}");')
            if act["cast"] == "Twincast":
                found.append(f"setChoice(player{act['by']}, false);")
            continue
        where = f"{act['turn']}, PhaseStep.{_STEPS[act['step']]}"
        if here == before:
            found.append(f"waitStackResolved({where});")
        before, first = here, act
        found += _act(case, act, where)
    return found


def _act(case: Case, act: dict[str, Any], where: str) -> list[str]:
    player = f"player{act['by']}"
    if "activate" in act:
        ability = f'activateAbility({where}, {player}, "{_ACTIVATED[act["activate"]]}"'
        if "at" not in act:
            return [f"{ability});"]
        return [f'{ability}, "{_target(case, act)}");', f'setChoice({player}, "{act["sacrificing"]}");']
    if "turn_up" in act:
        return [f'activateAbility({where}, {player}, "{act["paying"]}: Turn this face-down permanent face up.");']
    if "play" in act:
        return [f'playLand({where}, {player}, "{act["play"]}");']
    target = act.get("at")
    cast = f'castSpell({where}, {player}, "{act["cast"]}"'
    if target in ("A", "B"):
        return [f"{cast}, player{target});", *[f"setChoice({player}, false);"] * act.get("copies", 0)]
    if target is not None:
        return [f'{cast}, "{_target(case, act)}");']
    return [f"{cast});", *(f"setChoice({player}, {choice});" for choice in _chosen(act))]


def _chosen(act: dict[str, Any]) -> list[str]:
    """Return the Java arguments of `setChoice` for what XMage asks as Conspiracy or Clone enters; else []."""
    if act["cast"] == "Conspiracy":
        return [f'"{act["choosing"]}"']
    if act["cast"] == "Clone":
        card = act["copying"].partition(":")[2]
        return ["true", f'"{_FACES[card][act["of"] == "back"]}"']
    return []


def _target(case: Case, act: dict[str, Any]) -> str:
    """Return the name of the face that the target of `act` shows: as last expected up to that step, else as set up."""
    owner, _sign, card = act["at"].partition(":")
    if card not in _FACES:
        return str(card)
    setup = case.document["setup"]
    back = setup["designation"] == "night" and card not in _OLD
    for row in setup["battlefield"]:
        back = back or row[:3] == [owner, card, "back"]
    for entry in case.document["expect"]:
        turn, _sign, step = entry["at"].partition("/")
        earlier = (int(turn), list(_STEPS).index(step)) <= (act["turn"], list(_STEPS).index(act["step"]))
        if earlier and act["at"] in entry.get("faces", {}):
            back = entry["faces"][act["at"]] == "back"
    return _FACES[card][back]


def _choices(case: Case) -> list[str]:
    """Return Java lines that answer what XMage asks about triggers: which goes first, and no draw for The Celestus."""
    found = []
    for entry in case.document["expect"]:
        by_player: dict[str, list[str]] = {}
        for where in entry.get("triggered", []):
            player, _sign, card = where.partition(":")
            by_player.setdefault(player, []).append(card)
        for player, cards in by_player.items():
            if len(cards) > 1:
                text = "Whenever day becomes night or night becomes day, {this} deals"
                found.append(f'setChoice(player{player}, "{text}");')
            if "The Celestus" in cards:
                found.append(f"setChoice(player{player}, false);")
    return found


def _lose(life: Counter[str], triggered: Sequence[str]) -> None:
    for where in triggered:
        player, _sign, card = where.partition(":")
        if card == "Brimstone Vandal":
            life["B" if player == "A" else "A"] -= 1
        elif card == "The Celestus":
            life[player] += 1


def _indented(body: Sequence[str]) -> str:
    return "".join(f"        {line}\n" if line else "\n" for line in body)


def _day(designation: str | None) -> str:
    return {"day": "true", "night": "false"}.get(designation or "", "null")


def _many(count: int) -> str:
    return f", {count}" if count > 1 else ""


def _camel(title: str) -> str:
    words = re.findall(r"[A-Za-z0-9]+", title.replace("'", ""))
    return "".join(word.lower() if index == 0 else word.capitalize() for index, word in enumerate(words))[:80]
