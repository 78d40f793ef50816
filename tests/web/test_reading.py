"""Reading routes: their answers equal the commands' output."""

from urllib.parse import quote

import pytest

from daynight.framework.language.codec import VERSION
from daynight.games import Library, Store
from daynight.languages.speaking import LANGUAGES
from daynight.records import Record
from daynight.web.game_list import GameList, GamesQuery
from daynight.web.shelf import Shelf, id_of
from tests.bench.walks import walked
from tests.web.asking import asking
from tests.web.conftest import GAMES, ODD, ROOT

COMMANDS = {
    "state": ["replay", "--json"], "state?at=3": ["replay", "--at", "3", "--json"],
    "state?at=turn:2/untap": ["replay", "--at", "turn:2/untap", "--json"],
    "state?at=14&edition=latest": ["replay", "--at", "14", "--edition", "latest", "--json"], "why": ["why", "--json"],
    "why?at=e7&edition=latest": ["why", "--at", "7", "--edition", "latest", "--json"], "audit": ["audit", "--json"],
    "audit?edition=2026-06-19&lang=fr": ["audit", "--edition", "2026-06-19", "--lang", "fr", "--json"],
    "forecast?at=5": ["forecast", "--at", "5", "--json"], "unknowns?at=14": ["unknowns", "--at", "14", "--json"],
    "blame?at=9": ["blame", "--at", "9", "--json"], "repair": ["repair", "--json"],
    "disputes": ["dispute", "show", "--json"],
    "backup-plan?from=8&to=3": ["backup-plan", "--from", "8", "--to", "3", "--json"], "bisect": ["bisect", "--json"],
    "report.json": ["report", "--json"], "record.dn": ["write"], "timeline.svg": ["picture"],
    "board.svg?at=6": ["picture", "--board", "--at", "6"], "report.html": ["report", "--format", "html"],
}  # fmt: skip
"""A route, and the command that gives the same answer."""

REAL = ("wagic-G1", "uncertain", "dispute", "ruling and back-up")


@pytest.mark.wide(but=12)
@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("route", COMMANDS)
def test_the_command(ask, shelf, daynight, route, name):
    """The route and the command give identical answers."""
    verb, *options = COMMANDS[route]
    verbs = ["dispute", options.pop(0)] if verb == "dispute" else [verb]
    ran = daynight(*verbs, f"db:{name}", *options, "--db", shelf.store.settings.path)
    answer = ask(f"/v1/games/{id_of(name)}/{route}")
    if ran.code in (0, 1):
        assert answer.status == 200, answer
        if "--json" in options:
            assert ran.whole == [answer.document]
            assert answer.document["version"] == VERSION
        else:
            assert ran.out.encode() == answer.body
    else:
        # Refused by the command, refused here, with the same words.
        assert ran.code == answer.document["exit"]
        assert ran.error == answer.document["detail"]


def test_diff(ask, shelf, daynight):
    """`diff` compares two moments, two games, or two editions."""
    store = ["--db", shelf.store.settings.path, "--json"]
    for route, arguments in {
        "diff?a=turn:17&b=turn:19": ["db:wagic-G1", "--at", "turn:17", "--at", "turn:19"],
        "diff?with=wagic-G2": ["db:wagic-G1", "db:wagic-G2"],
        "diff?with=wagic-G2&a=20&b=30": ["db:wagic-G1", "db:wagic-G2", "--at", "20", "--at", "30"],
        "diff?editions=2024-06-07,latest": ["db:wagic-G1", "--editions", "2024-06-07", "latest"],
    }.items():
        found = ask.document(f"/v1/games/wagic-G1/{route}")
        expected = daynight("diff", *arguments, *store).whole[0]
        if "editions" in found:
            expected["right"] = found["right"]
        assert {**expected, "right": None} == {**found, "right": None}
    assert ask.document("/v1/games/wagic-G1/diff")["differences"] == []
    assert ask("/v1/games/wagic-G1/diff?with=nobody").code == "no-such-game"
    for wrong in ("editions=latest", "editions=1999,latest", "editions=latest,latest&a=1"):
        assert ask(f"/v1/games/wagic-G1/diff?{wrong}").code == "bad-parameter"


def test_bisect_until(ask):
    """`bisect` finds the first event after which the value is certain."""
    game = "/v1/games/wagic-G1/bisect?until="
    assert ask.document(game + "designation:night") == {"version": 1, "bad": 106}
    assert ask.document(game + "face:brutal-cathar-2:back") == {"version": 1, "bad": 121}
    assert ask.document(game + "face:nobody:back") == {"version": 1, "bad": None}
    # If more than one value is possible, it is not certain.
    states = [ask.document(f"/v1/games/uncertain/state?at={n}")["designation"] for n in range(1, 23)]
    first = states.index("night") + 1 if "night" in states else None
    assert ask.document("/v1/games/uncertain/bisect?until=designation:night")["bad"] == first
    for wrong in ("", "rm -rf /", "designation:", "designation:noon", "face:w1", "face:w1:side", "/bin/true"):
        assert ask(game + wrong.replace(" ", "%20")).code == "bad-parameter"


def test_no_command_is_taken(ask):
    """`bisect` has no parameter for a command, a path or an expression: such names get `bad-parameter`."""
    for name in ("run", "test", "command", "file", "catalogue", "output"):
        assert ask(f"/v1/games/wagic-G1/bisect?{name}=/bin/true").code == "bad-parameter"


def test_the_list(ask, shelf, daynight):
    """The list has the rows of the command `list`, each with the game's `id` for addresses, and the files; in pages."""
    rows = daynight("list", "--db", shelf.store.settings.path, "--json").documents[0]["games"]
    found = ask.document("/v1/games?limit=500")
    assert (found["behind"], found["next"]) == (0, None)
    stored = [row for row in found["games"] if row["game"] not in shelf.files]
    assert rows == [{name: value for name, value in row.items() if name != "id"} for row in stored]
    assert all(row["id"] == id_of(row["game"]) for row in found["games"])
    files = {row["game"]: row for row in found["games"] if row["game"] in shelf.files}
    assert set(files) == {"wagic-G1 (2)", "kitchen table"}
    stored = next(row for row in found["games"] if row["game"] == "wagic-G1")
    assert files["wagic-G1 (2)"] | {"id": 0, "game": 0} == stored | {"id": 0, "game": 0}
    pages, after = [], ""
    while after is not None:
        page = ask.document(f"/v1/games?limit=3{f'&after={quote(after)}' if after else ''}")
        assert len(page["games"]) <= 3
        pages += page["games"]
        after = page["next"]
    assert pages == found["games"]


def test_the_list_is_searched(ask):
    """The list can be searched by a word in the name, and by verdict."""
    assert [row["game"] for row in ask.document("/v1/games?q=WAGIC")["games"]] == [
        "wagic-G1", "wagic-G1 (2)", "wagic-G2", "wagic-G3",
    ]  # fmt: skip
    every = ask.document("/v1/games?limit=500")["games"]
    for verdict in ("disputed", "exact", "unverified"):
        found = ask.document(f"/v1/games?limit=500&verdict={verdict}")["games"]
        assert found == [row for row in every if row["verdict"] == verdict]
        assert found
    assert ask("/v1/games?verdict=perhaps").code == "bad-parameter"


def test_the_list_is_searched_by_player(ask):
    """The list can be searched by a player's whole name, also for files; with a verdict or a word, and in pages."""
    every = ask.document("/v1/games?limit=500")["games"]
    players = {row["id"]: ask.document(f"/v1/games/{row['id']}")["players"] for row in every}
    for name in ("Ana", "Seat A", "ana", "Nobody"):
        found = ask.document(f"/v1/games?limit=500&player={quote(name)}")["games"]
        assert found == [row for row in every if name in players[row["id"]]]
    seats = [row["game"] for row in ask.document("/v1/games?player=Seat%20A")["games"]]
    assert seats == ["wagic-G1", "wagic-G1 (2)", "wagic-G2", "wagic-G3"]
    assert [row["game"] for row in ask.document("/v1/games?player=Seat%20A&q=g2")["games"]] == ["wagic-G2"]
    disputed = ask.document("/v1/games?player=Seat%20A&verdict=disputed")["games"]
    assert disputed == [row for row in every if row["game"] in seats and row["verdict"] == "disputed"]
    assert ask.document("/v1/games?player=Seat%20A&limit=2")["next"] == seats[1]
    # Nobody is called so, whatever else is asked.
    for more in ("", "&verdict=unverified", "&q=g", "&q=g&verdict=disputed"):
        assert ask.document(f"/v1/games?player={more}")["games"] == []


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A shelf of many games."""
    with Store.open(tmp_path_factory.mktemp("many") / "games.db") as store:
        for name in (*(f"game {number:04}" for number in range(2_500)), *ACCENTS):
            store.new(name, ["Ana", "Bo"])
        Library(store).catch_up()
        yield Shelf(store)


ACCENTS = ["Émile", "emile", "émile", "STRASSE", "Straße", "strase", "İstanbul", "日本", "a%b", "a_b", "axb", "Ωmega"]


@pytest.mark.wide
def test_the_list_is_searched_in_any_case(many):
    """Upper and lower case match; an accented letter is a different letter, and no sign is a wildcard."""
    odd = ["STRAßE", "strasse", "i", "日", "%", "_", "ω", "\\", "nobody", "0"]
    for words in ("émile", "ÉMILE", "emile", *odd, "GAME 00"):
        found, after = [], ""
        while after is not None:
            pages = f"limit=400&q={quote(words)}{f'&after={quote(after)}' if after else ''}"
            page = asking(many).document(f"/v1/games?{pages}")
            found += [row["game"] for row in page["games"]]
            after = page["next"]
        every = sorted([*(f"game {number:04}" for number in range(2_500)), *ACCENTS])
        assert found == [name for name in every if words.casefold() in name.casefold()], words


@pytest.mark.wide
def test_the_list_is_searched_by_its_names(many):
    """Searching 2,500 games reads only the names of those that do not match: it costs less than two pages of 100."""
    catalogue = GameList(many)
    asked = [{}, {"q": "game 1999"}, {"q": "nobody"}, {"q": "game 1999", "verdict": "unverified"}]
    # The index of verdicts is made on the first question.
    catalogue.page(GamesQuery(verdict="unverified"))
    page, *searches = [len(walked(lambda query=query: catalogue.page(GamesQuery(**query)))) for query in asked]
    assert 1_000 < page
    assert max(searches) < 2 * page


def test_a_game(ask):
    """A game's description has exactly these fields; `code` is None for a file, `undone` has ranges of events."""
    found = ask.document("/v1/games/wagic-G1")
    assert list(found) == [
        "id", "game", "identity", "head", "undoable", "players", "edition", "events", "turns", "code", "branches",
        "undone", "kind",
    ]  # fmt: skip
    assert found["code"].startswith("e160 ")
    assert (found["players"], found["events"], found["turns"]) == (["Seat A", "Seat B"], 160, 25)
    file = ask.document("/v1/games/wagic-G1%20(2)")
    assert (file["code"], file["kind"], found["kind"]) == (None, "file", "stored")
    backed = ask.document("/v1/games/ruling%20and%20back-up")
    record = [one["record"] for one in ask.document("/v1/games/ruling%20and%20back-up/moments")["moments"]]
    back, to = next((n, one["to"]) for n, one in enumerate(record, 1) if one["type"] == "game-backed-up")
    assert backed["undone"] == [[to + 1, back - 1]]


@pytest.mark.wide(but=5)
@pytest.mark.parametrize("name", ODD)
def test_odd_names(ask, name):
    """Each odd name has an `id` without a slash, and with this `id` its description and state are found."""
    row = next(row for row in ask.document("/v1/games?limit=500")["games"] if row["game"] == name)
    found = ask.document(f"/v1/games/{row['id']}")
    assert (found["game"], found["id"]) == (name, row["id"])
    assert "/" not in row["id"]
    assert row["id"] not in (".", "..")
    assert ask.document(f"/v1/games/{row['id']}/state")["game"] == name


def test_nobody_of_that_name(ask):
    """An unknown name gives an error, and neither another game nor a file of the server."""
    for id in ("a", "%FF", "nobody", "a%2F", "~", "%00", "x" * 250, "%2Fetc%2Fpasswd", "games.db"):
        assert ask(f"/v1/games/{id}").code == "no-such-game", id
    for path in ("/v1/games/a/b", "/v1/games//", "/v1/games/", "/v2", "/etc/passwd", "/v1/games/wagic-G1/state/"):
        assert ask(path).code == "no-such-route", path


@pytest.mark.parametrize("lang", LANGUAGES)
def test_languages(ask, lang):
    """The language is that of the address, or else the client's preferred one."""
    by_address = ask(f"/v1/games/wagic-G1/why?at=122&lang={lang}")
    by_header = ask("/v1/games/wagic-G1/why?at=122", accept_language=f"de, {lang};q=0.5")
    assert by_address.document["sentence"] == by_header.document["sentence"]
    assert "vary" not in by_address.headers
    assert by_header.headers["vary"] == "Accept-Language"
    sentences = {one: ask.document(f"/v1/games/wagic-G1/why?at=122&lang={one}")["sentence"] for one in LANGUAGES}
    assert len(set(sentences.values())) == 3
    assert sentences[lang] == by_address.document["sentence"]


def test_parameters(ask):
    """Unknown, repeated and out-of-range parameters are refused."""
    game = "/v1/games/wagic-G1"
    for wrong in (
        "state?x=1", "state?at=1&at=1", "state?at=zz", "state?at=", "state?lang=de", "state?at=1&lang=en&lang=en",
        "why?edition=1999", "moments?limit=0", "moments?limit=501", "moments?limit=ten", "moments?limit=1.0",
        "marks?kind=x", "marks?after=x", "search", "search?q=", "state?edition=1999", "unknowns?edition=latest",
        "moments?edition=latest", "state?at=%FF",
    ):  # fmt: skip
        answer = ask(f"{game}/{wrong}")
        assert (answer.status, answer.code, answer.document["exit"]) == (400, "bad-parameter", 2), wrong
    for gone in ("state?at=161", "state?at=0", "state?at=turn:99", "why?at=e999", "moments?from=162", "moments?from=0"):
        answer = ask(f"{game}/{gone}")
        assert (answer.status, answer.code, answer.document["exit"]) == (404, "no-such-moment", 4), gone


def test_search(ask):
    """Search finds moments that have all words in their sentence, card or note, page by page."""
    game = "/v1/games/wagic-G1/search?q="
    found = ask.document(game + "cathar")["events"]
    assert all("cathar" in row["sentence"].casefold() for row in found)
    assert [row["event"] for row in found] == sorted({row["event"] for row in found})
    first = ask.document(game + "cathar&limit=2")
    assert [*first["events"], *ask.document(game + f"cathar&limit=500&after={first['next']}")["events"]] == found
    # The English name finds a sentence in another language.
    assert [row["event"] for row in ask.document(game + "cathar&lang=ja")["events"]] == [row["event"] for row in found]
    assert len(ask.document(game + "cathar%20casts")["events"]) < len(found)
    assert ask.document(game + "no-such-word") == {"events": [], "next": None, "total": 0}
    assert (first["total"], len(first["events"])) == (len(found), 2)


def test_marks(ask, shelf):
    """Marks are turns, changes, disagreements, disputes and notes, of the requested kinds."""
    for path in GAMES:
        name = id_of(next(shelf.mechanic.language.read(path)).game)
        every = ask.document(f"/v1/games/{name}/marks?limit=500")
        moments = ask.document(f"/v1/games/{name}/moments?limit=500")["moments"]
        assert every["next"] is None
        of_kind = {
            kind: [one["event"] for one in every["marks"] if one["kind"] == kind]
            for kind in ("turn", "change", "disagreement", "dispute", "note")
        }
        types = {one["event"]: one["record"]["type"] for one in moments}
        assert of_kind["turn"] == [n for n, type in types.items() if type == "turn-began"]
        assert of_kind["dispute"] == [n for n, type in types.items() if type == "dispute-opened"]
        assert of_kind["note"] == [n for n, type in types.items() if type == "note-added"]
        audit = ask.document(f"/v1/games/{name}/audit")
        assert of_kind["disagreement"] == [one["event"] for one in audit["findings"]]
        followed = [n["event"] for n in moments for one in n["consequences"] if one["type"] == "changed"]
        assert of_kind["change"] == followed
        some = ask.document(f"/v1/games/{name}/marks?kind=turn,change&limit=500")["marks"]
        assert some == [one for one in every["marks"] if one["kind"] in ("turn", "change")]
        paged, after = [], "0"
        while after is not None:
            page = ask.document(f"/v1/games/{name}/marks?limit=3&after={after}")
            paged, after = [*paged, *page["marks"]], page["next"]
        assert paged == every["marks"]
        later = ask.document(f"/v1/games/{name}/marks?kind=turn,change&from=5&limit=2")
        assert later["marks"] == [one for one in some if one["event"] >= 5][:2]
        if later["next"]:
            rest = ask.document(f"/v1/games/{name}/marks?kind=turn,change&limit=500&after={later['next']}")["marks"]
            assert later["marks"] + rest == [one for one in some if one["event"] >= 5]
    assert ask("/v1/games/clone/marks?from=99").code == "no-such-moment"


def test_marks_after_a_back_up(tmp_path):
    """Each mark and each event found has the turn of the state after its event, after a back-up too."""
    lines = """{"type": "game-started", "format": 1, "game": "back", "players": ["Ana", "Bo"]}
{"type": "turn-began", "turn": 1, "active": ["Ana"]}
{"type": "turn-began", "turn": 2, "active": ["Bo"]}
{"type": "game-backed-up", "to": 2, "by": "Joy"}
{"type": "designation-claimed", "designation": "night", "by": "Ana"}
"""
    (tmp_path / "back.jsonl").write_text(lines)
    ask = asking(Shelf(None, [Record(tmp_path / "back.jsonl")]))
    (wrong,) = ask.document("/v1/games/back/marks?kind=disagreement")["marks"]
    assert (5, 1, 1) == (wrong["event"], wrong["turn"], ask.document("/v1/games/back/state?at=5")["turn"])
    assert [1] == [one["turn"] for one in ask.document("/v1/games/back/search?q=night")["events"]]


def test_titles(tmp_path):
    """A game from Arena's log has a title with its time and the opponent; other games have no title."""
    with Store.open(tmp_path / "games.db") as store:
        store.import_record(ROOT / "examples/games/clone.jsonl")
        first = """{"type": "game-started", "format": 1, "game": "f3b9-G1", "players": ["Seat 1", "Seat 2"],
 "at": "2026-02-22T20:00:35Z", "meta": {"source": {"line": 6}, "arena": {"seat": 1}}}"""
        (tmp_path / "a.jsonl").write_text(first.replace("\n", "") + "\n")
        (tmp_path / "b.jsonl").write_text(first.replace("\n", "").replace("f3b9", "77aa") + "\n")
        store.import_record(tmp_path / "a.jsonl")
        shelf = Shelf(store, [Record(tmp_path / "b.jsonl")])
        told = asking(shelf).document("/v1/games?limit=500&lang=en")["games"]
        titles = {row["game"]: row.get("title") for row in told}
        title = "2026-02-22 20:00 UTC · against Seat 2"
        assert titles == {"clone": None, "f3b9-G1": title, "77aa-G1": title}
        assert asking(shelf).document("/v1/games/f3b9-G1?lang=fr")["title"].endswith("contre Seat 2")
        assert "title" not in asking(shelf).document("/v1/games/clone")


def test_files(ask):
    """Each file of a game is a download named like the game (`a/b` as a_b), with the policy `sandbox`."""
    for ending in ("record.jsonl", "record.dn", "timeline.svg", "board.svg", "report.html", "report.json"):
        answer = ask(f"/v1/games/a%2Fb/{ending}")
        assert (answer.status, answer.headers["content-security-policy"]) == (200, "sandbox")
        assert answer.headers["content-disposition"].startswith("attachment; filename*=UTF-8''a_b")
    demo = ROOT / "daynight/demo/wagic-G1.jsonl"
    assert ask("/v1/games/wagic-G1%20(2)/record.jsonl").body == demo.read_bytes()
