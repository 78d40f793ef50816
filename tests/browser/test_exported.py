"""A game as one file in a browser: it opens from the disk without requests, with reasons, forecasts and repairs."""

import json
from pathlib import Path

import pytest

from daynight import Game
from daynight.cli.commands import run
from daynight.cli.mechanics import commands
from daynight.framework import Recorded
from daynight.speaker import Speaker
from examples import approval, monarch

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]

ANA = "<img src=x onerror=alert(2)>"

EVENTS = [
    {"type": "game-started", "format": 1, "game": "</script><script>alert(1)</script>", "players": [ANA, "Bo"]},
    {"type": "effect-resolved", "becomes": "day"},
    {"type": "turn-began", "turn": 1, "active": [ANA]},
    {"type": "spell-cast", "player": ANA, "card": "<!--<script>alert(3)"},
    {"type": "turn-began", "turn": 2, "active": ["Bo"], "note": "</title></script>&lt;'`${1}",
     "meta": {"x": "\u2028</script>"}},
    {"type": "turn-began", "turn": 3, "active": [ANA]},
    {"type": "designation-claimed", "designation": "day", "by": "Bo"},
]  # fmt: skip


def exported(folder, name="demo", *program):
    """Export the game `name` to a page in `folder`, as `daynight export` or `program` does; return the file's path."""
    file = folder / "game.html"
    assert run(["export", name, "-o", str(file)], *program) == 0
    return file


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The path of the demo's page."""
    return exported(tmp_path_factory.mktemp("page"))


def at_rest(visit, event):
    """Go to `event`, and wait until its row is current and the sentence of `why` is shown."""
    visit.page.evaluate(f"location.hash = 'e={event}'")
    visit.page.wait_for_function(f"document.querySelector('[aria-current=step]')?.textContent.includes('e{event}')")
    visit.page.locator(".lead p").wait_for()


def test_it_opens_from_the_disk_and_asks_nobody(opened, demo):
    from playwright.sync_api import expect

    visit = opened(demo)
    visit.page.get_by_role("heading", level=1).get_by_text("wagic-G1").wait_for()
    at_rest(visit, 110)
    game = Game.load("demo")
    expect(visit.page.locator(".lead p")).to_have_text(game.why(110).short)
    expect(visit.page.locator(".lead + p")).to_have_text(game.why(110).sentence)
    at_rest(visit, 14)
    expect(visit.page.locator(".lead p")).to_have_text(game.why(14).short)
    expect(visit.page.locator(".lead + p")).to_have_text(game.why(14).sentence)
    assert (visit.asked, visit.complaints) == ([], [])


def test_forecasts_are_in_it(opened, demo):
    from daynight.questions.forecast import forecast

    visit = opened(demo)
    at_rest(visit, 118)
    visit.page.get_by_text("What comes next").click()
    visit.page.get_by_text(forecast(Game.load("demo"), 118).sentence).wait_for()


def test_what_if_is_off_and_says_why(opened, demo):
    visit = opened(demo)
    visit.page.get_by_role("button", name="What if", exact=True).click()
    visit.page.get_by_text("open the game with daynight serve").wait_for()
    assert visit.asked == []


def test_a_mend_is_in_it_as_a_branch(opened, demo):
    """A proposed repair opens as a what-if without a server, also after a reload, and can be stepped through; the page
    offers no other edit."""
    visit = opened(demo)
    page = visit.page
    page.get_by_role("heading", name="1 claim contradicts the rules:").wait_for()
    page.keyboard.press("x")
    page.get_by_text("It entered at event 121 while it was night").first.wait_for()
    page.keyboard.press("w")
    page.get_by_role("button", name="Try that").click()
    for _time in range(2):
        page.get_by_text("This is a what-if: nothing of it is stored.").wait_for()
        page.get_by_role("button", name="What if", exact=True).click()
        page.locator(".verdicts").filter(has_text="exact (0)").wait_for()
        assert 0 == page.get_by_role("button", name="Try", exact=True).count()
        page.keyboard.press("Home")
        page.keyboard.press("End")
        page.locator("[aria-current] :text-is('e161')").wait_for()
        assert [] == visit.axe()["violations"]
        page.reload()
    page.get_by_text("This is a what-if: nothing of it is stored.").wait_for()
    page.locator("[aria-current] :text-is('e161')").wait_for()
    page.keyboard.press("b")
    page.locator("[aria-current] :text-is('e160')").wait_for()
    assert (visit.asked, visit.complaints) == ([], [])


def test_it_tells_why_a_permanent_shows_its_face(opened, demo):
    from daynight.questions.facing import facing

    visit = opened(demo)
    at_rest(visit, 150)
    visit.page.get_by_role("button", name="Brutal Cathar", exact=True).click()
    found = facing(Game.load("demo"), 150, "brutal-cathar-2", "2024-06-07")
    facts = [f"CR {found.cr}", f"e{found.since}", *(f"e{event}" for event in found.because)]
    assert facts == visit.page.locator(".of dd").all_inner_texts()


@pytest.mark.parametrize("language, word", [("fr", "Journal"), ("ja", "夜")])
def test_it_speaks_every_language(opened, demo, language, word):
    from daynight.languages.speaking import speaking

    visit = opened(demo)
    at_rest(visit, 110)
    visit.page.get_by_role("combobox").filter(has_text="English").select_option(language)
    with speaking(language):
        why = Game.load("demo").why(110)
        short, sentence = why.short, why.sentence
    visit.page.locator(".lead p").get_by_text(short, exact=True).wait_for()
    visit.page.locator(".lead + p").get_by_text(sentence, exact=True).wait_for()
    visit.page.get_by_text(word).first.wait_for()


@pytest.mark.parametrize("mechanic, name", [(monarch.MECHANIC, "monarch.jsonl"), (approval.MECHANIC, "approval.jsonl")])
def test_it_tells_why_each_part_of_another_mechanic(opened, tmp_path, mechanic, name):
    """After each event that changed them, the parts have the values, rules and events that `blame` gives them."""
    from playwright.sync_api import expect

    record = ROOT / "examples" / name
    visit = opened(exported(tmp_path, str(record), commands(mechanic)))
    game, say = Recorded.load(mechanic, record), Speaker(mechanic)
    rows = visit.page.locator(".why .rows > li")
    every = {number: [*game.parts(number)] for number in range(1, len(game) + 1)}
    changes = [number for number, parts in every.items() if parts != every.get(number - 1)]
    assert len(changes) > 5
    for number in changes:
        parts = every[number]
        visit.page.evaluate(f"location.hash = 'e={number}'")
        expect(visit.page.locator(".why .event")).to_contain_text(f"e{number} ")
        expect(rows).to_have_text([_as_the_page_tells(say, *part) for part in parts], use_inner_text=True)
    assert (visit.asked, visit.complaints) == ([], [])


def _as_the_page_tells(say, part, subject, derived):
    """Return a part as the page tells it: its value, its rule, since when, and because of which events."""
    facts = say.document(part, subject, derived)
    rule = "" if facts["rule"] is None else f" {say.mechanic.rules[facts['rule']]}"
    because = ", ".join(f"e{event}" for event in facts["because"])
    told = f"{say.part(part, subject, derived)}{rule} since e{facts['since']}"
    return f"{told} · because of {because}" if because else told


def test_nothing_of_a_record_is_markup(opened, tmp_path):
    record = tmp_path / "hostile.jsonl"
    record.write_text("".join(json.dumps(event, ensure_ascii=False) + "\n" for event in EVENTS), encoding="utf-8")
    visit = opened(exported(tmp_path, str(record)))
    # The page shows its title, and no element came from a hostile name.
    visit.page.get_by_role("heading", level=1).get_by_text("</script><script>alert(1)</script>").wait_for()
    at_rest(visit, 4)
    assert "<!--<script>alert(3)" in visit.page.locator("[aria-current=step]").inner_text()
    assert (visit.page.locator("img").count(), visit.page.locator("script").count()) == (0, 2)
    assert visit.page.title().startswith("</script>")
    assert (visit.asked, visit.complaints) == ([], [])


def test_its_policy_lets_no_other_script_in(opened, demo):
    visit = opened(demo)
    refused = visit.page.evaluate(
        "() => new Promise(done => { addEventListener('securitypolicyviolation', e => done(e.violatedDirective));"
        " const one = document.createElement('style'); one.textContent = '*{color:red}'; document.head.append(one) })"
    )
    assert refused.startswith("style-src")
    script = "const s = document.createElement('script'); s.text = 'window.bad = 1'; document.body.append(s)"
    with pytest.raises(Exception, match=r"TrustedScript|Content Security"):
        visit.page.evaluate(f"() => {{ {script} }}")


def test_it_has_no_barriers(opened, demo):
    visit = opened(demo)
    at_rest(visit, 110)
    assert visit.axe()["violations"] == []
    visit.page.evaluate("location.hash = 'e=122'")
    visit.page.get_by_text("It entered at event 121 while it was night").first.wait_for()
    assert visit.axe()["violations"] == []


@pytest.mark.parametrize("name", ["examples/games/uncertain.jsonl", "examples/games/clone.jsonl"])
def test_what_it_tells_is_at_most_four_times_the_record(name, tmp_path):
    from daynight.records import Record
    from daynight.web.shelf import FileGame

    told = exported(tmp_path, name).read_text(encoding="utf-8").partition('id="exported">')[2].partition("<")[0]
    assert 0 < len(told) <= 4 * len(FileGame.read(Record(name), Game.load("demo").mechanic).data)


def test_the_example_says_what_is_wrong_and_what_would_mend_it(opened):
    visit = opened(ROOT / "examples/demo.html")
    visit.page.get_by_role("heading", name="1 claim contradicts the rules:").wait_for()
    visit.page.keyboard.press("x")
    visit.page.get_by_text("It entered at event 121 while it was night").first.wait_for()
    visit.page.keyboard.press("w")
    visit.page.get_by_text(
        "Had an effect made it day in turn 21, after event 121, every claim would be right."
    ).wait_for()
    assert (visit.asked, visit.complaints) == ([], [])


def test_the_current_row_stays_in_sight(opened, tmp_path):
    """If the headline gets a second line, about uncertainty, the log below shrinks and still shows the current row."""
    visit = opened(exported(tmp_path, str(ROOT / "examples/games/uncertain.jsonl")))
    visit.page.locator(".doubt").wait_for()
    visit.page.wait_for_function("""() => {
        const box = one => document.querySelector(one).getBoundingClientRect();
        const [row, list] = [box('.log [aria-current]'), box('.log .scroller')];
        return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
    }""")
