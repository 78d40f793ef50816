"""A worker drafts corrections, and their undo, without the game's lock; they are stored if no event came meanwhile.

| promise | test |
| --- | --- |
| if others write while a correction is computed, it is `stale`, and nothing is stored | test_without_the_lock |
| if only a note is stored meanwhile, the correction is drafted again, after the note | test_after_a_note |
| the server does not load the game, neither for a correction nor for its undo | test_in_a_worker |
| a retry gets the first answer, a reused id with other edits is refused | test_in_a_worker |
| drafts depend on the role: equal edits of another role are computed separately | test_by_role |
| a refusal is that of the server itself | test_refused |
| when the client disconnects, nothing is stored | test_who_is_gone |
| if the key is revoked meanwhile, nothing is stored | test_ended |
"""

import json
import os
import signal
import socket
import sys
import threading
from contextlib import contextmanager

import pytest

from daynight.games import Store
from daynight.web.computing.computing import Computing
from daynight.web.limits import Limits
from daynight.web.shelf import Shelf
from tests.web.sending import cast, post, refused, send
from tests.web.serving import serving, until

BO = {"type": "spell-cast", "player": "Bo"}
EDITS = [{"at": 4, "insert": [BO]}]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


def body(command="fix", seen=7, edits=EDITS, **more):
    return {"command": command, "seen": seen, "edits": edits, **more}


@pytest.fixture
def served(tmp_path):
    """A server with a worker, and a game in turn 2: events 1 to 7."""
    with Store.open(tmp_path / "games.db") as store:
        store.new("friday", ["Ana", "Bo"])
        computing = Computing(Shelf(store), Limits(computations=1, computation_seconds=60))
        with serving(store, computing=computing) as served:
            send(served, "friday", {"command": "t1", "seen": 1, "do": "pass-turn"})
            send(served, "friday", {"command": "t2", "seen": 4, "do": "pass-turn"})
            yield served


@contextmanager
def meanwhile(served, key=None, path="corrections", asked=None):
    """Send `asked`, or a correction, and pause its worker until the block ends; yield a list that gets the answer."""
    with served.client() as client:
        # The worker is there.
        assert client.get("/v1/games/friday/audit").status_code == 200
    computing, found = served.house.computing, []
    (worker,) = computing.workers.all
    os.kill(worker.pid, signal.SIGSTOP)
    asking = threading.Thread(target=lambda: found.append(post(served, f"games/friday/{path}", asked or body(), key)))
    asking.start()
    try:
        until(lambda: any(job.running for job in computing._jobs.values()))
        yield found
    finally:
        os.kill(worker.pid, signal.SIGCONT)
        asking.join(20)


@POSIX
def test_without_the_lock(served):
    with meanwhile(served) as found:
        assert send(served, "friday", cast(7)).status_code == 201
        assert not found
    stale = refused(found[0], 409, "stale")
    assert (stale["last"], len(stale["since"])) == (8, 1)
    assert served.store.last("friday") == 8


@POSIX
def test_after_a_note(served):
    with meanwhile(served) as found:
        note = {"command": "n", "about": 3, "says": "hm"}
        assert post(served, "games/friday/notes", note).status_code == 201
    assert found[0].status_code == 201, found[0].text
    answer = found[0].json()
    assert (answer["first"], answer["last"]) == (9, 13)
    assert [one["record"]["type"] for one in answer["moments"]] == [
        "game-backed-up", "spell-cast", "turn-began", "step-began", "step-began",
    ]  # fmt: skip
    assert answer["moments"][0]["record"]["to"] == 4


def test_in_a_worker(served):
    first = post(served, "games/friday/corrections", body())
    assert (first.status_code, first.json()["first"], first.json()["last"]) == (201, 8, 12)
    undo = {"command": "u", "seen": 12, "undoes": "fix"}
    undone = post(served, "games/friday/undo", undo)
    assert (undone.status_code, undone.json()["last"]) == (201, 16), undone.text
    send(served, "friday", cast(16))
    for path, asked, answer in (("corrections", body(seen=2), first), ("undo", undo, undone)):
        again = post(served, f"games/friday/{path}", asked)
        assert (again.status_code, again.json()) == (200, answer.json() | {"repeated": True})
    refused(
        post(served, "games/friday/corrections", body(edits=[{"at": 4, "insert": [BO, BO]}])), 422, "command-reused"
    )
    assert not served.house.shelf._kept._games.items()


@POSIX
def test_by_role(served):
    ana, jo = served.link("player", "Ana"), served.link("judge", "Jo")
    asked = body(edits=[{"at": 7, "insert": [{"type": "judge-ruled", "designation": "day"}]}])
    both = []
    with meanwhile(served, ana, asked=asked) as found:
        judge = threading.Thread(target=lambda: both.append(post(served, "games/friday/corrections", asked, jo)))
        judge.start()
        until(lambda: len(served.house.computing._jobs) == 2)
    judge.join(20)
    refused(found[0], 403, "not-yours")
    assert both[0].status_code == 201, both[0].text
    assert both[0].json()["moments"][-1]["record"]["meta"] == {"by": "Jo"}


def test_refused(served):
    gone = [{"type": "permanents-left", "permanents": ["w1"]}]
    came = [{"type": "permanents-entered", "permanents": [{"id": "w1", "card": "Opt", "controller": "Ana"}]}]
    send(served, "friday", {"command": "w", "seen": 7, "events": came + gone})
    found = refused(post(served, "games/friday/corrections", body(seen=9, edits=[{"at": 8, "drop": True}])), 422,
                    "impossible")  # fmt: skip
    assert [(one["event"], one["type"]) for one in found["impossible"]] == [(9, "permanents-left")]
    for edits, status, code in (
        ([{"at": 99, "drop": True}], 404, "no-such-moment"), ([{"at": 4, "insert": ["blah"]}], 422, "unreadable"),
        ([], 400, "bad-request"), ([{"at": 4, "insert": [{"type": "spell-cast", "player": "Zoe"}]}], 422, "impossible"),
    ):  # fmt: skip
        refused(post(served, "games/friday/corrections", body(seen=9, edits=edits)), status, code)
    assert served.store.last("friday") == 9


@POSIX
def test_who_is_gone(served):
    with meanwhile(served, asked=body(command="held")):
        pass
    computing, last = served.house.computing, served.store.last("friday")
    (worker,) = computing.workers.all
    os.kill(worker.pid, signal.SIGSTOP)
    host = served.address.rpartition("/")[2]
    data = json.dumps(body(command="gone", seen=last)).encode()
    with socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2]))) as connection:
        connection.sendall(
            f"POST /v1/games/friday/corrections HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {served.owner}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode()
            + data
        )
        until(lambda: computing._jobs)
    until(lambda: not computing._jobs and not worker.alive)
    assert served.store.last("friday") == last
    assert served.store.command("friday", "gone") is None


@POSIX
def test_ended(served):
    jo = served.link("judge", "Jo")
    with meanwhile(served, jo) as found:
        (link,) = served.house.keys.links()
        served.house.keys.revoke(link.link)
    refused(found[0], 401, "key-ended")
    assert served.store.last("friday") == 7
