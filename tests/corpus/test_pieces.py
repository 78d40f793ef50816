"""The file in which an audit keeps the results of parts until it has all of them."""

from pathlib import Path

import pytest

from daynight.corpus.building.build import build
from daynight.corpus.judging.audit import AuditTask, audit
from daynight.corpus.judging.pieces import Counts, Piece, Pieces

GAMES = Path(__file__).parents[2] / "examples" / "games"


@pytest.mark.parametrize("after", [b"", bytes(50)], ids=["nothing", "zeros"])
def test_a_file_that_is_cut_off(tmp_path, after):
    """Wherever the file is cut off, the pieces before are kept, and the next piece replaces what follows.

    After a power failure a disk may also end the file with zeros.
    """
    path, ends, expected = tmp_path / "pieces", [], {}
    with Pieces(path) as pieces:
        for number, key in enumerate("abc"):
            expected[key] = Piece(Counts(games=number), verdicts=[(number, b"v" * number)], findings=key.encode())
            pieces.add(key, expected[key])
            ends.append(path.stat().st_size)
    whole, last = path.read_bytes(), Piece(Counts(games=4))
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut] + after)
        kept = {key: expected[key] for key, end in zip(expected, ends, strict=True) if end <= cut}
        with Pieces(path) as pieces:
            assert pieces.counts == {key: piece.counts for key, piece in kept.items()}
            pieces.add("d", last)
        with Pieces(path) as pieces:
            assert {key: pieces.piece(key) for key in pieces.counts} == kept | {"d": last}


def test_nothing_is_left_of_an_audit_that_judged_nothing(tmp_path):
    """An audit that fails before the first part is judged leaves no folder, not even a hidden one."""

    build([str(GAMES)], tmp_path / "c")

    def fails(_work, _tasks):
        raise OSError(5, "no cluster")

    with pytest.raises(OSError, match="no cluster"):
        audit(AuditTask([str(tmp_path / "c")]), tmp_path / "new" / "r", fails)
    assert [*(tmp_path / "new").iterdir()] == []
