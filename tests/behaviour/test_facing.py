"""Why a permanent shows its face: the face, the event since when, and the rule."""

import pytest

from daynight.framework.language.errors import NotFoundError
from daynight.questions.facing import facing
from tests.behaviour.games import told
from tests.rules.judges import ruled
from tests.rules.placing import enter, leave, lose, regain
from tests.rules.turning import face_down, face_up, transform
from tests.rules.wolves import OLD_WEREWOLF
from tests.rules.words import doubt, effect, joined, turn, untap, upkeep

BEAR = {"card": "Bear"}


def why(*events, id="w1", at=None):
    """The answer why permanent `id` shows its face after event `at`, or at the end, in a game of Ana and Bo."""
    game = told(*events)
    return facing(game, len(game) if at is None else at, id, "2024-06-07")


def test_the_document():
    """The document's fields in their order: those of why, with permanent and face in place of the designation."""
    found = why(enter("w1"), effect("night")).document()
    assert [
        "event", "permanent", "card", "face", "face_down", "since", "rule", "cr", "because", "sources", "almost",
        "almost_edit", "sentence", "short",
    ] == [*found]  # fmt: skip
    assert {
        "event": 3, "permanent": "w1", "card": "Tavern Ruffian", "face": "back", "face_down": False, "since": 3,
        "rule": "daybound-as-night", "cr": "702.145b", "because": [3],
        "almost": "Without event 3 Tavern Ruffian would show its front face.",
        "almost_edit": {"edits": [{"at": 3, "drop": True}], "options": ["--drop", "e3"]},
    } == {key: value for key, value in found.items() if key not in ("sources", "sentence", "short")}  # fmt: skip
    assert "Comprehensive Rules 2024-06-07, 702.145b" == found["sources"][0]["source"]
    assert (
        found["sentence"]
        == str(why(enter("w1"), effect("night")))
        == (
            "Tavern Ruffian (w1) shows its back face, Tavern Smasher. It transformed as it became night, at event 3"
            " (CR 702.145b). It has been night since event 3: an effect made it so (CR 728.1)."
        )
    )


@pytest.mark.parametrize("events, face, since, rule, because, says", [
    ((enter("w1"),), "front", 2, None, (2,), "It has shown that face since event 2: nothing has turned it over."),
    ((effect("night"), enter("w1")), "back", 3, "daybound-enters", (3,), "It entered at event 3 while"),
    ((enter("w1", OLD_WEREWOLF), transform("w1")), "back", 3, "transforms", (3,), "told to transform at event 3"),
    ((enter("w1"), effect("night"), effect("day")), "front", 4, "nightbound-as-day", (4,), "as it became day"),
    ((effect("night"), enter("w1", without_abilities="Humility"), regain("w1", source="Humility")),
     "back", 4, "daybound-at-night", (4,), "It had daybound by night and so transformed at once, at event 4"),
    ((enter("w1", face_down=True),), "front", 2, None, (2,), "is face down, and shows neither of its faces."),
    ((enter("w1", BEAR), face_down("w1")), "front", 3, None, (3,), "is face down, and shows neither of its faces."),
    ((enter("w1", BEAR), face_down("w1"), face_up("w1")), "front", 4, None, (4,),
     "It has shown that face since event 4: nothing has turned it over."),
    ((enter("w1"), ruled("night")), "back", 3, "daybound-as-night", (3,), "a judge ruled so"),
    ((enter("w1"), turn(1), turn(2, "Bo"), upkeep()), "back", 5, "daybound-as-night", (5,),
     "Turn 2's untap step is not written down"),
])  # fmt: skip
def test_how(events, face, since, rule, because, says):
    """The cause of a face: it entered so, followed day or night, was instructed to, or never transformed."""
    found = why(*events)
    assert (face, since, rule, because) == (found.face, found.since, found.rule, found.because)
    assert says in found.sentence


def test_what_does_not_care():
    """The answer about a permanent without daybound or nightbound does not mention day and night."""
    found = why(effect("night"), enter("w1", OLD_WEREWOLF))
    assert "night" not in found.sentence


OPEN = (enter("w1"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap())


def test_uncertain():
    """If the face or only its event is uncertain, `since` and `rule` are None, and `because` has all candidates."""
    found = why(*OPEN)
    assert (None, None, None, (2, 6)) == (found.face, found.since, found.rule, found.because)
    assert found.sentence.startswith(
        "The record leaves open which face of Tavern Ruffian (w1) is up: either nothing has turned it over since"
        " event 2, or it transformed as it became night, at event 6 (CR 702.145b)."
    )
    found = why(*OPEN, ruled("night"))
    assert ("back", None, None, (6, 7)) == (found.face, found.since, found.rule, found.because)


def test_at():
    """The question can be asked of any moment; later events do not affect the answer."""
    events = (enter("w1"), effect("night"), lose("w1"), leave("w1"))
    assert ["front", "back"] == [why(*events, at=at).face for at in (2, 3)]
    with pytest.raises(NotFoundError, match="no permanent 'w1' on the battlefield after event 5; there: none"):
        why(*events)
    with pytest.raises(NotFoundError, match=r"no permanent .w2. .* after event 3; there: w1"):
        why(*events, id="w2", at=3)
    assert "front" == why(joined("day"), enter("w1")).face
