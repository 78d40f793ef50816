"""`daynight write`: the language of the written lines.

| promise | test |
| --- | --- |
| lines are English, even after `--lang fr` before the command, unless `--lang` follows it | test_language |
| lines in any language are read as the same events | test_language |
"""

import pytest

LINES = "game g\nplayers Ana, Bo\nturn 1 Ana\nAna casts Opt\nBo says night\n"


@pytest.mark.parametrize("before, behind, line", [
    ([], [], "Ana casts Opt"), (["--lang", "fr"], [], "Ana casts Opt"), ([], ["--lang", "en"], "Ana casts Opt"),
    ([], ["--lang", "fr"], "Ana lance Opt"), (["--lang", "fr"], ["--lang", "ja"], "AnaがOptを唱える"),
])  # fmt: skip
def test_language(daynight, folder, before, behind, line):
    (folder / "game.dn").write_text(LINES, encoding="utf-8")
    code, text, err = daynight(*before, "write", "game.dn", *behind)
    assert (0, "") == (code, err)
    assert line in text
    (folder / "again.dn").write_text(text, encoding="utf-8")
    assert daynight("read", "game.dn") == daynight("read", "again.dn")
