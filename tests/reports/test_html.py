"""A report as HTML: one accessible file that loads nothing, and in which nothing from a record is markup.

| promise | test |
| --- | --- |
| the file loads nothing: no script, no image, no font, no address | test_asks_for_nothing |
| the security policy allows only the styles, and their hashes are right | test_policy |
| the file has no style attributes and no handlers | test_asks_for_nothing |
| well formed; one h1, headings in order; ids once; links lead somewhere | test_structure |
| landmarks, skip link, language, captions and scopes | test_accessible |
| tables have the content of the pictures | test_tables |
| battlefields are drawn at findings and disputes, at most ten, and at the end | test_boards, test_many_boards |
| hostile names are text | test_hostile, test_nothing_steers |
| the same record gives the same bytes | test_the_same_bytes |
| a long game is shortened to the important parts, and the report says so | test_long |
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise

import pytest

from daynight.game import Game
from daynight.pictures import STYLE
from daynight.reports.sections.course import TURNS
from daynight.reports.sections.event_log import AROUND, EVENTS, NEAR
from tests.behaviour.games import EVERY_TYPE
from tests.documents import ROOT
from tests.reports.looking import HOSTILE, Seen, game_of, page, seen
from tests.rules.judges import argues, back_up, claim, claim_face, claim_tally, closes, opens, ruled, rules_on
from tests.rules.placing import control, enter
from tests.rules.turning import forbid
from tests.rules.wolves import RUFFIAN
from tests.rules.words import cast, doubt, effect, started, turn, untap
from tests.sampling import sampled

GAMES = sorted((ROOT / "examples/games").glob("*.jsonl"))


def loaded() -> list[Game]:
    """Return the games of the tests: the demo, one with every type of event, and the examples."""
    return [Game.load("demo"), Game(EVERY_TYPE), *(Game.load(path) for path in GAMES)]


@pytest.fixture(scope="module", params=sampled(["demo", "every type", *(path.stem for path in GAMES)], 4))
def found(request: pytest.FixtureRequest) -> Seen:
    """The parsed HTML report of one of the games that `loaded` returns."""
    index = ["demo", "every type", *(path.stem for path in GAMES)].index(request.param)
    return seen(page(loaded()[index]))


@pytest.mark.wide(but=2)
def test_asks_for_nothing(found):
    """No tag or attribute makes a browser load or execute anything."""
    tags = {tag for tag, _attrs in found.tags}
    assert not tags & {"script", "img", "image", "link", "iframe", "object", "embed", "form", "base", "audio", "video"}
    names = {name for _tag, attrs in found.tags for name in attrs}
    assert not {name for name in names if name.startswith("on")} | names & {"style", "src", "srcset", "action", "ping"}
    for name in ("href", "xlink:href"):
        assert all(value.startswith("#") for value in found.values(name))
    assert not re.search(r"url\(\s*[^#)\s]|@import|@font-face", "".join(found.styles))
    assert all(value == "http://www.w3.org/2000/svg" for value in found.values("xmlns"))


def policy_of(found: Seen) -> str:
    """Return the content security policy of a page."""
    (policy,) = (
        a["content"] for t, a in found.tags if t == "meta" and a.get("http-equiv") == "Content-Security-Policy"
    )
    return policy or ""


@pytest.mark.wide(but=2)
def test_policy(found):
    """The policy comes before every style, and allows the hash of each style and nothing else."""
    policy = policy_of(found)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    hashes = {f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" for style in found.styles}
    assert hashes == set(re.findall(r"'sha256-[^']+'", policy))
    assert 2 == len(hashes)
    assert STYLE in found.styles
    tags = [(tag, attrs.get("http-equiv")) for tag, attrs in found.tags]
    assert tags.index(("meta", "Content-Security-Policy")) < [tag for tag, _ in tags].index("style")


def test_structure(found):
    """Tags are nested correctly, ids unique, heading levels in order with one h1, and links and labels have targets."""
    assert [] == found.wrong
    assert len(found.ids) == len(set(found.ids))
    levels = [level for level, _words in found.headings]
    assert (1, 1) == (levels[0], levels.count(1))
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(words.strip() for _level, words in found.headings)
    named = {id for value in found.values("aria-labelledby") for id in value.split()}
    assert named | {value[1:] for value in found.values("href")} <= set(found.ids)


def test_accessible(found):
    """The page has its language, one of each landmark, a skip link first, and a caption and scopes in each table."""
    tags = [tag for tag, _attrs in found.tags]
    assert "en" == dict(found.tags)["html"]["lang"]
    assert [1, 1, 1, 1] == [tags.count(tag) for tag in ("header", "main", "footer", "nav")]
    assert "skip" == next(attrs["class"] for tag, attrs in found.tags if tag == "a")
    assert tags.count("table") == tags.count("caption")
    assert {"col", "row"} >= {attrs.get("scope") for tag, attrs in found.tags if tag == "th"}
    assert tags.index("title") < tags.index("body")
    assert {"img"} == {attrs.get("role") for tag, attrs in found.tags if tag == "svg"}


def test_tables():
    """The demo has two "Show as table": one with a row for a turn, one with a row for a permanent."""
    text = seen(page(Game.load("demo"))).text
    assert 2 == text.count("Show as table")
    assert "21 Seat A night Seat A: 1, Seat B: 0 e122" in text
    assert "Brutal Cathar (brutal-cathar-2) Brutal Cathar Seat A front face" in text
    assert 0 == seen(page(game_of())).text.count("Show as table")


def titles(found: Seen) -> list[str]:
    """Return the events of the drawn battlefields, in order; each is drawn twice, for wide and narrow windows."""
    drawn = re.findall(r"the battlefield after event (\d+)", " ".join(found.text.split()))
    return [one for one, again in zip(drawn[::2], drawn[1::2], strict=True) if one == again]


def test_boards():
    """A battlefield with permanents is drawn for the end, and once for each event of a finding or a dispute's `about`.

    If the finding is about a ruling, the battlefield before that ruling is drawn.
    """
    assert ["122", "160"] == titles(seen(page(Game.load("demo"))))
    # Four findings, one of them a ruling: drawn is the battlefield before it.
    game = Game.load(GAMES[[path.stem for path in GAMES].index("dispute")])
    about = {finding.event - (finding.about == "ruling") for finding in game.audit().findings}
    assert [*map(str, sorted(about)), str(len(game))] == titles(seen(page(game)))
    # A dispute without a finding; and an empty battlefield.
    wolf = [started(), turn(1), enter("w1"), opens(about=3), opens("d2", about=2)]
    assert ["3", "5"] == titles(seen(page(Game(wolf))))


def test_many_boards():
    """Of 17 disputed events the first ten have a drawn battlefield, and so has the end."""
    wolf = [started(), turn(1), enter("w1")]
    wolf += [opens(f"d{number}", about=number) for number in range(3, 20)]
    assert [*map(str, range(3, 13)), "20"] == titles(seen(page(Game(wolf))))


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("name", sampled(HOSTILE, 3))
def test_hostile(name):
    """A hostile name is shown literally at all places, and the page has the same tags as with the name N."""
    game = {"game": name, "players": [name, "Bo"]}
    happenings = [
        enter("w1", RUFFIAN, controller=name), enter(name, {"card": name}, controller=name), turn(1, name), cast(name),
        forbid(name, "w1"), control("Bo", name), claim("night") | {"by": name, "note": name},
        claim_face("w1", "back") | {"by": name}, claim_tally(name, 7) | {"by": name},
        ruled("night") | {"by": name}, doubt(name, 0, 1), opens(name) | {"by": name},
        argues(name, "day", says=name) | {"by": name}, rules_on(name) | {"by": name, "says": name},
        closes(name) | {"by": name}, turn(2, "Bo"), untap(), effect("day") | {"source": name},
        back_up(3) | {"by": name},
    ]  # fmt: skip
    record = Game([started() | game, *happenings])
    harmless = seen(page(Game(_renamed([started() | game, *happenings], name, "N"))))
    found = seen(page(record))
    assert _shape(harmless) == _shape(found)
    assert [] == found.wrong
    assert (1, name) in found.headings
    assert found.text.count(" ".join(name.split())) >= 10
    test_asks_for_nothing(found)


def _shape(found: Seen) -> list[str]:
    """Return the tags of the page without those inside pictures, which depend on the length of a name."""
    return [tag for tag, _attrs in found.tags if tag not in ("tspan", "text", "rect", "path", "line", "g", "title")]


def _renamed(events, name, other):
    spelled = json.dumps(name)
    return [json.loads(json.dumps(event).replace(spelled, json.dumps(other))) for event in events]


def test_nothing_steers():
    """Control and bidi characters and line feeds of a note are escaped, so that it is one line."""
    game = Game([started() | {"note": "a\x1b[31mb\x07 \u202ec\u2066 \n\u2028d"}])
    found = page(game)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", found)
    assert r"a\u001b[31mb\u0007 \u202ec\u2066 \u000a\u2028d" in found


def test_a_long_note():
    """A long note is printed completely."""
    note = "word " * 3000 + "end"
    assert note in seen(page(Game([started() | {"note": note}]))).text


@pytest.mark.slow
def test_the_same_bytes():
    """Another process, with other string hashes, time zone and locale, makes the same bytes in all three formats."""
    script = (
        "import hashlib\nfrom daynight import Game\nfrom daynight.reports import FORMATS, rendered, report\n"
        "found = report(Game.load('demo'))\n"
        "print(*[hashlib.sha256(rendered(found, form).encode()).hexdigest() for form in FORMATS])"
    )
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    ran = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo", "LANG": "C"},
    ).stdout  # fmt: skip
    here = [sha256(page(Game.load("demo"), form).encode()).hexdigest() for form in ("html", "markdown", "json")]
    assert " ".join(here) + "\n" == ran


@pytest.mark.slow
def test_long():
    """The log of a long game has its beginning, its end, the events around the finding, and all targets of links."""
    turns = [event for number in range(1, 1200) for event in (turn(number), untap(), cast())]
    game = game_of(effect("day"), *turns[:2400], claim("night"), *turns[2400:])
    found = seen(page(game))
    entries = [int(id[1:]) for id in found.ids if re.fullmatch(r"e\d+", id)]
    assert len(game) > EVENTS
    assert len(entries) < 4 * AROUND + 3 * NEAR + 60
    assert {1, 2, AROUND + 1, 2403 - AROUND, 2403, 2403 + AROUND, len(game) - AROUND, len(game)} <= set(entries)
    assert sorted(entries) == entries
    assert {int(value[2:]) for value in found.values("href") if re.fullmatch(r"#e\d+", value)} <= set(entries)
    assert f"The record has {len(game)} events; this page shows those around the findings" in found.text
    assert f"events {AROUND + 2} to" in found.text
    assert f"the table has the turns in which something changed, at most {TURNS}" in found.text
    assert "left out" not in seen(page(game_of(*turns[:100]))).text


@pytest.mark.slow
def test_events_that_are_not_told():
    """A reference to an event that the shortened log leaves out is a span; to another event it is a link."""
    far = [event for number in range(1, 402) for event in (turn(number), *[cast()] * 4, claim("day"))]
    found = seen(page(game_of(*far)))
    spans = [attrs for tag, attrs in found.tags if tag == "span" and attrs.get("class") == "e"]
    assert len(spans) > 100
    assert {value[1:] for value in found.values("href")} <= set(found.ids)
    assert not [attrs for tag, attrs in seen(page(Game.load("demo"))).tags if attrs.get("class") == "e" and tag != "a"]


@pytest.mark.wide
def test_the_whole_log_up_to_its_bound():
    """A game of exactly EVENTS events has all of them in the log."""
    game = game_of(*[effect("day")] * (EVENTS - 1))
    assert EVENTS == len([id for id in seen(page(game)).ids if re.fullmatch(r"e\d+", id)])
