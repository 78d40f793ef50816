"""Links, and the cookie that keeps a page's keys."""

import re
from datetime import UTC, datetime, timedelta
from io import BytesIO
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
import segno

from daynight.games import Store
from daynight.web.door.grants import Keys
from tests.store.lamp import LAMP
from tests.web.sending import refused, send
from tests.web.serving import serving


@pytest.fixture(scope="module")
def house():
    with Store.open("memory:") as store, serving(store) as served:
        served.house.counted.writes._burst = served.house.counted.requests._burst = 10**6
        for name in ("friday", "a/b", "..", "日本"):
            store.new(name, ["Ana", "Bo"])
        yield served


def join(client, key, **headers):
    ours = str(client.base_url).rstrip("/")
    return client.post("/v1/session", json={"key": key}, headers={"Origin": ours, **headers})


def you(client):
    return client.get("/v1").json()["you"]


# ---------------------------------------------------------------------------------------------------------------- links


def test_a_link_is_shown_once_listed_without_its_key_and_ended(house):
    with house.client(house.owner) as owner:
        made = owner.post("/v1/links", json={"game": "friday", "role": "player", "name": "Ana"})
        assert made.status_code == 201
        link = made.json()
        assert link["url"] == f"{house.address}/t/friday#k={link['key']}"
        assert re.fullmatch(r"[A-Za-z0-9_-]{22}", link["key"])
        listed = owner.get("/v1/links")
        assert link["key"] not in listed.text
        (row,) = [one for one in listed.json()["links"] if one["link"] == link["link"]]
        ends = datetime.strptime(row.pop("ends"), "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        assert abs(ends - datetime.now(UTC) - timedelta(hours=24)) < timedelta(minutes=1)
        assert row == {"link": link["link"], "game": "friday", "role": "player", "name": "Ana"}
        with house.client(link["key"]) as player:
            assert you(player) == {"role": "player", "name": "Ana"}
            assert owner.delete(f"/v1/links/{link['link']}").status_code == 204
            refused(player.get("/v1/games/friday"), 401, "key-ended")
            refused(player.get("/v1"), 401, "key-ended")
        refused(owner.delete(f"/v1/links/{link['link']}"), 404, "no-such-link")
        assert link["link"] not in owner.get("/v1/links").text


def test_a_link_has_its_picture(house):
    """A link's QR code contains the whole address, as an SVG that loads nothing, runs nothing, and has no style."""
    with house.client(house.owner) as owner:
        for asked in ({"role": "player", "name": "Ana"}, {"role": "judge"}, {"role": "spectator"}):
            link = owner.post("/v1/links", json={"game": "friday", **asked}).json()
            kind, _comma, data = link["picture"].partition(",")
            assert kind == "data:image/svg+xml;charset=utf-8"
            picture = ElementTree.fromstring(unquote(data))
            assert {one.tag.rpartition("}")[2] for one in picture.iter()} <= {"svg", "path"}
            assert not [name for one in picture.iter() for name in one.attrib if name in ("style", "href", "onload")]
            code = BytesIO()
            segno.make_qr(link["url"], error="l").save(code, kind="svg", border=4, light="#fff", omitsize=True)
            drawn = [one.get("d") for one in ElementTree.fromstring(code.getvalue()).iter() if one.get("d")]
            assert drawn == [one.get("d") for one in picture.iter() if one.get("d")]


def test_a_mechanic_without_a_table_has_links_to_its_games(tmp_path):
    with Store.open(tmp_path / "lamp.db", mechanic=LAMP) as store:
        store.append("hall", [{"type": "lamp-hung", "lamp": "hall"}])
        with serving(store) as house, house.client(house.owner) as owner:
            for asked in ({"role": "player", "name": "Ana"}, {"role": "judge"}, {"role": "spectator"}):
                link = owner.post("/v1/links", json={"game": "hall", **asked}).json()
                assert link["url"].startswith(f"{house.address}/g/hall#k=")


@pytest.mark.parametrize("game", ["a/b", "..", "日本"])
def test_a_link_leads_to_its_game_whatever_that_is_called(house, game):
    with house.client(house.owner) as owner:
        link = owner.post("/v1/links", json={"game": game, "role": "spectator"}).json()
        address = link["url"].partition("#")[0].replace("/g/", "/v1/games/")
        raw = owner.build_request("GET", house.address)
        raw.url = raw.url.copy_with(raw_path=address.removeprefix(house.address).encode())
        assert owner.send(raw).json()["game"] == game


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("body, status, code", [
    ({"game": "friday", "role": "player"}, 422, "impossible"),
    ({"game": "friday", "role": "player", "name": "Zoe"}, 422, "impossible"),
    ({"game": "friday", "role": "judge", "name": "J\u202eo"}, 422, "unreadable"),
    ({"game": "friday", "role": "judge", "name": ""}, 422, "unreadable"),
    ({"game": "nowhere", "role": "spectator"}, 404, "no-such-game"),
    ({"game": "friday", "role": "owner"}, 400, "bad-request"),
    ({"game": "friday"}, 400, "bad-request"),
    ({"game": "friday", "role": "spectator", "hours": 0}, 400, "bad-request"),
    ({"game": "friday", "role": "spectator", "hours": -1}, 400, "bad-request"),
    ({"game": "friday", "role": "spectator", "hours": "1"}, 400, "bad-request"),
    ({"game": "friday", "role": "spectator", "key": "x"}, 400, "bad-request"),
])  # fmt: skip
def test_what_no_link_can_be_is_refused(house, body, status, code):
    with house.client(house.owner) as owner:
        refused(owner.post("/v1/links", json=body), status, code)


def test_a_judge_is_called_anything_and_a_link_lives_as_long_as_it_says(house):
    with house.client(house.owner) as owner:
        body = {"game": "friday", "role": "judge", "name": "Jo", "hours": 0.5}
        assert owner.post("/v1/links", json=body).status_code == 201
        assert owner.post("/v1/links", json={"game": "friday", "role": "judge"}).status_code == 201
        rows = [one for one in owner.get("/v1/links").json()["links"] if one["name"] == "Jo"]
    ends = datetime.strptime(rows[0]["ends"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert abs(ends - datetime.now(UTC) - timedelta(hours=0.5)) < timedelta(minutes=1)


def test_a_server_may_give_links_other_lives():
    with Store.open("memory:") as store, serving(store, hours=2) as served, served.client(served.owner) as owner:
        store.new("friday", ["Ana", "Bo"])
        owner.post("/v1/links", json={"game": "friday", "role": "spectator"})
        (row,) = owner.get("/v1/links").json()["links"]
        ends = datetime.strptime(row["ends"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        assert abs(ends - datetime.now(UTC) - timedelta(hours=2)) < timedelta(minutes=1)


def test_links_are_listed_in_pages(house):
    with house.client(house.owner) as owner:
        for _time in range(3):
            owner.post("/v1/links", json={"game": "friday", "role": "spectator"})
        found, after = [], ""
        while True:
            page = owner.get("/v1/links", params={"limit": "2"} | ({"after": after} if after else {})).json()
            assert len(page["links"]) <= 2
            found += [one["link"] for one in page["links"]]
            if page["next"] is None:
                break
            after = page["next"]
        assert found == [one["link"] for one in owner.get("/v1/links").json()["links"]]
        assert len(found) >= 3
        refused(owner.get("/v1/links?limit=501"), 400, "bad-parameter")


def test_links_outlive_a_restart_and_the_owners_key_does_not(tmp_path):
    file = tmp_path / "games.db.links"
    with Store.open(tmp_path / "games.db") as store:
        store.new("friday", ["Ana", "Bo"])
        with serving(store, keys=Keys(file)) as served:
            owner, player = served.owner, served.link("player", "Ana")
        with serving(store, keys=Keys(file)) as served:
            with served.client(owner) as client:
                refused(client.get("/v1"), 401, "key-ended")
            with served.client(player) as client:
                assert you(client) == {"role": "player", "name": "Ana"}


# -------------------------------------------------------------------------------------------------------------- session


def test_a_session_is_a_cookie_of_this_port_that_no_script_reads(house):
    with house.client() as client:
        answer = join(client, house.owner)
        assert (answer.status_code, answer.content) == (204, b"")
        cookie = answer.headers["set-cookie"]
        name = f"daynight-{house.address.rpartition(':')[2]}"
        assert cookie.startswith(f"{name}=")
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
        assert "Secure" not in cookie
        assert you(client) == {"role": "owner", "name": None}
        value = client.cookies[name]
        assert value != house.owner
        with house.client(value) as thief:
            refused(thief.get("/v1"), 401, "key-ended")
        assert client.delete("/v1/session", headers={"Origin": house.address}).status_code == 204
        assert you(client) is None
        with house.client(None, Cookie=f"{name}={value}") as late:
            refused(late.get("/v1"), 401, "key-ended")


def test_a_wrong_key_makes_no_session(house):
    with house.client() as client:
        refused(join(client, "wrong"), 401, "key-ended")
        assert "set-cookie" not in join(client, "wrong").headers
        refused(client.post("/v1/session", json={"key": 7}), 400, "bad-request")
        refused(client.post("/v1/session", json={"key": "x" * 201}), 400, "bad-request")
        refused(client.post("/v1/session", content=b"key=x"), 415, "media-type")


def test_over_tls_the_cookie_is_secure(house):
    house.house.scheme = "https"
    try:
        with house.client() as client:
            assert "Secure" in client.post("/v1/session", json={"key": house.owner}).headers["set-cookie"]
    finally:
        house.house.scheme = "http"


def test_a_session_keeps_every_key_and_the_owner_who_tries_a_link_stays_owner(house):
    with house.client() as client:
        join(client, house.link("player", "Ana"))
        assert you(client) == {"role": "player", "name": "Ana"}
        join(client, house.link("judge", "Jo", "a/b"))
        assert client.get("/v1/games/friday").status_code == 200
        assert client.get("/v1/games/a%2Fb").status_code == 200
        join(client, house.link("player", "Bo"))
        ours = {"Origin": house.address}
        body = {"command": "k1", "seen": 1, "events": [{"type": "designation-claimed", "designation": "day"}]}
        answer = client.post("/v1/games/friday/commands", json=body, headers=ours)
        assert answer.json()["moments"][0]["record"]["by"] == "Bo"
        join(client, house.owner)
        join(client, house.link("spectator"))
        assert you(client) == {"role": "owner", "name": None}
        assert client.get("/v1/games").status_code == 200


def test_a_cookie_writes_only_from_a_page_of_ours_and_a_key_in_the_header_always(house):
    body = {"command": "k2", "seen": 1, "events": [{"type": "designation-claimed", "designation": "day"}]}
    path = "/v1/games/friday/commands"
    with house.client() as client:
        join(client, house.owner)
        refused(client.post(path, json=body), 401, "no-key")
        port = house.address.rpartition(":")[2]
        for origin in ("null", "http://evil.example", f"https://127.0.0.1:{port}", f"http://localhost:{port}",
                       f"{house.address}/", "http://127.0.0.1", ""):  # fmt: skip
            refused(client.post(path, json=body, headers={"Origin": origin}), 403, "foreign-origin")
        refused(client.post(path, json=body, headers={"Origin": house.address, "Sec-Fetch-Site": "cross-site"}), 403,
                "foreign-origin")  # fmt: skip
        assert client.post(path, json=body, headers={"Origin": house.address}).status_code == 201
    assert send(house, "friday", body).status_code == 200


def test_the_header_wins_over_the_cookie(house):
    with house.client() as client:
        join(client, house.owner)
        key = house.link("player", "Ana")
        assert client.get("/v1", headers={"Authorization": f"Bearer {key}"}).json()["you"]["role"] == "player"
        wrong = {"Authorization": "Bearer wrong"}
        refused(client.get("/v1", headers=wrong), 401, "key-ended")
        refused(client.post("/v1/session", json={"key": house.owner}, headers=wrong), 401, "key-ended")
        refused(client.delete("/v1/session", headers=wrong), 401, "key-ended")


def test_a_session_whose_keys_have_all_ended_is_401_and_can_be_begun_anew(house):
    with house.client() as client:
        link, key = house.house.keys.add("friday", "player", "Ana")
        join(client, key)
        house.house.keys.revoke(link.link)
        refused(client.get("/v1"), 401, "key-ended")
        refused(client.get("/v1/games/friday"), 401, "key-ended")
        # The page itself needs no key.
        assert client.get("/docs").status_code == 200
        assert join(client, house.link("judge", "Jo")).status_code == 204
        assert you(client) == {"role": "judge", "name": "Jo"}


def test_no_answer_has_a_key_in_it(house):
    key = house.link("player", "Ana")
    with house.client(key) as client:
        for answer in (
            client.get("/v1"),
            client.get(f"/v1/games/{key}"),
            client.get("/v1/games/friday/record.jsonl"),
            client.post("/v1/games", json={}),
        ):
            if key in answer.text:
                assert f"/v1/games/{key}" in str(answer.url)
