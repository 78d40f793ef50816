"""Keys, links and sessions, tested without requests."""

import stat
import sys

import pytest

from daynight.store import SettingsError
from daynight.web.door import sessions
from daynight.web.door.grants import Caller, EndedError, Grant, Keys
from daynight.web.door.sessions import hash_of


class Clock:
    def __init__(self):
        self.now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "games.db.links"


def test_the_owners_key_is_new_each_time_and_has_128_bits():
    keys = [Keys().owner for _time in range(50)]
    assert len(set(keys)) == 50
    assert {len(key) for key in keys} == {22}


def test_the_owners_key_ends_with_the_process(file):
    before = Keys(file)
    assert before.grant(before.owner).role == "owner"
    with pytest.raises(EndedError):
        Keys(file).grant(before.owner)


def test_a_link_outlives_a_restart_and_its_key_is_nowhere_in_the_file(file):
    link, key = Keys(file).add("friday", "player", "Ana")
    assert key not in file.read_text()
    assert link.hash == hash_of(key) in file.read_text()
    found = Keys(file).grant(key)
    assert (found.role, found.name, found.game, found.link) == ("player", "Ana", "friday", link.link)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_nobody_else_reads_the_file(file):
    Keys(file).add("friday", "judge", "Jo")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_link_ends_when_it_said(file, clock):
    keys = Keys(file, now=clock)
    _link, key = keys.add("friday", "judge", "Jo", hours=2)
    clock.now += 7199
    grant = keys.grant(key)
    assert keys.lives(grant)
    clock.now += 2
    assert not keys.lives(grant)
    with pytest.raises(EndedError):
        keys.grant(key)
    assert keys.links() == []


def test_a_link_lives_a_day_where_nothing_is_said(file, clock):
    keys = Keys(file, now=clock)
    link, _key = keys.add("friday", "spectator")
    assert link.ends - clock.now == 24 * 3600


def test_a_revoked_link_is_none_at_once_and_others_stay(file):
    keys = Keys(file)
    link, key = keys.add("friday", "player", "Ana")
    _other, stays = keys.add("friday", "player", "Bo")
    assert keys.revoke(link.link)
    with pytest.raises(EndedError):
        keys.grant(key)
    assert keys.grant(stays).name == "Bo"
    assert not keys.revoke(link.link)


def test_what_another_server_of_the_store_revokes_is_revoked_here(file):
    here, there = Keys(file), Keys(file)
    link, key = here.add("friday", "player", "Ana")
    grant = there.grant(key)
    here.revoke(link.link)
    assert not there.lives(grant)
    with pytest.raises(EndedError):
        there.grant(key)


def test_a_wrong_key_is_refused_and_an_unreadable_file_lets_nobody_in(file):
    keys = Keys(file)
    _link, key = keys.add("friday", "player", "Ana")
    for wrong in ("", key[:-1], key + "A", key.swapcase(), "\udcff"):
        with pytest.raises(EndedError):
            keys.grant(wrong)
    file.write_text("[{}]")
    with pytest.raises(EndedError):
        keys.grant(key)
    with pytest.raises(SettingsError, match="holds no links"):
        Keys(file)


def test_of_several_keys_the_one_that_may_most_counts_and_among_equals_the_last():
    ana, bo = Grant("player", "Ana", "friday"), Grant("player", "Bo", "friday")
    judge, owner = Grant("judge", "Jo", "monday"), Grant("owner")
    caller = Caller((ana, bo, judge))
    assert caller.over("friday") is bo
    assert caller.over("monday") is judge
    assert caller.over("sunday") is None
    assert caller.over("friday/b2", "friday") is bo
    assert caller.most is judge
    assert Caller((owner, ana)).over("friday") is owner
    assert Caller().most is None


def test_a_session_keeps_every_key_once_the_newest_last():
    keys = Keys()
    (_one, first), (_two, second) = keys.add("friday", "spectator"), keys.add("friday", "judge")
    cookie = keys.joined(keys.joined("", first), second)
    assert held(keys, cookie) == [first, second]
    cookie = keys.joined(cookie, first)
    assert held(keys, cookie) == [second, first]
    with pytest.raises(EndedError):
        keys.joined(cookie, "wrong")
    assert held(keys, cookie) == [second, first]


def held(keys, cookie):
    """Return the keys of the session of `cookie`: a grant has only a hash, whose key is looked up in `GIVEN`."""
    known = {hash_of(key): key for key in GIVEN}
    return [known[grant.key] for grant in keys.visitor(cookie).grants]


GIVEN: list[str] = []


@pytest.fixture(autouse=True)
def given(monkeypatch):
    """Remember every new key in `GIVEN`, because `Keys` stores only its hash."""
    add = Keys.add

    def remembered(self, *arguments, **more):
        link, key = add(self, *arguments, **more)
        GIVEN.append(key)
        return link, key

    monkeypatch.setattr(Keys, "add", remembered)
    yield
    GIVEN.clear()


def test_a_cookie_is_no_key_and_changes_with_each_key_that_is_given(file):
    keys = Keys(file)
    _link, key = keys.add("friday", "judge")
    first = keys.joined("", keys.owner)
    second = keys.joined(first, key)
    assert len({first, second, key, keys.owner}) == 4
    for wrong in (first, "wrong", key, keys.owner):
        with pytest.raises(EndedError):
            keys.visitor(wrong)
    with pytest.raises(EndedError):
        keys.caller([second])
    kept = (file.parent / "games.db.sessions").read_text()
    assert not [one for one in (first, second, key, keys.owner, hash_of(keys.owner)) if one in kept]


def test_a_session_outlives_a_restart_but_for_what_the_owners_key_gave(file):
    keys = Keys(file)
    _link, key = keys.add("friday", "judge", "Jo")
    both, owned = keys.joined(keys.joined("", keys.owner), key), keys.joined("", keys.owner)
    assert [grant.role for grant in keys.visitor(both).grants] == ["owner", "judge"]
    other = Keys(file)
    assert [grant.called for grant in other.visitor(both).grants] == ["Jo"]
    with pytest.raises(EndedError):
        other.visitor(owned)
    # Keys written by the other server do not replace this one's.
    other.joined("", key)
    assert keys.visitor(owned).most == Grant("owner", key=hash_of(keys.owner))


def test_a_session_that_is_ended_opens_nothing(file):
    keys = Keys(file)
    cookie = keys.joined("", keys.add("friday", "judge")[1])
    keys.sessions.end(cookie)
    for server in (keys, Keys(file)):
        with pytest.raises(EndedError):
            server.visitor(cookie)


def test_there_are_so_many_sessions_and_keys_and_the_oldest_unused_goes(monkeypatch):
    assert (sessions.SESSIONS, sessions.KEYS) == (10_000, 32)
    monkeypatch.setattr(sessions, "SESSIONS", 3)
    monkeypatch.setattr(sessions, "KEYS", 2)
    keys = Keys()
    cookies = [keys.joined("", keys.add("friday", "judge")[1]) for _session in range(3)]
    keys.visitor(cookies[0])
    more = keys.joined("", keys.owner)
    assert [keys.visitor(one).most is not None for one in (cookies[0], cookies[2], more)] == [True] * 3
    with pytest.raises(EndedError):
        keys.visitor(cookies[1])
    added = [keys.add("friday", "judge")[1] for _key in range(2)]
    for key in added:
        more = keys.joined(more, key)
    assert held(keys, more) == added


def test_what_is_no_file_of_sessions_is_left_alone(file):
    place = file.with_suffix(".sessions")
    place.write_text("mine\n")
    with pytest.raises(SettingsError, match=r"games\.db\.sessions"):
        Keys(file)
    assert place.read_text() == "mine\n"


def test_a_session_forgets_keys_that_ended(file, clock):
    keys = Keys(file, now=clock)
    (_one, first), (_two, second) = keys.add("friday", "judge", hours=1), keys.add("friday", "judge", hours=3)
    cookie = keys.joined("", first)
    clock.now += 2 * 3600
    assert held(keys, keys.joined(cookie, second)) == [second]


def test_a_session_with_one_good_key_is_good_and_with_none_it_has_ended():
    keys = Keys()
    link, key = keys.add("friday", "judge")
    assert [grant.role for grant in keys.caller([key, keys.owner]).grants] == ["judge", "owner"]
    keys.revoke(link.link)
    assert [grant.role for grant in keys.caller([key, keys.owner]).grants] == ["owner"]
    with pytest.raises(EndedError):
        keys.caller([key])
    assert keys.caller([]).grants == ()


def test_links_are_listed_in_pages():
    keys = Keys()
    made = sorted(keys.add("friday", "spectator")[0].link for _time in range(5))
    assert [link.link for link in keys.links(limit=2)] == made[:2]
    assert [link.link for link in keys.links(after=made[1])] == made[2:]
