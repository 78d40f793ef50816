"""Which language each reader, thread and task gets.

| promise | test |
| --- | --- |
| DAYNIGHT_LANG, then gettext's variables in its order; C, POSIX and unknown languages mean English | test_chosen |
| the first variable that is set counts, whatever the others say | test_the_first_one_counts |
| `speaking` sets the language of its block, also after an error | test_speaking, test_speaking_inside_speaking |
| an unknown language is refused in the present language, with the known ones | test_no_such_language |
| threads and tasks can use different languages at the same time | test_threads, test_tasks |
| a store's threads use the language of their caller | test_helpers, test_a_watching_thread |
| every text about a game is in the language at the time of the call | test_a_game |
| lists, alternatives and sentences are joined by the language's rules | test_grammar |
"""

import asyncio
import re
import sqlite3
import threading
from contextlib import closing
from time import monotonic

import pytest

from daynight.events import Designation
from daynight.events.consequences import Changed
from daynight.framework.language import grammar, wording
from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _, counted
from daynight.game import Game
from daynight.games import Store
from daynight.languages.speaking import LANGUAGES, chosen, speaking
from daynight.speech.sentences import designation_word, either_word, listed, reason, spells_word
from daynight.store.feed import Feed
from daynight.store.records import _ahead

NIGHT = {"en": "night", "fr": "nuit", "ja": "夜"}


def night():
    """The word for night in the present language."""
    return designation_word(Designation.NIGHT)


@pytest.mark.parametrize("environment, language", [
    ({}, None),
    ({"LANG": "fr_FR.UTF-8"}, "fr"), ({"LANG": "ja_JP"}, "ja"), ({"LANG": "fr"}, "fr"), ({"LANG": "en_GB"}, "en"),
    ({"LANG": "fr_CA@euro"}, "fr"), ({"LANG": "ja-JP"}, "ja"), ({"LANG": "FR"}, "fr"),
    ({"LANG": "C"}, None), ({"LANG": "C.UTF-8"}, None), ({"LANG": "POSIX"}, None), ({"LANG": "de_DE.UTF-8"}, None),
    ({"LANG": "frr_DE"}, None), ({"LANG": "?"}, None), ({"LANG": ""}, None),
    ({"LANGUAGE": "de:ja:fr"}, "ja"), ({"LANGUAGE": "de:C:fr"}, None), ({"LANGUAGE": ":fr"}, "fr"),
    ({"LC_MESSAGES": "fr_FR"}, "fr"), ({"LC_ALL": "ja_JP"}, "ja"), ({"DAYNIGHT_LANG": "fr"}, "fr"),
    ({"LC_TIME": "fr_FR"}, None),
])  # fmt: skip
def test_chosen(environment, language):
    """`chosen` returns the first known language, or None (English) if there is none, or C or POSIX before it."""
    assert language == chosen(environment)


def test_the_first_one_counts():
    """The first variable that is set decides, of DAYNIGHT_LANG, LANGUAGE, LC_ALL, LC_MESSAGES, LANG; empty is unset."""
    environment = {}
    for name, locale in (
        ("LANG", "fr"),
        ("LC_MESSAGES", "ja"),
        ("LC_ALL", "fr"),
        ("LANGUAGE", "ja"),
        ("DAYNIGHT_LANG", "fr"),
    ):
        environment[name] = locale
        assert locale == chosen(environment), name
    assert chosen(environment | {"LANGUAGE": "ja", "DAYNIGHT_LANG": "C"}) is None
    assert "ja" == chosen(environment | {"DAYNIGHT_LANG": ""})


@pytest.mark.parametrize("language", LANGUAGES)
def test_speaking(language):
    """After the block the language is English again, even after an exception."""
    with speaking(language):
        assert (language, NIGHT[language]) == (wording.language(), night())
    assert ("en", "night") == (wording.language(), night())
    with pytest.raises(ZeroDivisionError), speaking(language):
        raise ZeroDivisionError
    assert "night" == night()


def test_speaking_inside_speaking():
    """After the inner block, the outer block's language is used."""
    with speaking("fr"):
        with speaking("ja"):
            assert "夜" == night()
        with speaking("en"):
            assert "night" == night()
        assert "nuit" == night()


def test_no_such_language():
    """`speaking` raises an AskedError, which is a ValueError, for an unknown language; the language does not change."""
    for language in ("de", "", "FR", "../fr"):
        with pytest.raises(AskedError, match=r"no language '.*'; there are en, fr, ja$"), speaking(language):
            pass
    with speaking("fr"), pytest.raises(ValueError, match="aucune langue 'de'"), speaking("de"):
        pass
    assert "night" == night()


def test_threads():
    """Each thread uses its own language; a new thread begins with English."""
    together = threading.Barrier(len(LANGUAGES))
    said = {}

    def speak(language):
        said[language] = [night()]
        with speaking(language):
            for _round in range(50):
                together.wait(10)
                said[language].append(night())

    threads = [threading.Thread(target=speak, args=(language,)) for language in LANGUAGES]
    with speaking("fr"):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert "nuit" == night()
    assert {language: ["night"] + [NIGHT[language]] * 50 for language in LANGUAGES} == said


def test_tasks():
    """Tasks of a server take turns, and each keeps its own language."""

    async def answer(language):
        said = []
        with speaking(language):
            for _round in range(20):
                await asyncio.sleep(0)
                said.append((night(), wording.language()))
        return said

    async def serve():
        return await asyncio.gather(*map(answer, LANGUAGES * 3))

    assert [[(NIGHT[language], language)] * 20 for language in LANGUAGES * 3] == asyncio.run(serve())
    assert "night" == night()


def test_helpers():
    """The thread that reads chunks ahead uses the language of its caller, who gets its errors."""
    told = []

    def chunks():
        told.append((threading.current_thread(), night()))
        yield "chunk"
        raise LookupError(night())

    with speaking("fr"), pytest.raises(LookupError, match=r"^nuit$"):
        list(_ahead(chunks()))
    assert [(False, "nuit")] == [(thread is threading.current_thread(), word) for thread, word in told]


def test_a_watching_thread(tmp_path):
    """The thread of a `Feed` words `trouble` in the language in which the feed was started."""
    with Store.open(tmp_path / "s.db") as store, speaking("ja"):
        store.new("g", ["Ana", "Bo"])
        with Feed(store) as feed, feed.subscribe("g", after=0) as subscription:
            assert subscription.wait(10) is not None
            with closing(sqlite3.connect(tmp_path / "s.db")) as database:
                database.execute("DROP TABLE stored_events")
                database.commit()
            until = monotonic() + 10
            while feed.trouble is None and monotonic() < until:
                subscription.wait(0.05)
            assert re.search("[ぁ-ヿ]", str(feed.trouble)), feed.trouble


@pytest.mark.parametrize("language, sentence", [
    ("fr", "Il fait nuit depuis l’événement 106, tour 19\u00a0: Seat B, joueur actif du tour 18, n’y a lancé"),
    ("ja", "イベント106（ターン19）以降、夜である：ターン18のアクティブ・プレイヤー（Seat B）がそのターンに呪文を"),
])  # fmt: skip
def test_a_game(language, sentence):
    """A game that was loaded in English answers in `language` inside `speaking`, with the same facts."""
    game = Game.load("demo")
    english = game.why(122)
    says = english.sources[1].says
    with speaking(language):
        why = game.why(122)
        assert why.sentence.startswith(sentence)
        assert why.document()["sources"][1]["says"] != says
        assert sentence in game.audit().findings[0].sentence
    same = ("event", "designation", "since", "rule", "cr", "because")
    assert [getattr(english, name) for name in same] == [getattr(why, name) for name in same]
    assert english == game.why(122)


def test_grammar():
    """Lists, alternatives, joined sentences, counts and the reason of a change follow the rules of each language."""
    change = Changed(
        event=9, rule="check-day", because=(5,), turn=3, was=Designation.DAY, became=Designation.NIGHT,
        checked_turn=2, players=("Ana", "Bo"),
    )  # fmt: skip
    both = (Designation.DAY, Designation.NIGHT)
    said = {}
    for language in LANGUAGES:
        with speaking(language):
            said[language] = (
                listed(["Ana", "Bo", "Cy"]), either_word(both),
                grammar.paragraph("A.", "", "B."), grammar.also("a", "b"), grammar.labelled("a", "b"),
                grammar.full_stop("a"),
                spells_word(0, 0), spells_word(1, 1), spells_word(2, None), spells_word(1, 3),
                spells_word(0, None), spells_word(0, 1),
                reason(change), counted("{n} turn", "{n} turns", 0), _("day"),
            )  # fmt: skip
    assert {
        "en": (
            "Ana, Bo and Cy", "day or night", "A. B.", "a; b", "a: b", "a.", "0 spells", "1 spell", "2 or more spells",
            "1-3 spells", "0 or more spells", "0-1 spells",
            "none of Ana and Bo, active in turn 2, cast a spell in it", "0 turns", "day",
        ),
        "fr": (
            "Ana, Bo et Cy", "jour ou nuit", "A. B.", "a\u00a0; b", "a\u00a0: b", "a.",
            "0 sort", "1 sort", "au moins 2 sorts", "1 à 3 sorts",
            "au moins 0 sort", "0 à 1 sort",
            "aucun des joueurs actifs du tour 2 (Ana et Bo) n’y a lancé de sort", "0 tour", "jour",
        ),
        "ja": (
            "Ana、BoとCy", "昼または夜", "A.B.", "a、b", "a：b", "a。", "呪文0個", "呪文1個", "呪文2個以上",
            "呪文1～3個", "呪文0個以上", "呪文0～1個",
            "ターン2のアクティブ・プレイヤー（AnaとBo）がそのターンに呪文を唱えなかった", "0ターン", "昼",
        ),
    } == said  # fmt: skip
    assert "" == grammar.paragraph()
    assert "" == grammar.semicolons([])
