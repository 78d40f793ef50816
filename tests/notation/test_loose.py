"""Lines in free speech, which are read clause by clause.

| promise | test |
| --- | --- |
| unknown words beside a certain event are ignored; the whole line becomes the event's note | test_beside, test_note |
| a clause gives an event, or none if it is a remark; the reason of a claim gives none | test_clauses, test_reasons |
| a clause without a subject is about the player or permanent of the clause before, if only one fits | test_subjects |
| after `Ana passes` the rest of the line is in Bo's turn, which begins then, or the line is refused | test_passes |
| a verb is understood in each tense and level of politeness, and with its words in any order | test_forms |
| a line about something else than the game gives no event | test_chatter |
| `both creatures` leave if just so many are on the battlefield, else it is refused | test_crowds, test_crowds_there |
| a ruling may be by a judge without a name; for a claim by `he` the refusal asks who says so | test_judges |
| a step begins where a line says nothing else; a turn with its number is that of the player named next | test_steps |
| a judge with a name is found beside the word for the ruling; a saying in quotation marks has a speaker | test_named |
| an effect makes it day or night; what follows from the casts of the turn before is no event | test_causes |
| tokens, phasing, faces, and what an effect turns over | test_changes, test_changes_refused |
| what comes back is a new object, under the control of a player who is named | test_returns |
| who wins something besides the game has not won | test_wins |
| idioms for casting and countering; a spell named alone is of the only player who said something before | test_idioms |
| a named card that was not cast is asked back | test_denied |
| what only cheers or sighs is a part of the note; what may name a card, or another that dies, is not | test_cheers |
| a judge's name may stand in apposition; to ask for a judge, or to pass priority, is no event | test_judge_called |
| a card is a verb; a spell of a player that is countered was cast, unless the line says by what | test_cast_so |
| Japanese in dialect, with endings of courtesy, without particles | test_dialects |
| a creature that is exiled and comes back; a spell that transforms; steps and verbs with a slip | test_there_and_back |
| what these lines say, if denied, doubted or ambiguous, is refused | test_not_so |
| what is denied, asked, conditional, wished, planned, possible, or of another game gives no event | test_never |
| a line with an unknown name, an unclear verb or a second event that is uncertain is refused | test_refused |
| a line whose refusal asks a question (`who says so?`) is not read as events in another way | test_asked |
"""

import pytest

from daynight.framework.language.errors import RecordError
from tests.notation.test_spoken import SPOKEN, bare, refused, understood


def same(line, meant):
    assert bare(understood(meant.replace(" ;; ", "\n")) if meant else []) == bare(understood(line))


@pytest.mark.parametrize("line, meant", [
    ("Ana went ahead and cast Opt because she needs a land", "Ana casts Opt"),
    ("bo plays a trick idk which", "Bo casts a spell"),
    ("Bo vient de lancer trois sorts d'affilée je sais plus lesquels", "Bo casts 3 spells"),
    ("Bo finit par envoyer une foudre dans la tête d'Ana pour trois", "Bo casts Lightning Bolt"),
    ("赤マナ1つ残してたボーが稲妻をごろつきに打った", "Bo casts Lightning Bolt"),
    ("ボーが知らないインスタントを唱えた", "Bo casts a spell"),
    ("アナのカラスをボーが奪いました", "Bo controls c1"), ("bo takes ruffian til eot", "Bo controls w1"),
])  # fmt: skip
def test_beside(line, meant):
    same(line, meant)


def test_note():
    (event,) = understood("bo plays a trick idk which  # late")
    assert "bo plays a trick idk which; late" == event.note


@pytest.mark.parametrize("line, meant", [
    ("Lightning bolt from Bo, and that's the end of the crow", "Bo casts Lightning Bolt ;; c1 leaves to graveyard"),
    ("アナは選択を撃ったけど土地がなくて、次にショックをカタールに撃った", "Ana casts Opt ;; Ana casts Shock"),
    ("bo稲妻、カラス落ちた", "Bo casts Lightning Bolt ;; c1 leaves to graveyard"),
    ("ボーがWatchでカラスをブロックして、何も死ななかった", ""),
    ("Bo isn't happy with that and calls a judge", ""),
])  # fmt: skip
def test_clauses(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line, meant", [
    ("アナは前のターン誰も唱えてないから夜だと言っています", "Ana says night"),
    ("ana believes it is night now", "Ana says night"), ('Ana: "its night dude"', "Ana says night"),
])  # fmt: skip
def test_reasons(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line, meant", [
    ("In Anas first main phase, she cast Opt.", "Ana casts Opt"),
    ("Ana a chump bloqué avec la ruffiane donc elle est partie", "w1 leaves to graveyard"),
    ("アナ、カラス生贄", "c1 leaves to graveyard"),
])  # fmt: skip
def test_subjects(line, meant):
    same(line, meant)
    refused("Ana attacks Bo, then she casts Opt on the crow which nobody liked")


@pytest.mark.parametrize("line, meant", [
    ("Ana passes and at the start of his turn Bo casts Opt", "turn 4 Bo ;; Bo casts Opt"),
    ("アナは戦闘前にHound Tamerを唱えて、ボーにターンを渡しました", "Ana casts Hound Tamer ;; turn 4 Bo"),
    ("ターン渡してボーの番", "turn 4 Bo"), ("a bo, choc direct dans sa face", "turn 4 Bo ;; Bo casts Shock"),
])  # fmt: skip
def test_passes(line, meant):
    same(line, meant)
    refused("Ana passes the turn happily and Bo casts Opt on someone")


@pytest.mark.parametrize("line, meant", [
    ("ça fait deux sorts lancés par Ana", "Ana casts 2 spells"),
    ("これでアナは2つ唱えたことになる", "Ana casts 2 spells"),
    ("アナがカタールにショックを撃って倒した", "Ana casts Shock ;; b1 leaves to graveyard"),
    ("アナがこのターン3つ目の呪文を唱えた", "Ana casts a spell"),
    ("アナさん、ここで選択を唱えてきました", "Ana casts Opt"),
    ("ボーが稲妻をカラスに", "Bo casts Lightning Bolt"), ("それにBoがNegate", "Bo casts Negate"),
    ("嵐雲のカラスがアナの手札に戻りました", "c1 leaves to hand"),
    ("Le corbeau retourne dans la main d'Ana", "c1 leaves to hand"),
])  # fmt: skip
def test_forms(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line", [
    "Both of Bo's creatures die at the same time", "Bo perd ses deux créatures",
    "ボーのクリーチャーが2体とも同時に死亡",
])  # fmt: skip
def test_crowds(line):
    same(line, "w2, b1 leave to graveyard")
    refused("all three creatures die")


def test_crowds_there():
    """`Bo loses three creatures` means all that Bo controls now, also one taken from Ana, but none that has left."""
    found = understood("c1 leaves\nBo controls w1\nBo loses three creatures at once")
    assert {"w1", "w2", "b1"} == {*found[-1].permanents}


@pytest.mark.parametrize("line, meant", [
    ("head judge rules: day", '"the judge" rules day'),
    ("L'arbitre a tranché, il fait nuit", '"l\'arbitre" rules night'),
    ("ジャッジが来て、昼と裁定されました", '"ジャッジ" rules day'),
])  # fmt: skip
def test_judges(line, meant):
    same(line, meant)
    assert "who says so?" in refused("he says it is night")


@pytest.mark.parametrize("line, meant", [
    ("We are now in the upkeep step.", "upkeep"), ("etape de pioche", "draw"),
    ("戦闘前メイン・フェイズに入りました。", "main"),
    ("We have reached the end step.", "end"), ("戦闘入ります", "beginning of combat"),
    ("t4 bo アプキ", "turn 4 Bo ;; upkeep"),
    ("Turn 4 begins and Bo untaps all of his permanents.", "turn 4 Bo"), ("Bo's go now, he untaps", "turn 4 Bo"),
    ("Et on enchaîne avec le tour 4, celui de Bo !", "turn 4 Bo"), ("さあ第4ターン、手番はBoに移ります!", "turn 4 Bo"),
])  # fmt: skip
def test_steps(line, meant):
    same(line, meant)
    refused("Turn 4 begins and nobody knows whose it is")
    same("In Ana's first main phase, she casts Opt.", "Ana casts Opt")


@pytest.mark.parametrize("line, meant", [
    ("We called Jo over, and Jo ruled that it is day.", "Jo rules day"), ("jo's ruling: night", "jo rules night"),
    ("The verdict from judge Jo: night it is!", "Jo rules night"), ("decision de jo : nuit", "jo rules night"),
    ("ジャッジのJoが下した裁定は、夜!", "Jo rules night"), ('"It\'s night now!" says Bo', "Bo says night"),
    ("« Mais c'est la nuit ! », dit Bo", "Bo says night"), ("アナ「いま夜だよ」", "Ana says night"),
    ("judge ruling: night", '"the judge" rules night'), ("アナの主張、w1は裏面", "Ana says w1 shows back"),
])  # fmt: skip
def test_named(line, meant):
    same(line, meant)
    refused('"Is it night?" asks Bo')
    same("jo: night. final", "jo rules night")


@pytest.mark.parametrize("line, meant", [
    ("The ability resolves and it becomes day.", "it becomes day"),
    ("it becomes night cause of the celestus", "it becomes night by The Celestus"),
    ("Et là, un effet vient tout changer : il fait nuit !", "it becomes night"),
    ("効果で夜になります", "it becomes night"),
    ("2 spells last turn so it turns day", ""), ("前のターン2回唱えたから昼になる", ""),
])  # fmt: skip
def test_causes(line, meant):
    same(line, meant)
    refused("Ana cast 2 spells last turn, so it would be day")
    refused("night falls and nobody says why")


@pytest.mark.parametrize("line, meant", [
    ("two decayed zombie tokens come in on Bo's side", "Bo: Zombie (token), Zombie (token) enter"),
    ("deux jetons zombie pour bo", "Bo: Zombie (token), Zombie (token) enter"),
    ("w1 got flipped by an effect", "w1 is told to transform"), ("w1効果で変身", "w1 is told to transform"),
    ("w1 est dephasé", "w1 phases out"), ("b1がフェイズインした", "b1 phases in"),
    ("selon Bo, Village Watch est face recto", "Bo says w2 shows front"),
    ("per Bo his village watch is Village Reavers atm", "Bo says w2 shows back"),
])  # fmt: skip
def test_changes(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line", ["w1 flips", "Bo's wolf token attacks", "w1 doesn't phase out", "w1 might phase out"])
def test_changes_refused(line):
    refused(line)


@pytest.mark.parametrize("line, meant", [
    ("Village Watch comes back to the battlefield under Bo's control.", "Bo: Village Watch enters"),
    ("w2 is exiled and returns under Ana's control", "w2 leaves to exile ;; Ana: Village Watch enters"),
])  # fmt: skip
def test_returns(line, meant):
    same(line, meant)
    refused("the watch returns")


@pytest.mark.parametrize("line, meant", [
    ("What a comeback, Bo wins it!", "Bo wins"), ("Quel retournement, c'est Bo qui gagne !", "Bo wins"),
    ("anaの勝ち、おつ", "Ana wins"), ("Ana wins the roll", ""), ("Ana gagne 3 points de vie", ""),
])  # fmt: skip
def test_wins(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line, meant", [
    ("Ana goes for Opt, but Bo slams the door with Counterspell.", "Ana casts Opt ;; Bo casts Counterspell"),
    ("Et c'est parti, Ana ouvre avec Opt !", "Ana casts Opt"), ("Bo dit non : Counterspell !", "Bo casts Counterspell"),
    ("ana 2nd crow, on the stack", "Ana casts Storm Crow"), ("bo bolt ana, 17", "Bo casts Lightning Bolt"),
    ("bo bolts the crow, dead", "Bo casts Lightning Bolt ;; c1 leaves to graveyard"),
    ("ana consider, cimetiere", "Ana casts Consider"), ("bo csats Divination", "Bo casts Divination"),
])  # fmt: skip
def test_idioms(line, meant):
    same(line, meant)
    for other in ("Bo shows his hand: Opt, Shock", "Ana third crow", "ana opt, crow dead or not"):
        refused(other)


@pytest.mark.parametrize("line, meant", [
    ("ana consider, contré", "Ana casts Consider"), ("C'est Ana qui gagne !", "Ana wins"),
    ("Ana casts Opt, countered by Bo", "Ana casts Opt"),
    ("Ana lance Divination, Bo la contrecarre avec Negate", "Ana casts Divination\nBo casts Negate"),
    ("Ana met Hound Tamer en jeu depuis son cimetière", "Ana: Hound Tamer enters"),
    ("Ana met Hound Tamer sur le champ de bataille depuis sa main", "Ana: Hound Tamer enters"),
])  # fmt: skip
def test_not_silent(line, meant):
    """A line has all events that it tells of, and no cast that it does not tell of."""
    same(line, meant)


@pytest.mark.parametrize("line", ["ana says night", "ANA says night", "ana dit qu'il fait nuit", "ana: night"])
def test_case(line):
    """A speaker in other letters than a player's, upper or lower case, is that player, but not in quotation marks."""
    same(line, "Ana says night")
    (found,) = understood('"ana" says night')
    assert "ana" == found.by


@pytest.mark.parametrize("line", [
    "Ana casts Opt, countered by Negate", "Ana casts Opt (countered by Negate)",
    "Ana's Opt is countered by Bo's Negate",
])  # fmt: skip
def test_countering(line):
    """A card that counters a spell was cast too, and the line does not say by whom."""
    assert "what happened to Negate?" in refused(line)


@pytest.mark.parametrize("line, meant", [
    ("Ana won, hooray", "Ana wins"), ("Hooray, Ana won", "Ana wins"), ("カラス死亡、残念", "c1 leaves to graveyard"),
    ("Ana a lancé Opt, toute contente", "Ana casts Opt"), ("le corbeau meurt, le pauvre", "c1 leaves to graveyard"),
    ("w1 phases out, poof says Ana", "w1 phases out"), ("Boum, le corbeau meurt", "c1 leaves to graveyard"),
    ("Bo, smug, concedes", "Ana wins"), ("Bo, furious, concedes", "Ana wins"),
    ("Bo says night, final", "Bo says night"), ("Jo says its day, final", "Jo rules day"),
    ("jo dit qu'il fait jour, point barre", "jo rules day"),
])  # fmt: skip
def test_cheers(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line, meant", [
    ("The judge, Jo, has ruled that it is night.", "Jo rules night"),
    ("Jo, the judge, rules it is day", "Jo rules day"),
    ("Ana calls the judge, and judge Jo rules night", "Jo rules night"),
    ("Ana appelle l'arbitre, et l'arbitre Jo décide nuit", "Jo rules night"),
    ("L'arbitre, Jo, a tranché : il fait nuit.", "Jo rules night"),
    ("Bo would like a judge, please.", ""), ("Bo demande un arbitre", ""),
    ("Anaが手を挙げてジャッジを求めた。", ""), ("ana passes prio", ""), ("bo passe la prio", ""),
])  # fmt: skip
def test_judge_called(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line, meant", [
    ("bo infernal grasps ruffian, it dies", "Bo casts Infernal Grasp ;; w1 leaves to graveyard"),
    ("bo bolt le corbeau, il meurt", "Bo casts Lightning Bolt ;; c1 leaves to graveyard"),
    ("Bo稲妻でカラス焼いた、死亡", "Bo casts Lightning Bolt ;; c1 leaves to graveyard"),
    ("Play with Fire lancé par Ana sur son frère", "Ana casts Play with Fire"),
    ("Ana's spell was countered", "Ana casts a spell"), ("Un sort d'Ana a été contrecarré.", "Ana casts a spell"),
    ("Anaの呪文が打ち消された", "Ana casts a spell"), ("Anaが呪文ふたつ唱えた", "Ana casts 2 spells"),
    ("Boがライトニングボルト、カラス死亡", "Bo casts Lightning Bolt ;; c1 leaves to graveyard"),
])  # fmt: skip
def test_cast_so(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line, meant", [
    ("BoがOptを唱えよった", "Bo casts Opt"), ("カラスさん、墓地に行ってしもた", "c1 leaves to graveyard"),
    ("Bo、Brutal Catharを生け贄に捧げよった", "b1 leaves to graveyard"), ("Boもう降参やって", "Ana wins"),
    ("Anaは投了を宣言した。", "Bo wins"), ("勝者Bo", "Bo wins"), ("誰も攻撃せえへん", ""),
    ("このターン、Boさんは呪文を唱えませんでした。", ""), ("Boは何も唱えへんかった", ""), ("Bo、3点くらって残り11", ""),
    ("Anaのごろつきとカラス、どっちも死んだ", "w1, c1 leave to graveyard"),
    ("村の見張り戦闘で死亡", "w2 leaves to graveyard"), ("AnaがWatchのコントロール奪う", "Ana controls w2"),
])  # fmt: skip
def test_dialects(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line, meant", [
    ("Bo cast Cloudshift on Brutal Cathar: it was exiled and came back at once under his control.",
     "Bo casts Cloudshift ;; b1 leaves to exile ;; Bo: Brutal Cathar enters"),
    ("BoがVillage Watchを対象にEphemerateを唱え、同クリーチャーは追放された後ただちにBoのもとへ戻った。",
     "Bo casts Ephemerate ;; w2 leaves to exile ;; Bo: Village Watch enters"),
    ("la ruffiane se transforme à cause d'un sort", "w1 is told to transform"),
    ("Cathare banni en exil", "b1 leaves to exile"), ("Untapping", "untap"),
    ("2nd main", "second main"), ("2e phase principale", "second main"),
    ("le corbo est mort", "c1 leaves to graveyard"),
    ("Ruffian got transformd by an ability", "w1 is told to transform"),
])  # fmt: skip
def test_there_and_back(line, meant):
    same(line, meant)


@pytest.mark.parametrize("line", [
    "Ana casts Opt, growth", "the crow dies, goblin too", "le corbeau meurt, le gobelin aussi",
    "Ana won, just kidding", "Ana won, not", "カラスは死んでない、残念",
    "The judge, Jo, has not ruled that it is day", "The judge, Jo, may rule night", "Bo would like to cast Opt",
    "L'arbitre, Jo, n'a pas tranché : il fait nuit", "bo never infernal grasps the crow", "bo ne bolt pas le corbeau",
    "Bo稲妻でカラス焼きたい", "Ana's spell wasn't countered", "Ana's spell was countered by Negate",
    "Bo counters Ana's spell", "Un sort de Bo sera contrecarré", "AnaがBoの呪文を打ち消した", "BoがOptを唱えへん",
    "カラスは死なへん", "Bo降参せえへん", "カラス死んどらん", "どっちが死んだ?", "Anaは投了を宣言しなかった",
    "勝者はAnaではない", "Ana casts Cloudshift on Bo's Cathar, it is exiled and comes back under her control",
    "Bo cast Cloudshift on Brutal Cathar: it was exiled and didn't come back under his control.",
    "la ruffiane se transforme à cause d'un sort de Bo", "Cathare pas banni en exil", "le corbo est pas mort",
])  # fmt: skip
def test_not_so(line):
    refused(line)


@pytest.mark.parametrize("line", ["bo has no bolt", "Bo n'a pas lancé Foudre, il a changé d'avis"])
def test_denied(line):
    assert "what did not happen has no line" in refused(line)


@pytest.mark.parametrize("line", ["Sorry my phone froze for a second", "salut le chat", "ちょっと飲み物取ってくる"])
def test_chatter(line):
    same(line, "")


@pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("language", ["en", "fr", "ja"])
def test_never(language, every):
    rows = (SPOKEN / f"{language}-never.txt").read_text("utf-8").splitlines()
    lines = [row for row in rows if row and not row.startswith("#")]
    assert len(lines) >= 60
    for line in lines[::every]:
        try:
            found = understood(line)
        except RecordError:
            continue
        assert [] == found, line


@pytest.mark.parametrize("line", [
    "Ana and Bo cast Opt", "Ana casts Opt and zorblax", "Ana casts Opt x2", "Bo castes Opt", "Ana casts Moonmist s1",
    "Ana casts Opt on turn 2", "w1 kills", "w1 wiggles to exile", "turn 4 Bo, skips his untap step",
    "Ana attaque, le gobelin lance Opt", "アナは選択とゾルブラックスを唱えた", "Ana activates The Celestus",
    "Ana casts The Village Watch", "w1 attacks and the goblin dies",
    "After Shock Ana also casts Opt", "Bo's Cathar got bolted by Ana", "Ana casts a second spell and a third",
    "Bo gets b1 back",
    "Bo lets it resolve, Kessig Naturalist hits the table for Ana", "Ana sacs the bird, draws a card",
])  # fmt: skip
def test_refused(line):
    refused(line)


def test_asked():
    assert "A land is not cast" in refused("Ana plays Think Twice")
    assert "who says so?" in refused("someone says it is night")
