"""The reasons in findings and explanations: a rule if all possibilities agree on it, else what the record leaves open.

| promise | test |
| --- | --- |
| rule, event and cause are named only if every possibility agrees | test_never_one_history |
| a face's cause is named likewise; merged possibilities keep their different causes | test_faces, test_after_a_merge |
| a state that holds only by a ruling is marked "as ruled" | test_as_ruled |
| a cast by a player who was not active is named as "does not count" | test_uncounted |
| a reason in an unwritten untap step says so | test_not_written_down |
| each of three possible designations has its cause, also if two have the same one | test_ways_of_three_designations |
| a designation that may still be neither has its own sentence in every language | test_neither_or_day |
"""

import pytest

from daynight.languages.speaking import speaking
from daynight.referee import alternatives
from daynight.referee.parts import PARTS
from tests.behaviour.games import told
from tests.rules.judges import back_up, claim, claim_face, opens, ruled
from tests.rules.placing import enter
from tests.rules.turning import transform
from tests.rules.wolves import OLD_WEREWOLF
from tests.rules.words import cast, doubt, effect, joined, restarted, turn, untap, upkeep

OPEN = (enter("w1"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap())
"""Day since event 2; at event 6 it becomes night if Ana cast no spell in turn 1, and w1 transforms."""


def the_finding(*events):
    """The only finding in the audit of a game of Ana and Bo that is not marked as undone."""
    (finding,) = (one for one in told(*events).audit().document()["findings"] if "undone" not in one)
    return finding


def of_the_claim(*events):
    """The finding about the last event; an earlier ruling may have one of its own."""
    return told(*events).audit().document()["findings"][-1]


OPENED = "The record leaves open since when: either "


@pytest.mark.parametrize("events, because, says", [
    # Day by the ruling, or day all along.
    ((*OPEN, ruled("day"), claim("night")), [2, 7], OPENED + "since event 2: it was neither day nor night, and a"),
    # Night by the check, or by the ruling.
    ((*OPEN, ruled("night"), claim("day")), [3, 4, 7], OPENED + "since event 6, turn 2: Ana, active in turn 1"),
    # From the beginning of the record, or by the effect.
    ((joined("day", "night"), effect("day"), claim("night")), [2, 3],
     OPENED + "from the beginning of the record, or since"),
    ((joined("day", "night"), claim("neither")), [2], "the record leaves it open: it may be day or night."),
])  # fmt: skip
def test_never_one_history(events, because, says):
    """If possibilities differ in rule and cause, no rule is named, all events are, and a sentence says what is open."""
    finding = the_finding(*events)
    assert (None, None, because) == (finding["rule"], finding["cr"], finding["because"])
    assert says in finding["sentence"]


@pytest.mark.parametrize("events, rule, because", [
    # The same change in all possibilities.
    ((*OPEN, turn(3), untap(), turn(4, "Bo"), upkeep(), effect("day"), effect("night"), claim("day")),
     "becomes", [12]),
    # From neither or from night: the effect made it day.
    ((joined("neither", "night"), effect("day"), claim("night")), "becomes", [3]),
    ((joined("day"), claim("night")), None, [2]),
    ((claim("night"),), "no-designation", [1]),
    ((effect("day"), restarted(), claim("night")), "no-designation", [3]),
])  # fmt: skip
def test_the_same_in_all(events, rule, because):
    """A rule or an event that is the same in all possibilities is named."""
    finding = the_finding(*events)
    assert (rule, because) == (finding["rule"], finding["because"])
    assert "leaves open" not in finding["sentence"]


HOW = "The record leaves open how it came to that: either "


@pytest.mark.parametrize("events, derived, because, says", [
    ((*OPEN, ruled("night"), claim_face("w1", "front")), "back", [6, 7],
     HOW + "it transformed as it became night, at event 6 (CR 702.145b), or it transformed as it became night, at"
     " event 7"),
    ((*OPEN, ruled("day"), claim_face("w1", "back")), "front", [2, 7],
     HOW + "nothing has turned it over since event 2, or it transformed as it became day, at event 7 (CR"
     " 702.145e)."),
    ((joined("day", "night"), enter("w1"), effect("night"), claim_face("w1", "front")), "back", [3, 4],
     HOW + "it entered at event 3 while it was night, and what has daybound"),
])  # fmt: skip
def test_faces(events, derived, because, says):
    """A face's rule is not named either if possibilities differ."""
    finding = the_finding(*events)
    assert (derived, None, None, because) == tuple(finding[key] for key in ("derived", "rule", "cr", "because"))
    assert says in finding["sentence"]


def test_a_face_that_came_about_in_one_way():
    """A face with a single cause names it, although the designation has several possible causes."""
    events = (*OPEN, enter("o1", OLD_WEREWOLF), transform("o1"), ruled("night"), claim_face("o1", "front"))
    finding = the_finding(*events)
    assert ("transforms", [8]) == (finding["rule"], finding["because"])
    assert "It was told to transform at event 8 (CR 701.28)." in finding["sentence"]
    assert "leaves open how" not in finding["sentence"]


def test_after_a_merge(monkeypatch):
    """After possibilities were merged, both events at which a permanent may have transformed are in `because`."""
    monkeypatch.setattr(alternatives, "APART", 0)
    game = told(*OPEN, ruled("night"), turn(3), untap(), claim_face("w1", "front"))
    assert 1 == len(game.state.possibilities)
    finding = game.audit().document()["findings"][-1]
    assert (None, [6, 7]) == (finding["rule"], finding["because"])
    assert HOW in finding["sentence"]


@pytest.mark.parametrize("events, says, not_", [
    ((effect("day"), ruled("night"), claim("day")), "as ruled it is night.", "by the rules it"),
    ((effect("night"), ruled("night"), claim("day")), "by the rules it is night.", "as ruled"),
    ((effect("night"), ruled("day"), ruled("night"), claim("day")), "as ruled it is night.", "by the rules it"),
    # The check happened only because of the ruling.
    ((effect("day"), ruled("night"), turn(1), cast(), cast(), turn(2, "Bo"), untap(), claim("night")),
     "as ruled it is day.", "by the rules it"),
    ((effect("day"), ruled("night"), turn(1), turn(2, "Bo"), untap(), claim("day")),
     "as ruled it is night", "by the"),
    ((effect("day"), ruled("night"), back_up(3), claim("day")), "by the rules it is night.", "as ruled"),
    ((joined("day", "night"), ruled("day"), turn(1), upkeep(), claim("neither")),
     "as ruled the record leaves it open: it may be day or night.", "by the rules the"),
    ((enter("w1"), ruled("night"), claim_face("w1", "front")),
     "as ruled its back face, Tavern Smasher, is up.", "by the"),
    ((enter("w1"), effect("night"), ruled("night"), claim_face("w1", "front")),
     "by the rules its back face, Tavern Smasher, is up.", "as ruled"),
    ((enter("w1"), enter("o1", OLD_WEREWOLF), ruled("night"), claim_face("o1", "back")),
     "by the rules its front face, Grizzled Outcasts, is up.", "as ruled its"),
])  # fmt: skip
def test_as_ruled(events, says, not_):
    """A state that holds, or began, only by a ruling is introduced by "as ruled", any other by "by the rules"."""
    sentence = of_the_claim(*events)["sentence"]
    assert says in sentence
    assert not_ not in sentence


def test_a_ruling_is_never_as_ruled():
    """A ruling is compared with the rules alone, so its finding never says "as ruled"."""
    sentence = of_the_claim(effect("day"), ruled("night"), ruled("night"))["sentence"]
    assert "by the rules it is day. It has been day since event 2: an effect made it so (CR 728.1)." in sentence


ONE, SEVERAL = "{} was cast in Bo's turn and does not count.", "{} were cast in Bo's turn and do not count."


def opt(player="Ana", card="Opt"):
    """A cast of a spell with a name."""
    return cast(player) | {"card": card}


@pytest.mark.parametrize("events, sentence", [
    ((effect("day"), turn(1, "Bo"), opt(), turn(2), untap()), ONE.format("Ana's Opt (e4)")),
    ((effect("day"), turn(1, "Bo"), cast(), turn(2), untap()), ONE.format("Ana's spell (e4)")),
    ((effect("day"), turn(1, "Bo"), opt(), opt(card="Shock"), turn(2), untap()),
     SEVERAL.format("Ana's Opt (e4) and Ana's Shock (e5)")),
    ((effect("day"), turn(1, "Bo"), *[cast()] * 5, turn(2), untap()),
     SEVERAL.format("Ana's spell (e4), Ana's spell (e5), Ana's spell (e6) and 2 more spells")),
    # The check that kept the night looked at that turn too.
    ((effect("night"), turn(1, "Bo"), opt(), opt(), turn(2), untap()),
     SEVERAL.format("Ana's Opt (e4) and Ana's Opt (e5)")),
    # It is still named long after the turn, because the state has been the same since.
    ((effect("day"), turn(1, "Bo"), opt(), turn(2), untap(), turn(3), untap(), turn(4), untap()),
     ONE.format("Ana's Opt (e4)")),
    ((effect("day"), turn(1, "Bo"), opt(), turn(2)), ONE.format("Ana's Opt (e4)")),
    # Casts of active players count, and turns that no check looked at are not mentioned.
    ((effect("day"), turn(1), opt(), turn(2, "Bo"), untap()), None),
    ((effect("day"), turn(1, "Bo"), opt(), effect("night")), None),
    ((effect("day"), turn(1, "Bo"), opt("Bo"), opt(), turn(2), untap()), None),
    ((turn(1, "Bo"), opt(), turn(2), untap()), None),
])  # fmt: skip
def test_uncounted(events, sentence):
    """Findings and `why` name the spells that the check did not count, because their players were not active."""
    for claimed in ("day", "night", "neither"):
        game = told(*events, claim(claimed))
        for said in (*[one["sentence"] for one in game.audit().document()["findings"]], game.why().sentence):
            assert (sentence is None) is ("not count" not in said), said
            assert sentence is None or said.count(sentence) == 1
    if sentence is not None and events[0]["becomes"] == "day":
        game = told(events[0], enter("w1"), *events[1:], claim_face("w1", "front"))
        (finding,) = game.audit().document()["findings"]
        assert "count." in finding["sentence"]


def test_a_copy_is_no_cast():
    """Copies and uncertain casts are not named among the spells that do not count."""
    events = (
        effect("day"), turn(1, "Bo"), doubt("Ana", 1, 1), {"type": "spell-copied", "player": "Ana", "card": "Opt"},
    )  # fmt: skip
    assert "not count" not in the_finding(*events, turn(2), untap(), claim("day"))["sentence"]


WRITTEN = "untap step is not written down; every turn has one unless it is skipped."


def test_not_written_down():
    """If the untap step of the reason is not written down, the sentence says so once, with the turn; else not."""
    events = (enter("w1"), turn(1), turn(2, "Bo"))
    found = told(*events, claim("day"), claim_face("w1", "front")).audit().document()["findings"]
    assert all(f"Turn 2's {WRITTEN}" in finding["sentence"] for finding in found)
    assert [1, 1] == [finding["sentence"].count("not written down") for finding in found]
    game = told(*events, upkeep(), turn(3), untap())
    assert f"Turn 2's {WRITTEN}" in game.why().sentence
    # Of several it is said once, for faces too.
    doubts = (effect("day"), enter("w1"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), doubt("Bo", 0, 1))
    game = told(*doubts, turn(3), upkeep(), claim("night"), claim_face("w1", "back"))
    assert "The untap steps of turns 2 and 3 are not written down; every turn" in game.why().sentence
    assert "The untap steps before events 7 and 9 are not written down; every" in game.audit().unsettled[-1].sentence
    assert 1 == game.why().sentence.count("written down")
    written = told(*events, untap(), claim("day"))
    assert "written down" not in the_finding(*events, untap(), claim("day"))["sentence"]
    assert "written down" not in written.why().sentence


def test_neither_or_day():
    """If it is neither or day, every language has a whole sentence; `policy` is there only if night is possible."""
    game = told(joined("neither", "day"), claim("night"))
    expected = {
        "en": "by the rules the record leaves it open: it may be day, or still neither day nor night.",
        "fr": "ne permet pas de trancher\u00a0: il peut faire jour, ou ne faire toujours ni jour ni nuit.",
        "ja": "ルール上は記録からは決まらない：昼かもしれず、まだ昼でも夜でもないかもしれない。",
    }
    for language, sentence in expected.items():
        with speaking(language):
            assert sentence in game.audit().findings[0].sentence
    why = game.why().document()
    assert "policy" not in why
    assert "the judge assumes" not in why["sentence"]
    assert "Either it is neither day nor night: so it was" in why["sentence"]
    assert "policy" not in game.document()
    dispute = told(joined("neither", "day"), opens()).disputes()[0].document()
    assert "policy" not in dispute["derived"]
    assert "policy" in told(joined("neither", "night")).why().document()


def test_more_ways_than_are_told():
    """Of more than four possible causes four are listed, and the text says that there are more."""
    events = [effect("day")]
    for number in range(1, 13, 2):
        events += [turn(number), doubt("Ana", 0, 1), turn(number + 1, "Bo"), untap(), cast("Bo")]
    events += [turn(13), turn(14, "Bo"), untap()]
    finding = the_finding(*events, claim("neither"))
    assert finding["sentence"].count("(CR 728.2a)") == 4
    assert finding["sentence"].endswith(", or in yet another way.")


def test_ways_of_three_designations():
    """Each of three possible designations has its cause in `ways`; a ruling for one of them is unsettled."""
    game = told(joined("neither", "night"), turn(1), untap(), ruled("day"))
    assert ["neither", "day", "night"] == [*game.at(4).possible]
    for part in (PARTS["designation"], PARTS["ruled"]):
        assert [2, 2, 4] == [way.event for way in part.of(game.at(4), None).ways]
    (left_open,) = game.audit().unsettled
    assert 5 == left_open.event
