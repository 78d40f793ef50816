"""The colours of pictures in light and dark mode, and the style sheet that all pictures share."""

from __future__ import annotations

LIGHT = {
    "paper": "#fdfcf9", "ink": "#23222b", "soft": "#5f5d68", "line": "#85838f", "hair": "#e6e3dc",
    "day": "#ffe9a8", "day-ink": "#3b2c00", "day-mark": "#9c6a00",
    "night": "#2b3163", "night-ink": "#f4f3ff", "night-mark": "#8e97d8",
    "neither": "#f3f1ec", "neither-ink": "#55535e", "neither-mark": "#827f8b",
    "undone": "#eae9e6", "undone-ink": "#55545c", "undone-mark": "#7f7d85",
    "wrong": "#b3261e", "right": "#1b6e37", "open": "#7442b0", "here": "#0b5cb8", "here-ink": "#ffffff",
}  # fmt: skip
"""The colour of each role in light mode."""

DARK = {
    "paper": "#15161d", "ink": "#ecebf2", "soft": "#a9a7b5", "line": "#7b7988", "hair": "#2c2d38",
    "day": "#ecc968", "day-ink": "#2a2000", "day-mark": "#7d5800",
    "night": "#333a78", "night-ink": "#f1f0ff", "night-mark": "#98a1e6",
    "neither": "#22232c", "neither-ink": "#bbb9c6", "neither-mark": "#83818f",
    "undone": "#2a2a31", "undone-ink": "#bab9c0", "undone-mark": "#8a8891",
    "wrong": "#ff8f85", "right": "#73d391", "open": "#cbaaff", "here": "#84b9ff", "here-ink": "#0b1524",
}  # fmt: skip
"""The colour of each role in dark mode."""

# A class, what it colours, its role, and the system's colour for a reader who forces colours.
_CLASSES = (
    ("paper", "fill", "paper", "Canvas"),
    ("ink", "fill", "ink", "CanvasText"),
    ("soft", "fill", "soft", "CanvasText"),
    ("line", "stroke", "line", "CanvasText"),
    ("hair", "stroke", "hair", "GrayText"),
    *((name, "fill", name, "Canvas") for name in ("day", "night", "neither", "undone")),
    *((f"{name}-ink", "fill", f"{name}-ink", "CanvasText") for name in ("day", "night", "neither", "undone")),
    *((f"{name}-ray", "stroke", f"{name}-ink", "CanvasText") for name in ("day", "night", "neither", "undone")),
    *((f"{name}-mark", "stroke", f"{name}-mark", "CanvasText") for name in ("day", "night", "neither", "undone")),
    *((name, "fill", name, "CanvasText") for name in ("wrong", "right", "open")),
    ("here", "fill", "here", "Highlight"),
    ("here-line", "stroke", "here", "Highlight"),
    ("here-ink", "fill", "here-ink", "HighlightText"),
)

_SANS = (
    "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Helvetica Neue',Arial,'Hiragino Sans','Noto Sans CJK JP',"
    "'Noto Sans JP','Yu Gothic UI',Meiryo,'Segoe UI Symbol',sans-serif"
)
_MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Noto Sans Mono CJK JP',monospace"

_SHAPES = (
    f".dn text{{font-family:{_SANS};font-size:12px}}"
    f".dn .dn-mono{{font-family:{_MONO};font-size:11px}}"
    ".dn .dn-small{font-size:10px}"
    ".dn .dn-note{font-size:11px}"
    ".dn .dn-title{font-size:19px;font-weight:650}"
    ".dn .dn-large{font-size:15px;font-weight:650}"
    ".dn .dn-bold{font-weight:700}"
    ".dn .dn-italic{font-style:italic}"
    ".dn .dn-struck{text-decoration:line-through}"
    ".dn .dn-centre{text-anchor:middle}"
    ".dn .dn-end{text-anchor:end}"
    ".dn .dn-empty{fill:none}"
    ".dn .dn-dashed{stroke-dasharray:4 3}"
    ".dn .dn-thick{stroke-width:2px}"
)


def _coloured(colours: dict[str, str]) -> str:
    return "".join(f".dn .dn-{name}{{{what}:{colours[role]}}}" for name, what, role, _own in _CLASSES)


STYLE = (
    _SHAPES
    + _coloured(LIGHT)
    + f"@media screen and (prefers-color-scheme:dark){{{_coloured(DARK)}}}"
    + "@media print{.dn{print-color-adjust:exact;-webkit-print-color-adjust:exact}}"
    + "@media (forced-colors:active){.dn{forced-color-adjust:none}"
    + "".join(f".dn .dn-{name}{{{what}:{own}}}" for name, what, _role, own in _CLASSES)
    + "}"
)
"""The `<style>` of every picture. It has the same bytes in all, so a strict page can allow it by its hash.

A print is always in light mode. If the reader forces colours, the system's colours are used.
"""
