"""Hostile names of games, players, cards and permanents, and hostile texts, are shown as plain text.

| promise | test |
| --- | --- |
| a name is shown literally | test_names |
| no name makes the page wider than a narrow window | test_names |
| a right-to-left name does not reorder the text beside it | test_right_to_left |
"""

import json

import pytest

from .conftest import ended, started
from .hostile import NAMES

KEPT_OUT = "img, iframe, base, style, math, form[action], [onerror], [onload], [onmouseover], [onfocus], b, body script"


def record(name):
    """Return the events of a game with `name` in every possible place."""
    other = "Bo" if name != "Bo" else "Cy"
    return [
        {"type": "game-started", "format": 1, "game": name, "players": [name, other]},
        {"type": "effect-resolved", "becomes": "day"},
        {"type": "turn-began", "turn": 1, "active": [name], "note": name},
        {"type": "spell-cast", "player": name, "card": name},
        {"type": "permanents-entered", "permanents": [{"id": name, "card": name, "controller": name}]},
        {"type": "designation-claimed", "designation": "night", "by": name},
        {"type": "note-added", "by": name, "about": 4, "says": name},
        {"type": "dispute-opened", "dispute": name, "by": name, "about": 6},
        {"type": "dispute-claimed", "dispute": name, "by": name, "designation": "night", "says": name},
    ]


def served(folder, names):
    """Start a server with a game for each name; return its site and the process."""
    places = []
    for place, name in enumerate(names):
        places.append(folder / f"{place}.jsonl")
        lines = [json.dumps(event, ensure_ascii=False) for event in record(name)]
        places[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    return started(*map(str, places), cwd=folder)


@pytest.mark.parametrize("names", [NAMES[2:50:16], pytest.param(NAMES, marks=pytest.mark.slow)], ids=["few", "all"])
def test_names(opens, tmp_path, names):
    """The names are literal in the list and in each game, in each panel."""
    site, process = served(tmp_path, names)
    try:
        window = opens(of=site, width=320, height=700).go("/")
        rows = site.json("/v1/games?limit=500")["games"]
        assert sorted(names) == sorted(row["game"] for row in rows)
        assert sorted(names) == sorted(window.page.locator(".games .name").all_text_contents())
        harmless(window)
        for row in rows:
            name = row["game"]
            window.go(f"/g/{row['id']}#e=6", ready="#state h3")
            assert name == window.page.locator("h1").text_content()
            # The browser collapses spaces in titles.
            assert " ".join(f"{name} · daynight".split()) == window.page.title()
            assert [name] == window.page.locator(".permanents .name").all_text_contents()
            assert name in window.page.locator(".log").text_content()
            for key in ("m", "d"):
                window.press(key)
                assert name in window.page.locator(".why").text_content()
            harmless(window)
        assert ([], []) == (window.elsewhere, window.complaints)
    finally:
        ended(process)


def harmless(window):
    """Assert that no element or handler comes from a name, and nothing is wider than the window."""
    assert 0 == window.page.locator(KEPT_OUT).count()
    assert window.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


ACROSS = """([inside, words]) => {
    const texts = document.createTreeWalker(document.querySelector(inside), NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const found = {};
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        for (const word of words) {
            const place = node.data.indexOf(word);
            if (place < 0) continue;
            range.setStart(node, place);
            range.setEnd(node, place + word.length);
            found[word] = range.getBoundingClientRect().x;
        }
    }
    return words.map(word => found[word]);
}"""


def test_right_to_left(opens, tmp_path):
    """In lines with Hebrew names, the words are in the expected order from left to right."""
    name, other = "שלום", "אבג"
    path = tmp_path / "one.jsonl"
    claim = {"type": "dispute-claimed", "dispute": name, "by": name, "says": other}
    path.write_text("".join(json.dumps(event) + "\n" for event in [*record(name), claim]), encoding="utf-8")
    site, process = started(str(path), cwd=tmp_path)
    try:
        window = opens(of=site).go(f"/g/{site.json('/v1/games')['games'][0]['id']}#e=6").press("d")
        for inside, words in (
            (".permanents li", ["front face", name]),
            (".title p", [name, "a file: read-only"]),
            (".sky .place", ["turn 1", name]),
            (".trail li:last-child", ["e10", name, other]),
        ):
            places = window.page.evaluate(ACROSS, [inside, words])
            assert sorted(places) == places, (inside, words, places)
    finally:
        ended(process)
