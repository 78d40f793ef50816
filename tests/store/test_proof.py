"""Exported games: a change is found by the proof, and by a noted code alone."""

import json
import random
from io import BytesIO
from pathlib import Path

import pytest

from daynight.framework.language.errors import UnreadableError
from daynight.game import played
from daynight.records import Record
from daynight.store import DamagedError, SettingsError
from daynight.store.proving.chain import code_of
from daynight.store.proving.proof import prove, read_proof, verify_record
from tests.sampling import few_or_all
from tests.store import victim
from tests.store.victim import EVENTS, GAME, KEY, STRANGER

SOME_OR_MANY = pytest.mark.parametrize("many", few_or_all(15, 500))


@pytest.fixture
def store(tmp_path):
    with victim.opened(victim.copied(tmp_path)) as store:
        yield store


@pytest.fixture
def proof(store):
    return read_proof(BytesIO(prove(store, GAME)))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "friday.jsonl"
    path.write_bytes(victim.exported())
    return path


def verified(file, data, *, code=None, proof=None):
    file.write_bytes(data)
    return verify_record(Record(file), code=code, proof=proof, game=GAME, mechanic=played())


def faults(file, data, proof):
    """A pair: the fault that the proof finds and the one that the code alone finds; both must exist."""
    by_proof = verified(file, data, proof=proof).fault
    by_code = verified(file, data, code=victim.code()).fault
    assert by_proof is not None
    assert by_code is not None
    return by_proof, by_code


def test_untouched(file, proof):
    """An unchanged export passes its proof, whose head is signed, and its noted code, and both together."""
    for code, by in ((None, proof), (victim.code(), None), (victim.code(), proof)):
        found = verified(file, victim.exported(), code=code, proof=by)
        assert (found.fault, found.events, found.code) == (None, EVENTS, victim.code())
        assert (found.signatures.last, found.signatures.signers) == ((EVENTS, (KEY.key.hex(),)) if by else (0, ()))


@SOME_OR_MANY
def test_single_bytes(file, proof, many):
    """Any changed byte is found; with the proof, the first bad event is named."""
    luck, data = random.Random(99), victim.exported()
    for _attempt in range(many):
        place = luck.randrange(len(data))
        altered = bytearray(data)
        altered[place] ^= luck.randrange(1, 256)
        by_proof, by_code = faults(file, bytes(altered), proof)
        number = data.count(b"\n", 0, place) + 1
        assert by_proof.event == number, (place, altered[place])
        assert by_code.event in (number, None) or by_code.event > number


LINES = victim.exported().splitlines(keepends=True)


def keys_reordered(line):
    document = json.loads(line)
    return json.dumps(dict(reversed(document.items())), separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


@pytest.mark.wide(but=6)
@pytest.mark.parametrize("name, lines, event", [
    ("cut in a line", [*LINES[:-1], LINES[-1][:-5]], EVENTS),
    ("without its last line feed", [*LINES[:-1], LINES[-1][:-1]], EVENTS),
    ("without its last line", LINES[:-1], EVENTS), ("only its beginning", LINES[:1], 2), ("empty", [], 1),
    ("a blank line", [*LINES[:50], b"\n", *LINES[50:]], 51), ("a blank line at the end", [*LINES, b"\n"], EVENTS + 1),
    ("a space at the end of a line", [*LINES[:50], LINES[50][:-1] + b" \n", *LINES[51:]], 51),
    ("a space at the beginning of a line", [*LINES[:50], b" " + LINES[50], *LINES[51:]], 51),
    ("lines as Windows ends them", [line[:-1] + b"\r\n" for line in LINES], 1),
    ("keys in another order", [*LINES[:50], keys_reordered(LINES[50]), *LINES[51:]], 51),
    ("two lines swapped", [*LINES[:50], LINES[51], LINES[50], *LINES[52:]], 51),
    ("a line twice", [*LINES[:51], *LINES[50:]], 52), ("a line dropped", [*LINES[:50], *LINES[51:]], 51),
    ("a line more", [*LINES, LINES[-1]], EVENTS + 1), ("a byte order mark", [b"\xef\xbb\xbf", *LINES], 1),
], ids=lambda value: value if isinstance(value, str) else "")  # fmt: skip
def test_changed_files(file, proof, name, lines, event):
    """A changed file fails its proof, which names the first bad line, and its code, unless it has one more event."""
    data = b"".join(lines)
    assert verified(file, data, proof=proof).fault is not None
    by_proof = verified(file, data, proof=proof).fault
    assert by_proof is not None
    assert by_proof.event == event
    by_code = verified(file, data, code=victim.code()).fault
    if name == "a line more":
        # A code covers the events up to its own; later ones may change.
        assert by_code is None
    else:
        assert by_code is not None


def test_another_branch(file, proof, tmp_path):
    """Another game of the same players, with a valid proof of its own, fails the noted code."""
    (tmp_path / "other").mkdir()
    with victim.opened(victim.copied(tmp_path / "other", "Ponder")) as other:
        theirs = read_proof(BytesIO(prove(other, GAME)))
        lines = BytesIO()
        other.lines(GAME, lines)
    assert verified(file, lines.getvalue(), proof=theirs).fault is None
    assert verified(file, lines.getvalue(), proof=theirs, code=victim.code()).fault is not None
    assert verified(file, lines.getvalue(), proof=proof).fault is not None
    assert verified(file, victim.exported(), proof=theirs).fault is not None


@SOME_OR_MANY
def test_changed_proofs(store, file, many):
    """A changed byte of a proof: it is refused, does not fit the file, or the byte has no meaning."""
    data, luck = prove(store, GAME), random.Random(5)
    heads = data.index(b'"heads"')
    for attempt in range(many):
        place = luck.randrange(heads) if attempt % 3 else luck.randrange(len(data))
        altered = bytearray(data)
        altered[place] ^= luck.randrange(1, 256)
        try:
            proof = read_proof(BytesIO(bytes(altered)))
        except UnreadableError:
            continue
        found = verified(file, victim.exported(), proof=proof)
        assert found.fault is not None or proof == read_proof(BytesIO(data)), (place, altered[place])


def changed(data, **fields):
    return json.dumps(json.loads(data) | fields).encode()


def test_no_proofs(store):
    data = prove(store, GAME)
    proof = json.loads(data)
    for wrong in (
        b"", b"{}", b"[]", b"null", b"\xff", data[:-20], data + b"{}", victim.exported(), b"[" * 100_000,
        changed(data, format=2), changed(data, game=""), changed(data, game="x\x1b[2J"), changed(data, game="x" * 201),
        changed(data, events=EVENTS + 1), changed(data, events=0), changed(data, events=-1), changed(data, more=1),
        changed(data, marks=proof["marks"][8:]), changed(data, marks="x" * len(proof["marks"])),
        changed(data, digest=proof["digest"] + "\n"), changed(data, digest=proof["digest"].upper()),
        changed(data, heads=[{"event": 1, "signer": "00", "signature": "00"}]),
        b'{"type":"proof","x":' + b"[" * 100_000,
    ):  # fmt: skip
        with pytest.raises(UnreadableError) as caught:
            read_proof(BytesIO(wrong))
        assert "\n" not in str(caught.value)


def test_heads_of_a_proof(store, file):
    """A signature by another key, or of another or missing event, is a fault; another order or none is not."""
    data = prove(store, GAME)
    heads = json.loads(data)["heads"]
    last = heads[-1]
    stranger = last | {"signer": STRANGER.key.hex()}
    for wrong in (
        [*heads[:-1], stranger],
        [*heads[:-1], last | {"event": EVENTS + 1}],
        [*heads[:-1], last | {"event": EVENTS - 1}],
        [stranger, *heads],
    ):
        found = verified(file, victim.exported(), proof=read_proof(BytesIO(changed(data, heads=wrong))))
        assert found.fault is not None
    # Their order does not matter, and there may be none.
    found = verified(file, victim.exported(), proof=read_proof(BytesIO(changed(data, heads=heads[::-1]))))
    assert (found.fault, found.signatures.last) == (None, EVENTS)
    found = verified(file, victim.exported(), proof=read_proof(BytesIO(changed(data, heads=[]))))
    assert (found.fault, found.signatures.last, found.signatures.signers) == (None, 0, ())


def test_no_line_has_a_right_digest(store):
    """A broken line that carries the digest of the previous event raises DamagedError in export and proof."""
    with victim.laid_open(Path(store.settings.path)) as raw:
        before = "(SELECT digest FROM stored_events WHERE rowid = 149)"
        raw.execute(f"UPDATE stored_events SET state = state || x'0a' || state, digest = {before} WHERE rowid = 150")
    with pytest.raises(DamagedError, match="event 150 is not what was stored"):
        store.lines(GAME, BytesIO())
    with pytest.raises(DamagedError, match="event 150 is not what was stored"):
        prove(store, GAME)


def test_no_key_is_lent(store):
    """Proving a game with a changed event raises DamagedError, and stores no signature."""
    changed_to = "event 150 is not what was stored"
    for column, value, says in (
        ("state", b'{"type":"spell-cast","player":"Ana"}', changed_to),
        ("digest", "text", changed_to),
        ("topic", b"x", "150: unknown tag"),
    ):
        with victim.laid_open(Path(store.settings.path)) as raw:
            was = raw.execute(f"SELECT {column} FROM stored_events WHERE rowid = 150").fetchone()
            raw.execute(f"UPDATE stored_events SET {column} = ? WHERE rowid = 150", (value,))
            with pytest.raises(DamagedError, match=says):
                prove(store, GAME)
            assert raw.execute("SELECT count(*) FROM heads WHERE event = 200").fetchone() == (0,)
            raw.execute(f"UPDATE stored_events SET {column} = ? WHERE rowid = 150", was)


def test_nothing_is_not_whole(file):
    """An empty file fails every check."""
    assert verified(file, b"").fault is not None
    assert verified(file, victim.exported()).fault is None


def test_a_code_of_an_earlier_event(file):
    """A code proves the events up to its own, whatever came later; a code beyond the file's end proves nothing."""
    with victim.laid_open(victim.copied(file.parent)) as raw:
        code = code_of(120, victim.rows(raw)[119][4])
    assert verified(file, b"".join(LINES[:120]), code=code).fault is None
    assert verified(file, b"".join(LINES[:130]), code=code).fault is None
    missing = verified(file, b"".join(LINES[:119]), code=code).fault
    assert missing is not None
    assert missing.event == 120
    with pytest.raises(SettingsError):
        verified(file, victim.exported(), code="no code")
