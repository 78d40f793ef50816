"""The guide has every line.

| promise | test |
| --- | --- |
| every form is in the guide's table, beside its event, and nothing else is | test_table |
| the game in the guide is one, laid out as the formatter does it | test_game |
"""

import re

from daynight.notation import formatted, read_text
from daynight.notation.lines.forms import FORMS
from tests.documents import GUIDES

GUIDE = (GUIDES / "reference" / "notation.md").read_text("utf-8")
SEVERAL = {"untap · upkeep · draw"}


def test_table():
    """In the same order."""
    rows = re.findall(r"^\| (?:`([\w-]+)`)? ?\| `([^`]+)` \|", GUIDE, re.MULTILINE)
    found, tag = [], ""
    for name, line in rows:
        tag = name or tag
        found.append((tag, line))
    assert [(form.tag, form.example) for form in FORMS] == [row for row in found if row[1] not in SEVERAL]


def test_game():
    """It is read, and nothing of it is left to lay out but what is shown of other ways of saying it."""
    (text,) = re.findall(r"^```\n(# table.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert 15 == len(read_text(text))
    assert text.replace("· main", "· precombat main") == formatted(text.encode())
