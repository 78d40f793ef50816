"""The examples in docstrings of events and projections are executed.

| promise | test |
| --- | --- |
| each example in a docstring of daynight.events and daynight.projections prints what it says | test_docstring |
| the search finds examples | test_there_are_some |

pytest itself runs the examples of the folder daynight. It cannot run those of the folders events and projections,
because it would import these as `events` and `projections`, which they refuse.
"""

import doctest
from importlib import import_module

import pytest

from ..house.reading import modules

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
EXAMPLES = [
    example
    for module in modules()
    if module.room in ("events", "projections") and ">>> " in module.text
    for example in doctest.DocTestFinder(exclude_empty=True).find(import_module(module.name))
    if example.examples
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_docstring(example: doctest.DocTest) -> None:
    """An example in a docstring prints what it shows."""
    wrong: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(example, out=wrong.append)
    assert not wrong, "".join(wrong)


def test_there_are_some() -> None:
    """The search finds the example in the docstring of the table of turns."""
    assert "daynight.projections.turns.turns" in {example.name for example in EXAMPLES}
