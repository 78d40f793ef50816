"""A hostile client in a process of its own, so that its work does not slow down the process that measures.

For each line of JSON on its input, `{"port", "key", "paths", "body"}`, it requests all paths at once, and then
prints the statuses on a line. It runs with lower priority than the server: a real client is another machine.
"""

import asyncio
import json
import os
import sys
import time


async def get(port: int, path: str, key: str, body: object = None) -> tuple[int, float]:
    """The status, 0 if the connection was cut, and the seconds of a GET, or a POST of `body`, on a new connection."""
    began = time.monotonic()
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        data = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
            f"Authorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        writer.write(head.encode() + data)
        status = int((await reader.readline() or b"x 0").split()[1])
        while await reader.read(2**20):
            pass
        writer.close()
    except OSError:
        status = 0
    return status, time.monotonic() - began


async def crowd(port: int, key: str, paths: list[str], body: object) -> list[int]:
    """The statuses of requests that are sent at once."""
    return [status for status, _took in await asyncio.gather(*(get(port, path, key, body) for path in paths))]


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(10)
    for line in sys.stdin:
        print(json.dumps(asyncio.run(crowd(**json.loads(line)))), flush=True)
