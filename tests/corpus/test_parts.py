"""The files of a part, if two processes write the same part.

| promise | test |
| --- | --- |
| a worker may outlive its killed command: neither process takes the other's files | test_two_writers |
"""

from daynight.corpus.parts import PartWriter
from daynight.corpus.schema import TABLES


def test_two_writers(tmp_path):
    """Two writers of the same part both finish, in either order, with equal digests; one file of each table is left."""
    for order in (1, -1):
        for table in TABLES:
            (tmp_path / table).mkdir(exist_ok=True)
        sums = [one.finish() for one in [PartWriter(tmp_path, 0), PartWriter(tmp_path, 0)][::order]]
        assert sums[0] == sums[1]
        assert len(TABLES) == len([path for path in tmp_path.rglob("*") if path.is_file()])
