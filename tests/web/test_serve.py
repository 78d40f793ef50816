"""`serve`: its addresses, its output, how it ends, and which games it serves."""

import json
import signal
import socket
import subprocess
import sys
from time import monotonic
from urllib.request import Request, urlopen

import pytest

from daynight.framework.language.codec import versioned
from daynight.games import Store
from tests.commands.conftest import complaints, environ
from tests.web.conftest import ROOT
from tests.web.running import serving

RECORD = b'{"type":"game-started","format":1,"game":"half","players":["Ana","Bo"]}\n'


@pytest.mark.slow
def test_what_is_printed(tmp_path):
    """`serve --json` prints one line: version, address, owner's key, and the address with the key in the fragment."""
    with serving(tmp_path, "demo", start=subprocess.Popen) as server:
        printed = server.printed
        assert set(printed) == {"version", "address", "owner", "url"}
        assert printed["url"] == f"{printed['address']}/#k={printed['owner']}"
        assert (len(printed["owner"]), printed["address"]) == (22, f"http://127.0.0.1:{server.port}")
        assert server.document("/v1")["languages"] == ["en", "fr", "ja"]
        server.process.send_signal(signal.SIGTERM)
        out, err = server.process.communicate(timeout=10)
        assert (out, err, server.process.returncode) == (b"", b"", 0)


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals(tmp_path, number):
    """A signal ends the server within three seconds, even with an open connection."""
    with serving(tmp_path, "demo") as server, socket.create_connection(("127.0.0.1", server.port)) as open_one:
        open_one.sendall(b"GET /v1 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % server.port)
        assert open_one.recv(100).startswith(b"HTTP/1.1 200")
        began = monotonic()
        server.process.send_signal(number)
        assert server.process.wait(timeout=10) == 0
        assert monotonic() - began < 3


def half_sent(server, record):
    """Return a connection on which an upload has begun: its head and the first 20 bytes of `record`."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    head = (
        f"POST /v1/imports HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.printed['owner']}"
        f"\r\nContent-Type: application/octet-stream\r\nContent-Length: {len(record)}\r\nExpect: 100-continue\r\n\r\n"
    )
    connection.sendall(head.encode())
    assert connection.recv(100).startswith(b"HTTP/1.1 100")
    connection.sendall(record[:20])
    return connection


@pytest.mark.wide
def test_a_signal_while_something_is_sent(tmp_path):
    """After a signal, an unfinished upload is cut off within three seconds, and the exit code is 0."""
    with serving(tmp_path) as server, half_sent(server, RECORD):
        began = monotonic()
        server.process.send_signal(signal.SIGINT)
        out, err = server.process.communicate(timeout=10)
        assert (out, complaints(err.decode()), server.process.returncode) == (b"", "", 0)
        assert monotonic() - began < 3


@pytest.mark.wide
def test_what_is_nearly_sent_is_answered(tmp_path):
    """If the rest of an upload arrives right after SIGINT, the server stores the record and answers before it ends."""
    with serving(tmp_path) as server, half_sent(server, RECORD) as connection:
        server.process.send_signal(signal.SIGINT)
        connection.sendall(RECORD[20:])
        assert connection.recv(1000).startswith(b"HTTP/1.1 201")
        assert server.process.wait(timeout=10) == 0
    with Store.open(tmp_path / "daynight.db") as store:
        assert store.games() == [("half", 1)]


@pytest.mark.wide
def test_what_is_served(tmp_path):
    """`serve` serves a single file, by default the store, both, or only one game of the store."""
    with Store.open(tmp_path / "daynight.db") as store:
        store.import_record("demo")
        store.new("friday", ["Ana", "Bo"])
        store.new("friday/x", ["Cy", "Di"])

    def names(server):
        return [row["game"] for row in server.document("/v1/games")["games"]]

    with serving(tmp_path, ROOT / "examples/games/clone.jsonl") as server:
        assert names(server) == ["clone"]
    with serving(tmp_path) as server:
        assert names(server) == ["friday", "friday/x", "wagic-G1"]
    with serving(tmp_path, "demo", "--db", "daynight.db") as server:
        assert names(server) == ["friday", "friday/x", "wagic-G1", "wagic-G1 (2)"]
    with serving(tmp_path, "db:friday") as server:
        assert names(server) == ["friday"]
        assert server.get("/v1/games/wagic-G1")[0] == 404
        # A separate game, whatever its name.
        assert server.get("/v1/games/friday%2Fx")[0] == 404


def test_what_cannot_be_served(daynight, folder):
    """Invalid sources, hosts and ports are refused with an exit code of 2 to 4 and an error message."""
    (folder / "bad.jsonl").write_text("{}\n")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for code, arguments in [
            (4, ["nothing.jsonl"]), (3, ["bad.jsonl"]), (2, ["demo", "--port", port]), (4, ["db:nobody"]),
            (2, ["demo", "--host", "no such host"]), (2, ["demo", "--port", "70000"]),
        ]:  # fmt: skip
            ran = daynight("serve", *arguments)
            assert (code, "") == ran[:2], arguments
            assert ran.error


@pytest.mark.wide
def test_no_http(tmp_path):
    """A request that is not HTTP gets 400 from the server library, and the connection is closed."""
    with serving(tmp_path, "demo") as server:
        host = b"Host: 127.0.0.1:%d\r\n" % server.port
        for broken in (
            b"GET /v1 HTTP/1.1\r\n" + host + host + b"\r\n",
            b"GET /v1\r\n\r\n\r\n",
            b"GET /v1 HTTP/1.1\r\n\r\n",
            b"\x00\x01\x02\r\n\r\n",
            b"GET /v1 HTTP/1.1\r\n" + host + b"x: " + b"y" * 70_000 + b"\r\n\r\n",
        ):
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
                connection.sendall(broken)
                answer = b""
                while piece := connection.recv(2**16):
                    answer += piece
                assert answer.startswith(b"HTTP/1.1 400"), broken[:40]
        assert server.get("/v1")[0] == 200


@pytest.mark.wide
def test_odd_paths(tmp_path):
    """Odd paths reach the application exactly as sent."""
    with Store.open(tmp_path / "daynight.db") as store:
        for name in ("..", "a/b", "日本"):
            store.new(name, ["Ana", "Bo"])
    with serving(tmp_path) as server:
        for id, name in {"~..": "..", "a%2Fb": "a/b", "%E6%97%A5%E6%9C%AC": "日本"}.items():
            assert server.document(f"/v1/games/{id}")["game"] == name
        assert (server.get("/v1/../v1")[0], server.get("/v1", Host="evil.example")[0]) == (404, 421)
        assert server.get("http://127.0.0.1/v1")[0] in (404, 421)


@pytest.mark.parametrize("name", ["monarch", "approval"])
@pytest.mark.wide
def test_no_table_of_another_mechanic(tmp_path, name):
    """`serve --table` of another mechanic is refused in one sentence, before it listens."""
    example = ROOT / f"examples/{name}"
    command = [sys.executable, f"{example}.py", "serve", f"{example}.jsonl", "--table", "--port", "0"]
    found = subprocess.run(
        command, cwd=tmp_path, env=environ(), capture_output=True, text=True, timeout=60, check=False
    )
    assert (found.returncode, found.stdout) == (2, "")
    says = f"--table is for games of day and night; without it {name} is served to browsers and programs"
    assert found.stderr.strip().endswith(says)
    assert len(found.stderr.strip().splitlines()) == 1


@pytest.mark.slow
def test_another_mechanic(tmp_path):
    """Another mechanic has the same routes with its own parts; routes of day and night alone do not exist."""
    program = (ROOT / "examples/monarch.py",)
    with serving(tmp_path, ROOT / "examples/monarch.jsonl", program=program) as server:
        game = f"/v1/games/{server.document('/v1/games')['games'][0]['id']}"
        monarch = {"values": ["Ana"], "event": 3, "rule": "made-monarch", "because": [3]}
        (told,) = server.document(f"{game}/state?at=3")["parts"]["monarch"].values()
        assert monarch.items() <= told.items()
        assert server.document(f"{game}/why?part=monarch")["value"] == "Cy"
        assert server.document(f"{game}/audit")["verdict"] == "disputed"
        assert server.document(f"{game}/bisect") == {"version": 1, "bad": 14}
        assert server.document(f"{game}/bisect?until=monarch:Cy") == {"version": 1, "bad": 11}
        differing = server.document(f"{game}/diff?a=3&b=6")["differences"]
        said = "draws Ana: 0 / 1"
        assert differing == [{"part": "draws", "subject": "Ana", "left": 0, "right": 1, "sentence": said}]
        page = server.document(f"{game}/moments")
        state = None
        for number, moment in enumerate(page["moments"], 1):
            state = moment["state"] if "state" in moment else state | moment["delta"]
            assert versioned(state) == server.document(f"{game}/state?at={number}")
        claims = [one["claim"]["verdict"] for one in page["moments"] if "claim" in one]
        assert claims == ["agrees", "differs", "agrees"]
        for route in ("forecast", "unknowns", "disputes", "repair", "backup-plan", "record.dn", "timeline.svg",
                      "board.svg", "report.html", "report.json"):  # fmt: skip
            assert server.get(f"{game}/{route}")[0] == 404
        assert (server.get(f"{game}/why")[0], server.get(f"{game}/why?part=x")[0]) == (400, 404)


@pytest.mark.wide
def test_unguarded_script(tmp_path):
    """Workers do not run a script without a `__main__` guard again; its what-ifs are answered."""
    text = (ROOT / "examples/approval.py").read_text(encoding="utf-8")
    text = text.replace('if __name__ == "__main__":\n    commands(MECHANIC)()', "commands(MECHANIC)()")
    assert "__name__" not in text
    script = tmp_path / "approval.py"
    script.write_text(text, encoding="utf-8")
    with serving(tmp_path, ROOT / "examples/approval.jsonl", program=(script,)) as server:
        body = b'{"edits":[{"at":3,"drop":true}]}'
        address = f"http://127.0.0.1:{server.port}/v1/games/budget/what-if"
        with urlopen(Request(address, body, {"Content-Type": "application/json"}), timeout=30) as answer:
            assert json.load(answer)["impossible"] == []
