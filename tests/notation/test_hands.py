"""Games typed by many people in different styles and with errors: no right claim is contradicted.

| promise | test |
| --- | --- |
| each game is read as its author meant it, and its claims are right | test_as_meant |
| with typing errors no right claim is disputed, and each unknown name is reported | test_with_slips |
| the games in three languages, each with `VARIANTS` sets of errors, are at least 300 | test_how_many |
"""

import random
import re

import pytest

from daynight.framework.language.errors import RecordError
from daynight.game import Game
from daynight.notation import Names, read_text

GAMES = {
    "en": [
        """game table 4
players Ana, Bo
turn 1 Ana
Ana plays a Forest
no spells
turn 2, Bo
Bo: Island enters
Bo casts Village Watch
Bo: Village Watch (w1) enters
Bo says it's day
turn 3 Ana
Ana untaps, upkeep, draw
Ana casts Opt on Bo's upkeep
Ana passes
turn 4 Bo
untap, upkeep
Bo does nothing
turn 5 Ana
Ana says night
Ana says w1 shows back
""",
        """game kitchen
players Ana, Bo
Turn 1 Ana
ok, Ana casts Tavern Ruffian
Ana: Tavern Ruffian (ruffian) enters
Ana attacks
turn 2 Bo
Bo responds with Opt
Bo kills ruffian
Bo: it's day
turn 3 Ana
Ana draws for turn
Ana doesn't cast anything
turn 4 Bo
Bo says it is night now
Ana: Brutal Cathar (c) enters
Bo claims c is on its back side
""",
        """game fnm 3
players Ana, Bo
turn 1 Ana
Ana casts Lightning Bolt, Bo counters it
Ana: Gavony Dawnguard (g1) enters
Bo says day
turn 2 Bo
Bo casts Opt and Lightning Bolt
turn 3 Ana
Ana casts two spells this turn
Bo says Ana cast two spells
turn 4 Bo
Ana says it's still day
Bo scoops
""",
        """game late
players Ana, Bo
turn 1 Ana
Ana casts The Celestus
Ana: The Celestus (x1) enters
it becomes night because of The Celestus
Bo: Hound Tamer (h1), Storm Crow (s1) enter
Bo says night
turn 2 Bo
Bo casts Opt
Bo casts another Opt
turn 3 Ana
Bo says it's day
Ana makes a Wolf token (t1)
t1 dies
Hound Tamer gets bounced
""",
        """game quiet
players Ana, Bo
turn 1 Ana
Ana casts Obsessive Astronomer
Ana: Obsessive Astronomer (o1) enters
turn 2 Bo
Bo casts a spell
Bo casts maybe one more
turn 3 Ana
Ana says it's day
Ana casts Opt (countered)
Ana: Suspicious Stowaway (s1) enters
turn 4 Bo
turn 5 Ana
Bo says night
Moonmist transforms s1
Ana says s1 is on its back side
""",
    ],
    "fr": [
        """game salon
players Ana, Bo
tour 1, Ana
Ana pose une Forêt
pas de sort
tour 2 de Bo
Bo lance la Garde du village
Bo : Garde du village (w1) arrive
Bo dit qu'il fait jour
tour 3 de Ana
dégagement, entretien, pioche
Ana passe
tour 4 : Bo
Bo dit qu'il fait nuit
Bo dit que w1 montre son verso
""",
        """game bar
players Ana, Bo
tour 1 Ana
Ana lance la Ruffiane des tavernes
Ana : Ruffiane des tavernes (r1) arrive
Ana attaque avec r1
au tour de Bo
Bo lance Opt en réponse
Bo tue r1
c'est le tour de Ana
Ana ne lance rien
tour 4, Bo
Bo : il fait nuit
Ana met Cathare brutal (c1) sur le champ de bataille
Bo dit que c1 est transformé
""",
        """game club
players Ana, Bo
tour 1 Ana
Ana lance Opt, contré
Ana : Garde-aube de Gavonie (g1) arrive
Bo dit jour
tour 2 Bo
Bo lance deux sorts
tour 3 Ana
Ana lance Opt et Lightning Bolt
Bo dit qu'Ana a lancé deux sorts
tour 4 Bo
Ana dit qu'il fait encore jour
Bo concède
""",
        """game nuit
players Ana, Bo
tour 1 Ana
Ana lance Le Celestus
Ana : Le Celestus (x1) arrive
la nuit tombe à cause du Celestus
Bo : Dresseur de chien (h1) arrive
Bo dit qu'il fait nuit
tour 2 Bo
Bo lance Opt
Bo lance un deuxième Opt
tour 3 Ana
Bo dit qu'il fait jour
Ana crée un jeton Wolf (t1)
t1 meurt
h1 retourne en main
""",
        """game calme
players Ana, Bo
tour 1 Ana
Ana lance Astronome obsessionnel
Ana : Astronome obsessionnel (o1) arrive
tour 2 Bo
Bo lance un sort
Bo lance peut-être un autre sort
tour 3 Ana
Ana dit qu'il fait jour
Ana lance Opt depuis le cimetière
tour 4 Bo
tour 5 Ana
Bo dit qu'il fait nuit
Bo abandonne
""",
    ],
    "ja": [
        """game 1番卓
players Ana, Bo
第1ターン Ana
Anaが森を置く
呪文なし
第2ターン Bo
Boが村の見張り番を唱える
Boの村の見張り番 (w1)が戦場に出る
Boは昼だと言う
第3ターン Ana
アンタップ、アップキープ、ドロー
Anaはパス
第4ターン Bo
Boは夜だと言う
Boはw1が裏面だと言う
""",
        """game 2番卓
players Ana, Bo
ターン1 Ana
Anaが酒場のごろつきを唱える
Anaの酒場のごろつき (r1)が戦場に出る
Anaがr1で攻撃する
Boのターン
Boが対応してOptを唱える
Boがr1を破壊する
Anaのターン
Anaは何も唱えない
4ターン目、Bo
Bo「夜です」
Anaが粗暴な聖戦士 (c1)を戦場に出す
Boはc1が変身していると言う
""",
        """game 3番卓
players Ana, Bo
第1ターン Ana
AnaがOptを唱える(打ち消された)
Anaのガヴォニーの黎明護衛 (g1)が戦場に出る
Boは昼と言う
第2ターン Bo
Boが呪文を2つ唱える
第3ターン Ana
AnaがOptを唱える
AnaがLightning Boltを唱える
BoはAnaが2回唱えたと言う
第4ターン Bo
Anaはまだ昼だと言う
Boが投了する
""",
        """game 4番卓
players Ana, Bo
第1ターン Ana
Anaがセレスタスを唱える
Anaのセレスタス (x1)が戦場に出る
セレスタスの効果で夜になる
Boの猟犬調教師 (h1)が戦場に出る
Boは夜だと言う
第2ターン Bo
BoがOptを唱える
BoがもうOptを唱える
第3ターン Ana
AnaがWolfトークン(t1)を出す
t1が死亡する
h1が手札に戻る
""",
        """game 5番卓
players Ana, Bo
第1ターン Ana
Anaが偏執的な天文学者を唱える
Anaの偏執的な天文学者 (o1)が戦場に出る
第2ターン Bo
Boが呪文を唱える
第3ターン Ana
Anaは昼だと言う
Anaが墓地からOptを唱える
第4ターン Bo
第5ターン Ana
Boは夜だと言う
Boが降参する
""",
    ],
}
VARIANTS = 20


def events_of(text):
    return [placed.event for placed in read_text(text)]


def typed(lines, slips):
    """Read a game line by line: each line as in `slips`, with errors, or, if that is refused, as in `lines`.

    Returns a pair: the list of events, and the list of names that were marked as unknown.
    """
    kept, unknown = lines[:2], []
    for meant, slip in zip(lines[2:], slips[2:], strict=True):
        for line in (slip, meant):
            try:
                made = events_of("\n".join([*kept, line]))
            except RecordError:
                continue
            kept = [*kept, line]
            meta = made[-1].meta or {}
            unknown += meta.get("typed", {}).get("unknown", ())
            break
    return events_of("\n".join(kept)), unknown


def slipped(line, chance):
    """The line with one random error in a word of four or more letters, such as a letter missing, doubled or swapped.

    A line of the header, or without such a word, is returned unchanged.
    """
    words = list(re.finditer(r"[^\W\d_]{4,}", line))
    if not words or line.startswith(("game", "players")):
        return line
    word = chance.choice(words)
    at = chance.randrange(word.start() + 1, word.end() - 1)
    way = chance.randrange(6)
    if way == 0:
        return line[:at] + line[at + 1 :]
    if way == 1:
        return line[:at] + line[at] + line[at:]
    if way == 2:
        return line[:at] + line[at + 1] + line[at] + line[at + 2 :]
    if way == 3:
        return line[:at] + chance.choice("aeiourstln") + line[at + 1 :]
    if way == 4:
        return line.replace("é", "e").replace("ê", "e").replace("ご", "ゴ").replace("の", "ノ", 1)
    return line[: word.start()] + line[word.start() : word.end()].lower() + line[word.end() :]


def cases():
    return [(language, number) for language, games in GAMES.items() for number in range(len(games))]


@pytest.mark.parametrize("language, number", cases())
def test_as_meant(language, number):
    """Every line of the game is read, and the audit confirms each claim without a doubt about a name."""
    audit = Game(events_of(GAMES[language][number])).audit()
    assert [] == [finding.sentence for finding in (*audit.findings, *audit.unsettled)]
    assert "exact" == audit.verdict
    assert not audit.doubts


@pytest.mark.parametrize("language, number, seeds", [
    (*cases()[0], range(2)), *(pytest.param(*each, range(VARIANTS), marks=pytest.mark.wide) for each in cases()),
])  # fmt: skip
def test_with_slips(language, number, seeds):
    lines = GAMES[language][number].splitlines()
    for seed in seeds:
        chance = random.Random(f"{language} {number} {seed}")
        slips = [slipped(line, chance) if chance.random() < 0.4 else line for line in lines]
        made, unknown = typed(lines, slips)
        audit = Game(made).audit()
        assert audit.verdict != "disputed", (slips, [finding.sentence for finding in audit.findings])
        assert {*unknown} <= {*audit.doubts.names}
        known = Names()
        for event in made:
            for one in getattr(event, "permanents", ()):
                if not isinstance(one, str) and not one.token:
                    assert known.catalogue.knows(one.card) or one.card in audit.doubts.names


def test_how_many():
    assert 300 <= sum(map(len, GAMES.values())) * VARIANTS
