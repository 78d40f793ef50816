"""Uploads: records, archives and logs, with limits, one at a time."""

import gzip
import threading
import time
from pathlib import Path

import pytest

from daynight.games import Store
from daynight.store import write_archive
from daynight.web.limits import Limits
from tests.web.sending import refused
from tests.web.serving import serving

GAMES = Path(__file__).parents[2] / "examples" / "games"


@pytest.fixture(scope="module")
def house():
    with Store.open("memory:") as store, serving(store) as served:
        served.house.counted.writes._burst = served.house.counted.requests._burst = 10**6
        yield served


def upload(house, data, query="", key=None):
    with house.client(key or house.owner, **{"Content-Type": "application/octet-stream"}) as client:
        return client.post(f"/v1/imports{query}", content=data)


def test_what_an_upload_is_shows_in_its_bytes(house):
    words = (GAMES / "kitchen-table.dn").read_bytes()
    answer = upload(house, words)
    assert answer.status_code == 201, answer.text
    (stored,) = answer.json()["games"]
    assert (stored["game"], stored["events"], stored["repeated"]) == ("kitchen table", 30, False)
    assert stored["code"] == house.store.code("kitchen table")
    assert upload(house, gzip.compress(words)).json()["games"][0]["repeated"]
    record = (GAMES / "uncertain.jsonl").read_bytes()
    name = upload(house, record).json()["games"][0]["game"]
    assert house.store.last(name)
    refused(upload(house, record.replace(b"Opt", b"Ponder"), f"?as={name}"), 409, "game-exists")
    assert upload(house, gzip.compress(record), "?as=a%2Fcopy").json()["games"][0]["id"] == "a%2Fcopy"


@pytest.mark.parametrize("log", ["arena/Player.log", "forge/game.log"])
def test_a_log_is_imported_with_its_report(house, log):
    data = GAMES.parent.joinpath(log).read_bytes()
    answer = upload(house, data)
    assert answer.status_code == 201, answer.text
    found = answer.json()
    assert found["games"]
    assert all(house.store.last(one["game"]) == one["events"] for one in found["games"])
    assert {one["game"] for one in found["report"]["games"]} >= {one["game"] for one in found["games"]}
    assert all(one["repeated"] for one in upload(house, gzip.compress(data)).json()["games"])
    refused(upload(house, data, "?as=other"), 400, "bad-parameter")


def test_an_archive_goes_into_an_empty_store(house, tmp_path):
    archive = tmp_path / "all.jsonl"
    with archive.open("wb") as stream:
        write_archive(house.store, stream)
    refused(upload(house, archive.read_bytes()), 409, "game-exists")
    with Store.open("memory:") as store, serving(store) as served:
        found = upload(served, archive.read_bytes()).json()
        assert [one["game"] for one in found["games"]] == [name for name, _last in house.store.games()]


@pytest.mark.parametrize("data", [b"", b"hello", b"{}", b"\x1f\x8bnot packed", b"\x00" * 100])
def test_what_cannot_be_read_is_refused_and_names_no_file_of_the_server(house, data):
    answer = upload(house, data)
    refused(answer, 422, "unreadable")
    assert "/" not in answer.json()["detail"].replace("db:", "")


def test_an_upload_is_bounded_packed_and_unpacked():
    game = b'{"type":"game-started","format":1,"game":"g1","players":["Ana","Bo"]}\n'
    event = b'{"type":"turn-began","turn":1,"active":["Ana"]}\n'
    with Store.open("memory:") as store, serving(store, limits=Limits(upload=1000, unpacked=2000)) as served:
        record = game + event
        note = b'{"type":"note-added","by":"Ana","says":"%b"}\n'
        fits = record + note % (b"x" * (1000 - len(record) - len(note) + 2))
        assert len(fits) == 1000
        refused(upload(served, fits + b" "), 413, "too-large")
        refused(upload(served, gzip.compress(record + note % (b"x" * 1900))), 413, "too-large")
        assert not store.games()
        assert upload(served, fits).status_code == 201


def test_one_upload_at_a_time():
    going_on, enough = threading.Event(), threading.Event()

    def slowly():
        yield b"{"
        going_on.set()
        enough.wait(10)
        yield b"}"

    with Store.open("memory:") as store, serving(store) as served:
        first = []
        uploading = threading.Thread(target=lambda: first.append(upload(served, slowly())))
        uploading.start()
        assert going_on.wait(10)
        for _time in range(100):
            if served.house.uploads:
                break
            time.sleep(0.02)
        answer = upload(served, b"{}")
        enough.set()
        uploading.join()
        refused(answer, 503, "busy")
        assert answer.headers["retry-after"]
        refused(first[0], 422, "unreadable")


@pytest.mark.slow
def test_an_upload_that_takes_too_long_is_given_up():
    def slowly():
        yield b"{"
        time.sleep(0.5)
        yield b"}"

    with Store.open("memory:") as store, serving(store, limits=Limits(upload_seconds=0.2)) as served:
        refused(upload(served, slowly()), 503, "busy")
        assert served.house.uploads == 0
