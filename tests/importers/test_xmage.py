"""XMage's client log: its messages give a game, with claims about day, night and faces.

| promise | test |
| --- | --- |
| recorded games have the expected events and verdicts | test_recorded, test_verdicts |
| clocks of other languages, copied text and older formats are read | test_clocks, test_any_clock, test_older |
| text copied from the window is read | test_copied_text |
| claims come after arrivals and untap steps | test_an_arrival_before, test_before_an_arrival, test_untap_step |
| claims come after known effects | test_effect, test_activated |
| an unknown effect leads to no finding | test_uncaused |
| a rollback restores the turn's beginning; one after an XMage error gives no finding | test_rollback, test_restored |
| cards may arrive in one event; a returning card is a new object; clones copy | test_together, test_blink, test_clone |
| a card may enter with its back up | test_enters_as_its_back |
| copies of spells are no casts; adventures and face-down spells are casts | test_spells |
| phasing belongs to the untap step, which may be skipped or repeated | test_phasing, test_skipped, test_further |
| an attacker is controlled by the active player | test_stolen |
| players leave before or after the winner is named | test_players_leave |
| a token enters as a token, and a land with a back once | test_tokens, test_land_with_a_back |
| two cards may have ids with the same first three digits | test_same_digits |
| chat, card names and player names that imitate messages are not believed | test_chat, test_names |
| a log is recognised by its beginning, and a longer one as the same game | test_detect, test_kept_once |
"""

import json
import re
from html import unescape

import pytest

from daynight.events.language import decode
from daynight.framework.language.codec import encode
from daynight.framework.language.errors import UnreadableError
from daynight.game import Game
from daynight.importers.registry import detected
from daynight.keeping.sameness import Relation, compare
from tests.importers.xmage_logs import LOGS, Log, findings, read

NAMES = ["01-duel-day-night-day", "02-celestus-extra-turn-blink-rollback", "04-four-players-two-concede"]
NAMES += ["06-phased-out-as-night-falls", "07-brutal-cathar-enters-at-night"]
OTHERS = ["08-clock-fi", "08-clock-fr", "09-older-shapes"]
RUFFIAN, CATHAR, VANDAL = "{Tavern Ruffian#a11}", "{Brutal Cathar#ca7}", "{Brimstone Vandal#bad}"
ENTERED = ("id", "card", "controller")
PAIR = ("Ana", RUFFIAN), ("Bo", CATHAR)

needs_logs = pytest.mark.skipif(not LOGS.is_dir(), reason="the logs of engines belong into ../shared/engine-logs")


def recorded(name):
    return (LOGS / "xmage" / f"{name}.html").read_bytes()


def without_ids(events):
    """Return events as text, without the game's name and without the counter that follows a repeated id."""
    plain = (json.dumps({**each, "game": ""}, sort_keys=True) for each in events)
    return [re.sub(r'"([0-9a-f]{3})-\d+"', r'"\1"', each) for each in plain]


def day(log=None):
    """Return a log in which a werewolf enters on turn 3 and it becomes day."""
    return (log or Log()).turn().turn().turn().at("M1").creature("Ana", RUFFIAN).say("It has become day")


def claims(found):
    return [(event["type"], event.get("designation") or event["face"]) for event in found.events() if "by" in event]


@needs_logs
@pytest.mark.parametrize("name", NAMES)
def test_recorded(name):
    expected = (LOGS / "xmage" / f"{name}.expected.jsonl").read_text().splitlines()
    assert without_ids(read(recorded(name)).events()) == without_ids([json.loads(line) for line in expected])


@needs_logs
@pytest.mark.parametrize("name", NAMES + OTHERS)
def test_verdicts(name):
    found = read(recorded(name))
    many = {"01-duel-day-night-day": 2, "07-brutal-cathar-enters-at-night": 1}.get(name, 0)
    assert [each["rule"] for each in findings(found)] == ["daybound-enters"] * many
    assert ("known" in found.kinds) is (many > 0 or name.startswith("06"))
    assert name in OTHERS or many or Game(found.games[0].events).audit().verdict == "exact"


@needs_logs
def test_clocks():
    finnish, french = (read(recorded(name)).events() for name in OTHERS[:2])
    assert finnish[1:6] == french[1:6]
    assert [event["turn"] for event in finnish if event["type"] == "turn-began"] == [1, 7]


@pytest.mark.parametrize(
    "clock",
    ["14:13", "14.13", "14 h 13", "14h13", "14:13:45", "kl. 14.13", "14:13 ч.", "下午2:13", "2:13\u202fp.\u00a0m."],
)
def test_any_clock(clock):
    """With a clock in an unknown format, a log is recognised and has the same claims, also as copied text."""
    log = day().turn().turn().at("UN", "It has become night", RUFFIAN + " transforms into {Tavern Smasher#a22}")
    expected = claims(read(log))
    told = log.bytes().decode().replace("2:13&#8239;PM", clock)
    assert claims(read(told.encode())) == expected
    assert detected(told.encode()).name == "xmage"
    rows = (unescape(re.sub(r"<[^>]*>", "", row)) for row in told.split("<br>")[1:])
    copied = "\n".join(" ".join(row.split()) for row in rows).encode()
    assert claims(read(copied)) == expected
    assert detected(copied).name == "xmage"


@needs_logs
def test_older():
    events = read(recorded("09-older-shapes")).events()
    cast = [(event["player"], event.get("card")) for event in events if event["type"] == "spell-cast"]
    assert cast == [("Ana", "Soulfire Grand Master"), ("Bo", "Lightning Bolt"), ("Ana", "Fellwar Stone")]
    assert [event["turn"] for event in events if event["type"] == "turn-began"] == [7, 9, 10, 18]


def test_copied_text():
    text = """2:13 PM: TURN 1 for Ana (20 - 20)
        2:14 PM, T1.M1: Ana casts Tavern Ruffian [a11] from hand
        2:14 PM, T1.M1: Ana puts Tavern Ruffian [a11] from stack onto the Battlefield
        2:14 PM, T1.M1: It has become day
        2:14 PM: TURN 2 for Bo (20 - 20)
        2:14 PM: TURN 3 for Ana (20 - 20)
        2:15 PM, T3.UN: It has become day
        """.replace("        ", "")
    found = read(text.encode())
    assert claims(found) == [("face-claimed", "front"), ("designation-claimed", "day")]
    wrong = text.replace("UN: It has become day", "UN: It has become night")
    assert findings(read(wrong.encode())) == []


def test_an_arrival_before():
    found = read(day())
    assert claims(found) == [("face-claimed", "front"), ("designation-claimed", "day")]
    assert findings(found) == []


def test_before_an_arrival():
    log = Log().turn().at("M1", f"Ana casts {VANDAL} from hand", "It has become day")
    found = read(log.say(f"Ana puts {VANDAL} from stack onto the Battlefield"))
    assert found.tags()[-2:] == ["permanents-entered", "designation-claimed"]
    assert findings(found) == []


def test_untap_step():
    found = read(day().turn().turn().at("UN", "It has become night", RUFFIAN + " transforms into {Tavern Smasher#a22}"))
    assert found.events()[-3]["type"] == "step-began"
    assert claims(found)[2:] == [("designation-claimed", "night"), ("face-claimed", "back")]
    assert findings(found) == []


def test_a_wrong_claim_is_found():
    log = day().at("M1").spell("Ana", "{Opt#0b1}").turn().at("UN", "It has become night")
    assert [each["about"] for each in findings(read(log))] == ["designation"]


@pytest.mark.parametrize("card", ["{Into the Night#1e1}", "{Unnatural Moonrise#1e2}"])
def test_effect(card):
    log = day().say(f"Ana casts {card} from hand", "It has become night")
    found = read(log.say(f"Ana puts {card} from stack into their graveyard"))
    assert found.events()[-2]["type"] == "effect-resolved"
    assert findings(found) == []


def test_activated():
    says = "if it's night, it becomes day. Otherwise, it becomes night."
    log = day().creature("Ana", "{The Celestus#ce1}").at("M2", f"Ana activates: {says} from {{The Celestus#ce1}}")
    found = read(log.say("It has become night"))
    assert found.events()[-2]["becomes"] == "switch"
    assert findings(found) == []
    elsewhere = day().at("M2", "It has become night", f"Ana activates: {says} from {{The Celestus#ce1}}")
    assert "effect-resolved" not in read(elsewhere).tags()


def test_uncaused():
    found = read(day().say("Ana casts {Opt#0b1} from hand", "It has become night"))
    assert found.kinds["uncaused"] == found.kinds["unheld"] == 1
    assert findings(found) == []
    assert claims(found)[-1] == ("designation-claimed", "day")


def test_rollback():
    log = day().turn().turn()
    log.at("UN", "It has become night").at("M1", "Player request: Rolling back to start of turn 5")
    log.turn("Ana", number=5).at("UN", "It has become night")
    found = read(log)
    back = next(event for event in found.events() if event["type"] == "game-backed-up")
    assert found.events()[back["to"]]["turn"] == 5
    assert back["by"] == "players"
    assert findings(found) == []
    assert "repeated" not in found.kinds
    assert (
        read(day().say("Player request: It's not possible to rollback 3 turn(s)")).tags()[-1] == "designation-claimed"
    )


def test_restored():
    found = read(day().say("Auto-restored to turn 3 due game error: oops").turn().turn().at("UN", "It has become day"))
    assert found.kinds["restored"] == 1
    assert findings(found) == []


def test_together():
    source = " (source: {Rally#0aa})"
    log = Log().turn().at("M1", "Ana casts {Rally#0aa} from hand")
    log.say(*(f"Ana puts {card} from graveyard onto the Battlefield{source}" for card in (RUFFIAN, CATHAR)))
    log.say(
        "Ana puts {Mountain#0bb} from hand onto the Battlefield", "Ana puts {Island#0cc} from hand onto the Battlefield"
    )
    entered = [event for event in read(log).events() if event["type"] == "permanents-entered"]
    assert [len(event["permanents"]) for event in entered] == [2, 1, 1]
    both = Log().turn().at("M1", "Ana casts {Rally#0aa} from hand")
    both.say(*(f"{who} puts {card} from graveyard onto the Battlefield{source}" for who, card in PAIR))
    assert [one["controller"] for one in read(both).events()[4]["permanents"]] == ["Ana", "Bo"]


def test_blink():
    log = day().say("Ana casts {Cloudshift#0c1} from hand")
    log.say(f"Ana moves {RUFFIAN} from battlefield to the exile zone (source: {{Cloudshift#0c1}})")
    log.say(f"Ana puts {RUFFIAN} from exile zone onto the Battlefield (source: {{Cloudshift#0c1}})")
    events = read(log).events()
    left = next(event for event in events if event["type"] == "permanents-left")
    assert left["permanents"] == ["a11"]
    assert events[-2]["permanents"][0]["id"] != "a11"


def test_clone():
    log = day().turn().turn().at("M1", "Ana casts {Clone#0c1} from hand")
    log.say("Ana puts {Tavern Smasher#0c1} from stack onto the Battlefield")
    log.say("Ana puts {Clone#0c1} from battlefield into its owner's hand")
    entered, left = read(log).events()[-2:]
    permanent = entered["permanents"][0]
    assert (permanent["card"], permanent["front"]) == ("Clone", {"name": "Tavern Smasher", "keywords": ["nightbound"]})
    assert "double_faced" not in permanent
    assert left["permanents"] == [permanent["id"]]


def test_land_with_a_back():
    """A land with a back enters once, whichever lines say that it is played; when it transforms, no face is claimed."""
    land = "{Westvale Abbey#0aa}"
    put, play = f"Ana puts {land} from hand onto the Battlefield", f"Ana plays {land}"
    for lines in ([put, play], [play], [f"{play} as MDF side of {{Abbey Gate#0aa}}"]):
        found = read(day().turn().turn().at("M1", *lines, f"{land} transforms into {{Ormendahl, Profane Prince#0aa}}"))
        _wolf, (entered,) = [each["permanents"] for each in found.events() if each["type"] == "permanents-entered"]
        assert ("0aa", "Westvale Abbey", "Ana", []) == (*(entered[key] for key in ENTERED), findings(found))
        assert "0aa" not in [event.get("permanent") for event in found.events()]


def test_enters_as_its_back():
    log = day().turn().turn().at("UN", "It has become night", RUFFIAN + " transforms into {Tavern Smasher#a22}")
    log.at("M1", f"Ana casts {CATHAR} from hand", "Ana puts {Moonrage Brute#ca7} from stack onto the Battlefield")
    found = read(log)
    assert claims(found)[-1] == ("face-claimed", "back")
    assert findings(found) == []
    assert "known" not in found.kinds


def test_spells():
    log = Log().turn().at("M1", "Ana casts {Lightning Bolt#0b1} targeting Bo from hand")
    log.say(
        "Bo casts {Twincast#0b2} targeting {Lightning Bolt#0b1} from hand", "Bo created a copy of {Lightning Bolt#0b1}"
    )
    log.say("Bo created three copies of {Brimstone Vandal#0b9}", "Ana casts a copied {Opt#0b3} from exile zone")
    log.say("Ana casts {Petty Theft#0b4} as Adventure spell of {Brazen Borrower#0b5} from hand")
    log.say("Ana casts a face down object [0b6] using Morph from hand")
    log.say("Ana casts {Think Twice#0b7} from graveyard with flashback from graveyard")
    cast = [event.get("card") for event in read(log).events() if event["type"] == "spell-cast"]
    assert cast == ["Lightning Bolt", "Twincast", "Opt", "Petty Theft", None, "Think Twice"]
    assert read(log).tags().count("spell-copied") == 1


def test_phasing():
    log = day().at("M2", RUFFIAN + " phased out").turn().turn()
    log.at("UN", "It has become night", RUFFIAN + " phased in").at("DR", "Ana draws a card")
    found = read(log)
    step = next(event for event in found.events() if event.get("step") == "untap")
    assert step["phased_in"] == ["a11"]
    assert found.tags().count("phased-out") == 1
    assert "phased-in" not in found.tags()
    twice = read(day().say(RUFFIAN + " phased out", RUFFIAN + " phased out"))
    assert twice.kinds["order"] == 1


def test_skipped():
    log = day().turn().turn().at("UN", "Ana skips Untap step (source: {Stasis#0e1})").at("DR", "Ana draws a card")
    began = [event for event in read(log).events() if event["type"] == "turn-began"]
    assert [event.get("skips") for event in began][-1] == ["untap"]
    never = Log().turn().say("Bo skips their turn (source: {Time Vault#0e2})").turn("Ana", number=2)
    assert read(never).tags().count("turn-began") == 2


def test_further():
    log = day().turn().turn().at("UN", "It has become night").at("M2").spell("Ana", "{Opt#0b1}")
    log.say("Ana starts an additional Beginning phase (source: {Sphinx#0f1})").at("UP", "Ana gains 1 life")
    steps = [event["step"] for event in read(log).events() if event["type"] == "step-began"]
    assert steps[-2:] == ["untap", "upkeep"]
    assert steps.count("untap") == 2


def test_stolen():
    log = day().turn().at("DA", "Bo attacks Ana with 1 creature").at("DB", f"Attacker: {RUFFIAN} (2/5) unblocked")
    found = read(log)
    assert found.events()[-2] == {"type": "control-changed", "permanents": ["a11"], "controller": "Bo"}
    assert found.events()[-1]["face"] == "front"


@pytest.mark.parametrize(
    "last", [("Cy has lost the game.", "Ana has won the game"), ("Ana has won the game", "Cy has lost the game.")]
)
def test_players_leave(last):
    log = Log("Ana", "Bo", "Cy").turn().at("M1", "Bo has conceded.", "Bo has lost the game.", *last)
    assert read(log).tags()[-3:] == ["player-left", "player-left", "game-ended"]
    assert read(log).events()[-1]["winner"] == ["Ana"]
    two = Log().turn().at("M1", "Bo has lost the game.", "Ana has won the game")
    assert "player-left" not in read(two).tags()
    assert "winner" not in read(Log().turn().at("M1", "For Ana the game is a draw.")).events()[-1]


def test_tokens():
    log = (
        Log()
        .turn()
        .at(
            "M1",
            "Ana creates a {Wolf Token#0a1} token",
            "{Wolf Token#0a1} enters the battlefield as a token under Ana's control'",
        )
    )
    entered = [event["permanents"] for event in read(log).events() if event["type"] == "permanents-entered"]
    assert entered == [[{"id": "0a1", "card": "Wolf Token", "controller": "Ana", "token": True}]]


def test_same_digits():
    log = day().say("Ana puts {Mountain#a11} from hand onto the Battlefield")
    text = log.bytes().decode()
    other = text.replace(
        'object_id="a1100000-0000-4000-8000-000000000a11"><a href="#Mountain"',
        'object_id="a1111111-0000-4000-8000-000000000a11"><a href="#Mountain"',
    )
    found = read(other.encode())
    ids = [
        each["id"] for event in found.events() if event["type"] == "permanents-entered" for each in event["permanents"]
    ]
    assert ids == ["a11", "a11-2"]
    assert set(found.kinds) == {"truncated", "limits"}


@needs_logs
def test_recorded_chat():
    chat = (LOGS / "xmage" / "10-chat-that-looks-like-a-log.txt").read_bytes()
    assert detected(chat) is None
    found = read(recorded(NAMES[0]).replace(b"</body>", chat + b"</body>") + chat)
    assert len(findings(found)) == 2
    assert found.tags().count("spell-cast") == read(recorded(NAMES[0])).tags().count("spell-cast")


@pytest.mark.parametrize("said", ["It has become night", "TURN 9 for Ana (20 - 20)", "Ana casts Opt [37c] from hand"])
def test_chat(said):
    plain = day()
    without = read(plain).events()
    for colour in ("White", "#FF7F50", "#7FFFD4"):
        found = read(day().row(f"Bo: {said}", "2:14 PM", colour))
        assert found.events() == without
        assert found.kinds["chat"] == 1
    assert read(day().row(said, "2:14 PM", "#FF7F50")).events() == without


def test_names():
    log = Log("Ana", "It", "Attacker")
    assert read(log.turn()).events()[0]["players"] == ["Ana", "It", "Attacker"]
    named = day().say("Ana chooses a name for {Pithing Needle#0d1}: chosen name: [It has become night]")
    assert read(named).events() == read(day()).events()
    escaped = day().say("Ana casts &#57344;0&#57345; from hand", "Ana casts &lt;font&gt; from hand")
    assert [event.get("card") for event in read(escaped).events() if event["type"] == "spell-cast"][1:] == [
        "0",
        "<font>",
    ]
    cards = day().say("Ana casts {It has become night#0d2} from hand", "Ana casts {Opt [abc] from hand#0d3} from hand")
    assert len(claims(read(cards))) == 2
    assert read(cards).events()[-1]["card"] == "Opt [abc] from hand"


def test_detect():
    assert detected(day().bytes()).name == "xmage"
    assert detected(b"1:42 PM, T18.M1: Ana casts Opt [442] from hand\n").name == "xmage"
    assert detected(b"<html><body>night</body></html>") is None
    with pytest.raises(UnreadableError, match="gamelogs"):
        read(b'<br><font color="#CCCC33">2:13 PM: </font><font>hello</font>')


def test_kept_once():
    log = day()
    first = read(log).games[0].events
    more = read(log.turn().at("DR", "Bo draws a card")).games[0].events
    assert compare(more, first) is Relation.MORE
    assert compare([decode(encode(each)) for each in first], more) is Relation.LESS
    other = read(Log("Cy", "Di").turn().at("DR", *["Cy draws a card"] * 9))
    assert compare(other.games[0].events, first) is Relation.OTHER
