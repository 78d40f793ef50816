"""The controls of a screen from the browser's accessibility tree, each with a locator that can press it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Locator, Page

ROLES = frozenset({
    "button", "checkbox", "combobox", "ComboBoxSelect", "DisclosureTriangle", "link", "menuitem", "radio", "searchbox",
    "slider", "spinbutton", "switch", "tab", "textbox",
})  # fmt: skip
"""The roles of elements that a person can press or fill in, as Chromium names them."""

MARK = """function (mark) {
  this.setAttribute("data-control", mark);
  return this.matches("summary") ? null : this.closest("details")?.firstElementChild.innerText.replace(/\\s+/g, " ");
}"""
"""A script that marks a control, and returns the heading of the folded part in which it is, if it is in one."""

VARYING = re.compile(r" → .*|(?<=^Spell cast) .*|-[0-9a-f]{6}|^\w+ (?=casts: does not count)")
"""Parts of names that depend on whose turn it is, or that are random."""


@dataclass(frozen=True)
class Control:
    """A control: its name (in a folded part `heading / name`), whether it is disabled, and its locator."""

    name: str
    disabled: bool
    place: Locator


def controls(page: Page, session: CDPSession) -> dict[str, Control]:
    """Open all folded parts; return the visible controls by name. A dialog hides the controls behind it."""
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    page.evaluate("document.querySelectorAll('[data-control]').forEach(one => one.removeAttribute('data-control'))")
    found: dict[str, Control] = {}
    for node in session.send("Accessibility.getFullAXTree")["nodes"]:
        if node.get("ignored") or node["role"]["value"] not in ROLES:
            continue
        name = VARYING.sub("", str(node["name"]["value"]))
        mark = str(len(found))
        held = session.send("DOM.resolveNode", {"backendNodeId": node["backendDOMNodeId"]})["object"]["objectId"]
        ask = {"objectId": held, "functionDeclaration": MARK, "arguments": [{"value": mark}], "returnByValue": True}
        told = session.send("Runtime.callFunctionOn", ask)["result"].get("value")
        name = f"{told} / {name}" if told else name
        assert name not in found, f"two controls are called {name}"
        disabled = any(one["name"] == "disabled" and one["value"]["value"] for one in node.get("properties", ()))
        found[name] = Control(name, disabled, page.locator(f"[data-control='{mark}']"))
    return found
