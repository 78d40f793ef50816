"""An answer contains facts: its sentence is made on request, in the language chosen at that moment.

| promise | test |
| --- | --- |
| sentences of findings, whys, blame, differences and faces follow a change of the language | test_retold |
| an answer made in English equals, in another language, one made there | test_as_if_it_had_been_asked |
"""

import pytest

from daynight.compare.differences import differences
from daynight.game import Game
from daynight.languages.speaking import speaking
from daynight.questions.blame import blamed
from daynight.questions.facing import facing
from tests.behaviour.games import told
from tests.behaviour.naively import random_game
from tests.rules.judges import claim, claim_face, claim_tally, opens, ruled, rules_on
from tests.rules.placing import enter
from tests.rules.words import effect, turn

EVENTS = (
    enter("w1"), turn(1), effect("night"), claim("day"), claim_face("w1", "front"), claim_tally("Ana", 3),
    ruled("day"), opens(), rules_on(outcome="fix", designation="night"),
)  # fmt: skip


def answers(game: Game) -> list:
    """Return answers about `game`, of every kind that has a sentence."""
    audit = game.audit()
    return [
        *audit.findings, *audit.unsettled, game.why(), game.why(4), facing(game, 5, "w1", game.edition),
        *blamed(game, 5), *differences(game.at(2), game.at(5)),
    ]  # fmt: skip


def test_retold():
    """Answers made in English give other sentences in Japanese and French, and the same ones again in English."""
    found = answers(told(*EVENTS))
    assert len(found) > 10
    english = [one.sentence for one in found]
    assert "event 5 (turn 1, beginning): Ana says that it is day; by the rules it is night." in english[0]
    for language, says in (("ja", "夜"), ("fr", "nuit")):
        with speaking(language):
            sentences = [one.sentence for one in found]
        assert says in sentences[0]
        assert all(sentence != before for sentence, before in zip(sentences, english, strict=True))
    assert english == [one.sentence for one in found]


@pytest.mark.parametrize("seed", range(3))
def test_as_if_it_had_been_asked(seed):
    """In another language, the document of an audit and sentences of whys made in English equal those made there."""
    game = random_game(seed, 40)
    audit, whys = game.audit(), [game.why(number) for number in (len(game) // 2, len(game))]
    for language in ("ja", "fr"):
        with speaking(language):
            assert game.audit().document() == audit.document()
            for why in whys:
                asked = game.why(why.event)
                assert (asked.sentence, asked.sources) == (why.sentence, why.sources)
