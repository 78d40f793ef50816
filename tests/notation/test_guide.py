"""The guide of the notation (notation.md) has every form of line.

| promise | test |
| --- | --- |
| the guide's table has exactly the forms, with their events | test_table |
| the game in the guide is valid and, but for one spelling, in the standard layout | test_game |
"""

import re

from daynight.notation import formatted, read_text
from daynight.notation.lines.forms import FORMS
from tests.documents import GUIDES

GUIDE = (GUIDES / "reference" / "notation.md").read_text("utf-8")
SEVERAL = {"untap · upkeep · draw"}


def test_table():
    """The guide's table has the examples of `FORMS` with their tags, in the same order; `SEVERAL` may be there too."""
    rows = re.findall(r"^\| (?:`([\w-]+)`)? ?\| `([^`]+)` \|", GUIDE, re.MULTILINE)
    found, tag = [], ""
    for name, line in rows:
        tag = name or tag
        found.append((tag, line))
    assert [(form.tag, form.example) for form in FORMS] == [row for row in found if row[1] not in SEVERAL]


def test_game():
    """The guide's game is valid; the formatter changes nothing in it but `main`, which becomes `precombat main`."""
    (text,) = re.findall(r"^```\n(# table.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert 15 == len(read_text(text))
    assert text.replace("· main", "· precombat main") == formatted(text.encode())
