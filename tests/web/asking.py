"""Calls the server's application directly with raw requests, because an HTTP client would correct them."""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message

from daynight.web.asgi import application
from daynight.web.door.hosts import hosts_of
from daynight.web.limits import Limits
from daynight.web.shelf import Shelf
from daynight.web.visit import House

HOST = "127.0.0.1:8000"
"""The host name in the requests."""


@dataclass(frozen=True)
class Answer:
    """The status, headers and body of a response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of a problem document, whose other fields are checked."""
        assert self.headers["content-type"] == "application/problem+json", self
        found = self.document
        assert found["status"] == self.status
        assert {"type", "title", "status", "detail", "exit"} <= set(found)
        assert found["detail"]
        return str(found["type"]).removeprefix("urn:daynight:")


class Asking:
    """Sends requests to an application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(
        self, target: str, method: str = "GET", headers: Iterable[tuple[str, str]] | None = None, body: bytes = b"",
        **named: str,
    ) -> Answer:  # fmt: skip
        """Return the answer to one request, whose only header is Host, or which has `headers` instead, if given.

        `named` are added to both: `accept_language="fr"` adds `accept-language: fr`.
        """
        path, _mark, query = target.partition("?")
        given = [("host", HOST)] if headers is None else [*headers]
        given += [(name.replace("_", "-"), value) for name, value in named.items()]
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in given],
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000),
        }  # fmt: skip
        return asyncio.run(self._asked(scope, body))

    def document(self, target: str, **named: str) -> Any:
        """Return the answer to a GET of `target` as JSON; its status must be 200."""
        answer = self(target, "GET", None, b"", **named)
        assert answer.status == 200, (target, answer)
        return answer.document

    async def _asked(self, scope: dict[str, Any], body: bytes) -> Answer:
        sent: list[Message] = []
        coming: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            return coming.pop(0) if coming else {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        start = sent[0]
        headers: dict[str, str] = {}
        for name, value in start["headers"]:
            key = name.decode().lower()
            assert key not in headers, f"{key} twice"
            headers[key] = value.decode("latin-1")
        return Answer(start["status"], headers, b"".join(one.get("body", b"") for one in sent[1:]))


def asking(shelf: Shelf, **how: Any) -> Asking:
    """Return a client for `shelf`; `how` are fields of the `House`, by default without a rate limit."""
    # A client without a rate limit.
    how.setdefault("limits", Limits(requests=1e6, requests_burst=10**6))
    how.setdefault("hosts", hosts_of("127.0.0.1", 8000, "http", local=True))
    return Asking(application(House(shelf=shelf, **how)))
