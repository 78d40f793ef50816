"""`daynight table`: a game for phones, its links, and its certificate.

| promise | test |
| --- | --- |
| it begins the game, and serves it at the printed address; `--json` is one line with `fingerprint` | test_begun |
| each player gets a link with their role, and its QR code | test_links |
| the certificate names the addresses and is reused; only its owner can read its key | test_certificate |
| connections from other machines are encrypted, and the printed fingerprint is right | test_encrypted |
| an unavailable address or port, missing or different players: refused, and no game is begun | test_refused |
"""

import json
import os
import re
import signal
import socket
import ssl
import stat
import sys
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from subprocess import PIPE
from urllib.parse import urlsplit

import httpx
import pytest

from daynight import Store
from daynight.cli.commands import run
from daynight.web.door.certificate import certificate_of
from tests.processes import Popen
from tests.web.serving import AS_ABROAD


@contextmanager
def started(folder, *arguments):
    """Yield the process of a new table; SIGINT ends it after the block."""
    command = [sys.executable, "-m", "daynight", "table", *arguments, "--port", "0", "--db", str(folder / "games.db")]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "PYTHONUNBUFFERED": "1"}
    with Popen(command, cwd=folder, env=environment, stdout=PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=10)


def test_begun(tmp_path):
    with started(tmp_path, "friday", "Ana", "Bo", "--json") as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert told.keys() == {"version", "address", "owner", "url", "fingerprint", "links"}
        assert told["fingerprint"] is None
        assert httpx.get(f"{told['address']}/v1/games/friday").json()["players"] == ["Ana", "Bo"]
        assert httpx.get(f"{told['address']}/t/friday").status_code == 200
        seats = [(link["role"], link["name"]) for link in told["links"]]
        assert seats == [("player", "Ana"), ("player", "Bo"), ("judge", "judge"), ("spectator", None)]
        key = told["links"][1]["url"].partition("#k=")[2]
        answer = httpx.get(f"{told['address']}/v1", headers={"Authorization": f"Bearer {key}"})
        assert answer.json()["you"] == {"role": "player", "name": "Bo"}


@pytest.mark.wide
def test_links(tmp_path):
    with started(tmp_path, "friday", "Ana", "Bo") as process:
        assert process.stdout is not None
        text = ""
        while "owner" not in text:
            text += process.stdout.readline()
        urls = re.findall(r"^http\S+$", text, re.MULTILINE)
        assert len(urls) == 4
        assert text.count("▄▄▄▄▄") >= 4
        roles = []
        for url in urls:
            place = urlsplit(url)
            assert place.path == ("/g/friday" if url == urls[3] else "/t/friday")
            key = place.fragment.removeprefix("k=")
            about = httpx.get(f"http://{place.netloc}/v1", headers={"Authorization": f"Bearer {key}"}).json()
            roles.append((about["you"]["role"], about["you"]["name"]))
    assert roles[:3] == [("player", "Ana"), ("player", "Bo"), ("judge", "judge")]
    assert roles[3][0] == "spectator"


def test_certificate(tmp_path):
    made = certificate_of(tmp_path, ["192.168.1.5", "day.example"])
    again = certificate_of(tmp_path, ["day.example", "192.168.1.5"])
    assert (made, True, False) == (replace(again, is_new=True), made.is_new, again.is_new)
    assert certificate_of(tmp_path, ["192.168.1.6"]).fingerprint != made.fingerprint
    assert stat.S_IMODE(made.file.stat().st_mode) == 0o600
    der = ssl.PEM_cert_to_DER_cert(made.file.read_text()[made.file.read_text().index("-----BEGIN CERT") :])
    assert sha256(der).hexdigest().upper() == made.fingerprint.replace(":", "")
    made.file.write_text("spoiled")
    assert certificate_of(tmp_path, ["192.168.1.5", "day.example"]).fingerprint != made.fingerprint


@pytest.mark.wide
@pytest.mark.parametrize("verb", [["table", "friday", "Ana", "Bo"], ["serve", "db:friday"]], ids=["table", "serve"])
def test_encrypted(tmp_path, verb):
    place = str(tmp_path / "games.db")
    assert run(["new", "friday", "Ana", "Bo", "--db", place]) == 0
    # No test may depend on a network address, so this machine's own addresses are treated as remote.
    arguments = [*verb, "--json", "--port", "0", "--db", place]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path)}
    with Popen([sys.executable, "-c", AS_ABROAD, *arguments], env=environment, stdout=PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            where = urlsplit(told["address"])
            assert where.scheme == "https"
            shown = ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate((where.hostname or "", where.port or 0)))
            trusted = httpx.get(f"{told['address']}/v1", verify=ssl.create_default_context(cafile=told["certificate"]))
            assert trusted.status_code == 200
            assert sha256(shown).hexdigest().upper() == told["fingerprint"].replace(":", "")
            assert httpx.get(f"{told['address']}/v1/games/friday", verify=False).status_code == 401
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=10)


def test_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    place = str(tmp_path / "games.db")
    assert run(["table", "friday", "--db", place]) in (2, 4)
    assert run(["table", "friday", "Ana", "Bo", "--host", "192.0.2.1", "--db", place]) == 2
    assert run(["serve", "--host", "192.0.2.1", "--db", place]) == 2
    assert not Path(place).exists()
    assert run(["new", "friday", "Ana", "Bo", "--db", place]) == 0
    capsys.readouterr()
    assert run(["table", "friday", "Ana", "Cy", "--db", place]) == 5
    assert "other players" in capsys.readouterr().err
    for verb in (["table", "friday"], ["serve"]):
        for host in ("0.0.0.0", "::"):
            assert run([*verb, "--host", host, "--db", place]) == 2
            assert "is every address there is; give one that this machine has: --host" in capsys.readouterr().err
    # An address reserved for documentation: no machine has it.
    for host in ("192.0.2.1", "nobody.invalid"):
        assert run(["table", "friday", "--host", host, "--db", place]) == 2
        assert f"{host} is no address of this machine" in capsys.readouterr().err
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["table", "friday", "--port", str(port), "--db", place]) == 2
        assert f"port {port} of 127.0.0.1" in capsys.readouterr().err
    with Store.open(Path(place)) as store:
        assert store.last("friday") == 1
