"""Sixty hostile names for games, players and cards, to test how the page shows them."""

MARKUP = [
    "<b>bold</b>", "<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "</script><script>alert(1)</script>",
    "</title><h1>x</h1>", "<svg/onload=alert(1)>", "<iframe src=//evil.example>", "<a href=javascript:alert(1)>x</a>",
    "<style>*{display:none}</style>", "<!-- ", "-->", "<![CDATA[x]]>", "<base href=//evil.example/>",
    "<meta http-equiv=refresh content=0>", "<form action=//evil.example><input>", "<math><mi//xlink:href=x>",
    "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", "` autofocus onfocus=alert(1) x=`", "&lt;b&gt;",
    "&#60;b&#62;", "&amp;amp;", "{@html name}", "{{constructor.constructor('alert(1)')()}}", "${alert(1)}", "{name}",
    "%3Cb%3E", "\\u003cb\\u003e", "javascript:alert(1)", "data:text/html,<b>x</b>",
]  # fmt: skip

PLACES = [
    "../../etc/passwd", "..", ".", "a/b", "a\\b", "%2F", "%00", "?", "#e=1", "?x=1#k=abc", "~", "~a", "con",
    "//evil.example", "file:///etc/passwd", "__proto__", "constructor", "null", "0", "-1",
]  # fmt: skip

WRITTEN = [
    "שלום", "مرحبا بالعالم", "日本語", "Zoë", "n̈̈̈̈̈̈", "👩‍👩‍👧‍👦", "ﷺ", "𝕬𝖓𝖆", "W" * 190,
    "'; drop table games; --",
]  # fmt: skip

NAMES = [*MARKUP, *PLACES, *WRITTEN]
