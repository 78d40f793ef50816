"""The lowest versions of daynight's dependencies.

| promise | test |
| --- | --- |
| a dependency becomes a constraint on its lowest version, under the same condition | test_constraints |
| a dependency without a lowest version is refused; daynight has none | test_without, test_ours |
"""

import pytest

from .lowest import declared, lowest


def test_constraints():
    """`lowest` returns sorted constraints: the name without extras, `==`, the lowest version, and the marker."""
    needed = ["psycopg[binary,pool]>=3.2.1,<4", "build>=1.2", "pgserver>=0.6,<0.7; sys_platform != 'win32'"]
    assert ["build==1.2", "pgserver==0.6; sys_platform != 'win32'", "psycopg==3.2.1"] == lowest(needed)


@pytest.mark.parametrize("needed", ["build", "build<2", "build==1.2", "build~=1.2"])
def test_without(needed):
    """A requirement that is not `NAME>=VERSION` raises ValueError, which names it."""
    with pytest.raises(ValueError, match=f"{needed} has no lowest version; write NAME>=VERSION"):
        lowest([needed])


def test_ours():
    """`lowest` accepts every dependency that pyproject.toml declares."""
    assert len(declared()) == len(lowest(declared()))
