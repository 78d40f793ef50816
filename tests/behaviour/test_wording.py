"""Every sentence for readers is translated at the moment when it is made.

An artificial language finds untranslated text: it replaces every letter and keeps placeholders and punctuation. English
letters in the output were not translated; names, cards and ids in these tests have no small letters.
"""

import gettext
import re
from zlib import crc32

import pytest

from daynight.cli.commands import run
from daynight.events import Designation, RecordError
from daynight.framework.language import wording
from daynight.framework.language.wording import _, counted, speak
from daynight.framework.positions import PositionError
from daynight.game import Game
from daynight.projections.transcript import told
from tests.behaviour.games import EVERY_TYPE, kept
from tests.oracle.vocabulary import STEPS
from tests.rules.judges import back_up, claim, claim_face, claim_tally, ruled
from tests.rules.turning import transform
from tests.rules.words import cast, doubt, effect, ended, joined, said, started, step, turn, untap, upkeep

WORD = re.compile("[A-Za-z]*[a-z][a-z]+")
LETTERS = re.compile(r"(\{\w*\})|[A-Za-z]")


class Nowhere(gettext.NullTranslations):
    """An artificial language with a single letter."""

    def gettext(self, message):
        """Return the message with every letter replaced; placeholders stay."""
        return LETTERS.sub(lambda found: found[1] or "ø", message)

    def ngettext(self, msgid1, msgid2, n):
        """Return the singular or the plural, with every letter replaced."""
        return self.gettext(msgid1 if n == 1 else msgid2)


class Quoted(gettext.NullTranslations):
    """English with every sentence in quotation marks."""

    def gettext(self, message):
        """Return the message in quotation marks."""
        return f"«{message}»"

    def ngettext(self, msgid1, msgid2, n):
        """Return the singular or the plural in quotation marks."""
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture
def nowhere():
    """Use the artificial language in the test, and English again afterwards."""
    speak(Nowhere())
    yield
    speak(gettext.NullTranslations())


@pytest.fixture
def quoted():
    """Use quotation marks in the test, and none afterwards."""
    speak(Quoted())
    yield
    speak(gettext.NullTranslations())


def foreign(event):
    """The event with names that have no small letters."""
    names = {"Ana": "A", "Bo": "B", "Cy": "C", "Jo": "J", "a sentence": "S"}

    def changed(value, key=""):
        if isinstance(value, dict):
            return {k: v if k == "meta" else changed(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [changed(one, key) for one in value]
        if key in ("card", "source", "name", "game", "to", "says"):
            return value if isinstance(value, int) else str(value).upper()
        return names.get(value, value) if isinstance(value, str) else value

    return changed(event)


FACE = {"name": "W1", "keywords": ["daybound"], "types": ["Creature"]}
BACK = {"name": "W2", "keywords": ["nightbound"], "types": ["Creature"]}
OLD = {"name": "O1", "types": ["Creature"]}, {"name": "O2", "types": ["Creature"]}


def werewolf(id, front=FACE, back=BACK, **more):
    """Return a double-faced permanent that player A controls."""
    return {"id": id, "card": id.upper(), "controller": "A", "double_faced": True, "front": front, "back": back} | more


def enters(*permanents):
    """Return the event that these permanents enter together."""
    return said("permanents-entered", permanents=list(permanents))


WATCHER = {"id": "v1", "card": "V1", "controller": "A", "front": {"name": "V1", "watches": True}}
GAME = [foreign(event) for event in (
    started(),
    turn(1),
    enters(werewolf("w1"), WATCHER, werewolf("o1", *OLD)),
    turn(2, "Bo"), untap(), upkeep(),
    transform("w1", "o1"),
    enters(werewolf("w3")),
    transform("o1", own_since=6),
    said("transform-forbidden", permanents=["o1"], source="X"),
    transform("o1"),
    cast("Bo"), cast("Bo") | {"card": "OPT"},
    turn(3), untap(), *[step(name) for name in STEPS if name != "untap"],
    transform("w1"),
    claim("night"), claim_face("w1", "back"), claim_tally("Bo", 1, 2), claim_tally("Bo", 1), ruled("night"),
    claim("neither"), claim_face("w1", "front"), claim_face("w3", "front"), claim_face("o1", "front"),
    doubt("Ana", 0, 1), doubt("Ana", 1), claim_tally("Ana", 1), claim_tally("Ana", 0),
    turn(4, "Bo"), untap(), claim("day"), claim_face("w1", "front"),
    back_up(31), effect("day", "night"), ended(),
)]  # fmt: skip
"""A game with many claims, mostly wrong; names in it have no small letters."""

JOINED = [foreign(event) for event in (
    started(), joined("day", "night"), enters(werewolf("w1")), turn(1), untap(), upkeep(),
    claim("neither"), claim("day"), claim_face("w1", "back"), turn(2, "Bo"),
)]  # fmt: skip


def words(*sentences):
    """The words of a text that have small English letters."""
    return [found for sentence in sentences for found in WORD.findall(sentence)]


def test_english_when_nobody_chose():
    """Without a chosen language the English sentence is used, in the singular or plural."""
    assert "it is day" == _("it is day")
    assert ["one", "many", "many"] == [counted("one", "many", number) for number in (1, 2, 0)]


def test_speak(quoted):
    """`speak` changes the language for all later sentences."""
    assert "«it is day»" == _("it is day")
    assert ["«one»", "«many»"] == [counted("one", "many", number) for number in (1, 2)]
    speak(gettext.NullTranslations())
    assert "it is day" == wording._("it is day")


def test_quoted(quoted):
    """Sentences of the transcript are in quotation marks; those of why and audit begin with one, a refusal has some."""
    game = Game(EVERY_TYPE)
    for line in told(game.moments()):
        for sentence in (line.sentence, *line.consequences):
            assert "«»" == sentence[0] + sentence[-1], sentence
    assert game.why().sentence.startswith("«")
    audit = Game(GAME).audit()
    assert all(finding.sentence.startswith("«") for finding in (*audit.findings, *audit.unsettled))
    with pytest.raises(RecordError, match=r"33: \$.player: «no player 'Anna'; players are Ana«, »Bo«, »Cy»$"):
        game.what_if(32, [claim_tally("Anna", 1)])


@pytest.mark.parametrize(
    "record", [GAME, JOINED, [foreign(event) for event in EVERY_TYPE]], ids=["game", "joined", "every type"]
)
def test_transcript(nowhere, record):
    """The transcript's sentences about events and consequences are translated."""
    found = [*told(Game(record).moments())]
    ids = {"w1", "v1", "o1", "b1", "w3", "d1"}
    for line in found:
        assert [] == [word for word in words(line.sentence, *line.consequences) if word not in ids], line


def test_why(nowhere):
    """The answer of why is translated at every moment."""
    for record in (GAME, JOINED):
        game = Game(record)
        for number in range(1, len(game) + 1):
            why = game.why(number)
            assert [] == words(why.sentence, why.almost or ""), number


def test_audit(nowhere):
    """Every finding is translated, and every claim that the uncertain record does not settle."""
    for record in (GAME, JOINED):
        audit = Game(record).audit()
        assert audit.findings
        assert audit.unsettled
        for finding in (*audit.findings, *audit.unsettled):
            assert [] == words(finding.sentence), finding


@pytest.mark.parametrize("event", [
    "{", "[]", "", b"\xff", b"\xef\xbb\xbf{}", '{"type": 1}', "{}", '{"type": "X"}', '{"type": "spell-cast.9"}',
    '{"type": "turn-began", "turn": NaN}', '{"type": "turn-began", "turn": 1, "turn": 2}',
    '{"type": "turn-began", "turn": -1, "active": []}', '{"type": "turn-began", "turn": null, "active": []}',
    "[" * 100 + "]" * 100, cast("X"), turn(1), claim_tally("A", 1, 9), ruled("X"), back_up(99), started(),
    joined("day"), turn(9), {"type": "turn-began", "turn": 9, "active": []}, cast("A\u202e"),
    cast("A") | {"at": "X"}, said("permanents-left", permanents=["X"]), doubt("A", 2, 1), doubt("A", -1),
    said("permanents-left", permanents=["w1", "w1"]), enters(werewolf("w1")), cast(""), cast("X" * 201),
], ids=lambda event: f"{crc32(repr(event).encode()):08x}")  # fmt: skip
def test_refusals(nowhere, event):
    """The sentences of refusals are translated; the tags, fields and paths in them are not."""
    game = Game(GAME[:8])
    with pytest.raises(RecordError) as error:
        game.record(event)
    sentence = re.sub(r"\$[.\w\[\]]+|`[^`]*`|'[^']*'|[a-z]+(-[a-z]+)+(\.\d)?|[a-z]+_[a-z]+", "", error.value.sentence)
    own = {"type", "player", "active", "turn", "card", "spell", "note", "meta", "at", "object", "array", "string"}
    own |= {"number", "null", "str", "int"}
    if event == ruled("X"):
        own |= {*map(str, Designation)}  # the values that may be written, in the language of records
    assert "ø" in sentence
    assert [] == [word for word in words(sentence) if word not in own]


def test_positions(nowhere):
    """The error about an unknown position is translated, except for the words of positions, like `untap`."""
    game = Game(GAME)
    for position, kind in (("turn:99", Exception), ("e99", Exception), ("x", PositionError)):
        with pytest.raises(kind, match="ø") as error:
            game.at(position)
        assert [] == [word for word in words(str(error.value)) if word not in ("turn", "untap")]


@pytest.mark.wide(but=2)
@pytest.mark.parametrize(
    "command", [["replay"], ["audit"], ["show"], ["why"], ["why", "--at", "17"], ["replay", "--at", "1"]], ids=" ".join
)
def test_screens(nowhere, tmp_path, monkeypatch, capsys, command):
    """Headings, legends and footers of the command line are translated too."""
    monkeypatch.chdir(tmp_path)
    for name, record in (("G", GAME), ("J", JOINED)):
        kept(tmp_path / name, record)
        assert run([command[0], name, *(["--at", "5"] if name == "J" and len(command) > 1 else command[1:])]) in (0, 1)
        printed = capsys.readouterr().out
        # Names of sources and printed commands are not translated.
        printed = "\n".join(line for line in printed.splitlines() if not line.startswith(("  [ø", "    daynight ")))
        keywords = {"daybound", "nightbound"}
        assert [] == [word for word in words(printed) if word not in keywords], printed
