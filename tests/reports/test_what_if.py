"""A report of a branch says that it is a what-if and no record; reports list and compare branches of branches.

| promise | test |
| --- | --- |
| title, facts and foot of every format say that it is a branch | test_a_branch, test_a_record |
| a branch may part before the first event | test_from_the_beginning |
| names of branches are not markup | test_hostile_names |
| for a branch of a branch, the parent may be given in any order | test_branches_of_branches |
| a branch does not fit if a branch in between was made from another record | test_of_another_record |
| a branch without its parent is refused, and the error names the parent to give | test_without_its_parent |
| with `known_as`, branches may name the record by its name in the store | test_known_as |
| stored branches are listed | test_kept, test_nothing_kept |
"""

from __future__ import annotations

import re

import pytest

from daynight.framework.edits import insert
from daynight.game import Game
from daynight.reports import BranchError, Given, KeptBranch, report
from tests.reports.looking import HOSTILE, NIGHT, document, game_of, headings, page, sections, seen
from tests.rules.judges import claim
from tests.rules.placing import enter
from tests.rules.wolves import RUFFIAN
from tests.rules.words import started

FOOT = "Derived from the log as recorded; the Head Judge decides."
SAID = "This is a what-if: b2, a branch of g1 after event 3, not what was recorded."


def parent() -> Game:
    """Return a record with a wrong claim."""
    return game_of(*NIGHT, claim("day"))


def branch_of(game: Game, name: str, at: int = 3) -> Game:
    """Return a branch of a game, with a spell more after event `at`, as if read from a file."""
    return Game(game.branch(insert(at, "ana casts"), name=name).record())


def test_a_branch():
    """Title, facts and foot of each format say that this is a what-if; the foot keeps its usual sentence."""
    branch = branch_of(parent(), "b2")
    html, text, found = seen(page(branch)), page(branch, "markdown"), document(branch)
    title = "What if: b2, a branch of g1"
    assert (1, title) == html.headings[0]
    assert f"# {title}" == headings(text)[0]
    assert 2 == html.text.count(SAID) == text.count(SAID)
    assert html.text.index(f"What if {SAID}") < html.text.index("The course of the game") < html.text.rindex(SAID)
    assert f"{SAID} {FOOT}" in html.text[-250:]
    assert f"{SAID}\n\n{FOOT}" in text[-250:]
    assert f"- **What if:** {SAID}" in text
    assert {"name": "b2", "game": "g1", "event": 3, "digest": branch.events[0].meta["branched_from"]["digest"],
            "sentence": SAID} == found["branched_from"]  # fmt: skip
    assert f"{SAID} {FOOT}" == found["foot"]
    assert f"<title>{title} · Ana against Bo</title>" in page(branch)


def test_a_record():
    """A record's report does not say "what-if", even if its first line has a wrong kind of `branched_from`."""
    for game in (parent(), Game([started() | {"meta": {"branched_from": "g1"}}, claim("day")])):
        assert "what-if" not in page(game) + page(game, "markdown")
        assert (1, "g1") == seen(page(game)).headings[0]
        assert (None, FOOT) == (document(game)["branched_from"], document(game)["foot"])


def test_from_the_beginning():
    """Of a branch that parts at event 0 the report says "from before its first event"."""
    meta = {"branch": "b2", "branched_from": {"game": "g1", "event": 0, "digest": "0" * 64}}
    text = page(Game([started() | {"meta": meta}]), "markdown")
    assert "This is a what-if: b2, a branch of g1 from before its first event, not what was recorded." in text
    assert "event 0" not in text


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names(name):
    """Hostile names of a branch and its game are shown literally, braces too, and make no element."""
    meta = {"branch": name, "branched_from": {"game": name, "event": 1, "digest": "0" * 64}}
    found = seen(page(Game([started() | {"meta": meta}])))
    assert [] == found.wrong
    assert f"This is a what-if: {name}, a branch of {name} after event 1," in found.text
    assert not {"script", "img"} & {tag for tag, _attributes in found.tags}


def test_branches_of_branches():
    """Branches of branches, given in any order, are compared with the record, and name the branch that they part from.

    `parents` gives a branch that is needed as a parent, without listing it.
    """
    game = parent()
    first = branch_of(game, "b1")
    second = branch_of(first, "b2", 4)
    third = branch_of(second, "b3", 5)
    told = Given("3", third), Given("1", first), Given("2", second)
    found = document(game, branches=told)["branches"]
    assert [("b3", "g1/b1/b2", 5, True), ("b1", None, 3, True), ("b2", "g1/b1", 4, True)] == [
        (one["name"], one["parent"], one["parted"], one["fits"]) for one in found
    ]
    # Two more spells have the same effect as one, except for their number.
    assert {"day"} == {difference["right"] for one in found for place in one["differences"]
                       for difference in place["differences"] if difference["about"] == "designation"}  # fmt: skip
    text = seen(page(game, branches=told)).text
    assert "Parts after e5 of g1/b1/b2" in text
    assert "Parts after e3 V" in text
    assert found[:1] == document(game, branches=told[:1], parents=told[1:])["branches"]


def test_of_another_record():
    """If a branch was made from another version of the record, `fits` is False for it and for a branch of it."""
    first = branch_of(parent(), "b1")
    second = branch_of(first, "b2", 4)
    game = game_of(enter("w2", RUFFIAN), *NIGHT[1:])
    found = document(game, branches=[("2", second), ("1", first)])["branches"]
    assert [False, False] == [one["fits"] for one in found]


def test_without_its_parent():
    """BranchError asks for the missing parent; for a branch of another game it names both games."""
    second = branch_of(branch_of(parent(), "b1"), "b2", 4)
    sentence = "2: it was branched from 'g1/b1', a branch of 'g1'; give that one with --branch as well"
    with pytest.raises(BranchError, match=re.escape(sentence)):
        report(parent(), branches=[("2", second)])
    sentence = "2: it was branched from 'g1/b1', not from 'g2'"
    other = Game([started() | {"game": "g2"}])
    with pytest.raises(BranchError, match=re.escape(sentence)):
        report(other, branches=[("2", second)])
    # A sibling is not the parent, though both name the same game.
    first = branch_of(parent(), "b1")
    with pytest.raises(BranchError, match=re.escape("x: it was branched from 'g1', not from 'g1/b1'")):
        report(first, branches=[("x", branch_of(parent(), "b9"))])


def test_known_as():
    """A branch whose parent is named "friday" needs `known_as="friday"`; otherwise BranchError is raised."""
    game = parent()
    first, *others = branch_of(game, "b1").events
    meta = {**first.meta, "branched_from": {**first.meta["branched_from"], "game": "friday"}}
    branch = Game([started() | {"meta": meta}]).extended(others)
    assert [None] == [one["parent"] for one in document(game, branches=[("b", branch)], known_as="friday")["branches"]]
    with pytest.raises(BranchError, match="'friday'"):
        report(game, branches=[("b", branch)])


def test_kept():
    """Each stored branch has its parent, the event after which it parts and its length; a changed parent is marked."""
    kept = [KeptBranch("g1/b", "b", "g1", 3, 7, True), KeptBranch("g1/b/c", "c", "g1/b", 5, 9, False)]
    text = seen(page(parent(), kept=kept)).text
    assert "g1/b g1 e3 7" in text
    assert "g1/b/c g1/b (not as it is now) e5 9" in text
    assert "What if: branches of this record" in sections(parent(), kept=kept)
    assert [one.document() for one in kept] == document(parent(), kept=kept)["kept"]


def test_nothing_kept():
    """Without stored branches there is no table of them."""
    assert [] == document(parent())["kept"]
    assert "Kept beside" not in page(parent())
