"""Sends commands and other writing requests to a server on a real socket, and checks problem answers."""

from typing import Any

import httpx

from tests.web.serving import Served


def post(house: Served, path: str, body: Any, key: str | None = None) -> httpx.Response:
    """The answer to a POST below `/v1`, by the owner or with this key."""
    with house.client(house.owner if key is None else key) as client:
        return client.post(f"/v1/{path}", json=body)


def send(house: Served, game: str, body: Any, key: str | None = None) -> httpx.Response:
    """The answer to a command."""
    return post(house, f"games/{game}/commands", body, key)


def cast(seen: int, command: str = "c1", player: str = "Ana", **more: Any) -> dict[str, Any]:
    """A command that casts a spell."""
    return {"command": command, "seen": seen, "events": [{"type": "spell-cast", "player": player}], **more}


def refused(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Assert that the answer is this problem; return it."""
    assert (answer.status_code, answer.json()["type"]) == (status, f"urn:daynight:{code}"), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = answer.json()
    return document
