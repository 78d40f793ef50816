"""What people say at a table, in three languages.

| promise | test |
| --- | --- |
| no collected sentence is read wrongly; at most `UNREAD` per cent are refused though clear | test_collected |
| each placeholder in the line of a row of `sayings` can be filled from the row's pattern | test_rows |
| an ambiguous sentence is refused with a question | test_collected, test_asked |
| the stored record is the same in each language | test_same |
| a line with an unknown name is refused, and the error lists the known ones | test_names |
| an id like `w3 token` is refused with a proposal, unless quoted; `my wolf` is read, and written quoted | test_ids |
| other words beside a cast become its note, with the comment | test_notes |
| `Bo concedes` means that Ana wins if only they two play, else that Bo leaves the game | test_concedes |
| a sentence outside the table is read by the classes of its words | test_classes |
| the classes of its words decide what a line means, in any order of words | test_gists |
| a verb is read in each of its forms; negated or uncertain it is refused | test_verbs |
| a refusal names the unknown words | test_words_told |
| a sentence about several events gives each of them | test_together |
| a sentence that may mean something else is refused | test_not_wrongly |
| a question, or a part without an event, is refused: no part of a sentence is dropped silently | test_remainder |
| "may", "will" or "wants to" cast is refused; so is casting a permanent, or something without a name | test_uncast |
| a line that begins with a turn begins it once, whatever follows, or is refused | test_turns, test_turns_refused |
| a spell that is described by its cost or its kind is one spell, without a card | test_one_spell, test_one_spell_each |
| a spell that is described by its power, or in the plural, is refused with a question | test_no_card |
| `Bo has Village Watch` and `Ruffian resolves` are refused with a question | test_asked |
| blocking records no event; activating a card that makes it day or night is refused | test_nothing |
"""

import io
import re
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from daynight.events import SpellCast
from daynight.framework.language.errors import RecordError
from daynight.notation import read_text, write
from daynight.notation.spoken.sayings import sayings

SPOKEN = Path(__file__).parent / "spoken"
UNREAD = {
    "en-guests": 7, "fr-guests": 3, "ja-guests": 4, "en-visitors": 8, "fr-visitors": 4, "ja-visitors": 9,
    "en-friends": 3, "fr-friends": 6, "ja-friends": 4, "en-regulars": 4, "fr-regulars": 6, "ja-regulars": 9,
}  # fmt: skip
"""Files in `SPOKEN`, each with the most per cent of its sentences that may be refused though clear; others: 10."""
BEGUN = """game g
players Ana, Bo
turn 1 Ana
Ana: Tavern Ruffian (w1), Storm Crow (c1) enter
Bo: Village Watch (w2), Brutal Cathar (b1) enter
turn 3 Ana
"""


def understood(line):
    return [placed.event for placed in read_text(f"{BEGUN}{line}\n")][5:]


def refused(line):
    with pytest.raises(RecordError) as error:
        understood(line)
    return error.value.sentence


def bare(events):
    """Return the events without notes, and with the cards of casts in lower case."""
    plain = [replace(event, note=None) for event in events]
    return [replace(event, card=event.card and event.card.casefold()) if isinstance(event, SpellCast) else event
            for event in plain]  # fmt: skip


def meant(meaning):
    """Yield the list of events of each alternative in `meaning`, which ` || ` separates.

    The list is empty for `-`; for `?`, which allows a refusal, none is yielded.
    """
    for one in meaning.split(" || "):
        if one != "?":
            yield bare([] if one == "-" else understood(one.replace(" ;; ", "\n")))


def collected(language):
    """Yield pairs of a sentence in a file of `SPOKEN` and its meaning: the last line before it that begins with `=`."""
    meaning = ""
    for row in (SPOKEN / f"{language}.txt").read_text("utf-8").splitlines():
        if row.startswith("= "):
            meaning = row[2:]
        elif row and not row.startswith("#"):
            yield row, meaning


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr", "ja", "en-table", "fr-table", "ja-table", "en-typed", "fr-typed",
                                      "ja-typed", "en-heard", "fr-heard", "ja-heard", "en-told", "fr-told",
                                      "ja-told", "en-asked", "fr-asked", "ja-asked", "en-friends", "fr-friends",
                                      "ja-friends", "en-regulars", "fr-regulars", "ja-regulars", "en-guests",
                                      "fr-guests", "ja-guests", "en-visitors", "fr-visitors",
                                      "ja-visitors"])  # fmt: skip
def test_collected(language):
    """No sentence of a file in `SPOKEN` is read as events other than its meaning.

    At most `UNREAD` per cent of the file's sentences (10 if `UNREAD` lacks it) are refused though no `?` allows that.
    """
    lines, wrong, unread = [*collected(language)], [], []
    for line, meaning in lines:
        try:
            found = understood(line)
        except RecordError:
            if "?" not in meaning.split(" || "):
                unread.append(line)
        else:
            if bare(found) not in meant(meaning):
                wrong.append(line)
    assert [] == wrong
    assert len(lines) >= (90 if language.endswith(("friends", "regulars", "guests", "visitors")) else 180)
    assert len(unread) * 100 <= len(lines) * UNREAD.get(language, 10)


def test_rows():
    """Each `{name}` in the `line` of a saying is a group of its `pattern`, or is computed from one, as `made` says."""
    made = {"prev": "who", "by": "who", "crowd": "token", "next": "who", "id": "token"}
    for saying in sayings():
        said = {name.rstrip("23") for name in saying.pattern.groupindex}
        for name in re.findall(r"\{([a-z]+)\}", saying.line):
            assert name in said or made.get(name) in said, saying


@pytest.mark.parametrize("lines", [
    ("Ana casts Tavern Ruffian", "Ana lance la Ruffiane des tavernes", "Anaが《酒場のごろつき》を唱えた"),
    ("w2 leaves to graveyard", "la Garde du village de Bo meurt", "Boの村の見張り番が死亡する"),
    ("Bo says night", "Bo dit qu'il fait nuit", "Boは夜だと言う"),
    ("turn 4 Bo", "tour 4 de Bo", "第4ターン Bo"),
    ("Ana wins", "Bo concède", "Boが投了する"),
    ("untap, upkeep", "dégagement, entretien", "アンタップ、アップキープ"),
])  # fmt: skip
def test_same(lines):
    """The same sentence in English, French and Japanese gives the same events."""
    first, *others = map(understood, lines)
    assert first
    assert [first] * len(others) == others


@pytest.mark.parametrize("line, same", [
    ("Ana casts nothing", ""), ("Ana casts no spells", ""), ("Bo says Ana cast two", "Bo says Ana cast 2"),
    ("Ana casts Opt and Moonmist", "Ana casts Opt\nAna casts Moonmist"),
    ("Ana casts Opt, Bo casts Opt", "Ana casts Opt\nBo casts Opt"), ("Ana casted Opt", "Ana casts Opt"),
    ("Bo copied Opt", "Bo copies Opt"), ("Bo claims night", "Bo says night"),
    ("untap . upkeep . draw step", "untap, upkeep, draw"), ("untap then upkeep", "untap, upkeep"),
    ("Ana taps an Island and casts Opt", "Ana casts Opt"), ("Ana engage une Île et lance Opt", "Ana casts Opt"),
    ("Ana makes two Wolf tokens", "Ana: Wolf (token), Wolf (token) enter"), ("Bo's turn", "turn 4 Bo"),
    ("Ana casts Opt and draws a card", "Ana casts Opt  # draws a card"),
])  # fmt: skip
def test_together(line, same):
    """A sentence about several events, or in other words than the notation's, gives the events of the plain lines."""
    assert understood(same) == understood(line)


@pytest.mark.parametrize("line", [
    "Ana casts nothing but Opt", "Ana casts Opt and Zorblax", "Ana casts Opt, Zorblax", "Ana casts Opt and dies badly",
    "nobody casts anything except Ana", "Ana's turn", "Ana, Bo: Opt", "combat",
    "Ana says Bo cast two or three", "Ana would cast Opt", "w1 doesn't die", "w1 ne meurt pas", "w1は死亡しない",
    "Bo counters Opt", "Bo contre Opt", "Boが Optを打ち消す", "AnaにShock", "Ana and Bo cast Opt",
    "Ana cycles Opt, Consider",
    "Ana casts Opt on turn 2", "Ana casts Opt last turn", "Ana casts a copy of Opt", "everything dies", "tout meurt",
    "全部死亡", "w1 dies, returns", "Bo kicks w1", "did Ana cast Opt?", "Ana casts Opt x2", "undo: w1 dies",
])  # fmt: skip
def test_not_wrongly(line):
    """A sentence is refused if it is ambiguous, or if only a part of it would be understood."""
    refused(line)


@pytest.mark.parametrize("line, says", [
    ("Ana: why?", "a question is no line of a record"), ("T4 Bo: why?", ""), ("Ana Opt?", ""), ("Ana : pourquoi ?", ""),
    ("Boは何か唱えた？", "a question"),
    ("Ana main 1 Brutal Cathar exiling b1", "to Brutal Cathar?"),
    ("Ana 2 creature", ""), ("Ana casts a x/x", "a spell?"),
    ("Anaがx/xを唱える", ""), ("everything flips to night", ""),
    ("Ana says Bo says night", ""),
])  # fmt: skip
def test_remainder(line, says):
    assert says in refused(line)


@pytest.mark.parametrize("line", [
    "Ana wants to cast Opt", "Ana may cast Opt", "Ana will cast Opt", "Ana can cast Opt", "Ana veut lancer Opt",
    "Ana va lancer Opt", "Ana peut lancer Opt", "AnaはOptを唱えたい", "Ana has Storm Crow", "Ana has Shock",
    "Ana a Shock", "AnaにShockがある", "Ana has something", "Ana a quelque chose", "Anaは何か持っている",
    "Bo has Opt in hand",
    "Ana casts w1", "Boがw1を唱える", "Bo casts, um, hm",
    "Ana casts a brainzurge",
    "Ana cast some more spells, I lost count", "Ana a lancé encore des sorts, j'ai perdu le compte",
    "Ana lance plein de sorts, deux ou plus",
])  # fmt: skip
def test_uncast(line):
    refused(line)


@pytest.mark.parametrize("line, says", [
    ("it is night", "who says so?"), ("il fait jour", "Ana says day"), ("夜です", "Ana says night"),
    ("w1 transforms", "Write w1 transforms by Moonmist, or Ana says w1 shows back"),
    ("Ruffiane des tavernes se transforme", "told so by a card"), ("w1が変身する", "told so by a card"),
    ("Ana joue Think Twice", "A land is not cast, it enters: Ana: Think Twice enters"),
    ("Bo has Village Watch", "did Bo cast it, or is it on the battlefield? Write Bo casts Village Watch, or Bo:"),
    ("Bo has Reckless Stormseeker out", "did Bo cast it"), ("Bo: has a Tavern Ruffian", "did Bo cast it"),
    ("Bo has a Reckless Stormseeker and a Storm Crow", "did Bo cast it"),
    ("Bo a la Garde du village", "did Bo cast it"),
    ("Boは村の見張り番を持っている", "did Bo cast it"),
    ("maybe Bo casts something", "is a line like: Bo casts 0-1 more"),
    ("peut-être que Bo lance un sort", "Bo casts 0-1 more"), ("たぶんBoが呪文を唱えた", "Bo casts 0-1 more"),
    ("Ruffian resolves", "did it enter? A line is like: Ana: Tavern Ruffian enters"),
    ("Garde du village se résout", "did it enter?"), ("村の見張り番が解決した", "did it enter?"),
])  # fmt: skip
def test_asked(line, says):
    assert says in refused(line)


@pytest.mark.parametrize("line, says", [
    ("w9 dies", "no 'w9' here; there: w1, c1, w2, b1"), ("w9 meurt", "no 'w9' here"), ("w9が死亡する", "no 'w9' here"),
    ("Ana casts her Tavern Rufian", "did you mean Tavern Ruffian"),
    ("Ana casts The Village Watch", "did you mean Village Watch"),
    ("Ana: The Village Watch (x1) enters", "did you mean Village Watch"),
    ("Ana lance La Garde du village", "did you mean Garde du village"),
])  # fmt: skip
def test_names(line, says):
    assert says in refused(line)


@pytest.mark.parametrize("brackets, meant", [
    ("w3 back face up", "(w3, back face up)"), ("w3 token", "(w3, token)"), ("w3 phased out", "(w3, phased out)"),
    ("w3 face down", "(w3, face down)"), ("transformed", "(back face up)"), ("w3 tapped", "(w3)"), ("front", "(w1)"),
])  # fmt: skip
def test_ids(brackets, meant):
    assert meant in refused(f"Ana: Tavern Ruffian ({brackets}) enters")
    for line in (f'Ana: Tavern Ruffian ("{brackets}") enters', "Ana: Tavern Ruffian (my wolf) enters"):
        made = [placed.event for placed in read_text(BEGUN + line)]
        out = io.StringIO()
        write(made, out)
        assert made == [placed.event for placed in read_text(out.getvalue())]
    assert '("my wolf") enters' in out.getvalue()


def test_notes():
    told = ["Ana casts Opt (countered)", "Ana casts Opt from exile", "Ana casts Opt with flashback  # third"]
    assert [("Opt", "countered"), ("Opt", "from exile"), ("Opt", "with flashback; third")] == [
        (event.card, event.note) for line in told for event in understood(line)
    ]


@pytest.mark.parametrize("line, same", [
    ("Ana Opt", "Ana casts Opt"), ("Ana -> Opt 🙂", "Ana casts Opt"), ("Ａｎａ：Ｏｐｔ", "Ana casts Opt"),
    ("EOT Bo Shock @ w1", "Bo casts Shock"), ("Bo répond Shock", "Bo casts Shock"),
    ("AnaがX=5でFireball", "Ana casts Fireball"),
    ("Ana: Opt, Shock", "Ana casts Opt\nAna casts Shock"), ("Ruffian dies", "w1 leaves to graveyard"),
    ("la Garde remonte en main", "w2 leaves to hand"), ("ごろつきがShockで死亡", "w1 leaves to graveyard"),
    ("Ana Shocks Bo", "Ana casts Shock"), ("Ana Unsummons b1", "Ana casts Unsummon"), ("T4 (Bo)", "turn 4 Bo"),
    ("Ana casts a spell, then another", "Ana casts 2 spells"),
    ("Ana lance un sort puis un autre", "Ana casts 2 spells"),
    ("Ana casts Opt, Bo counters it with Counterspell", "Ana casts Opt\nBo casts Counterspell"),
    ("Ana lance un drop à 3", "Ana casts a spell"), ("Ana casts her commander", "Ana casts a spell"),
    ("Bo untaps, turn 4", "turn 4 Bo\nuntap"), ("l'arbitre dit qu'il fait nuit", '"l\'arbitre" rules night'),
    ("ジャッジは夜だと言う", '"ジャッジ" rules night'),
    ("w1 trades with b1", "w1, b1 leave to graveyard"), ("Ana casts Tavern Ruffian, it resolves",
     "Ana casts Tavern Ruffian\nAna: Tavern Ruffian enters"),
     ("Bo makes 2 wolves", "Bo: Wolf (token), Wolf (token) enter"),
    ("Boが狼を2体出す", "Bo: Wolf (token), Wolf (token) enter"),
    ("Bo crée deux loups", "Bo: Wolf (token), Wolf (token) enter"),
    ("T4 Bo: land, Duress, pass", "turn 4 Bo\nBo casts Duress"), ("Bo untaps", "turn 4 Bo\nuntap"),
    ("Ana: Steam Vents", "Ana: Steam Vents enters"), ("Ana 20, Bo 14", ""), ("Ana craque un trésor", ""),
    ("Ana attacks (a bit late)", ""),
])  # fmt: skip
def test_classes(line, same):
    """A sentence outside the table, each of whose words has a class, gives the events of the plain lines."""
    assert bare(understood(same)) == bare(understood(line))


@pytest.mark.parametrize("line, same", [
    ("Fatal Push, says nobody, from Ana", None), ("Ana spent her whole turn on Duress", "Ana casts Duress"),
    ("w1 got crushed by Bo's attack", "w1 leaves to graveyard"), ("Boの攻撃でw1が倒れた", "w1 leaves to graveyard"),
    ("Bo bannit w2", "w2 leaves to exile"), ("the Crow perished", "c1 leaves to graveyard"),
    ("Bo answers w1 with c1", None), ("w1, then b1 w2 die", None),
])  # fmt: skip
def test_gists(line, same):
    if same is None:
        refused(line)
    else:
        assert bare(understood(same)) == bare(understood(line))


@pytest.mark.parametrize("lines", [
    ("w2 was sent into exile", "w2 est envoyée en exil", "w2が追放領域に送られました", "w2 leaves to exile"),
    ("Ana jammed Opt", "Ana vient de lancer Opt", "AnaがOptを撃ちました", "Ana casts Opt"),
])  # fmt: skip
def test_verbs(lines):
    *said, same = lines
    assert [understood(same)] * len(said) == [*map(understood, said)]
    for line in ("w2 wasn't sent into exile", "Ana lancerait Opt", "Anaは Optを唱えられない", "w1は死なない"):
        refused(line)


@pytest.mark.parametrize("line, says", [
    ("Ana gleefully hums Opt", "not understood: 'hums'; the nearest line is like: Ana casts Opt"),
    ("w1 wiggles to exile", "w1 leaves to exile"), ("everything dies", "a record names each that leaves"),
    ("Bo Opt Ana", "each word is known, but not what they say together"),
])  # fmt: skip
def test_words_told(line, says):
    """A refusal names the unknown words, or says what else is wrong, and proposes a line with the known names."""
    assert says in refused(line)


def test_concedes():
    lines = "game g\nplayers Ana, Bo, Cy\nturn 1 Ana\nBo concedes\n"
    assert "player-left" == read_text(lines)[-1].event.__struct_config__.tag
    assert ("Ana",) == understood("Bo concedes")[0].winner


@pytest.mark.parametrize("line, same", [
    ("T4 Bo: draw", "turn 4 Bo"), ("T4 Bo: go", "turn 4 Bo"), ("T4 Bo: nothing", "turn 4 Bo"),
    ("T4 Bo: attacks", "turn 4 Bo"), ("T4 Bo: passes", "turn 4 Bo"), ("Bo T4: draw, go", "turn 4 Bo"),
    ("T4 Bo: doesn't cast anything", "turn 4 Bo"), ("T4 Bo : pioche", "turn 4 Bo"),
    ("4ターン目 Bo: ドロー", "turn 4 Bo"),
    ("T4 Bo: draw, main", "turn 4 Bo ;; draw ;; main"), ("T4 Bo: untaps, draws", "turn 4 Bo ;; untap ;; draw"),
    ("turn 4 Bo: untap", "turn 4 Bo ;; untap"), ("T4 Bo: untap, upkeep, draw", "turn 4 Bo ;; untap, upkeep, draw"),
    ("T6 Bo: untap, draw, Opt", "turn 6 Bo ;; untap, draw ;; Bo casts Opt"),
    ("T4 Bo: passes, T5 Ana: draw, Opt", "turn 4 Bo ;; turn 5 Ana ;; Ana casts Opt"),
    ("T4 Bo: draw @2024-06-07T19:30:00Z", "turn 4 Bo @2024-06-07T19:30:00Z"),
    ("Bo's turn, untap, draw", "turn 4 Bo ;; untap, draw"), ("Bo' turn", "turn 4 Bo"), ("Bo’ turn", "turn 4 Bo"),
])  # fmt: skip
def test_turns(line, same):
    assert bare(understood(line)) == bare(understood(same.replace(" ;; ", "\n")))
    (begun, *_rest) = understood(f"{line}  # late")
    assert "turn-began" == begun.__struct_config__.tag


@pytest.mark.parametrize("line", ["T4 Bo: hums", "T4: draw", "turn 4: nothing", '"T4 Bo": draw', 'T4 "Bo": draw'])
def test_turns_refused(line):
    refused(line)


@pytest.mark.parametrize("line", [
    "Ana casts a 2 drop", "Ana casts her 2 drop", "Ana casts two drop", "Ana casts a 4 drop", "Ana casts a 10 drop",
    "Ana: a 2 drop", "Ana casts a 2-drop", "Ana casts a two-drop", "Ana lance un drop 2", "Ana lance son drop 3",
])  # fmt: skip
def test_one_spell(line):
    assert bare(understood("Ana casts a spell")) == understood(line)


@pytest.mark.parametrize("line", [
    "Ana casts a 2 drop and a 3 drop", "Ana casts a 2 drop, a 3 drop", "Ana casts a creature then an instant",
])  # fmt: skip
def test_one_spell_each(line):
    assert understood("Ana casts 2 spells") == understood(line)


@pytest.mark.parametrize("line, says", [
    ("Ana casts a 2/2", "did you mean a spell?"), ("Ana casts a 4 mana 4/4", "did you mean a spell?"),
    ("Ana casts two-drops", "more than one happening"),
])  # fmt: skip
def test_no_card(line, says):
    assert says in refused(line)


def test_nothing():
    assert [] == understood("Bo blocks with Village Watch")
    assert "Ana" in refused("Ana activates The Celestus")
    for line in ("nobody wins", "Ana attacks and casts Opt", "Ana draws Opt and casts Opt"):
        with suppress(RecordError):
            assert [] != understood(line)
