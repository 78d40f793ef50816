"""Names that people type: a permanent of an unknown name may be daybound, so a claim that depends on it is unsettled.

| promise | test |
| --- | --- |
| an unknown name of an entering or copied card is a doubt; a quoted one, or a token's, is not | test_kept |
| writing and reading keep the doubts | test_there_and_back |
| a claim that differs is unsettled if it was neither day nor night as the permanent entered | test_unsettled |
| it is a finding after an effect or ruling, or if it was day or night as the permanent entered | test_certain |
| a claimed face is unsettled if day or night is, or if it is the unknown card's and it is night | test_faces |
| a ruling that differs from what the rules alone give is unsettled as well | test_rulings |
| a back-up to before the permanent entered, or a restart, removes the doubt | test_taken_away |
| an unwritten turn and a log's unknown card are doubts too; an unknown card that is only cast is not | test_others |
| a card outside the rules is reported | test_outside_the_rules |
| all unknown names are reported together, in one line | test_unknown_names_are_told |
| in editions without double-faced tokens, a typed token never transforms | test_early_tokens |
"""

import io

import pytest

from daynight import Game
from daynight.framework.language.codec import encode_lines
from daynight.framework.language.errors import RecordError
from daynight.notation import read_text, write

BEGUN = "game g\nplayers Ana, Bo\nturn 1 Ana\n"


def events(*lines):
    return [placed.event for placed in read_text(BEGUN + "\n".join(lines) + "\n")]


def audited(*lines):
    """Return the verdict, the findings and the unsettled claims: each as its event and the doubts that it rests on."""
    found = Game(events(*lines)).audit().document()
    told = [[(one["event"], *one.get("doubt", ())) for one in found[kind]] for kind in ("findings", "unsettled")]
    return found["verdict"], *told


@pytest.mark.parametrize("line, names", [
    ("Ana: Glum Imp (w1) enters", ["Glum Imp"]),
    ("Ana: Glum Imp (w1), Bo: Glum Ape (w2), Glum Imp (w3) enter", ["Glum Imp", "Glum Ape"]),
    ("Glum Imp enters under Bo as w1", ["Glum Imp"]),
    ("Ana: Glum Imp [w1] enters", ["Glum Imp"]),
    ('Ana: "Glum Imp" (w1) enters', None),
    ("Ana: Storm Crow (w1), For\u00eat (w2), Tavern Ruffian (w3) enter", None),
    ("Ana: Glum Imp (w1, token), Angel (w2, token) enter", None),
    ('Ana: Glum Imp (w1, {"front": {"name": "Glum Imp"}}) enters', None),
    ("Ana casts Glum Imp", None),
    ("Ana copies Glum Imp", None),
])  # fmt: skip
def test_kept(line, names):
    """The unknown names are in `meta` under `typed`, beside other fields; without such names there is no `typed`."""
    (event,) = events(line)[2:]
    assert (None if names is None else {"typed": {"unknown": names}}) == event.meta
    (event,) = events(line + ' {"table": 7}')[2:]
    assert {"table": 7} | ({} if names is None else {"typed": {"unknown": names}}) == event.meta


@pytest.mark.parametrize("line", [
    "Ana: Glum Imp (w1) enters", 'Ana: "Glum Imp" (w1) enters', 'Ana: "Glum Imp" (w1), Glum Ape (w2) enter',
    'Ana: Glum Imp (w1) enters {"table":7}', 'Ana: "Glum Imp" (w1) enters {"typed":{"unknown":["Glum Imp","x"]}}',
    'Ana: "Glum Imp" (w1) enters {"typed":7}', 'Ana: "Glum Imp" (w1) enters {"typed":{"unknown":["Glum Imp"],"a":1}}',
    'Ana: "Glum Imp" (w1) enters {"typed":{"unknown":["Glum Imp"]},"z":1}', 'Ana casts "Glum Imp"',
    'Ana: "Glum Imp" [w1, {"front":{}}] enters {"typed":{"unknown":["Glum Imp"]}}', "Ana: Wolf (w1, token) enters",
])  # fmt: skip
def test_there_and_back(line):
    """Writing and reading give the same line, and the same bytes."""
    made = events(line)
    out = io.StringIO()
    write(made, out)
    assert encode_lines(made) == encode_lines(placed.event for placed in read_text(out.getvalue()))
    again = io.StringIO()
    write([placed.event for placed in read_text(out.getvalue())], again)
    assert out.getvalue() == again.getvalue()


IMP, RUFFIAN = "Ana: Glum Imp (x1) enters", "Ana: Tavern Ruffian (w1) enters"
COPY = "x2 becomes a copy of Glum Imp"


@pytest.mark.parametrize("lines", [
    (IMP, "Bo says day"), (IMP, "Bo says night"), (IMP, "x1 leaves", "Bo says day"), (IMP, RUFFIAN, "Bo says night"),
    (IMP, RUFFIAN, "turn 2 Bo", "Ana casts Opt", "turn 3 Ana", "untap", "Bo says day"),
    ('Ana: "Glum Cat" (x2) enters', COPY, "Bo says day"), (IMP, "it switches if night", "Bo says day"),
    ("joined midway: neither or day; " + IMP.removesuffix(" enters"), "Bo says night"),
])  # fmt: skip
def test_unsettled(lines):
    """If it was neither day nor night as Glum Imp entered, a claim that differs is unsettled; verdict unverified."""
    if lines[0].startswith("joined"):
        made = [placed.event for placed in read_text("game g\nplayers Ana, Bo\n" + "\n".join(lines) + "\n")]
        found = Game(made).audit()
        assert ("unverified", ("Glum Imp",)) == (found.verdict, found.unsettled[0].doubt)
        return
    assert ("unverified", [], [(2 + len(lines), "Glum Imp")]) == audited(*lines)


@pytest.mark.parametrize("lines", [
    (RUFFIAN, IMP, "Bo says night"), ("it becomes night", IMP, "Bo says day"),
    (IMP, "it becomes day", "Bo says night"), (IMP, "Jo rules neither", "Bo says day"),
    ('Ana: "Glum Imp" (x1) enters', "Bo says day"), ("Ana: Imp (x1, token) enters", "Bo says day"),
    (IMP, "Bo says Ana cast 2"), ("Ana casts Glum Imp", "Bo says day"),
])  # fmt: skip
def test_certain(lines):
    """If no unknown card can make the claim right, the claim is a finding, and the verdict disputed."""
    assert ("disputed", [(2 + len(lines),)], []) == audited(*lines)


def test_barred():
    """While Angel is there it can't become night: an effect that makes it night does nothing, so the doubt remains."""
    angel = 'Bo: "Angel" (a1, {"front": {"holds": "night"}}) enters'
    assert ("unverified", [], [(6, "Glum Imp")]) == audited(angel, IMP, "it becomes night", "Bo says day")


@pytest.mark.parametrize("lines, unsettled", [
    ((RUFFIAN, IMP, "it becomes night", "Bo says x1 shows back"), True),
    ((RUFFIAN, IMP, "Bo says x1 shows back"), False),
    ((RUFFIAN, IMP, "it becomes night", "Bo says w1 shows front"), False),
    ((IMP, RUFFIAN, "Bo says w1 shows back"), True),
    ((IMP, 'Bo: Storm Crow (s1) enters', "Bo says s1 shows back"), False),
])  # fmt: skip
def test_faces(lines, unsettled):
    """A face of the doubted permanent or of a daybound one may be unsettled; that of any other permanent is certain."""
    one = [(2 + len(lines), *(["Glum Imp"] if unsettled else []))]
    assert (("unverified", [], one) if unsettled else ("disputed", one, [])) == audited(*lines)


def test_rulings():
    """A ruling is unsettled, because it is compared with the rules alone; later claims are compared with the ruling."""
    assert ("unverified", [], [(4, "Glum Imp")]) == audited(IMP, "Jo rules day")
    assert ("unverified", [], [(4, "Glum Imp")]) == audited(IMP, "Jo rules day", "Bo says day")
    assert ("exact", [], [(4, "Glum Imp")]) == audited(IMP, "Jo rules day", "it becomes night", "Bo says night")
    assert ("disputed", [(5,)], [(4, "Glum Imp")]) == audited(IMP, "Jo rules day", "Bo says night")
    assert ("unverified", [], [(4, "Glum Imp"), (5, "Glum Imp")]) == audited(IMP, "Jo rules day", "Jo rules night")


def test_taken_away():
    assert ("disputed", [(5,)], []) == audited(IMP, "Jo backs up to e2", "Bo says day")
    assert ("disputed", [(5,)], []) == audited(IMP, "the game restarts", "Bo says day")
    assert ("disputed", [(4,)], []) == audited("turn 2 Bo", "Bo says day")


def test_others():
    """An unwritten turn is a doubt, and so is a log's unknown card that enters, by its number; a cast one is not."""
    assert ("unverified", [], [(5, "turn 2")]) == audited(RUFFIAN, 'turn 2 Bo {"unwritten": true}', "Bo says neither")
    assert ("disputed", [(4,)], []) == audited('turn 2 Bo {"unwritten": 1}', "Bo says day")
    begun = 'game g {"arena":{}}\nplayers Ana, Bo\nturn 1 Ana\n'
    for line, rests in (('Ana: "grpId 7" (x1) enters', True), ('Ana casts "grpId 7"', False)):
        text = f'{begun}{line} {{"arena": {{"unknown": [7]}}}}\nBo says day\n'
        found = Game([placed.event for placed in read_text(text)]).audit()
        assert rests == (found.verdict == "unverified")
        assert {"names": [], "unknown": [7], "because": [3]}.items() <= found.document()["doubts"].items()
        assert [("7",)] * rests == [one.doubt for one in found.unsettled]


def test_outside_the_rules(daynight, tmp_path):
    """A card outside the rules is reported when it enters, and `cards` says so; the game stays day."""
    path = tmp_path / "g.dn"
    path.write_text(f"{BEGUN}it becomes day\nAna: The Weekly Princess enters\nBo says neither\n")
    ran = daynight("audit", str(path))
    assert (1, True) == (ran.code, "The Weekly Princess is outside the rules" in ran.err)
    assert "outside the rules" in daynight("cards", "The Weekly Princess").out


def test_unknown_names_are_told(daynight, tmp_path):
    """`read` reports all unknown names in one line; quoted names, tokens, casts and known cards are not in it."""
    path = tmp_path / "g.dn"
    lines = ("game g", "players Ana, Bo", "turn 1 Ana", "Ana casts Glum Imp",
             "Ana: Glum Cat (c1), Storm Crow (s1) enter",
             'Ana: "Glum Dog" (d1), Ape (a1, token), Glum Fox (f1) enter')  # fmt: skip
    path.write_text("\n".join(lines))
    (line,) = daynight("read", str(path)).err.splitlines()
    assert "'Glum Cat', 'Glum Fox';" in line


def test_early_tokens():
    """Before 2023-04-14 a typed token never transforms, and a double-faced one is refused; later tokens transform."""
    for edition, token, face in (("2022-02-18", ", token", "front"), ("2023-04-14", ", token", "back"),
                                 ("2022-02-18", "", "back")):  # fmt: skip
        text = f"game g\nplayers Ana, Bo\nedition {edition}\nAna: Tavern Ruffian (w1{token}) enters\nit becomes night\n"
        game = Game([placed.event for placed in read_text(text)])
        assert (face, "night") == (game.state.face("w1").value, game.state.designation.value)
    double = '(w1, token, {"double_faced": true})'
    with pytest.raises(RecordError, match="before the rules of 2023-04-14 no token is double-faced"):
        read_text(f"game g\nplayers Ana\nedition 2022-02-18\nAna: Tavern Ruffian {double} enters\n")
